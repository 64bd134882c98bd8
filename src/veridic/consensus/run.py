"""The run of consensus mode: several models check the same claims, and Veridic counts the majority.

Stages: generate (if a question was asked), extract, verify in parallel, count, report, title. Each stage has a time
limit. A failed stage is replaced by a fallback, or ends the run if there is none.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any, NamedTuple, TypeVar

from veridic.claims.selection import Named, settle_claims
from veridic.consensus import stages
from veridic.consensus.deliberation import Deliberation
from veridic.consensus.evidence import RunEvidence
from veridic.consensus.report import canonical_report
from veridic.consensus.roles import Cast, Checked, Checker, Extracted, Generator
from veridic.consensus.stages import event
from veridic.decision.consensus import count_verdicts
from veridic.decision.reliability import allowed, computed_score, parse_reliability_score
from veridic.domain.claim import Claim, Omission
from veridic.domain.consensus import CheckerResult, ContentSource, DeliberationStage, FailedChecker, RunConfig
from veridic.domain.document import Document
from veridic.domain.errors import BudgetError, TimeLimitError, VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.report import Failure
from veridic.domain.usage import Usage
from veridic.engine.content import clean_title, title_from, truncated
from veridic.engine.costs import BUDGET, TIME, unexpected_error_message, usage_event_data
from veridic.engine.order import Conversation
from veridic.engine.proofreading import Proofreader, unlisted
from veridic.engine.steps import Steps
from veridic.engine.threads import in_thread
from veridic.ingest.read import document_from_text
from veridic.providers.llm.meter import Meter
from veridic.reporting.consensus_text import fallback_table, no_claims_text, unchecked_text
from veridic.reporting.report_sections import with_annotated_content, with_score
from veridic.reporting.settled_report import held_to_verdicts

BIAS_WARNING = (
    "Generator and checker share model — results may be biased toward confirming generated content."
)
EXTRACTION_FAILED = "Claim extraction failed. Cannot proceed with verification."
ALL_CHECKERS_FAILED = "All verification checkers failed."
NO_CLAIMS = "No verifiable claims identified"

T = TypeVar("T")


class Limits(NamedTuple):
    stage_seconds: float
    run_seconds: float
    content_length: int


class _RunFailedError(Exception):
    """A stage failed and has no fallback; the message is what clients get."""


class ConsensusRun:
    """One run; `events` can be iterated once."""

    def __init__(
        self,
        cast: Cast,
        *,
        question: str,
        document: Document | None,
        run_evidence: RunEvidence | None,
        conversation: Conversation,
        limits: Limits,
        proofreader: Proofreader,
        as_of: date,
        steps: Steps,
        meter: Meter,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`document` is checked; without one, the generator first answers `question`."""
        self._cast = cast
        self._question = question
        self._generator = None if document else cast.generator
        self._conversation = conversation
        self._limits = limits
        self._proofreader = proofreader
        self._as_of = as_of
        self._steps = steps
        self._meter = meter
        self._clock = clock
        self._started = clock()
        self._emitted_usage = Usage()
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._run = Deliberation(
            config=_config(cast, self._generator),
            document=truncated(
                document or document_from_text(question, source="question"), limits.content_length
            ),
            run_evidence=run_evidence,
            question=question,
        )

    async def events(self) -> AsyncGenerator[Event, None]:
        """Yield all events, ending in COMPLETE, or in ERROR if a failed stage has no fallback."""
        work = asyncio.create_task(self._work())
        work.add_done_callback(lambda _: self._queue.put_nowait(None))
        try:
            while (one := await self._queue.get()) is not None:
                yield one
            await work
        finally:
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work

    async def _work(self) -> None:
        self._emit(
            event(
                EventName.FACTCHECK_START,
                conversationId=self._conversation.conversation_id,
                messageId=self._conversation.message_id,
                config=self._run.config.model_dump(mode="json"),
            )
        )
        try:
            await self._stages()
        except _RunFailedError as end:
            self._emit_costs()
            self._emit(event(EventName.ERROR, message=str(end)))

    async def _stages(self) -> None:
        if self._generator is not None:
            await self._generate(self._generator)
        run = self._run
        # The title only needs the content, so it is made while the claims are checked.
        title = asyncio.create_task(self._title()) if self._conversation.is_new else None
        try:
            await self._extract()
            if run.claims and not self._is_out_of_time("the claims were verified"):
                await self._verify()
            await self._report()
            if title is not None:
                run.title = await title
                self._emit(stages.title_complete(run.title))
        finally:
            if title is not None:
                title.cancel()
                await asyncio.wait([title])  # count the cost of a cancelled call too
        self._emit_costs()
        report = canonical_report(
            run,
            embedded=self._cast.is_embedded,
            as_of=self._as_of,
            usage=self._meter.usage,
            elapsed=self._elapsed_ms(self._started),
        )
        self._emit(Event(name=EventName.REPORT_READY, data={"report": report}))
        self._emit(event(EventName.COMPLETE))

    async def _generate(self, generator: Generator) -> None:
        self._emit(event(EventName.GENERATE_START))
        started = self._clock()
        fallback = False
        try:
            text = await self._timed(
                "generate", generator.model, partial(generator.generate, self._question), str
            )
        except TimeLimitError as error:
            self._record_error("generate", error)
            text, fallback = self._question, True
        except VeridicError as error:
            self._record_error("generate", error)
            raise _RunFailedError(f"Content generation failed: {error}") from None
        elapsed = self._elapsed_ms(started)
        written = document_from_text(text, source=generator.model)
        self._run.document = truncated(written, self._limits.content_length)
        text = self._run.document.text
        self._emit_stage(
            stages.generate_stage(generator.model, text, self._question, elapsed, fallback=fallback)
        )
        self._emit(
            event(EventName.GENERATE_COMPLETE, model=generator.model, content=text, responseTimeMs=elapsed)
        )

    async def _extract(self) -> None:
        if self._is_out_of_time("any claim was extracted"):
            raise _RunFailedError(self._run.failures[-1].message)
        run, extractor = self._run, self._cast.extractor
        self._emit(event(EventName.EXTRACT_START))
        started = self._clock()
        try:
            answer = await self._timed(
                "extract", extractor.model, partial(extractor.extract, run.document), Extracted
            )
        except VeridicError as error:
            self._record_error("extract", error)
            raise _RunFailedError(EXTRACTION_FAILED) from None
        elapsed = self._elapsed_ms(started)
        run.set_claims(await in_thread(partial(self._settle, answer)))
        self._emit_stage(stages.extract_stage(extractor.model, answer.text, run.extracted, elapsed))
        self._emit(stages.extract_complete(extractor.model, run.extracted, elapsed))

    def _settle(self, answer: Extracted) -> Named:
        """Keep only the model's claims that the text says, and add omissions for checkable sentences that were not listed."""
        document = self._run.document
        if answer.located is not None:
            named = settle_claims(answer.claims, document, answer.located)
            return named._replace(omissions=(*named.omissions, *answer.omissions))
        named = settle_claims(answer.claims, document, said=self._proofreader.said)
        listed: list[Claim | Omission] = [*named.claims, *named.omissions]
        left_out = unlisted(self._proofreader.checkable(document), listed)
        return named._replace(omissions=(*named.omissions, *left_out))

    async def _verify(self) -> None:
        run, checkers = self._run, self._cast.checkers
        self._emit(event(EventName.VERIFY_START, checkerCount=len(checkers), claimCount=len(run.extracted)))
        if run.run_evidence is not None:
            await run.run_evidence.gather_all(run.claims, self._steps, seconds=self._limits.stage_seconds)
            for failure in run.run_evidence.failures:
                self._fail(failure)
        async with asyncio.TaskGroup() as asked:
            for number, checker in enumerate(checkers):
                asked.create_task(self._check(number, checker))
        if not run.results:
            raise _RunFailedError(ALL_CHECKERS_FAILED)
        run.reach_consensus()
        self._emit(stages.all_checkers_complete(run.consensus))

    async def _check(self, number: int, checker: Checker) -> None:
        """Run one checker and emit its result at once; a checker that fails is left out and named."""
        started = self._clock()
        stage = f"verify_{number}"
        try:
            answer = await self._timed(
                stage, checker.model, partial(checker.verify, stage, self._run), Checked
            )
        except Exception as unforeseen:  # noqa: BLE001  the other checkers are paid for and must go on
            error = (
                unforeseen
                if isinstance(unforeseen, VeridicError)
                else VeridicError(unexpected_error_message(unforeseen))
            )
            failed = self._run.failed[number] = FailedChecker(model=checker.model, error=str(error))
            self._record_error(stage, error, checker=failed.model_dump(mode="json"))
            return
        result = CheckerResult(
            model=checker.model,
            verifications=answer.verifications,
            summary=count_verdicts([one.verdict for one in answer.verifications]),
            response_time_ms=self._elapsed_ms(started),
        )
        self._run.results[number] = result
        self._emit_stage(stages.verify_stage(number, answer.text, result))
        self._emit(stages.checker_complete(result))

    async def _report(self) -> None:
        run, model = self._run, self._cast.reporter.model
        self._emit(event(EventName.REPORT_START))
        started = self._clock()
        fallback = False
        run.score = computed_score(run.consensus)
        if not run.extracted:
            run.note = NO_CLAIMS
            run.report_text = no_claims_text(run.document.text, run.config, remarks=run.remarks)
        elif (written := await self._ask_reporter()) is None:
            fallback = True
            run.report_text = (
                fallback_table(run.consensus) if run.consensus else unchecked_text(run.extracted)
            )
        else:
            stated = parse_reliability_score(written)
            run.score = run.score if stated is None else allowed(stated, run.counts)
            if run.score is not None:
                written = with_score(written, run.score)
            written = held_to_verdicts(
                written,
                run.consensus,
                content=run.document.text,
                score=run.score,
                is_its_own=stated in (None, run.score),
                remarks=run.remarks,
            )
            run.report_text = with_annotated_content(written, run.annotated_content)
        elapsed = self._elapsed_ms(started)
        self._emit_stage(stages.report_stage(model, run, elapsed, fallback=fallback))
        self._emit(stages.report_complete(model, run.score, run.counts, elapsed))

    async def _ask_reporter(self) -> str | None:
        """Return the reporter's text; None if the reporter failed or there is nothing to report on."""
        if not self._run.consensus or self._is_out_of_time("the report was written"):
            self._run.note = self._run.failures[-1].message
            return None
        reporter = self._cast.reporter
        try:
            return await self._timed("report", reporter.model, partial(reporter.report, self._run), str)
        except VeridicError as error:
            self._record_error("report", error)
            return None

    async def _title(self) -> str:
        reporter, document = self._cast.reporter, self._run.document
        if document.title and document.title.strip():
            return title_from(document)  # don't pay a model for a title the text already has

        async def ask() -> str:
            return await reporter.title(self._question, document.text) or ""

        try:
            answer = await self._timed("title", reporter.model, ask, str)
        except VeridicError as error:
            self._record_error("title", error)
            answer = ""
        return clean_title(answer) or title_from(document)

    async def _timed(self, stage: str, model: str, call: Callable[[], Awaitable[T]], returns: type[T]) -> T:
        try:
            async with asyncio.timeout(self._limits.stage_seconds):
                return await self._steps.run(stage, call, returns)
        except TimeoutError:
            seconds = f"{self._limits.stage_seconds:g}"
            raise TimeLimitError(f"{model} gave no answer within {seconds} seconds.") from None

    def _is_out_of_time(self, before: str) -> bool:
        """Tell whether the run is out of time; the current stage was completed, the others are skipped."""
        if self._clock() - self._started < self._limits.run_seconds:
            return False
        limit = f"{self._limits.run_seconds:g}"
        self._record_error(
            TIME, TimeLimitError(f"The time limit of {limit} seconds was reached before {before}.")
        )
        return True

    def _record_error(self, stage: str, error: VeridicError, **more: Any) -> None:
        cut_short = BUDGET if isinstance(error, BudgetError) else stage
        self._fail(Failure(stage=cut_short, message=str(error)), **more)

    def _fail(self, failure: Failure, **more: Any) -> None:
        """Record a failure and emit it at once."""
        self._run.failures.append(failure)
        self._emit_costs()
        self._emit(event(EventName.STAGE_FAILED, failure=failure.model_dump(), **more))

    def _emit(self, one: Event) -> None:
        self._queue.put_nowait(one)

    def _emit_costs(self) -> None:
        for call in self._meter.drain():
            self._emit(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        usage = self._meter.usage
        if usage != self._emitted_usage:
            self._emitted_usage = usage
            self._emit(Event(name=EventName.USAGE_UPDATED, data=usage_event_data(usage)))

    def _emit_stage(self, stage: DeliberationStage) -> None:
        self._emit_costs()
        self._emit(Event(name=EventName.STAGE_COMPLETED, data={"stage": stage}))

    def _elapsed_ms(self, started: float) -> int:
        return round((self._clock() - started) * 1000)


def _config(cast: Cast, generator: Generator | None) -> RunConfig:
    checkers = tuple(checker.model for checker in cast.checkers)
    return RunConfig(
        content_source=ContentSource.GENERATED if generator else ContentSource.USER_PROVIDED,
        generator_model=generator.model if generator else None,
        extractor_model=cast.extractor.model,
        checker_models=checkers,
        reporter_model=cast.reporter.model,
        bias_warning=BIAS_WARNING if generator and generator.model in checkers else None,
    )
