"""The loop for one claim: observe, orient, decide, act."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple, Protocol

from veridic.decision.corrections import propose, quote_instead
from veridic.decision.decide import combine_hearsay, decision, judgement, part, private_data, reports_speech
from veridic.decision.gates import without_the_future
from veridic.decision.weighing import (
    DEFAULT_THRESHOLD,
    Weighing,
    changed_on,
    correction_type,
    finalize,
    weigh,
)
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Correction, CorrectionType, Decision, Judgement, Part
from veridic.domain.errors import VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Evidence, Found, Passage, Stance
from veridic.domain.report import Failure
from veridic.domain.verdicts import Verdict
from veridic.evidence.quality import rate_quality
from veridic.evidence.retrieval import merge_found
from veridic.judging.base import Judge
from veridic.pipeline.steps import Steps
from veridic.pipeline.threads import in_thread

SEARCH = "search"
"""The stage that looks for evidence, as its failures name it."""


class LoopOptions(NamedTuple):
    as_of: date
    claim_date: date
    """When the claim was made: what is older may have been true then, what is newer may have changed."""
    threshold: float = DEFAULT_THRESHOLD
    auto_correct: bool = True
    timeout_seconds: float = 60.0
    passages: int = 12


class Finder(Protocol):
    """Anything that passages can be found in."""

    @property
    def name(self) -> str: ...

    def find(self, claim_text: str, limit: int) -> list[Found]: ...


class ClaimLoop:
    """Checks claims one at a time against the same corpora with the same judge."""

    def __init__(
        self, *, retrievers: Sequence[Finder], judge: Judge, steps: Steps, options: LoopOptions
    ) -> None:
        self._retrievers = retrievers
        self._judge = judge
        self._steps = steps
        self._options = options

    async def check(self, claim: Claim) -> AsyncIterator[Event]:
        """The loop's signals as they come; the last event carries the `Decision`."""
        yield Event(name=EventName.CLAIM_STARTED, data={"claim_id": claim.id, "text": claim.text})
        if not claim.framing.verifiable:
            decided = private_data(claim, self._options.as_of)
            yield _signal(decided, ())
            yield Event(name=EventName.CLAIM_DECIDED, data={"decision": decided})
            return
        evidence, failures = await self._observe(claim, claim.framing.underlying_claim or claim.text)
        for failure in failures:
            yield _failed(failure)
        yield _collected(claim, evidence)
        judged = self._orient_and_decide(claim.framing.underlying_claim or claim.text, evidence)
        judged = _admit_failures(judged, failures)
        parts: tuple[Part, ...] = ()
        if claim.framing.kind is FramingKind.HEARSAY and claim.framing.underlying_claim:
            judged, parts, failures = await self._check_attribution(claim, judged)
            for failure in failures:
                yield _failed(failure)
        decided = decision(claim, judged, as_of=self._options.as_of, parts=parts)
        yield _signal(decided, evidence)
        if decided.correction is not None:
            yield _correction(decided, decided.correction)
        yield Event(name=EventName.CLAIM_DECIDED, data={"decision": decided})

    async def _observe(self, claim: Claim, question: str) -> tuple[tuple[Evidence, ...], list[Failure]]:
        """Evidence from every corpus that answered in time, and what went wrong with the others."""
        tasks = {
            asyncio.create_task(
                self._steps.run(
                    f"{claim.id}/search/{retriever.name}/{question}",
                    partial(in_thread, partial(retriever.find, question, self._options.passages)),
                )
            ): retriever.name
            for retriever in self._retrievers
        }
        done, pending = await asyncio.wait(tasks, timeout=self._options.timeout_seconds)
        for task in pending:
            task.cancel()
        problems = {tasks[task]: "it took too long" for task in pending}
        problems |= {
            tasks[t]: str(t.exception()).rstrip(".") for t in done if isinstance(t.exception(), VeridicError)
        }
        found = merge_found([t.result() for t in done if tasks[t] not in problems], self._options.passages)
        evidence = await in_thread(partial(self._assess, question, found))
        failures = [_search_failure(claim, name, problem) for name, problem in problems.items()]
        return without_the_future(evidence, self._options.as_of), failures

    def _assess(self, question: str, found: Sequence[Found]) -> tuple[Evidence, ...]:
        passages = [item.passage for item in found]
        return tuple(
            Evidence(
                passage=item.passage,
                assessment=assessment,
                quality=rate_quality(item.passage, assessment, self._options.as_of),
                copies=item.copies,
            )
            for item, assessment in zip(found, self._judge.assess(question, passages), strict=True)
        )

    def _orient_and_decide(self, question: str, evidence: tuple[Evidence, ...]) -> Judgement:
        weighing = weigh(evidence, claim_date=self._options.claim_date)
        correction = self._correct(question, weighing) if self._options.auto_correct else None
        return judgement(self._judge.name, evidence, weighing, correction, threshold=self._options.threshold)

    def _correct(self, question: str, weighing: Weighing) -> Correction | None:
        """A correction, itself checked against its sources before anyone sees it."""
        kind = correction_type(finalize(weighing, threshold=self._options.threshold))
        correction = propose(question, kind, weighing) if kind else None
        if correction is None or kind is CorrectionType.CLARIFY:
            return correction  # a clarification quotes its source, and leaves the claim as it is
        if self._bears_out(correction, weighing.key_contradicting):
            return correction
        return quote_instead(correction, weighing)

    def _bears_out(self, correction: Correction, against: Sequence[Evidence]) -> bool:
        passages: list[Passage] = [e.passage for e in against]
        return any(a.stance is Stance.SUPPORTING for a in self._judge.assess(correction.corrected, passages))

    async def _check_attribution(
        self, claim: Claim, content: Judgement
    ) -> tuple[Judgement, tuple[Part, ...], list[Failure]]:
        """Whether it was said: only passages that have the speaker saying something can tell."""
        evidence, failures = await self._observe(claim, claim.text)
        spoken = tuple(e for e in evidence if reports_speech(e.passage.text, claim.framing.speaker or ""))
        attribution = self._orient_and_decide(claim.text, spoken)
        parts = (
            part("attribution", claim.text, attribution),
            part("content", claim.framing.underlying_claim or "", content),
        )
        return combine_hearsay(attribution, content), parts, failures


def _collected(claim: Claim, evidence: Sequence[Evidence]) -> Event:
    stances = [e.stance for e in evidence]
    counts = {stance.value: stances.count(stance) for stance in Stance}
    sources = len({e.source.location for e in evidence})
    data = {"claim_id": claim.id, "passages": len(evidence), "sources_checked": sources, **counts}
    return Event(name=EventName.EVIDENCE_COLLECTED, data=data)


def _search_failure(claim: Claim, corpus: str, problem: str) -> Failure:
    return Failure(
        stage=SEARCH, claim_id=claim.id, message=f"The search of {corpus} was left out: {problem}."
    )


def _failed(failure: Failure) -> Event:
    return Event(name=EventName.STAGE_FAILED, data={"failure": failure.model_dump()})


def _admit_failures(judged: Judgement, failures: Sequence[Failure]) -> Judgement:
    """Where a search was cut short, "nothing speaks of this" would claim too much."""
    if not failures or judged.verdict is not Verdict.UNVERIFIABLE:
        return judged
    reason = " ".join(failure.message for failure in failures)
    return judged.model_copy(update={"rationale": f"{reason} What was found does not settle it."})


def _signal(decided: Decision, evidence: Sequence[Evidence]) -> Event:
    """The loop's own words for what was found."""
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
