"""A validator's answer → a reading: its verdict with the sources it rests on, its sentences held against what they cite."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from veridic.decision.account import account_of
from veridic.decision.breaks import is_dated
from veridic.decision.corrections import propose
from veridic.decision.decide import decision
from veridic.decision.temporal import temporal_analysis
from veridic.decision.weighing import Weighing, correction_type, weigh
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Correction, Judgement, TemporalAnalysis
from veridic.domain.evidence import Assessment, Evidence, Found, Stance
from veridic.domain.validation import Account, CitedSentence
from veridic.domain.verdicts import Verdict
from veridic.evidence.quality import rate_quality
from veridic.judging.base import SourceJudge
from veridic.judging.parse_validation import ValidationAnswer
from veridic.pipeline.cited_sources import Asked
from veridic.pipeline.model_account import account_by, plain, reason_by, told_by
from veridic.pipeline.model_citations import SIDE_OF, Cited, citations_of
from veridic.pipeline.model_dates import KnownDates
from veridic.pipeline.readers import Reading
from veridic.pipeline.shown import Shown
from veridic.text.citation_marks import find_marks
from veridic.text.words import content_stems

_RELEVANCE_OF_A_SIDE = 0.6
"""At least so relevant is a source that a model takes a side by, in whatever words it says it."""
_REASONS = {
    Stance.SUPPORTING: "It speaks for the claim.",
    Stance.CONTRADICTING: "It speaks against the claim.",
    Stance.CONTEXTUAL: "It gives context without settling the claim.",
}
_NOT_SO = (Verdict.REFUTED, Verdict.MISLEADING)
_UNSETTLED = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)
_NONE_SAYS_SO = "None of the sources cited for a verdict can be read as saying so."
_IN_DOUBT = "Whether it says so is in doubt."
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
    claim: Claim,
    question: str,
    answer: ValidationAnswer,
    shown: Shown,
    circumstances: Circumstances,
    judge: SourceJudge,
) -> Reading:
    """The answer's verdict with every source that was shown as evidence.

    Where no source that was shown is cited for the verdict, or none of those cited can be read as saying so, the rules of evidence
    leave none.
    """
    cited = citations_of(Asked(question, claim.context), answer, shown, judge)
    taken_out = {number: one for number, one in cited.items() if one.taken_out}
    considered = tuple(
        _evidence(
            question, shown.found[number], one, reason_by(answer, number), answer.confidence, circumstances
        )
        for number, one in cited.items()
    )
    if taken_out and not _is_cited(answer.verdict, cited):
        return _bereft(claim, considered, taken_out, circumstances)
    told = told_by(answer, shown, (claim.text, claim.context, question), without=taken_out)
    weighing = weigh(considered, claim_date=circumstances.claim_date, is_dated=is_dated(question))
    turned_over = answer.verdict in _NOT_SO and weighing.verdict is Verdict.OUTDATED
    verdict = Verdict.OUTDATED if turned_over else _verdict(answer, cited)
    judged = Judgement(
        judge=circumstances.judge,
        verdict=verdict,
        confidence=answer.confidence,
        rationale=_NOTHING,
        evidence=weighing.key_supporting + weighing.key_contradicting,
        considered=considered,
        correction=_correction(question, Verdict.OUTDATED if turned_over else answer.verdict, weighing),
    )
    decided = decision(claim, judged, as_of=circumstances.as_of)
    account = account_by(answer, shown, told, account_of(decided, considered))
    account = _with_taken_out(account, taken_out)
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


def _is_cited(verdict: Verdict, cited: Mapping[int, Cited]) -> bool:
    """Whether a verdict has a citation it can rest on: of its side, and for what misleads, which may well be right in itself, of
    any. One that settles nothing needs none."""
    side = SIDE_OF.get(verdict)
    sides = (Stance.SUPPORTING, Stance.CONTRADICTING) if verdict is Verdict.MISLEADING else (side,)
    return side is None or any(one.stance in sides for one in cited.values())


def _bereft(
    claim: Claim,
    considered: tuple[Evidence, ...],
    taken_out: Mapping[int, Cited],
    circumstances: Circumstances,
) -> Reading:
    """Of a verdict that has lost all its citations."""
    judged = Judgement(
        judge=circumstances.judge,
        verdict=Verdict.UNVERIFIABLE,
        confidence=0.0,
        rationale=" ".join([_NONE_SAYS_SO, *(one.taken_out for one in taken_out.values())]),
        evidence=(),
        considered=considered,
    )
    decided = decision(claim, judged, as_of=circumstances.as_of)
    account = account_of(decided, considered).model_copy(
        update={"summary": (CitedSentence(text=_NONE_SAYS_SO),)}
    )
    return Reading(judged, _with_taken_out(account, taken_out))


def _with_taken_out(account: Account, taken_out: Mapping[int, Cited]) -> Account:
    """With a sentence on every citation that was taken out."""
    named = (CitedSentence(text=one.taken_out, sources=(one.passage.source,)) for one in taken_out.values())
    return account.model_copy(
        update={
            "summary": (*account.summary, *named),
            "citations_removed": account.citations_removed + len(taken_out),
        }
    )


def _correction(question: str, verdict: Verdict, weighing: Weighing) -> Correction | None:
    """A clarification in the words of a source, unless they say no more than the claim itself; what a model has read
    was not compared with the claim, so there is nothing to exchange in it."""
    kind = correction_type(verdict)
    proposed = propose(question, kind, weighing) if kind else None
    if proposed is None or content_stems(proposed.corrected) <= content_stems(question):
        return None
    return proposed


def _verdict(answer: ValidationAnswer, cited: Mapping[int, Cited]) -> Verdict:
    """The answer's, but for sources that contradict each other: the scale that models answer on has no word for it."""
    by_side = {
        side: {number for number, one in cited.items() if one.stance is side}
        for side in (Stance.SUPPORTING, Stance.CONTRADICTING)
    }
    if not all(by_side.values()):
        return answer.verdict
    conflicts = [
        {number for mark in find_marks(text) for number in mark.numbers} for text in answer.contradictions
    ]
    names_both = any(all(conflict & side for side in by_side.values()) for conflict in conflicts)
    is_divided = answer.verdict in _UNSETTLED or (answer.verdict is Verdict.MISLEADING and names_both)
    return Verdict.PARTIAL if is_divided else answer.verdict


