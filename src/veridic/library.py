"""The Python API: what `import veridic` offers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from veridic.config.settings import Settings, load_settings
from veridic.decision.weighing import DEFAULT_THRESHOLD
from veridic.domain.errors import ProviderError
from veridic.domain.events import NOT_FOR_CLIENTS, Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.ingest.read import document_from_text, read_document
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.run import run_order


def check(
    target: str | Path,
    *,
    against: Sequence[str | Path] = (),
    as_of: date | None = None,
    settings: Settings | None = None,
    mode: Mode = Mode.THOROUGH,
    models: ModelChoice | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Report:
    """Check the claims of a file or web page.

    `against` names folders, files or corpora; without it, the built-in reference library is searched.
    In consensus mode, `models` names the models that extract, check and report. `on_event` is called with each event as
    it happens. Nothing is saved. Raises `VeridicError`.
    """
    settings = settings or load_settings()
    order = CheckOrder(
        mode=mode,
        document=read_document(str(target), settings=settings),
        models=models or ModelChoice(),
        against=tuple(map(str, against)),
    )
    return _check(order, as_of, settings, on_event)


def check_text(
    text: str,
    *,
    against: Sequence[str | Path] = (),
    as_of: date | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    settings: Settings | None = None,
    mode: Mode = Mode.THOROUGH,
    models: ModelChoice | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Report:
    """Check the claims of a text, one sentence or many; otherwise like `check`.

    `threshold` is the confidence a clear verdict needs.
    """
    settings = settings or load_settings()
    order = CheckOrder(
        mode=mode,
        document=document_from_text(text, source="text"),
        models=models or ModelChoice(),
        against=tuple(map(str, against)),
        threshold=threshold,
    )
    return _check(order, as_of, settings, on_event)


def _check(
    order: CheckOrder, as_of: date | None, settings: Settings, on_event: Callable[[Event], None] | None
) -> Report:
    meter = Meter(max_cost_usd=settings.max_cost_usd, max_tokens=settings.max_tokens)
    events = run_order(
        order,
        settings,
        as_of=as_of or datetime.now(UTC).date(),
        models=connect_models(settings, meter),
        meter=meter,
    )

    def notify(event: Event) -> None:
        if on_event is not None and event.name not in NOT_FOR_CLIENTS:
            on_event(event)

    return follow(events, notify)


def follow(events: AsyncIterator[Event], *followers: Callable[[Event], object]) -> Report:
    """Run a check to its end, calling each follower with every event; returns the report.

    Raises `ProviderError` with the reasons if the run ends without a report.
    """
    reports: list[Report] = []
    reasons: list[str] = []

    async def run() -> None:
        async for event in events:
            for notify in followers:
                notify(event)
            if event.name is EventName.REPORT_READY:
                reports.append(event.data["report"])
            elif event.name is EventName.STAGE_FAILED:
                reasons.append(event.data["failure"]["message"])
            elif event.name is EventName.ERROR:
                message: str = event.data["message"]
                unsaid = dict.fromkeys(reason for reason in reasons if reason not in message)
                raise ProviderError(" ".join([message, *unsaid]))

    asyncio.run(run())  # don't return the report: asyncio's debug mode would print it
    return reports[0]
