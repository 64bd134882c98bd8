"""Checks as plain function calls: what `import veridic` offers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from veridic.config.settings import Settings, load_settings
from veridic.decision.weighing import DEFAULT_THRESHOLD
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.report import Report
from veridic.evidence.corpus import Corpus
from veridic.ingest.read import document_from_text, read_document
from veridic.pipeline.corpora import open_against, open_reference
from veridic.pipeline.engine import EmbeddedEngine
from veridic.pipeline.thorough import check_document


def check(
    target: str | Path,
    *,
    against: Sequence[str | Path] = (),
    as_of: date | None = None,
    settings: Settings | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Report:
    """Check the claims of a file or web page.

    `against` names folders, files or corpora; without it, the built-in reference library is searched.
    `on_event` is called with each step as it happens. Nothing is saved. Raises `VeridicError`.
    """
    settings = settings or load_settings()
    return _check(
        read_document(str(target), settings=settings), against, as_of, settings, DEFAULT_THRESHOLD, on_event
    )


def check_text(
    text: str,
    *,
    against: Sequence[str | Path] = (),
    as_of: date | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    settings: Settings | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Report:
    """Check the claims of a text, one sentence or many; otherwise like `check`.

    `threshold` is the confidence a clear verdict needs.
    """
    settings = settings or load_settings()
    return _check(document_from_text(text, source="text"), against, as_of, settings, threshold, on_event)


def _check(
    document: Document,
    against: Sequence[str | Path],
    as_of: date | None,
    settings: Settings,
    threshold: float,
    on_event: Callable[[Event], None] | None,
) -> Report:
    day = as_of or datetime.now(UTC).date()
    engine = EmbeddedEngine(_open(against, settings), settings, as_of=day)
    events = check_document(document, engine, as_of=day, threshold=threshold)
    return follow(events, *([on_event] if on_event else []))


def _open(against: Sequence[str | Path], settings: Settings) -> list[Corpus]:
    return [open_against(str(target), settings).corpus for target in against] or [open_reference(settings)]


def follow(events: AsyncIterator[Event], *followers: Callable[[Event], None]) -> Report:
    """Run a check to its end, telling each follower of every event; returns the report."""
    reports: list[Report] = []

    async def run() -> None:
        async for event in events:
            for tell in followers:
                tell(event)
            if event.name is EventName.REPORT_READY:
                reports.append(event.data["report"])

    asyncio.run(run())  # a report returned from here would be written out by asyncio's own debugging aids
    return reports[0]