def _shared(question: str, text: str) -> float:
    wanted = content_stems(question)
    return len(wanted & content_stems(text)) / len(wanted) if wanted else 0.0


def _evidence(
    question: str,
    found: Sequence[Found],
    cited: Cited,
    reason: str,
    confidence: float,
    circumstances: Circumstances,
) -> Evidence:
    """One for a source, at the passage that is quoted."""
    relevance = _shared(question, cited.passage.text)
    if cited.stance is not Stance.CONTEXTUAL:
        relevance = max(relevance, _RELEVANCE_OF_A_SIDE)
    assessment = Assessment(
        stance=cited.stance,
        probability=confidence,
        quote=cited.quote,
        reason=" ".join(
            filter(None, (reason or _REASONS[cited.stance], _IN_DOUBT if cited.in_doubt else ""))
        ),
        relevance=relevance,
        specificity=relevance,
    )
    copies = {copy.location: copy for one in found for copy in one.copies}
    return Evidence(
        passage=cited.passage,
        assessment=assessment,
        quality=rate_quality(cited.passage, assessment, circumstances.as_of),
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
    said = {name: plain(text) for name, text in answer.temporal.model_dump().items() if text}
    if turned_over:
        said.pop("temporal_verdict", None)
    if not said:
        return ours
    known = KnownDates.of(
        (claim.text, claim.context, question), (e.passage for e in considered), circumstances.as_of
    )
    sound = {name: known.sound_sentences(text) for name, text in said.items()}
    return ours.model_copy(update={name: text for name, text in sound.items() if text})
