"""Shared by the checks against databases and live endpoints: splitting a document into sentences, and building the verdict."""

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
_BLOCK_START = re.compile(r"\s*(?:[-*+|#>]|\d{1,3}[.)])\s?")
"""The start of a list item, table row, heading or quotation."""
_LONGEST_LINE = 5_000


def plain_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence with its first line number. A sentence may span several lines; code blocks are skipped."""
    paragraph: list[tuple[int, str]] = []
    is_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        is_fence = _FENCE.match(line) is not None
        if is_fence or not line.strip() or _BLOCK_START.match(line) or is_code:
            yield from _sentences_of(paragraph)
            paragraph = []
        is_code ^= is_fence
        if not is_code and not is_fence and line.strip() and len(line) < _LONGEST_LINE:
            paragraph.append((number, line.strip()))
    yield from _sentences_of(paragraph)


def _sentences_of(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
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
    """Build the verdict on a claim; `agrees` says whether the observed value matches, None means inconclusive.

    For a claim about another system the evidence is external; for the project's own code it counts as test output.
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
