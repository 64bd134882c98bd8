"""An order, carried out: the one way in for every face."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import date
from functools import partial
from typing import NamedTuple
from uuid import uuid4

from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import UsageError
from veridic.domain.events import Event, EventName
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.report import Failure, Report
from veridic.evidence.build import Progress, ignore_progress
from veridic.evidence.corpus import Corpus
from veridic.pipeline.cast import Casting
from veridic.pipeline.consensus import ConsensusRun, Limits
from veridic.pipeline.corpora import open_against, open_reference
from veridic.pipeline.engine import EmbeddedEngine, open_retrievers, open_web
from veridic.pipeline.exhibits import Exhibits
from veridic.pipeline.orders import CheckOrder, Conversation
from veridic.pipeline.steps import InMemorySteps, Steps
from veridic.pipeline.thorough import check_document
from veridic.pipeline.threads import in_thread
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.meter import Meter


async def run_order(
    order: CheckOrder,
    settings: Settings,
    *,
    as_of: date,
    models: LanguageModels,
    meter: Meter,
    conversation: Conversation | None = None,
    steps: Steps | None = None,
    progress: Progress = ignore_progress,
) -> AsyncIterator[Event]:
    """Everything that happens on the way to the report, which the event REPORT_READY carries.

    What is wrong with the order is raised before the first event. `conversation` is where the caller keeps a
    run of consensus mode; without it, the run belongs to a new one that nobody keeps.
    """
    if order.mode is Mode.CONSENSUS:
        cast = Casting(order, settings, models, as_of=as_of).cast()
        opened = await _open(order.against, settings, progress, reference=cast.needs_evidence)
        retrievers = open_retrievers(opened.corpora, settings, as_of=as_of)
        web = None if order.against else open_web(settings, as_of=as_of)
        events = ConsensusRun(
            cast,
            question=order.question,
            document=order.document,
            exhibits=Exhibits(retrievers, passages=settings.passages_per_claim, web=web)
            if retrievers or web
            else None,
            conversation=conversation or _unkept(),
            limits=Limits(
                stage_seconds=_seconds(order.stage_timeout_ms),
                run_seconds=settings.run_timeout_seconds,
                content_length=order.max_content_length,
            ),
            as_of=as_of,
            steps=steps or InMemorySteps(),
            meter=meter,
        ).events()
    else:
        document = document_for_thorough(order)
        opened = await _open(order.against, settings, progress, reference=True)
        engine = EmbeddedEngine(opened.corpora, settings, as_of=as_of)
        events = check_document(document, engine, as_of=as_of, threshold=order.threshold, steps=steps)
    async with aclosing(events):
        async for event in events:
            yield _with_failures(event, opened.failures)


def document_for_thorough(order: CheckOrder) -> Document:
    """What an order of thorough mode checks; `UsageError` where that mode can't carry it out."""
    if order.document is None:
        raise UsageError("Thorough mode needs a text to check; to ask a question, choose consensus mode.")
    if order.engine is EngineChoice.LLM:
        raise UsageError(
            "Thorough mode reads with the embedded engine; language models check in consensus mode."
        )
    return order.document


class _Opened(NamedTuple):
    corpora: Sequence[Corpus]
    failures: tuple[Failure, ...]
    """Files that could not be read into them."""


async def _open(
    against: Sequence[str], settings: Settings, progress: Progress, *, reference: bool
) -> _Opened:
    """The corpora named; where none is, and evidence is needed, the reference library."""
    if not against:
        return _Opened(
            [await in_thread(partial(open_reference, settings, progress))] if reference else [], ()
        )
    opened = [await in_thread(partial(open_against, target, settings, progress)) for target in against]
    unread = {path: reason for one in opened for path, reason in one.failures.items()}
    failures = tuple(Failure(stage="reading sources", message=reason) for reason in unread.values())
    return _Opened([one.corpus for one in opened], failures)


def _with_failures(event: Event, failures: tuple[Failure, ...]) -> Event:
    if event.name is not EventName.REPORT_READY or not failures:
        return event
    report: Report = event.data["report"]
    complete = report.model_copy(update={"errors": (*failures, *report.errors)})
    return event.model_copy(update={"data": {"report": complete}})


def _seconds(milliseconds: int) -> float:
    return milliseconds / 1000


def _unkept() -> Conversation:
    return Conversation(conversation_id=str(uuid4()), message_id=str(uuid4()), is_new=True)
