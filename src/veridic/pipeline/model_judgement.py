"""A validator's answer → a reading: its verdict held against the evidence, its sentences against what they cite."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from veridic.decision.account import account_of
from veridic.decision.breaks import is_dated
from veridic.decision.cited import cited_sentences
from veridic.decision.corrections import propose
from veridic.decision.decide import decision, reports_speech
from veridic.decision.temporal import temporal_analysis
from veridic.decision.weighing import Weighing, correction_type, weigh
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Judgement, TemporalAnalysis
from veridic.domain.evidence import Assessment, Evidence, Found, Passage, Stance
from veridic.domain.validation import Account, Citation, CitedSentence
from veridic.domain.verdicts import Verdict
from veridic.evidence.quality import rate_quality
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.judging.parse_validation import ValidationAnswer
from veridic.language.citation_marks import find_marks, without_marks
from veridic.language.words import content_stems
from veridic.pipeline.model_dates import KnownDates
from veridic.pipeline.readers import Reading
from veridic.pipeline.shown import Shown

_LEAST_SHARED = 0.2
"""Of a question's words: a source with fewer of them is not taken to speak for or against it."""
_RELEVANCE_OF_A_SIDE = 0.6
"""At least so relevant is a source that a model takes a side by, in whatever words it says it."""
_FEWEST_FINDINGS, _MOST_FINDINGS = 3, 5
_FEWEST_CITATIONS, _MOST_CITATIONS = 8, 10
_LONGEST_REASON = 240
_REASONS = {
    Stance.SUPPORTING: "It speaks for the claim.",
    Stance.CONTRADICTING: "It speaks against the claim.",
    Stance.CONTEXTUAL: "It gives context without settling the claim.",
}
_SIDE_OF = {
    Verdict.SUPPORTED: Stance.SUPPORTING,
    Verdict.MOSTLY_SUPPORTED: Stance.SUPPORTING,
    Verdict.REFUTED: Stance.CONTRADICTING,
    Verdict.MISLEADING: Stance.CONTRADICTING,
}
_NOT_SO = (Verdict.REFUTED, Verdict.MISLEADING)
_NOTHING = "Nothing that was found settles it."


class Circumstances(NamedTuple):
    """What does not depend on the answer."""

    judge: str
    """The model's name."""
    as_of: date
    claim_date: date


class _Told(NamedTuple):
    """The model's sentences whose citations hold."""

    summary: tuple[CitedSentence, ...]
    key_findings: tuple[CitedSentence, ...]
    contradictions: tuple[CitedSentence, ...]
    removed: int

    @property
    def cited(self) -> set[str]:
        """Locations of the sources that are cited soundly."""
        sentences = (*self.summary, *self.key_findings)
        return {source.location for sentence in sentences for source in sentence.sources}


def unread(circumstances: Circumstances) -> Reading:
    """Of a question for which nothing was found: there is nothing to ask a model about."""
    rationale = "No passage in the sources speaks of this."
    judged = Judgement(
        judge=circumstances.judge,
        verdict=Verdict.UNVERIFIABLE,
        confidence=0.0,
        rationale=rationale,
        evidence=(),
    )
    return Reading(judged)


def reading_of(
    claim: Claim, question: str, answer: ValidationAnswer, shown: Shown, circumstances: Circumstances
) -> Reading:
    """The answer's verdict with every source that was shown as evidence.

    A source is on a side where the model puts it there and its text bears on the question. Where everything that the
    answer cites is taken out no side is left, and the rules of evidence leave no verdict.
    """
    told = _told(answer, shown)
    stances = _stances(claim, question, answer, shown, told)
    considered = tuple(
        _evidence(question, shown.found[number], stance, answer, number, circumstances.as_of)
        for number, stance in stances.items()
    )
    weighing = weigh(considered, claim_date=circumstances.claim_date, is_dated=is_dated(question))
    turned_over = answer.verdict in _NOT_SO and weighing.verdict is Verdict.OUTDATED
    verdict = Verdict.OUTDATED if turned_over else answer.verdict
    kind = correction_type(verdict)
    judged = Judgement(
        judge=circumstances.judge,
        verdict=verdict,
        confidence=answer.confidence,
        rationale=_NOTHING,
        evidence=_key_evidence(weighing),
        considered=considered,
        correction=propose(question, kind, weighing) if kind else None,
    )
    account = _account(claim, judged, answer, shown, told, circumstances.as_of)
    rationale = " ".join(sentence.text for sentence in account.summary) or _NOTHING
    temporal = _temporal(claim, question, answer, considered, circumstances, turned_over=turned_over)
    return Reading(judged.model_copy(update={"rationale": rationale}), account, temporal)


def _told(answer: ValidationAnswer, shown: Shown) -> _Told:
    passages = {number: shown.passages(number) for number in shown.found}
    removed = 0

    def checked(texts: Iterable[str]) -> tuple[CitedSentence, ...]:
        nonlocal removed
        kept: list[CitedSentence] = []
        for text in texts:
            sentences, taken_out = cited_sentences(text, passages)
            kept += sentences
            removed += taken_out
        return tuple(kept)

    summary, findings = checked([answer.summary]), checked(answer.key_findings)
    both_sides = tuple(one for one in checked(answer.contradictions) if len(one.sources) > 1)
    return _Told(summary, findings, both_sides, removed)


