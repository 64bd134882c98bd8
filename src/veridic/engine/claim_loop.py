"""Checks one claim: observe, orient, decide, act. The reader that is passed in judges the evidence."""

import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from veridic.decision.account import account_of
from veridic.decision.decide import combine_hearsay, decision, part, private_data
from veridic.decision.source_consensus import source_consensus, source_stances, with_others_read
from veridic.decision.temporal import temporal_analysis
from veridic.decision.weighing import changed_on
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Correction, Decision, Judgement, Part
from veridic.domain.errors import SearchError
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.search import ChannelSearch, Gathered
from veridic.domain.usage import Usage
from veridic.domain.validation import Validation
from veridic.domain.verdicts import Verdict
from veridic.engine.event_stream import Emit, ignore_events
from veridic.engine.readers import HearsayReading, Observer, Queries, Reader, Reading, ReadsHearsay
from veridic.engine.steps import Steps

UsageOf = Callable[[str, Sequence[ChannelSearch]], Usage]
"""Returns the cost of a stage, including its searches."""


class LoopOptions(NamedTuple):
    as_of: date
    claim_date: date
    """When the claim was made: older evidence may have been true then, newer evidence may show a change."""


class _Question(NamedTuple):
    """One question of a claim, with its evidence and reading."""

    gathered: Gathered
    reading: Reading


