"""Turns a language model's answer on one claim into a judgement; checks its citations, dates and correction against the sources."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from veridic.check.model_citations import (
    SIDE_OF,
    Cited,
    check_sentences,
    citations_of,
    model_account,
    model_reason,
    strip_source_numbers,
)
from veridic.decision.account import account_of
from veridic.decision.breaks import is_dated
from veridic.decision.corrections import propose
from veridic.decision.decide import decision
from veridic.decision.temporal import temporal_analysis
from veridic.decision.weighing import Weighing, correction_type, weigh
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Correction, Judgement, TemporalAnalysis
from veridic.domain.evidence import IN_DOUBT, Assessment, Evidence, Found, Passage, Stance
from veridic.domain.validation import Account, CitedSentence
from veridic.domain.verdicts import Verdict
from veridic.engine.cited_sources import Asked
from veridic.engine.prompt_evidence import PromptEvidence
from veridic.engine.readers import Reading
from veridic.evidence.credibility import rate_quality
from veridic.judging.base import SourceJudge
from veridic.judging.parse_validator import ValidationAnswer
from veridic.text.citation_marks import find_marks
from veridic.text.dates import DateMention, find_dates
from veridic.text.sentences import split_sentences
from veridic.text.words import content_stems

_Interval = tuple[date, date]
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.5, "year": 365.25, "decade": 3652.5}
_NUMBERS = ("a", "an", *"one two three four five six seven eight nine ten eleven twelve".split())
_AGE = re.compile(
    rf"\b(?P<number>[0-9]{{1,4}}|{'|'.join(_NUMBERS)})[\s-](?P<unit>{'|'.join(_DAYS)})s?[\s-](?:ago|old|earlier)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class KnownDates:
    """All dates of a claim and its evidence, and the day of the check."""

    intervals: frozenset[_Interval]
    as_of: date

    @classmethod
    def of(cls, texts: Iterable[str], passages: Iterable[Passage], as_of: date) -> "KnownDates":
        found: set[_Interval] = {(as_of, as_of)}
        for passage in passages:
            found |= {(when.first, when.last) for when in (passage.date, passage.source.date) if when}
            found |= _mentioned(passage.text)
        for text in texts:
            found |= _mentioned(text)
        return cls(frozenset(found), as_of)

    def sound_sentences(self, text: str) -> str:
        """Return the sentences that name dates, all of them known; empty if there are none.

        An age ("three years ago") must fit a date in the same sentence.
        """
        return " ".join(
            text[start:end] for start, end in split_sentences(text) if self._is_sound(text[start:end])
        )

    def _is_sound(self, sentence: str) -> bool:
        mentions = find_dates(sentence)
        return bool(mentions) and all(map(self._is_known, mentions)) and self._ages_fit(sentence, mentions)

    def _is_known(self, mention: DateMention) -> bool:
        """Accept a date that is less exact than a known one, but not one that is more exact."""
        return any(mention.first <= first and last <= mention.last for first, last in self.intervals)

    def _ages_fit(self, sentence: str, mentions: Sequence[DateMention]) -> bool:
        """Check every age, with a tolerance of one unit."""
        return all(
            any(
                (self.as_of - mention.last).days - unit <= days <= (self.as_of - mention.first).days + unit
                for mention in mentions
            )
            for days, unit in _ages(sentence)
        )


def _ages(sentence: str) -> Iterable[tuple[float, float]]:
    """Yield each age in days, with the days of its unit."""
    for found in _AGE.finditer(sentence):
        unit, number = _DAYS[found["unit"].lower()], found["number"].lower()
        times = int(number) if number.isdigit() else max(1, _NUMBERS.index(number) - 1)
        yield times * unit, unit


def _mentioned(text: str) -> set[_Interval]:
    return {(mention.first, mention.last) for mention in find_dates(text)}


_RELEVANCE_OF_A_SIDE = 0.6
"""The least relevance of a source that a model takes a side by."""
_REASONS = {
    Stance.SUPPORTING: "It speaks for the claim.",
    Stance.CONTRADICTING: "It speaks against the claim.",
    Stance.CONTEXTUAL: "It gives context without settling the claim.",
}
_AGAINST = (Verdict.REFUTED, Verdict.MISLEADING)
_UNSETTLED = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)
_NONE_SAYS_SO = "None of the sources cited for a verdict can be read as saying so."
_NOTHING_SETTLES_IT = "Nothing that was found settles it."


class ReadingContext(NamedTuple):
    """What does not depend on the answer."""

    judge: str
    """The model's name."""
    as_of: date
    claim_date: date


