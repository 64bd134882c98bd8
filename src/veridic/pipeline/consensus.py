"""Consensus mode: several models check the same claims, and the majority is counted on our side.

Generate (if a question was asked), extract, verify in parallel, count, report, title. Each stage has its time;
one that fails is replaced by what is known, or ends the run where nothing can replace it.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any, NamedTuple, TypeVar

from veridic.claims.named import Named, settle_claims
from veridic.decision.consensus import count_verdicts
from veridic.decision.reliability import allowed, computed_score, parse_reliability_score
from veridic.domain.claim import Claim, Omission
from veridic.domain.consensus import CheckerResult, ContentSource, DeliberationStage, FailedChecker, RunConfig
from veridic.domain.document import Document
from veridic.domain.errors import BudgetError, TimeLimitError, VeridicError
from veridic.domain.events import Event, EventName
from veridic.domain.report import Failure
from veridic.domain.usage import Usage
from veridic.ingest.read import document_from_text
from veridic.pipeline import consensus_stages as stages
from veridic.pipeline.consensus_report import canonical_report
from veridic.pipeline.consensus_stages import event
from veridic.pipeline.content import clean_title, title_from, truncated
from veridic.pipeline.costs import shown
from veridic.pipeline.deliberation import Deliberation
from veridic.pipeline.exhibits import Exhibits
from veridic.pipeline.failures import as_a_bug
from veridic.pipeline.orders import Conversation
from veridic.pipeline.proofreading import Proofreader, unlisted
from veridic.pipeline.roles import Cast, Checker, Extracted, Generator
from veridic.pipeline.steps import Steps
from veridic.pipeline.threads import in_thread
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
TIME = "time limit"
BUDGET = "budget"
"""How failures name a limit of the run itself, whichever stage it cut short."""

T = TypeVar("T")


class Limits(NamedTuple):
    stage_seconds: float
    run_seconds: float
    content_length: int


class _EndOfRunError(Exception):
    """Nothing can replace what failed; says what clients are told."""


class ConsensusRun:
    """One run, to be followed once."""

    def __init__(
        self,
        cast: Cast,
        *,
        question: str,
        document: Document | None,
        exhibits: Exhibits | None,
        conversation: Conversation,
        limits: Limits,
        proofreader: Proofreader,
        as_of: date,
        steps: Steps,
        meter: Meter,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`document` is what is checked; where there is none, the generator first answers `question`."""
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
        self._told_usage = Usage()
        self._told: asyncio.Queue[Event | None] = asyncio.Queue()
        self._run = Deliberation(
            config=_config(cast, self._generator),
            document=truncated(
                document or document_from_text(question, source="question"), limits.content_length
            ),
            exhibits=exhibits,
            question=question,
        )

    async def events(self) -> AsyncGenerator[Event, None]:
        """Everything that happens, ending in COMPLETE, or in ERROR where nothing could replace what failed."""
        work = asyncio.create_task(self._work())
        work.add_done_callback(lambda _: self._told.put_nowait(None))
        try:
            while (one := await self._told.get()) is not None:
                yield one
            await work
        finally:
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work

    async def _work(self) -> None:
        self._tell(
            event(
                EventName.FACTCHECK_START,
                conversationId=self._conversation.conversation_id,
                messageId=self._conversation.message_id,
                config=self._run.config.model_dump(mode="json"),
            )
        )
        try:
            await self._stages()
        except _EndOfRunError as end:
            self._tell_calls()
            self._tell(event(EventName.ERROR, message=str(end)))

    async def _stages(self) -> None:
        if self._generator is not None:
            await self._generate(self._generator)
        run = self._run
        # The title needs nothing but the content: it is thought of while the claims are checked.
        title = asyncio.create_task(self._title()) if self._conversation.is_new else None
        try:
            await self._extract()
            if run.claims and not self._is_out_of_time("the claims were verified"):
                await self._verify()
            await self._report()
            if title is not None:
                run.title = await title
                self._tell(stages.title_complete(run.title))
        finally:
            if title is not None:
                title.cancel()
                await asyncio.wait([title])  # a call that nobody waits for any longer is counted too
        self._tell_calls()
        report = canonical_report(
            run,
            embedded=self._cast.is_embedded,
            as_of=self._as_of,
            usage=self._meter.usage,
            elapsed=self._since(self._started),
        )
        self._tell(Event(name=EventName.REPORT_READY, data={"report": report}))
        self._tell(event(EventName.COMPLETE))

    async def _generate(self, generator: Generator) -> None:
        self._tell(event(EventName.GENERATE_START))
        started = self._clock()
        fallback = False
        try:
            text = await self._timed("generate", generator.model, partial(generator.generate, self._question))
        except TimeLimitError as error:
            self._note("generate", error)
            text, fallback = self._question, True
        except VeridicError as error:
            self._note("generate", error)
            raise _EndOfRunError(f"Content generation failed: {error}") from None
        elapsed = self._since(started)
        written = document_from_text(text, source=generator.model)
        self._run.document = truncated(written, self._limits.content_length)
        text = self._run.document.text
        self._keep(stages.generate_stage(generator.model, text, self._question, elapsed, fallback=fallback))
        self._tell(
            event(EventName.GENERATE_COMPLETE, model=generator.model, content=text, responseTimeMs=elapsed)
        )

    async def _extract(self) -> None:
        if self._is_out_of_time("any claim was extracted"):
            raise _EndOfRunError(self._run.failures[-1].message)
        run, extractor = self._run, self._cast.extractor
        self._tell(event(EventName.EXTRACT_START))
        started = self._clock()
        try:
            answer = await self._timed("extract", extractor.model, partial(extractor.extract, run.document))
        except VeridicError as error:
            self._note("extract", error)
            raise _EndOfRunError(EXTRACTION_FAILED) from None
        elapsed = self._since(started)
        run.take(await in_thread(partial(self._settle, answer)))
        self._keep(stages.extract_stage(extractor.model, answer.text, run.extracted, elapsed))
        self._tell(stages.extract_complete(extractor.model, run.extracted, elapsed))

    def _settle(self, answer: Extracted) -> Named:
        """Of a model's claims only what the text says; and what of it was not listed is said."""
        document = self._run.document
        if answer.located is not None:
            return settle_claims(answer.claims, document, answer.located)
        named = settle_claims(answer.claims, document, said=self._proofreader.said)
        listed: list[Claim | Omission] = [*named.claims, *named.omissions]
        left_out = unlisted(self._proofreader.checkable(document), listed)
        return named._replace(omissions=(*named.omissions, *left_out))

    async def _verify(self) -> None:
        run, checkers = self._run, self._cast.checkers
        self._tell(event(EventName.VERIFY_START, checkerCount=len(checkers), claimCount=len(run.extracted)))
        if run.exhibits is not None:
            await run.exhibits.gather_all(run.claims, self._steps, seconds=self._limits.stage_seconds)
            for failure in run.exhibits.failures:
                self._fail(failure)
        async with asyncio.TaskGroup() as asked:
            for number, checker in enumerate(checkers):
                asked.create_task(self._check(number, checker))
        if not run.results:
            raise _EndOfRunError(ALL_CHECKERS_FAILED)
        run.reach_consensus()
        self._tell(stages.all_checkers_complete(run.consensus))

    async def _check(self, number: int, checker: Checker) -> None:
        """What one checker says, told as soon as it is said; one that fails is left out, and named."""
        started = self._clock()
        stage = f"verify_{number}"
        try:
            answer = await self._timed(stage, checker.model, partial(checker.verify, stage, self._run))
        except Exception as unforeseen:  # noqa: BLE001  whatever it is, the other checkers are paid for
            error = unforeseen if isinstance(unforeseen, VeridicError) else VeridicError(as_a_bug(unforeseen))
            failed = self._run.failed[number] = FailedChecker(model=checker.model, error=str(error))
            self._note(stage, error, checker=failed.model_dump(mode="json"))
            return
        result = CheckerResult(
            model=checker.model,
            verifications=answer.verifications,
            summary=count_verdicts([one.verdict for one in answer.verifications]),
            response_time_ms=self._since(started),
        )
        self._run.results[number] = result
        self._keep(stages.verify_stage(number, answer.text, result))
        self._tell(stages.checker_complete(result))

    async def _report(self) -> None:
        run, model = self._run, self._cast.reporter.model
        self._tell(event(EventName.REPORT_START))
        started = self._clock()
        fallback = False
        run.score = computed_score(run.consensus)
        if not run.extracted:
            run.note = NO_CLAIMS
            run.report_text = no_claims_text(run.document.text, run.config, remarks=run.remarks)
        elif (written := await self._written()) is None:
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
        elapsed = self._since(started)
        self._keep(stages.report_stage(model, run, elapsed, fallback=fallback))
        self._tell(stages.report_complete(model, run.score, run.counts, elapsed))

    async def _written(self) -> str | None:
        """The reporter's text; None where it failed, or there is nothing for it to report on."""
        if not self._run.consensus or self._is_out_of_time("the report was written"):
            self._run.note = self._run.failures[-1].message
            return None
        reporter = self._cast.reporter
        try:
            return await self._timed("report", reporter.model, partial(reporter.report, self._run))
        except VeridicError as error:
            self._note("report", error)
            return None

    async def _title(self) -> str:
        reporter, document = self._cast.reporter, self._run.document
        if document.title and document.title.strip():
            return title_from(document)  # a text that has a title needs no other, and nobody is paid for one
        try:
            answer = await self._timed(
                "title", reporter.model, partial(reporter.title, self._question, document.text)
            )
        except VeridicError as error:
            self._note("title", error)
            answer = None
        return (answer and clean_title(answer)) or title_from(document)

    async def _timed(self, stage: str, model: str, call: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self._limits.stage_seconds):
                return await self._steps.run(stage, call)
        except TimeoutError:
            seconds = f"{self._limits.stage_seconds:g}"
            raise TimeLimitError(f"{model} gave no answer within {seconds} seconds.") from None

    def _is_out_of_time(self, before: str) -> bool:
        """Whether the run's time is over; the stage under way was completed, the others are skipped."""
        if self._clock() - self._started < self._limits.run_seconds:
            return False
        limit = f"{self._limits.run_seconds:g}"
        self._note(TIME, TimeLimitError(f"The time limit of {limit} seconds was reached before {before}."))
        return True

    def _note(self, stage: str, error: VeridicError, **more: Any) -> None:
        cut_short = BUDGET if isinstance(error, BudgetError) else stage
        self._fail(Failure(stage=cut_short, message=str(error)), **more)

    def _fail(self, failure: Failure, **more: Any) -> None:
        """Enter what failed, and tell it at once to whoever shows the run."""
        self._run.failures.append(failure)
        self._tell_calls()
        self._tell(event(EventName.STAGE_FAILED, failure=failure.model_dump(), **more))

    def _tell(self, one: Event) -> None:
        self._told.put_nowait(one)

    def _tell_calls(self) -> None:
        for call in self._meter.drain():
            self._tell(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        usage = self._meter.usage
        if usage != self._told_usage:
            self._told_usage = usage
            self._tell(Event(name=EventName.USAGE_UPDATED, data=shown(usage)))

    def _keep(self, stage: DeliberationStage) -> None:
        self._tell_calls()
        self._tell(Event(name=EventName.STAGE_COMPLETED, data={"stage": stage}))

    def _since(self, started: float) -> int:
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