class ClaimLoop:
    """Checks claims: the observer gathers evidence, the reader judges it."""

    def __init__(
        self,
        *,
        observer: Observer,
        reader: Reader,
        options: LoopOptions,
        steps: Steps,
        usage_of: UsageOf = lambda _stage, _searches: Usage(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._observer = observer
        self._reader = reader
        self._options = options
        self._steps = steps
        self._usage_of = usage_of
        self._clock = clock

    async def check(
        self, claim: Claim, emit: Emit = ignore_events, queries: Queries | None = None
    ) -> Decision:
        """Check a claim, emitting events on the way. The last event carries the decision, which is also returned.

        Raises `VeridicError` if no search was answered or the reader came to no result; then there is no verdict.
        """
        emit(Event(name=EventName.CLAIM_STARTED, data={"claim_id": claim.id, "text": claim.text}))
        if claim.framing.verifiable:
            decided, considered = await self._verify(claim, emit, queries)
        else:
            decided, considered = private_data(claim, self._options.as_of), ()
        emit(signal(decided, considered))
        if decided.correction is not None:
            emit(_correction(decided, decided.correction))
        emit(Event(name=EventName.CLAIM_DECIDED, data={"decision": decided}))
        return decided

    async def _verify(
        self, claim: Claim, emit: Emit, queries: Queries | None
    ) -> tuple[Decision, tuple[Evidence, ...]]:
        started = self._clock()
        stage = f"validate/{claim.id}"
        parts: tuple[Part, ...] = ()
        if claim.framing.kind is FramingKind.HEARSAY and claim.framing.underlying_claim:
            examined, judged, parts = await self._check_hearsay(
                claim, claim.framing.underlying_claim, stage, emit, queries
            )
        else:
            question = claim.framing.underlying_claim or claim.text
            examined = [await self._examine(claim, question, stage, emit, queries)]
            judged = examined[0].reading.judgement
        judged = _mention_failed_searches(judged, examined)
        considered = tuple(e for one in examined for e in one.reading.judgement.considered)
        decided = decision(claim, judged, as_of=self._options.as_of, parts=parts)
        # Both questions of hearsay may have been answered from the same evidence.
        rounds = {one.gathered.question: one.gathered for one in examined}
        searches = tuple(search for gathered in rounds.values() for search in gathered.searches)
        elapsed = round((self._clock() - started) * 1000)
        decided = self._with_validation(
            decided,
            _decisive(examined, judged),
            considered,
            searches,
            self._usage_of(stage, searches),
            elapsed,
        )
        return decided, considered

    async def _check_hearsay(
        self, claim: Claim, content: str, stage: str, emit: Emit, queries: Queries | None
    ) -> tuple[list[_Question], Judgement, tuple[Part, ...]]:
        """Answer both questions of hearsay: was it said, and is it so? Returns the answers, the joint judgement, and both as parts."""
        if isinstance(self._reader, ReadsHearsay):
            gathered = await self._gather(claim, claim.text, emit, queries)
            read = partial(self._reader.read_hearsay, claim, gathered, stage=stage)
            hearsay = await self._steps.run(stage, read, HearsayReading)
            said = _Question(gathered, hearsay.said)
            so = _Question(gathered, hearsay.so) if hearsay.so else None
            emit(_collected(claim, (so or said).reading.judgement.considered))
        else:
            so = await self._examine(claim, content, stage, emit, queries)
            # Whether it was said is a separate question, searched for in the words of the claim.
            said = await self._examine(claim, claim.text, f"{stage}/attribution", emit, None)
        of_said = said.reading.judgement
        attribution = part("attribution", claim.text, of_said)
        if so is None:
            return [said], of_said, (attribution,)
        of_so = so.reading.judgement
        return [so, said], combine_hearsay(of_said, of_so), (attribution, part("content", content, of_so))

    async def _gather(self, claim: Claim, question: str, emit: Emit, queries: Queries | None) -> Gathered:
        gathered = await self._observer.gather(question, claim_id=claim.id, queries=queries, emit=emit)
        if not gathered.was_answered:
            raise SearchError(f"No search was answered: {' '.join(gathered.reasons)}")
        return gathered

    async def _examine(
        self, claim: Claim, question: str, stage: str, emit: Emit, queries: Queries | None
    ) -> _Question:
        gathered = await self._gather(claim, question, emit, queries)
        reading = await self._steps.run(
            stage, partial(self._reader.read, claim, question, gathered, stage=stage), Reading
        )
        emit(_collected(claim, reading.judgement.considered))
        return _Question(gathered, reading)

    def _with_validation(
        self,
        decided: Decision,
        reading: Reading,
        considered: tuple[Evidence, ...],
        searches: tuple[ChannelSearch, ...],
        usage: Usage,
        elapsed: int,
    ) -> Decision:
        # For hearsay, use only the question that the verdict rests on: the sources of the other may say something else.
        read = reading.judgement.considered
        stances = source_stances(read)
        validation = Validation(
            account=reading.account or account_of(decided, read),
            sources=with_others_read(stances, considered),
            consensus=source_consensus(stances),
            searches=searches,
            usage=usage,
            processing_time_ms=elapsed,
        )
        temporal = reading.temporal or temporal_analysis(
            decided.claim, read, as_of=self._options.as_of, claim_date=self._options.claim_date
        )
        return decided.model_copy(update={"validation": validation, "temporal": temporal})


def _decisive(examined: Sequence[_Question], judged: Judgement) -> Reading:
    """Return the reading whose evidence the verdict rests on."""
    of_verdict = (one.reading for one in examined if one.reading.judgement.evidence == judged.evidence)
    return next(of_verdict, examined[0].reading)


def _collected(claim: Claim, evidence: Sequence[Evidence]) -> Event:
    stances = [e.stance for e in evidence]
    counts = {stance.value: stances.count(stance) for stance in Stance}
    sources = len({e.source.location for e in evidence})
    data = {"claim_id": claim.id, "passages": len(evidence), "sources_checked": sources, **counts}
    return Event(name=EventName.EVIDENCE_COLLECTED, data=data)


def _mention_failed_searches(judged: Judgement, examined: Sequence[_Question]) -> Judgement:
    """If a search failed, say so in the rationale instead of claiming that no source mentions the claim."""
    problems = dict.fromkeys(problem for one in examined for problem in one.gathered.problems)
    if not problems or judged.verdict is not Verdict.UNVERIFIABLE:
        return judged
    reason = " ".join(problems)
    return judged.model_copy(update={"rationale": f"{reason} What was found does not settle it."})


def signal(decided: Decision, evidence: Sequence[Evidence]) -> Event:
    """Return the event for the verdict."""
    data: dict[str, object] = {"claim_id": decided.claim.id}
    supporting = next((e for e in decided.evidence if e.stance is Stance.SUPPORTING), None)
    against = next((e for e in decided.evidence if e.stance is Stance.CONTRADICTING), None)
    if decided.verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED):
        quote = supporting.assessment.quote if supporting else None
        return Event(
            name=EventName.CLAIM_VERIFIED, data={**data, "confidence": decided.confidence, "evidence": quote}
        )
    if decided.verdict is Verdict.REFUTED:
        quote = against.assessment.quote if against else None
        data |= {"confidence": decided.confidence, "contradiction": quote}
        return Event(name=EventName.CLAIM_CONTRADICTED, data=data)
    if decided.verdict is Verdict.OUTDATED:
        day = changed_on(evidence)
        return Event(
            name=EventName.CLAIM_OUTDATED, data={**data, "was_true_until": day.isoformat() if day else None}
        )
    if decided.verdict is Verdict.UNVERIFIABLE:
        sources = len({e.source.location for e in evidence})
        return Event(name=EventName.CLAIM_UNVERIFIABLE, data={**data, "sources_checked": sources})
    return Event(name=EventName.CLAIM_PARTIAL, data={**data, "confidence": decided.confidence})


def _correction(decided: Decision, correction: Correction) -> Event:
    data = {"claim_id": decided.claim.id, "correction": correction.model_dump(mode="json")}
    return Event(name=EventName.CORRECTION_GENERATED, data=data)