def nothing_found(context: ReadingContext) -> Reading:
    """Return the reading of a question for which nothing was found; no model is asked."""
    rationale = "No passage in the sources speaks of this."
    judged = Judgement(
        judge=context.judge,
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
    prompt_evidence: PromptEvidence,
    context: ReadingContext,
    judge: SourceJudge,
) -> Reading:
    """Return the answer's verdict, with every source of the prompt as evidence.

    If no source of the prompt is cited for the verdict, or none of the cited ones can be read as saying so, the rules of evidence
    allow no verdict.
    """
    cited = citations_of(Asked(question, claim.context), answer, prompt_evidence, judge)
    taken_out = {number: one for number, one in cited.items() if one.taken_out}
    considered = tuple(
        _evidence(
            question,
            prompt_evidence.found[number],
            one,
            model_reason(answer, number),
            answer.confidence,
            context,
        )
        for number, one in cited.items()
    )
    if taken_out and not _is_cited(answer.verdict, cited):
        return _without_citations(claim, considered, taken_out, context)
    sentences = check_sentences(
        answer, prompt_evidence, (claim.text, claim.context, question), without=taken_out
    )
    weighing = weigh(considered, claim_date=context.claim_date, is_dated=is_dated(question))
    is_outdated = answer.verdict in _AGAINST and weighing.verdict is Verdict.OUTDATED
    verdict = Verdict.OUTDATED if is_outdated else _verdict(answer, cited)
    judged = Judgement(
        judge=context.judge,
        verdict=verdict,
        confidence=answer.confidence,
        rationale=_NOTHING_SETTLES_IT,
        evidence=weighing.key_supporting + weighing.key_contradicting,
        considered=considered,
        correction=_correction(question, Verdict.OUTDATED if is_outdated else answer.verdict, weighing),
    )
    decided = decision(claim, judged, as_of=context.as_of)
    account = model_account(answer, prompt_evidence, sentences, account_of(decided, considered))
    account = _with_taken_out(account, taken_out)
    temporal = _temporal(claim, question, answer, considered, context, is_outdated=is_outdated)
    rationale = " ".join(sentence.text for sentence in account.summary) or _NOTHING_SETTLES_IT
    judged = judged.model_copy(update={"rationale": rationale})
    if claim.framing.kind is FramingKind.HEARSAY and decided.verdict in _UNSETTLED:
        # Two readings of hearsay are combined before the rules of evidence apply, so neither may have a verdict without evidence.
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
    """Tell whether a verdict has a citation on its side. MISLEADING may rest on either side, as the claim may be literally true. A verdict that
    settles nothing needs no citation."""
    side = SIDE_OF.get(verdict)
    sides = (Stance.SUPPORTING, Stance.CONTRADICTING) if verdict is Verdict.MISLEADING else (side,)
    return side is None or any(one.stance in sides for one in cited.values())


def _without_citations(
    claim: Claim,
    considered: tuple[Evidence, ...],
    taken_out: Mapping[int, Cited],
    context: ReadingContext,
) -> Reading:
    """Return the reading of a verdict whose citations were all removed."""
    judged = Judgement(
        judge=context.judge,
        verdict=Verdict.UNVERIFIABLE,
        confidence=0.0,
        rationale=" ".join([_NONE_SAYS_SO, *(one.taken_out for one in taken_out.values())]),
        evidence=(),
        considered=considered,
    )
    decided = decision(claim, judged, as_of=context.as_of)
    account = account_of(decided, considered).model_copy(
        update={"summary": (CitedSentence(text=_NONE_SAYS_SO),)}
    )
    return Reading(judged, _with_taken_out(account, taken_out))


def _with_taken_out(account: Account, taken_out: Mapping[int, Cited]) -> Account:
    """Add a sentence for every citation that was removed."""
    named = (CitedSentence(text=one.taken_out, sources=(one.passage.source,)) for one in taken_out.values())
    return account.model_copy(
        update={
            "summary": (*account.summary, *named),
            "citations_removed": account.citations_removed + len(taken_out),
        }
    )


def _correction(question: str, verdict: Verdict, weighing: Weighing) -> Correction | None:
    """Return a clarification in the words of a source, unless it says no more than the claim. A model's reading doesn't compare the
    claim with the source, so no word of the claim can be replaced."""
    kind = correction_type(verdict)
    proposed = propose(question, kind, weighing) if kind else None
    if proposed is None or content_stems(proposed.corrected) <= content_stems(question):
        return None
    return proposed


def _verdict(answer: ValidationAnswer, cited: Mapping[int, Cited]) -> Verdict:
    """Return the answer's verdict, or PARTIAL if sources contradict each other: the models' scale has no word for that."""
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
    context: ReadingContext,
) -> Evidence:
    """Return one piece of evidence for a source, at the passage that is quoted."""
    relevance = _shared(question, cited.passage.text)
    if cited.stance is not Stance.CONTEXTUAL:
        relevance = max(relevance, _RELEVANCE_OF_A_SIDE)
    assessment = Assessment(
        stance=cited.stance,
        probability=confidence,
        quote=cited.quote,
        reason=" ".join(filter(None, (reason or _REASONS[cited.stance], IN_DOUBT if cited.in_doubt else ""))),
        relevance=relevance,
        specificity=relevance,
    )
    copies = {copy.location: copy for one in found for copy in one.copies}
    return Evidence(
        passage=cited.passage,
        assessment=assessment,
        quality=rate_quality(cited.passage, assessment, context.as_of),
        copies=tuple(copies.values()),
    )


def _temporal(
    claim: Claim,
    question: str,
    answer: ValidationAnswer,
    considered: Sequence[Evidence],
    context: ReadingContext,
    *,
    is_outdated: bool,
) -> TemporalAnalysis:
    """Use the model's sentences whose dates are known; derive the rest from the evidence, and when things changed."""
    ours = temporal_analysis(claim, considered, as_of=context.as_of, claim_date=context.claim_date)
    said = {name: strip_source_numbers(text) for name, text in answer.temporal.model_dump().items() if text}
    if is_outdated:
        said.pop("temporal_verdict", None)
    if not said:
        return ours
    known = KnownDates.of(
        (claim.text, claim.context, question), (e.passage for e in considered), context.as_of
    )
    sound = {name: known.sound_sentences(text) for name, text in said.items()}
    return ours.model_copy(update={name: text for name, text in sound.items() if text})
