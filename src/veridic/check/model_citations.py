"""Checks the sources that a validator cites: for which side, and which passage of each is quoted.

The first few that a verdict rests on are read (`cited_sources`). Citations are removed only in `citations_of`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from veridic.decision.cited import cited_sentences
from veridic.domain.evidence import Passage, Stance
from veridic.domain.validation import Account, Citation, CitedSentence
from veridic.domain.verdicts import Verdict
from veridic.engine.cited_sources import (
    MOST_READ,
    Asked,
    CitationCheck,
    CitedFor,
    beliefs_in,
    check_citations,
    removal_sentence,
    sentences_citing,
)
from veridic.engine.prompt_evidence import PromptEvidence
from veridic.judging.base import SourceJudge
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.judging.parse_validator import ValidationAnswer
from veridic.text.citation_marks import find_marks, without_marks

_FEWEST_FINDINGS, _MOST_FINDINGS = 3, 5
_FEWEST_CITATIONS, _MOST_CITATIONS = 8, 10
_LONGEST_REASON = 240
_MOST_SOURCES = 1000
"""A larger number in brackets, such as a year, is not a citation."""
_DEFAULT_RELEVANCE = "It speaks of the matter."


class CheckedSentences(NamedTuple):
    """The model's sentences whose citations hold."""

    summary: tuple[CitedSentence, ...]
    key_findings: tuple[CitedSentence, ...]
    contradictions: tuple[CitedSentence, ...]
    removed: int


def check_sentences(
    answer: ValidationAnswer,
    prompt_evidence: PromptEvidence,
    claim: Sequence[str],
    *,
    without: Collection[int] = (),
) -> CheckedSentences:
    """Check every sentence of the answer against the sources it cites, and against the claim with its context. The sources in
    `without` support nothing."""
    passages = {
        number: prompt_evidence.passages(number) for number in prompt_evidence.found if number not in without
    }
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
    return CheckedSentences(summary, findings, both_sides, removed)


def model_reason(answer: ValidationAnswer, number: int) -> str:
    """Return why a source matters, in the model's words; empty if the model doesn't say."""
    said = strip_source_numbers(answer.relevance.get(number, ""))[:_LONGEST_REASON].strip()
    return f"{said.rstrip('.')}." if said else ""


def strip_source_numbers(text: str) -> str:
    """Remove the source numbers of the prompt, which mean nothing to the user."""
    return without_marks(text, below=_MOST_SOURCES)


def model_account(
    answer: ValidationAnswer,
    prompt_evidence: PromptEvidence,
    sentences: CheckedSentences,
    from_evidence: Account,
) -> Account:
    """Use the model's own sentences first; derive from the evidence what it left out or cited wrongly."""
    return Account(
        summary=sentences.summary or from_evidence.summary,
        key_findings=_findings(sentences.key_findings, from_evidence.key_findings),
        contradictions=sentences.contradictions or from_evidence.contradictions,
        citations=_citations(answer, prompt_evidence, from_evidence.citations),
        citations_removed=sentences.removed,
    )


def _findings(
    own: Sequence[CitedSentence], from_evidence: Sequence[CitedSentence]
) -> tuple[CitedSentence, ...]:
    """If the model has few findings, add some about sources it doesn't mention."""
    cited = {source.location for sentence in own for source in sentence.sources}
    others = [one for one in from_evidence if not cited.issuperset(source.location for source in one.sources)]
    return (*own, *others[: max(0, _FEWEST_FINDINGS - len(own))])[:_MOST_FINDINGS]


def _citations(
    answer: ValidationAnswer, prompt_evidence: PromptEvidence, from_evidence: Sequence[Citation]
) -> tuple[Citation, ...]:
    known = {citation.source.location: citation for citation in from_evidence}
    chosen: dict[str, Citation] = {}
    for number in answer.relevance:
        if number in prompt_evidence.found:
            source = prompt_evidence.found[number][0].passage.source
            ours = known.get(source.location)
            why = model_reason(answer, number) or (ours.relevance if ours else _DEFAULT_RELEVANCE)
            chosen.setdefault(source.location, Citation(source=source, relevance=why))
    for location, citation in known.items():
        if len(chosen) < _FEWEST_CITATIONS:
            chosen.setdefault(location, citation)
    most_credible = sorted(chosen.values(), key=lambda citation: citation.source.credibility, reverse=True)
    return tuple(most_credible[:_MOST_CITATIONS])


SIDE_OF = {
    Verdict.SUPPORTED: Stance.SUPPORTING,
    Verdict.MOSTLY_SUPPORTED: Stance.SUPPORTING,
    Verdict.REFUTED: Stance.CONTRADICTING,
    Verdict.MISLEADING: Stance.CONTRADICTING,
}
"""The stance of the sources that a verdict of a model's scale rests on."""


