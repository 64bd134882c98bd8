"""Runs an order and yields its events; every face starts a check here."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from datetime import date
from functools import partial
from typing import NamedTuple, TypeVar
from uuid import uuid4

from veridic.check.choose_readers import ReaderChoice
from veridic.check.replay import Replayed
from veridic.check.run import RunParts, ValidationRun, plan_for
from veridic.config.settings import Settings
from veridic.consensus.cast import Casting
from veridic.consensus.evidence import RunEvidence
from veridic.consensus.run import ConsensusRun, Limits
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.progress import Progress, ignore_progress
from veridic.domain.report import Failure, Report
from veridic.engine.judges import proofreader
from veridic.engine.open_evidence import open_against, open_gatherer, open_reference
from veridic.engine.order import CheckOrder, Conversation, document_to_validate, stage_seconds
from veridic.engine.readers import SearchingObserver
from veridic.engine.recorded_calls import RecordedModels, RecordedSearch
from veridic.engine.steps import InMemorySteps, Steps
from veridic.engine.threads import in_thread
from veridic.evidence.corpus import Corpus
from veridic.evidence.gathering import Gatherer
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.meter import Meter
from veridic.providers.search.base import SearchProvider
from veridic.providers.search.connect import connect_search

N = TypeVar("N", int, float)


async def run_order(
    order: CheckOrder,
    settings: Settings,
    *,
    as_of: date,
    models: LanguageModels,
    meter: Meter,
    conversation: Conversation | None = None,
    replayed: Replayed | None = None,
    steps: Steps | None = None,
    progress: Progress = ignore_progress,
) -> AsyncIterator[Event]:
    """Run an order and yield its events. The event REPORT_READY carries the report.

    Errors in the order are raised before the first event. In consensus mode, `conversation` says where the caller
    saves the run; without it, the run gets a new conversation that is not saved. `replayed` has the claims and the
    evidence of an earlier run of summary or thorough mode; with it, nothing is searched for.
    """
    steps = steps or InMemorySteps()
    models = RecordedModels(models, steps)
    ordered = _Ordered(order, settings, as_of, models, meter, steps, progress)
    if order.mode is Mode.CONSENSUS:
        events, failures = await ordered.consensus(conversation or _unkept())
    else:
        events, failures = await ordered.validation(replayed)
    async with aclosing(events):
        async for event in events:
            yield _with_failures(event, failures)


class _Ordered(NamedTuple):
    """An order with everything needed to run it."""

    order: CheckOrder
    settings: Settings
    as_of: date
    models: LanguageModels
    meter: Meter
    steps: Steps
    progress: Progress

    async def consensus(
        self, conversation: Conversation
    ) -> tuple[AsyncGenerator[Event, None], tuple[Failure, ...]]:
        order, settings = self.order, self.settings
        cast = Casting(order, settings, self.models, as_of=self.as_of).cast()
        opened = await self._open(reference=cast.needs_evidence)
        run_evidence = None
        if opened.gatherer.names:
            run_evidence = RunEvidence(
                opened.gatherer, passages=settings.passages_per_claim, seconds=settings.claim_timeout_seconds
            )
        run = ConsensusRun(
            cast,
            question=order.question,
            document=order.document,
            run_evidence=run_evidence,
            conversation=conversation,
            limits=Limits(
                stage_seconds=stage_seconds(order, settings),
                run_seconds=min(
                    settings.run_timeout_seconds, order.max_seconds or settings.run_timeout_seconds
                ),
                content_length=order.max_content_length,
            ),
            proofreader=proofreader(),
            as_of=self.as_of,
            steps=self.steps,
            meter=self.meter,
        )
        return run.events(), opened.failures

    async def validation(
        self, replayed: Replayed | None
    ) -> tuple[AsyncGenerator[Event, None], tuple[Failure, ...]]:
        document = document_to_validate(self.order)
        choice = ReaderChoice(self.order, self.settings, self.models, as_of=self.as_of)
        reader = choice.reader(document)
        if replayed is not None:
            parts = RunParts(choice.engine, choice.models, replayed, replayed, reader, replayed.searched)
            return self._run(document, parts, asks_outside=choice.asks_models), ()
        # A model that can search the web gains nothing from the reference library; the embedded reader finds exact figures in it.
        opened = await self._open(reference=choice.uses_embedded_engine or not self._search_providers())
        observer = SearchingObserver(opened.gatherer, self.steps, seconds=self.settings.claim_timeout_seconds)
        lister = choice.lister(searches_web=opened.gatherer.asks_outside)
        parts = RunParts(choice.engine, choice.models, lister, observer, reader, opened.gatherer.names)
        asks_outside = choice.asks_models or opened.gatherer.asks_outside
        return self._run(document, parts, asks_outside=asks_outside), opened.failures

    def _run(self, document: Document, parts: RunParts, *, asks_outside: bool) -> AsyncGenerator[Event, None]:
        order = self.order
        plan = plan_for(order.mode, self.settings, as_of=self.as_of, asks_outside=asks_outside)
        plan = plan._replace(
            most_claims=_lower(plan.most_claims, order.max_claims),
            run_seconds=_lower(plan.run_seconds, order.max_seconds),
        )
        return ValidationRun(document, parts, plan, steps=self.steps, meter=self.meter).events()

    async def _open(self, *, reference: bool) -> "_Opened":
        """Open what the order names to check against. If it names nothing, open the web, if a search is set up, and with
        `reference` the reference library."""
        order, settings = self.order, self.settings
        if order.against:
            opened = [
                await in_thread(partial(open_against, target, settings, self.progress, folder=order.folder))
                for target in order.against
            ]
            unread = {path: reason for one in opened for path, reason in one.failures.items()}
            failures = tuple(Failure(stage="reading sources", message=reason) for reason in unread.values())
            return _Opened(self._gatherer([one.corpus for one in opened], ()), failures)
        corpora = [await in_thread(partial(open_reference, settings, self.progress))] if reference else []
        web = [RecordedSearch(provider, self.steps) for provider in self._search_providers()]
        return _Opened(self._gatherer(corpora, web), ())

    def _search_providers(self) -> tuple[SearchProvider, ...]:
        if not self.order.search:
            return connect_search(self.settings) if self.order.search is None else ()
        return connect_search(self.settings.model_copy(update={"search": self.order.search}))

    def _gatherer(self, corpora: Sequence[Corpus], web: Sequence[SearchProvider]) -> Gatherer:
        return open_gatherer(corpora, web, self.settings, as_of=self.as_of, meter=self.meter)


class _Opened(NamedTuple):
    gatherer: Gatherer
    failures: tuple[Failure, ...]
    """Files that could not be read."""


def _lower(limit: N | None, other: N | None) -> N | None:
    """Return the lower of two limits; None is no limit."""
    return min((one for one in (limit, other) if one is not None), default=None)


def _with_failures(event: Event, failures: tuple[Failure, ...]) -> Event:
    if event.name is not EventName.REPORT_READY or not failures:
        return event
    report: Report = event.data["report"]
    complete = report.model_copy(update={"errors": (*failures, *report.errors)})
    return event.model_copy(update={"data": {"report": complete}})


def _unkept() -> Conversation:
    return Conversation(conversation_id=str(uuid4()), message_id=str(uuid4()), is_new=True)
