"""Claims that deny something: judged as what they deny, with the answer turned round.

"Sydney is not the capital of Australia" is borne out by whatever contradicts "Sydney is the capital of
Australia". Names and figures can then be compared as they stand.
"""

import re

_DENIALS = re.compile(
    r"\A(?:it is|it's) (?:false|untrue|not true|not the case|wrong) that\s+"
    r"|(?<=\b(?:is|as))n['’]t\b|(?<=\b(?:are|was|has|had|did))n['’]t\b|(?<=\b(?:were|does|have))n['’]t\b|(?<=\bdo)n['’]t\b"
    r"|\b(?<=\bis |as )not\b(?! (?:only|just|merely|quite))|(?<=\bare |was |had |did )not\b(?! (?:only|just|merely))"
    r"|(?<=\bwere |does |have )not\b(?! (?:only|just|merely))|(?<=\bdo )not\b"
    r"|\bno longer\b|\bnever\b(?! before)|(?<=\b(?:has|had) )no\b(?! (?:more|fewer|less|longer|other))|(?<=\bhave )no\b(?! (?:more|fewer|less|longer|other))"
    r"|\Ano(?:body| one)?\b(?= [a-z])(?! (?:more|fewer|less|longer|other))",
    re.IGNORECASE,
)


_MORE_TO_IT = re.compile(r"[:;]|,? \b(?:but|although|though|because|while|whereas)\b|, (?:as|and)\b")
"""Where a claim goes on to say something else, the denial isn't about all of it."""


def without_denial(claim: str) -> str | None:
    """What a claim denies, as a statement; None where it denies nothing, or more than one thing."""
    found = list(_DENIALS.finditer(claim))
    if len(found) != 1 or _MORE_TO_IT.search(claim):
        return None
    start, end = found[0].span()
    rest = f"{claim[:start].rstrip()} {claim[end:].lstrip()}".strip()
    return rest[:1].upper() + rest[1:] if rest else None
