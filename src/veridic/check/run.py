"""The run of summary and thorough mode. In thorough mode, every claim of a document is checked against its own evidence.

Summary mode checks the one or two main statements of the document, with one search for all. A language model that reads the
evidence for all of them at once gives a verdict on the whole article, and that is the result; the verdict by claims is shown beside it
if the two differ.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from veridic.check.summary import Round, gather_once, verifiable_claims
from veridic.claims.selection import high_risk_only, limit_claims
from veridic.config.settings import Settings
from veridic.decision.aggregation import article_summary, credibility_score, document_verdict
from veridic.domain.claim import Claim, Extraction, OmissionReason
from veridic.domain.decision import Decision
from veridic.domain.document import Document
from veridic.domain.errors import BudgetError, ProviderError, SearchError, VeridicError
from veridic.domain.events import SIGNALS, Event, EventName
from veridic.domain.evidence import Stance
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report, WholeVerdict, collect_sources
from veridic.domain.search import ChannelSearch, problems_of
from veridic.domain.usage import Usage
from veridic.domain.validation import CitedSentence
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.engine.claim_loop import ClaimLoop, LoopOptions
from veridic.engine.content import claim_date
from veridic.engine.costs import (
    BUDGET,
    CHANNEL,
    SEARCH,
    TIME,
    VALIDATE,
    unexpected_error_message,
    usage_by_stage,
    usage_event_data,
    usage_of,
    usage_of_one,
)
from veridic.engine.event_stream import Emit, stream_events
from veridic.engine.readers import ArticleVerdict, ListedClaims, Lister, Observer, Reader
from veridic.engine.steps import Steps
from veridic.evidence.duplicates import are_copies
from veridic.providers.llm.meter import Meter
from veridic.reporting.numbering import SourceNumbers


class DocumentVerdict(NamedTuple):
    verdict: Verdict
    credibility_score: int | None
    by_claims: WholeVerdict | None
    summary: tuple[CitedSentence, ...]
    notes: tuple[str, ...]
    """Sentences without citations that go after the summary."""


def document_result(
    decisions: Sequence[Decision], article: ArticleVerdict | None, *, unchecked: int
) -> DocumentVerdict:
    """Return the verdict on the document. `article` is a model's verdict on it, if one was asked; `unchecked` claims got no decision.

    No verdict without a citation: if neither the model's sentences nor any of the claims has a valid citation, the model's
    verdict on the article is left out.
    """
    ours = WholeVerdict(verdict=document_verdict(decisions), credibility_score=credibility_score(decisions))
    notes = _unchecked_note(len(decisions), unchecked)
    summary = article_summary(decisions)
    if article is None:
        return DocumentVerdict(ours.verdict, ours.credibility_score, None, summary, notes)
    if article.verdict is not Verdict.UNVERIFIABLE and not (
        article.summary or any(map(_has_a_side, decisions))
    ):
        left_out = (
            f"The model's verdict on the article, {_word(article.verdict)}, cites nothing that holds, "
            "and is left out."
        )
        return DocumentVerdict(ours.verdict, ours.credibility_score, None, summary, (left_out, *notes))
    score = article.credibility_score
    agrees = _word(article.verdict) == _word(ours.verdict)
    if score is None and agrees:
        score = ours.credibility_score
    differs = not agrees or score != ours.credibility_score
    if differs:
        notes = (_by_claims_note(ours), *notes)
    return DocumentVerdict(
        article.verdict, score, ours if differs else None, article.summary or summary, notes
    )


def _by_claims_note(ours: WholeVerdict) -> str:
    score = "with no score" if ours.credibility_score is None else f"{ours.credibility_score} of 100"
    return f"Taken one by one, the verdicts on its statements come to {_word(ours.verdict)}, {score}."


def _unchecked_note(decided: int, unchecked: int) -> tuple[str, ...]:
    """Say how many claims were not checked, so that they are not taken for right."""
    return (f"{unchecked} of {decided + unchecked} claims could not be checked.",) if unchecked else ()


def _has_a_side(decision: Decision) -> bool:
    return any(evidence.stance is not Stance.CONTEXTUAL for evidence in decision.evidence)


def _word(verdict: Verdict) -> str:
    return say(verdict, Scale.VALIDATION)


class RunParts(NamedTuple):
    """Who does the work in a run."""

    engine: str
    models: dict[str, str]
    """By role, as in the report."""
    lister: Lister
    observer: Observer
    reader: Reader
    searched: tuple[str, ...]
    """The names of what is searched for evidence."""


class Plan(NamedTuple):
    """What is checked, and how fast."""

    mode: Mode
    as_of: date
    most_claims: int | None = None
    only_high_risk: bool = False
    at_once: int = 1
    stagger_seconds: float = 0.0
    """The time between the starts of two claims."""
    run_seconds: float | None = None
    """After this time, no further claim is started."""


class ValidationRun:
    """One run of summary or thorough mode; `events` can be iterated once."""

    def __init__(
        self,
        document: Document,
        parts: RunParts,
        plan: Plan,
        *,
        steps: Steps,
        meter: Meter,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._document = document
        self._parts = parts
        self._plan = plan
        self._steps = steps
        self._meter = meter
        self._clock = clock
        self._sleep = sleep
        self._started = clock()
        self._decisions: dict[str, Decision] = {}
        self._failures: list[Failure] = []
        self._article: ArticleVerdict | None = None
        self._emitted_usage = Usage()

    def events(self) -> AsyncGenerator[Event, None]:
        """Run the check and return its events; the last one carries the report.

        Raises `VeridicError` if the claims could not be listed, or none of them could be checked.
        """
        return stream_events(self._work)

    async def _work(self, emit: Emit) -> None:
        emit(Event(name=EventName.CHECK_STARTED, data=self._started_data()))
        try:
            listed = await self._list()
            emit(Event(name=EventName.CLAIMS_EXTRACTED, data=_extracted_data(listed.extraction)))
            self._emit_costs(emit)
            await self._check_all(listed, emit)
        finally:
            self._emit_costs(emit)
        if listed.extraction.claims and not self._decisions:
            raise ProviderError(" ".join(dict.fromkeys(failure.message for failure in self._failures)))
        emit(Event(name=EventName.REPORT_READY, data={"report": self._report(listed.extraction)}))

    def _started_data(self) -> dict[str, object]:
        return {
            "mode": self._plan.mode.value,
            "engine": self._parts.engine,
            "source": self._document.source,
            "as_of": self._plan.as_of.isoformat(),
        }

    async def _list(self) -> ListedClaims:
        mode, most = self._plan.mode, self._plan.most_claims
        if not self._plan.only_high_risk or mode is Mode.SUMMARY:
            return await self._parts.lister.list_claims(self._document, mode=mode, most=most)
        # The limit counts claims that are checked: list all of them, so that no claim of high risk is missed.
        listed = await self._parts.lister.list_claims(self._document, mode=mode, most=None)
        listed = listed.narrowed(high_risk_only(listed.extraction))
        return listed.narrowed(limit_claims(listed.extraction, most))

    async def _check_all(self, listed: ListedClaims, emit: Emit) -> None:
        observer, reader = self._parts.observer, self._parts.reader
        shared = Round(observer, reader)
        if self._plan.mode is Mode.SUMMARY and listed.extraction.claims:
            shared = await gather_once(listed, observer, reader, emit)
            observer, reader = shared
        loop = ClaimLoop(
            observer=observer,
            reader=reader,
            options=LoopOptions(self._plan.as_of, claim_date(self._document, self._plan.as_of)),
            steps=self._steps,
            usage_of=partial(self._usage_of, [claim.id for claim in verifiable_claims(listed.extraction)]),
        )
        groups = _group_duplicates(listed.extraction.claims)
        turns = asyncio.Semaphore(self._plan.at_once)
        next_start = self._clock()
        async with asyncio.TaskGroup() as under_way:
            for number, duplicates in enumerate(groups):
                await turns.acquire()
                if (wait := next_start - self._clock()) > 0:
                    await self._sleep(wait)
                if not self._is_within_limits(groups[number:], emit):
                    break
                next_start = self._clock() + self._plan.stagger_seconds
                checked = under_way.create_task(self._check(loop, duplicates, listed, emit))
                checked.add_done_callback(lambda _: turns.release())
        if any(decided.validation for decided in self._decisions.values()):
            self._article = await shared.article()

    async def _check(
        self, loop: ClaimLoop, duplicates: Sequence[Claim], listed: ListedClaims, emit: Emit
    ) -> None:
        """Check one claim, and give its duplicates the same decision. An error here doesn't stop the other claims."""
        first, *others = duplicates
        signals: list[Event] = []

        def emit_and_note(event: Event) -> None:
            emit(event)
            if event.name in SIGNALS or event.name is EventName.EVIDENCE_COLLECTED:
                signals.append(event)

        try:
            decided = await loop.check(first, emit_and_note, listed.queries.get(first.id))
        except Exception as error:  # noqa: BLE001  the other claims are paid for and must go on
            message = str(error) if isinstance(error, VeridicError) else unexpected_error_message(error)
            for claim in duplicates:
                self._fail(Failure(stage=_stage_of(error), message=message, claim_id=claim.id), emit)
        else:
            self._record(decided, emit)
            for claim in others:
                emit(Event(name=EventName.CLAIM_STARTED, data={"claim_id": claim.id, "text": claim.text}))
                for signal in signals:
                    emit(Event(name=signal.name, data={**signal.data, "claim_id": claim.id}))
                same = _copy_to_duplicate(decided, claim)
                emit(Event(name=EventName.CLAIM_DECIDED, data={"decision": same}))
                self._record(same, emit)
        self._emit_costs(emit)

    def _record(self, decided: Decision, emit: Emit) -> None:
        self._decisions[decided.claim.id] = decided
        for problem in problems_of(decided.validation.searches) if decided.validation else ():
            self._fail(Failure(stage=CHANNEL, message=problem), emit)

    def _fail(self, failure: Failure, emit: Emit) -> None:
        """Record a failure and emit it; a failure that is the same for every claim only once."""
        if failure not in self._failures:
            self._failures.append(failure)
            emit(Event(name=EventName.STAGE_FAILED, data={"failure": failure.model_dump()}))

    def _is_within_limits(self, left: Sequence[Sequence[Claim]], emit: Emit) -> bool:
        """Tell whether the run's limits allow another claim; if not, record how many claims are left."""
        seconds = self._plan.run_seconds
        if any(failure.stage == BUDGET for failure in self._failures):
            stage, why = BUDGET, "The limit of cost or tokens was reached"
        elif seconds is not None and self._clock() - self._started >= seconds:
            stage, why = TIME, f"The time limit of {seconds:g} seconds was reached"
        else:
            return True
        number = sum(map(len, left))
        claims = "one claim" if number == 1 else f"{number} claims"
        self._fail(Failure(stage=stage, message=f"{why} before {claims} could be checked."), emit)
        return False

    def _usage_of(self, claim_ids: Sequence[str], stage: str, searches: Sequence[ChannelSearch]) -> Usage:
        paid = searches if self._meter.usage.searches else ()
        if self._plan.mode is not Mode.SUMMARY:
            return usage_of(self._meter.calls, stage, paid)
        place = claim_ids.index(stage.removeprefix(f"{VALIDATE}/"))
        return usage_of_one(self._meter.calls, stage, paid, place=place, among=len(claim_ids))

    def _emit_costs(self, emit: Emit) -> None:
        for call in self._meter.drain():
            emit(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        usage = self._meter.usage
        if usage != self._emitted_usage:
            self._emitted_usage = usage
            emit(Event(name=EventName.USAGE_UPDATED, data=usage_event_data(usage)))

    def _no_claims_reason(self, extraction: Extraction) -> str:
        """Return why there are no claims; empty if there are some."""
        if extraction.claims:
            return ""
        if "extractor" not in self._parts.models and extraction.language not in ("en", "und"):
            return f"The text is not in English ({extraction.language}); the embedded engine reads English and judged nothing."
        reasons = [omission.reason for omission in extraction.omissions]
        if (number := reasons.count(OmissionReason.NOT_HIGH_RISK)) > 0:
            found = "The one claim found is" if number == 1 else f"None of the {number} claims found is"
            return f"{found}{' not' if number == 1 else ''} of high risk, and only such are checked."
        return "No verifiable claims identified."

    def _report(self, extraction: Extraction) -> Report:
        decided = (self._decisions.get(claim.id) for claim in extraction.claims)
        decisions = tuple(decision for decision in decided if decision is not None)
        whole = document_result(decisions, self._article, unchecked=len(extraction.claims) - len(decisions))
        sources = collect_sources(decisions, whole.summary)
        return Report(
            mode=self._plan.mode.value,
            engine=self._parts.engine,
            models=self._parts.models,
            as_of=self._plan.as_of,
            document=self._document,
            language=extraction.language,
            verdict=whole.verdict,
            credibility_score=whole.credibility_score,
            by_claims=whole.by_claims,
            summary=self._no_claims_reason(extraction)
            or " ".join(filter(None, (SourceNumbers(sources).cited(whole.summary), *whole.notes))),
            decisions=decisions,
            omissions=extraction.omissions,
            sources=sources,
            corpora=self._parts.searched,
            errors=tuple(self._failures),
            usage=self._meter.usage,
            usage_by_stage=usage_by_stage(self._meter.calls, self._meter.usage),
            processing_time_ms=round((self._clock() - self._started) * 1000),
        )


def _group_duplicates(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Group claims that say the same in nearly the same words: they are checked once."""
    groups: list[list[Claim]] = []
    for claim in claims:
        same = next((group for group in groups if _are_duplicates(claim, group[0])), None)
        if same is None:
            groups.append([claim])
        else:
            same.append(claim)
    return groups


def _are_duplicates(one: Claim, other: Claim) -> bool:
    return one.framing.kind is other.framing.kind and are_copies(one.text, other.text)


def _copy_to_duplicate(decided: Decision, claim: Claim) -> Decision:
    """Return the decision for a duplicate of its claim; its costs are counted once."""
    validation = decided.validation and decided.validation.model_copy(
        update={"usage": Usage(), "processing_time_ms": 0}
    )
    return decided.model_copy(update={"claim": claim, "validation": validation, "correction": None})


def _stage_of(error: Exception) -> str:
    if isinstance(error, BudgetError):
        return BUDGET
    return SEARCH if isinstance(error, SearchError) else VALIDATE


def _extracted_data(extraction: Extraction) -> dict[str, object]:
    return {
        "claims": [claim.model_dump(mode="json") for claim in extraction.claims],
        "left_out": len(extraction.omissions),
        "language": extraction.language,
    }


MOST_PAID_CLAIMS = 20
"""How many claims are checked by default if each costs money or requests to a provider."""
_MOST_AT_ONCE = 20
"""Used if no setting says how many. The rate of requests is limited in `providers/http_calls.py`."""


def plan_for(mode: Mode, settings: Settings, *, as_of: date, asks_outside: bool) -> Plan:
    """Return the limits of the settings. If only this machine is used, there are no rate limits or costs to respect: claims
    are checked without pauses, and all of them."""
    in_parallel = asks_outside and settings.enable_parallel_validation
    return Plan(
        mode=mode,
        as_of=as_of,
        most_claims=most_claims(settings, asks_outside=asks_outside),
        only_high_risk=settings.validate_high_risk_only,
        at_once=(settings.max_concurrent_validations or _MOST_AT_ONCE) if in_parallel else 1,
        stagger_seconds=settings.validation_stagger_seconds if in_parallel else 0.0,
        run_seconds=settings.run_timeout_seconds if asks_outside else None,
    )


def most_claims(settings: Settings, *, asks_outside: bool) -> int | None:
    """Return the limit of claims; None for no limit."""
    return settings.max_claims_per_article or (MOST_PAID_CLAIMS if asks_outside else None)
