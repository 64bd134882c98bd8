"""The words a language model puts a verdict on the validation scale in: TRUE, FALSE, MISLEADING, UNVERIFIABLE.

A verdict that takes something back keeps that: "mostly true" is MOSTLY_SUPPORTED and still TRUE on the scale, "half
true" is PARTIAL and MISLEADING on it. Several verdicts side by side ("TRUE or FALSE", the format's own list) are none.
"""

import re

from veridic.domain.verdicts import Scale, Verdict, read, say

_LIMIT = (
    r"(?:(?P<mostly>mostly|largely|mainly|substantially|broadly|generally|essentially|nearly|almost|overwhelmingly)|"
    r"(?P<partly>part|partly|partial|partially|half|somewhat|not (?:entirely|fully|completely|quite|wholly)))[\s-]+"
)
_NOT = r"(?P<not>not |un(?=true|supported|proven|verified|verifiable)|non-|(?:can ?not|can['’]t|could not)(?: be)? )"
_WORDS = (
    r"(?P<true>true|accurate|correct|confirmed|verified|verifiable|supported|proven|valid|factual|right)|"
    r"(?P<false>false|inaccurate|incorrect|refuted|debunked|contradicted|fabricated|wrong|fake|pants on fire)|"
    r"(?P<misleading>misleading|exaggerated|distorted|deceptive|out of context|missing context|lacks context|cherry-?picked|outdated)|"
    r"(?P<mixed>mixed|mixture|disputed|contested|conflicting)|"
    r"(?P<open>inconclusive|unknown|uncertain|undetermined|unclear|indeterminate|unsubstantiated|determined|"
    r"(?:insufficient|not enough|no)[\s_](?:evidence|information|info|data))"
)
_SAID = re.compile(rf"[\W_]{{0,12}}(?:{_LIMIT})?{_NOT}?(?:{_WORDS})(?![a-z])", re.IGNORECASE)
_JOINED = re.compile(
    r"[\W_]{0,4}(?:/|\||,|;|\b(?:or|but|and|yet|though)\b)(?:\s{0,2}\b(?:or|but|and|yet|though)\b)?",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"[\s*]{0,3}(?:[(\[](?P<inside>[^)\]]{1,120})|[–—:-]\s{0,2}(?P<behind>[\w-]{1,20})(?![\w-]))"
)
"""What a verdict is qualified by: in brackets, or as one word behind a dash."""
_CLAUSE_END = re.compile(r"[*_\"'”’)\]]{0,3}(?:[.,;:!?…]|\Z|\s{0,2}(?:because|since|as)\b)")
_LONGEST = 240
"""Characters in which a verdict is looked for."""
_LONGEST_PROSE = 4_000
"""Characters of prose in which it may be taken back."""


def read_validation_verdict(value: object) -> Verdict | None:
    """The verdict that a value, or the one item of a list, begins with; None where it names none, or several."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return read("TRUE" if value else "FALSE", Scale.VALIDATION)
    if not isinstance(value, str):
        return None
    head = " ".join(value[:_LONGEST].replace("_", " ").split())
    said = _SAID.match(head)
    verdict = _verdict(said) if said else None
    joined = _JOINED.match(head, said.end()) if said else None
    another = _SAID.match(head, joined.end()) if joined else _in_aside(head, said.end()) if said else None
    return verdict if another is None or _verdict(another) is verdict else None


def is_taken_back(verdict: Verdict, text: str) -> bool:
    """Whether prose behind a verdict calls the claim something else on the scale: "on reflection this is wrong". Words of both sides
    take nothing back: "the claim is false, the correct figure is 38" tells what is right."""
    flat = " ".join(text[:_LONGEST_PROSE].replace("_", " ").split())
    named = {say(one, Scale.VALIDATION) for said in _SAID.finditer(flat) if (one := _judges(said, flat))}
    return bool(named) and say(verdict, Scale.VALIDATION) not in named


def _judges(said: re.Match[str], text: str) -> Verdict | None:
    """The verdict of a word that a sentence or clause ends with."""
    is_last = _CLAUSE_END.match(text, said.end()) is not None
    is_whole = said.start() == 0 or not text[said.start() - 1].isalnum() or not text[said.start()].isalnum()
    return _verdict(said) if is_last and is_whole else None


def _in_aside(head: str, position: int) -> re.Match[str] | None:
    """`TRUE (misleading)`: what is said beside a verdict takes it back, unless it is part of a sentence."""
    aside = _ASIDE.match(head, position)
    if aside is None:
        return None
    return _SAID.fullmatch((aside["inside"] or aside["behind"]).strip())


def _verdict(said: re.Match[str]) -> Verdict | None:
    if said["open"]:
        return Verdict.UNVERIFIABLE
    if said["misleading"]:
        return None if said["not"] else read("MISLEADING", Scale.VALIDATION)
    if said["mixed"]:
        return None if said["not"] else Verdict.PARTIAL
    if said["partly"]:
        return Verdict.PARTIAL
    if said["false"]:
        if said["not"]:
            return None
        return Verdict.MISLEADING if said["mostly"] else read("FALSE", Scale.VALIDATION)
    return _supported(said)


def _supported(said: re.Match[str]) -> Verdict | None:
    word = said["true"].lower()
    if said["not"]:
        is_open = word in ("verified", "verifiable", "supported", "proven", "confirmed")
        return Verdict.UNVERIFIABLE if is_open else read("FALSE", Scale.VALIDATION)
    if word == "verifiable":
        return None
    return Verdict.MOSTLY_SUPPORTED if said["mostly"] else read("TRUE", Scale.VALIDATION)
