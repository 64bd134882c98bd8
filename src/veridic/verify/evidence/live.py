"""What claims about databases and about endpoints share: the sentences that make them, and the verdict on them."""

import re
from collections.abc import Iterator

from veridic.domain.code import (
    AgentVerdict,
    ClaimCategory,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EvidenceTier,
)
from veridic.domain.evidence import Stance

_VERDICTS = {
    True: (CodeVerdict.VERIFIED, Stance.SUPPORTING),
    False: (CodeVerdict.REFUTED, Stance.CONTRADICTING),
    None: (CodeVerdict.INCONCLUSIVE, Stance.CONTEXTUAL),
}
_END = re.compile(r"(?<=[.!?])\s+")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_BEGINS_ANEW = re.compile(r"\s*(?:[-*+|#>]|\d{1,3}[.)])\s?")
"""An item, a row of a table, a heading, a quotation."""
_LONGEST_LINE = 5_000


def plain_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence with the line that it begins on, also where it goes on over several; blocks of code are left out."""
    paragraph: list[tuple[int, str]] = []
    is_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        is_fence = _FENCE.match(line) is not None
        if is_fence or not line.strip() or _BEGINS_ANEW.match(line) or is_code:
            yield from _of_paragraph(paragraph)
            paragraph = []
        is_code ^= is_fence
        if not is_code and not is_fence and line.strip() and len(line) < _LONGEST_LINE:
            paragraph.append((number, line.strip()))
    yield from _of_paragraph(paragraph)


def _of_paragraph(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    starts, length = [], 0
    for number, line in lines:
        starts.append((length, number))
        length += len(line) + 1
    text = " ".join(line for _, line in lines)
    at = 0
    for sentence in _END.split(text) if text else ():
        at = text.index(sentence, at)
        yield max(number for start, number in starts if start <= at), sentence
        at += len(sentence)


def live_verdict(
    agent: str,
    claim: DocClaim,
    agrees: bool | None,
    *,
    reason: str,
    path: str,
    quote: str,
    value: str | None = None,
    would_settle: str | None = None,
) -> AgentVerdict:
    """The verdict on a claim of which it is known whether what was seen agrees; None: that does not tell.

    What is seen of the project's own code is the output of a run; what is seen of another system is a look outside.
    """
    verdict, stance = _VERDICTS[agrees]
    is_external = claim.category is ClaimCategory.EXTERNAL
    evidence = CodeEvidence(
        tier=EvidenceTier.EXTERNAL if is_external else EvidenceTier.TESTS,
        stance=stance,
        path=path,
        quote=quote,
        value=value if agrees is False else None,
    )
    return AgentVerdict(
        agent=agent,
        verdict=verdict,
        confidence=0.0 if agrees is None else 0.95,
        reason=reason,
        evidence=(evidence,),
        depth=Depth.DEEP,
        would_settle=would_settle if agrees is None else None,
    )
