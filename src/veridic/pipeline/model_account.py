"""What a validator tells of the evidence, as far as its citations hold; what it left out is told from the evidence."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from veridic.decision.cited import cited_sentences
from veridic.domain.validation import Account, Citation, CitedSentence
from veridic.judging.parse_validation import ValidationAnswer
from veridic.pipeline.shown import Shown
from veridic.text.citation_marks import without_marks

_FEWEST_FINDINGS, _MOST_FINDINGS = 3, 5
_FEWEST_CITATIONS, _MOST_CITATIONS = 8, 10
_LONGEST_REASON = 240
_MOST_SOURCES = 1000
"""Brackets with a larger number, such as a year, are no citation."""
_OF_THE_MATTER = "It speaks of the matter."


class Told(NamedTuple):
    """The model's sentences whose citations hold."""

    summary: tuple[CitedSentence, ...]
    key_findings: tuple[CitedSentence, ...]
    contradictions: tuple[CitedSentence, ...]
    removed: int


def told_by(
    answer: ValidationAnswer, shown: Shown, claim: Sequence[str], *, without: Collection[int] = ()
) -> Told:
    """Every sentence of the answer held against the sources it cites, and against the claim with its context. Sources that
    it is `without` can't carry any."""
    passages = {number: shown.passages(number) for number in shown.found if number not in without}
    removed = 0

    def checked(texts: Iterable[str]) -> tuple[CitedSentence, ...]:
        nonlocal removed
        kept: list[CitedSentence] = []
        for text in texts:
            sentences, taken_out = cited_sentences(text, passages, claim)
            kept += sentences
            removed += taken_out
        return tuple(kept)

    summary, findings = checked([answer.summary]), checked(answer.key_findings)
    both_sides = tuple(one for one in checked(answer.contradictions) if len(one.sources) > 1)
    return Told(summary, findings, both_sides, removed)


def reason_by(answer: ValidationAnswer, number: int) -> str:
    """Why a source matters, in the model's words; empty where it says nothing of that."""
    said = plain(answer.relevance.get(number, ""))[:_LONGEST_REASON].strip()
    return f"{said.rstrip('.')}." if said else ""


def plain(text: str) -> str:
    """Without the numbers of the prompt, which mean nothing to a reader."""
    return without_marks(text, below=_MOST_SOURCES)


def account_by(answer: ValidationAnswer, shown: Shown, told: Told, from_evidence: Account) -> Account:
    """The model's own sentences first; what it left out, or cited falsely, is told from the evidence."""
    return Account(
        summary=told.summary or from_evidence.summary,
        key_findings=_findings(told.key_findings, from_evidence.key_findings),
        contradictions=told.contradictions or from_evidence.contradictions,
        citations=_citations(answer, shown, from_evidence.citations),
        citations_removed=told.removed,
    )


def _findings(
    own: Sequence[CitedSentence], from_evidence: Sequence[CitedSentence]
) -> tuple[CitedSentence, ...]:
    """Where the model's are few, some about sources that it says nothing of."""
    cited = {source.location for sentence in own for source in sentence.sources}
    others = [one for one in from_evidence if not cited.issuperset(source.location for source in one.sources)]
    return (*own, *others[: max(0, _FEWEST_FINDINGS - len(own))])[:_MOST_FINDINGS]


def _citations(
    answer: ValidationAnswer, shown: Shown, from_evidence: Sequence[Citation]
) -> tuple[Citation, ...]:
    known = {citation.source.location: citation for citation in from_evidence}
    chosen: dict[str, Citation] = {}
    for number in answer.relevance:
        if number in shown.found:
            source = shown.found[number][0].passage.source
            ours = known.get(source.location)
            why = reason_by(answer, number) or (ours.relevance if ours else _OF_THE_MATTER)
            chosen.setdefault(source.location, Citation(source=source, relevance=why))
    for location, citation in known.items():
        if len(chosen) < _FEWEST_CITATIONS:
            chosen.setdefault(location, citation)
    most_credible = sorted(chosen.values(), key=lambda citation: citation.source.credibility, reverse=True)
    return tuple(most_credible[:_MOST_CITATIONS])