def _stances(
    claim: Claim, question: str, answer: ValidationAnswer, shown: Shown, told: _Told
) -> dict[int, Stance]:
    """By number, for every source that was shown."""
    written = {
        n
        for text in (answer.summary, *answer.key_findings)
        for mark in find_marks(text)
        for n in mark.numbers
    }
    if written and not told.cited:
        return dict.fromkeys(shown.found, Stance.CONTEXTUAL)
    sides = _sides(answer, shown, told)
    was_it_said = claim.framing.kind is FramingKind.HEARSAY and question == claim.text
    return {
        number: sides.get(number, Stance.CONTEXTUAL)
        if _bears_on(question, number, shown, told)
        and (not was_it_said or _reports(shown.passages(number), claim.framing.speaker or ""))
        else Stance.CONTEXTUAL
        for number in shown.found
    }


def _sides(answer: ValidationAnswer, shown: Shown, told: _Told) -> dict[int, Stance]:
    """As the model lists them, in both lists neither; where it lists none, what it cites is on its verdict's side."""
    supporting, contradicting = set(answer.supporting), set(answer.contradicting)
    sides = dict.fromkeys(supporting - contradicting, Stance.SUPPORTING)
    sides |= dict.fromkeys(contradicting - supporting, Stance.CONTRADICTING)
    side = _SIDE_OF.get(answer.verdict)
    if sides.keys() & shown.found.keys() or side is None:
        return sides
    return {n: side for n in shown.found if _location(n, shown) in told.cited}


def _location(number: int, shown: Shown) -> str:
    return shown.found[number][0].passage.source.location


def _bears_on(question: str, number: int, shown: Shown, told: _Told) -> bool:
    if _location(number, shown) in told.cited:
        return True
    return any(_shared(question, passage.text) >= _LEAST_SHARED for passage in shown.passages(number))


def _reports(passages: Iterable[Passage], speaker: str) -> bool:
    return any(reports_speech(passage.text, speaker) for passage in passages)


def _shared(question: str, text: str) -> float:
    wanted = content_stems(question)
    return len(wanted & content_stems(text)) / len(wanted) if wanted else 0.0


def _evidence(
    question: str,
    found: Sequence[Found],
    stance: Stance,
    answer: ValidationAnswer,
    number: int,
    as_of: date,
) -> Evidence:
    """One for a source, at the passage with the sentence that is nearest to the question."""
    parts = [(one.passage, part) for one in found for part in split_parts(one.passage.text)]
    nearest = by_closeness(question, [part for _, part in parts])[:1]
    passage, quote = parts[nearest[0]] if nearest else (found[0].passage, found[0].passage.text)
    relevance = _shared(question, passage.text)
    if stance is not Stance.CONTEXTUAL:
        relevance = max(relevance, _RELEVANCE_OF_A_SIDE)
    assessment = Assessment(
        stance=stance,
        probability=answer.confidence,
        quote=quote,
        reason=_reason(answer, number) or _REASONS[stance],
        relevance=relevance,
        specificity=relevance,
    )
    copies = {copy.location: copy for one in found for copy in one.copies}
    return Evidence(
        passage=passage,
        assessment=assessment,
        quality=rate_quality(passage, assessment, as_of),
        copies=tuple(copies.values()),
    )


def _reason(answer: ValidationAnswer, number: int) -> str:
    """The model's, without the numbers of its own prompt, which mean nothing to a reader."""
    said = _plain(answer.relevance.get(number, ""))[:_LONGEST_REASON].strip()
    return f"{said.rstrip('.')}." if said else ""


def _plain(text: str) -> str:
    return without_marks(text, below=1000)


def _key_evidence(weighing: Weighing) -> tuple[Evidence, ...]:
    return weighing.key_supporting + weighing.key_contradicting


def _account(
    claim: Claim, judged: Judgement, answer: ValidationAnswer, shown: Shown, told: _Told, as_of: date
) -> Account:
    """The model's own sentences first; what it left out, or cited falsely, is told from the evidence."""
    from_evidence = account_of(decision(claim, judged, as_of=as_of), judged.considered)
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
            why = _reason(answer, number) or (ours.relevance if ours else _REASONS[Stance.CONTEXTUAL])
            chosen.setdefault(source.location, Citation(source=source, relevance=why))
    for location, citation in known.items():
        if len(chosen) < _FEWEST_CITATIONS:
            chosen.setdefault(location, citation)
    most_credible = sorted(chosen.values(), key=lambda citation: citation.source.credibility, reverse=True)
    return tuple(most_credible[:_MOST_CITATIONS])


def _temporal(
    claim: Claim,
    question: str,
    answer: ValidationAnswer,
    considered: Sequence[Evidence],
    circumstances: Circumstances,
    *,
    turned_over: bool,
) -> TemporalAnalysis:
    """The model's sentences as far as their dates were read somewhere; ours for the rest, and for when things changed."""
    ours = temporal_analysis(
        claim, considered, as_of=circumstances.as_of, claim_date=circumstances.claim_date
    )
    known = KnownDates.of(
        (claim.text, claim.context, question), (e.passage for e in considered), circumstances.as_of
    )
    said = {name: known.sound_sentences(_plain(text)) for name, text in answer.temporal.model_dump().items()}
    if turned_over:
        said["temporal_verdict"] = ""
    return ours.model_copy(update={name: text for name, text in said.items() if text})