class Cited(NamedTuple):
    """A source of the prompt, as the model uses it."""

    stance: Stance
    passage: Passage
    quote: str
    """Quoted from the passage word for word."""
    taken_out: str = ""
    """Why the citation was removed, as a sentence."""
    in_doubt: bool = False
    """The citation stays, but the reader is not sure of it."""


def citations_of(
    asked: Asked, answer: ValidationAnswer, prompt_evidence: PromptEvidence, judge: SourceJudge
) -> dict[int, Cited]:
    """Return every source of the prompt by number; sources that the model cites for neither side are contextual.

    Sources cited for the verdict are read first, the best ranked before the others.
    """
    sides = _sides(answer, prompt_evidence)
    first = SIDE_OF.get(answer.verdict)
    listed = sorted(
        (number for number in prompt_evidence.promising if number in sides),
        key=lambda n: sides[n] is not first,
    )
    cited_for = {
        number: CitedFor(sides[number], _reasons_for(answer, number)) for number in listed[:MOST_READ]
    }
    locations = _locations(cited_for, prompt_evidence)
    checks = check_citations(
        asked,
        {location: cited_for[number] for location, number in locations.items()},
        _passages(prompt_evidence),
        judge,
    )
    found = {}
    for number in prompt_evidence.found:
        passage, quote = _quotation(asked.question, answer, number, prompt_evidence)
        cited = Cited(sides.get(number, Stance.CONTEXTUAL), passage, quote)
        check = checks.get(passage.source.location)
        found[number] = _apply(cited, check) if check else cited
    return found


def read_ahead(asked: Asked, prompt_evidence: PromptEvidence, judge: SourceJudge) -> None:
    """Read the sources that a model will most likely cite, so that a remembering judge has read them when the answer comes."""
    likely = _locations(prompt_evidence.promising[:MOST_READ], prompt_evidence)
    beliefs_in(asked, likely, _passages(prompt_evidence), judge)


def _locations(numbers: Iterable[int], prompt_evidence: PromptEvidence) -> dict[str, int]:
    return {prompt_evidence.found[number][0].passage.source.location: number for number in numbers}


def _passages(prompt_evidence: PromptEvidence) -> list[Passage]:
    return [passage for number in prompt_evidence.found for passage in prompt_evidence.passages(number)]


def _apply(cited: Cited, check: CitationCheck) -> Cited:
    if not check.is_removed:
        return cited._replace(in_doubt=check.in_doubt)
    why = removal_sentence(cited.passage.source, cited.stance, check)
    return cited._replace(stance=Stance.CONTEXTUAL, taken_out=why)


def _sides(answer: ValidationAnswer, prompt_evidence: PromptEvidence) -> Mapping[int, Stance]:
    """Return the sides as the model lists them. A source in both lists, because it says both, is on the side of the verdict. If the
    model lists no source for its verdict, sources that it cites in its reasons and lists nowhere are on that side."""
    supporting, contradicting = set(answer.supporting), set(answer.contradicting)
    side = SIDE_OF.get(answer.verdict)
    sides = dict.fromkeys(supporting - contradicting, Stance.SUPPORTING)
    sides |= dict.fromkeys(contradicting - supporting, Stance.CONTRADICTING)
    if side is not None:
        sides |= dict.fromkeys(supporting & contradicting, side)
    if side is None or any(sides.get(number) is side for number in prompt_evidence.found):
        return sides
    written = {n for text in _reasons(answer) for mark in find_marks(text) for n in mark.numbers}
    return sides | dict.fromkeys(written - supporting - contradicting, side)


def _reasons(answer: ValidationAnswer) -> tuple[str, ...]:
    return (answer.summary, *answer.key_findings)


def _quotation(
    question: str, answer: ValidationAnswer, number: int, prompt_evidence: PromptEvidence
) -> tuple[Passage, str]:
    """Return the sentence closest to the question and to what the model cites the source for."""
    asked = " ".join([question, *_reasons_for(answer, number)])
    parts = [
        (passage, part) for passage in prompt_evidence.passages(number) for part in split_parts(passage.text)
    ]
    closest = by_closeness(asked, [part for _, part in parts])[:1]
    if not closest:
        first = prompt_evidence.passages(number)[0]
        return first, first.text
    return parts[closest[0]]


def _reasons_for(answer: ValidationAnswer, number: int) -> tuple[str, ...]:
    """Return the model's sentences that cite the source, without the numbers."""
    return tuple(sentences_citing(_reasons(answer), {number}))
