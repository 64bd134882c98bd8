"""A validator's answer → a reading: its verdict held against the evidence, its sentences against what they cite."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from veridic.decision.account import account_of
from veridic.decision.breaks import is_dated
from veridic.decision.corrections import propose
from veridic.decision.decide import decision, names_speaker
from veridic.decision.temporal import temporal_analysis
from veridic.decision.weighing import Weighing, correction_type, weigh
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Correction, Judgement, TemporalAnalysis
from veridic.domain.evidence import Assessment, Evidence, Found, Passage, Stance
from veridic.domain.verdicts import Verdict
from veridic.evidence.quality import rate_quality
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.judging.parse_validation import ValidationAnswer
from veridic.pipeline.model_account import Told, account_by, plain, reason_by, told_by
from veridic.pipeline.model_dates import KnownDates
from veridic.pipeline.readers import Reading
from veridic.pipeline.shown import Shown
from veridic.text.citation_marks import find_marks
from veridic.text.words import content_stems

_LEAST_SHARED = 0.2
"""Of a question's words: a source with fewer of them is not taken to speak for or against it."""
_RELEVANCE_OF_A_SIDE = 0.6
"""At least so relevant is a source that a model takes a side by, in whatever words it says it."""
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
_UNSETTLED = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)
_NOTHING = "Nothing that was found settles it."


class Circumstances(NamedTuple):
    """What does not depend on the answer."""

    judge: str
    """The model's name."""
    as_of: date
    claim_date: date


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
    told = told_by(answer, shown)
    stances = _stances(claim, question, answer, shown, told)
    considered = tuple(
        _evidence(question, shown.found[number], stance, answer, number, circumstances.as_of)
        for number, stance in stances.items()
    )
    weighing = weigh(considered, claim_date=circumstances.claim_date, is_dated=is_dated(question))
    turned_over = answer.verdict in _NOT_SO and weighing.verdict is Verdict.OUTDATED
    verdict = Verdict.OUTDATED if turned_over else answer.verdict
    judged = Judgement(
        judge=circumstances.judge,
        verdict=verdict,
        confidence=answer.confidence,
        rationale=_NOTHING,
        evidence=weighing.key_supporting + weighing.key_contradicting,
        considered=considered,
        correction=_correction(question, verdict, weighing),
    )
    decided = decision(claim, judged, as_of=circumstances.as_of)
    account = account_by(answer, shown, told, account_of(decided, considered))
    temporal = _temporal(claim, question, answer, considered, circumstances, turned_over=turned_over)
    rationale = " ".join(sentence.text for sentence in account.summary) or _NOTHING
    judged = judged.model_copy(update={"rationale": rationale})
    if claim.framing.kind is FramingKind.HEARSAY and decided.verdict in _UNSETTLED:
        # Two readings are put together before the rules of evidence see them: none may bring a bare verdict.
        overruled = {"rationale": decided.rationale} if decided.gates else {}
        judged = judged.model_copy(
            update={
                "verdict": decided.verdict,
                "confidence": decided.confidence,
                "correction": None,
                **overruled,
            }
        )
    return Reading(judged, account, temporal)


def _correction(question: str, verdict: Verdict, weighing: Weighing) -> Correction | None:
    """A clarification in the words of a source, unless they say no more than the claim itself; what a model has read
    was not compared with the claim, so there is nothing to exchange in it."""
    kind = correction_type(verdict)
    proposed = propose(question, kind, weighing) if kind else None
    if proposed is None or content_stems(proposed.corrected) <= content_stems(question):
        return None
    return proposed


def _stances(
    claim: Claim, question: str, answer: ValidationAnswer, shown: Shown, told: Told
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


def _sides(answer: ValidationAnswer, shown: Shown, told: Told) -> dict[int, Stance]:
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


def _bears_on(question: str, number: int, shown: Shown, told: Told) -> bool:
    if _location(number, shown) in told.cited:
        return True
    return any(_shared(question, passage.text) >= _LEAST_SHARED for passage in shown.passages(number))


def _reports(passages: Iterable[Passage], speaker: str) -> bool:
    return any(names_speaker(passage.text, speaker) for passage in passages)


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
        reason=reason_by(answer, number) or _REASONS[stance],
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
    said = {name: known.sound_sentences(plain(text)) for name, text in answer.temporal.model_dump().items()}
    if turned_over:
        said["temporal_verdict"] = ""
    return ours.model_copy(update={name: text for name, text in said.items() if text})
