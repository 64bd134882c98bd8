"""An order, carried out: the one way in for every face."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from datetime import date
from functools import partial
from typing import NamedTuple
from uuid import uuid4

from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import UsageError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report
from veridic.evidence.build import Progress, ignore_progress
from veridic.evidence.corpus import Corpus
from veridic.evidence.gathering import Gatherer
from veridic.pipeline.cast import Casting
from veridic.pipeline.consensus import ConsensusRun, Limits
from veridic.pipeline.corpora import open_against, open_reference
from veridic.pipeline.engine import open_gatherer
from veridic.pipeline.exhibits import Exhibits
from veridic.pipeline.judges import proofreader
from veridic.pipeline.limits import plan_for, stage_seconds
from veridic.pipeline.observing import SearchingObserver
from veridic.pipeline.orders import CheckOrder, Conversation
from veridic.pipeline.replaying import Replayed
from veridic.pipeline.steps import InMemorySteps, Steps
from veridic.pipeline.team import Recruiting
from veridic.pipeline.thorough import Team, ValidationRun
from veridic.pipeline.threads import in_thread
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.meter import Meter
from veridic.providers.search.base import SearchProvider
from veridic.providers.search.connect import connect_search


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
    """Everything that happens on the way to the report, which the event REPORT_READY carries.

    What is wrong with the order is raised before the first event. `conversation` is where the caller keeps a
    run of consensus mode; without it, the run belongs to a new one that nobody keeps. `replayed` has the
    claims and the evidence of an earlier run of summary or thorough mode: then nothing is searched for.
    """
    ordered = _Ordered(order, settings, as_of, models, meter, steps or InMemorySteps(), progress)
    if order.mode is Mode.CONSENSUS:
        events, failures = await ordered.consensus(conversation or _unkept())
    else:
        events, failures = await ordered.validation(replayed)
    async with aclosing(events):
        async for event in events:
            yield _with_failures(event, failures)


class _Ordered(NamedTuple):
    """An order with everything it takes to carry it out."""

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
        exhibits = None
        if opened.gatherer.names:
            exhibits = Exhibits(
                opened.gatherer, passages=settings.passages_per_claim, seconds=settings.claim_timeout_seconds
            )
        run = ConsensusRun(
            cast,
            question=order.question,
            document=order.document,
            exhibits=exhibits,
            conversation=conversation,
            limits=Limits(
                stage_seconds=stage_seconds(order, settings),
                run_seconds=settings.run_timeout_seconds,
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
        recruiting = Recruiting(self.order, self.settings, self.models, as_of=self.as_of)
        reader = recruiting.reader(document)
        if replayed is not None:
            team = Team(recruiting.engine, recruiting.models, replayed, replayed, reader, replayed.searched)
            return self._run(document, team, asks_outside=recruiting.asks_models), ()
        # A model that has the web gains nothing from an atlas; whoever reads here finds exact figures in it.
        opened = await self._open(reference=recruiting.reads_itself or not connect_search(self.settings))
        observer = SearchingObserver(opened.gatherer, self.steps, seconds=self.settings.claim_timeout_seconds)
        lister = recruiting.lister(searches_web=opened.gatherer.asks_outside)
        team = Team(recruiting.engine, recruiting.models, lister, observer, reader, opened.gatherer.names)
        asks_outside = recruiting.asks_models or opened.gatherer.asks_outside
        return self._run(document, team, asks_outside=asks_outside), opened.failures

    def _run(self, document: Document, team: Team, *, asks_outside: bool) -> AsyncGenerator[Event, None]:
        plan = plan_for(self.order.mode, self.settings, as_of=self.as_of, asks_outside=asks_outside)
        return ValidationRun(document, team, plan, steps=self.steps, meter=self.meter).events()

    async def _open(self, *, reference: bool) -> "_Opened":
        """What the order names to check against. Where it names nothing: the web, if a search is set up, and where
        `reference` asks for it, the reference library."""
        order, settings = self.order, self.settings
        if order.against:
            opened = [
                await in_thread(partial(open_against, target, settings, self.progress))
                for target in order.against
            ]
            unread = {path: reason for one in opened for path, reason in one.failures.items()}
            failures = tuple(Failure(stage="reading sources", message=reason) for reason in unread.values())
            return _Opened(self._gatherer([one.corpus for one in opened], ()), failures)
        corpora = [await in_thread(partial(open_reference, settings, self.progress))] if reference else []
        return _Opened(self._gatherer(corpora, connect_search(settings)), ())

    def _gatherer(self, corpora: Sequence[Corpus], web: Sequence[SearchProvider]) -> Gatherer:
        return open_gatherer(corpora, web, self.settings, as_of=self.as_of, meter=self.meter)


class _Opened(NamedTuple):
    gatherer: Gatherer
    failures: tuple[Failure, ...]
    """Files that could not be read."""


def document_to_validate(order: CheckOrder) -> Document:
    """What an order of summary or thorough mode checks; `UsageError` where there is nothing."""
    if order.document is None:
        raise UsageError(
            f"{order.mode.value.capitalize()} mode needs a text to check; to ask a question, choose consensus mode."
        )
    return order.document


def _with_failures(event: Event, failures: tuple[Failure, ...]) -> Event:
    if event.name is not EventName.REPORT_READY or not failures:
        return event
    report: Report = event.data["report"]
    complete = report.model_copy(update={"errors": (*failures, *report.errors)})
    return event.model_copy(update={"data": {"report": complete}})


def _unkept() -> Conversation:
    return Conversation(conversation_id=str(uuid4()), message_id=str(uuid4()), is_new=True)
