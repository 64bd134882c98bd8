"""The earlier check that an order names, so that verdicts on what has not changed are kept."""

from collections.abc import Collection
from datetime import UTC, date

from veridic.check.kept import EarlierCheck
from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import NotFoundError, StorageError, UsageError
from veridic.domain.modes import Mode
from veridic.engine.order import CheckOrder
from veridic.ingest import formats
from veridic.ingest.read import document_from_text
from veridic.runtime.saved_orders import has_settings, load_order
from veridic.store.runs import RunState, RunStore

_INHERITED = ("mode", "engine", "models", "against", "threshold", "max_cost_usd", "max_content_length")


def order_after(earlier: CheckOrder, run_id: str, order: CheckOrder, named: Collection[str]) -> CheckOrder:
    """Return an order like an earlier one in all that it doesn't name itself. Thorough checks keep verdicts of it."""
    inherited = {name: getattr(earlier, name) for name in _INHERITED if name not in named}
    if "against" in inherited:
        inherited["folder"] = earlier.folder
    mode = inherited.get("mode", order.mode)
    keeps = mode is Mode.THOROUGH and earlier.mode is Mode.THOROUGH
    return order.model_copy(update={**inherited, "earlier": run_id if keeps else None})


def edited(earlier: Document | None, text: str) -> Document:
    """Return a text that was changed since it was checked: its origin and its date are those of then."""
    if earlier is None:
        return document_from_text(text, source="text")
    kind = formats.MARKDOWN if earlier.media_type == formats.MARKDOWN else formats.PLAIN
    document = document_from_text(text, source=earlier.source, media_type=kind)
    known = {
        "title": document.title or earlier.title,
        "author": document.author or earlier.author,
        "published": document.published or earlier.published,
        "domain": earlier.domain,
        "url": earlier.url,
    }
    return document.model_copy(update=known)


def require_earlier(store: RunStore, order: CheckOrder) -> None:
    """Raise `UsageError` or `NotFoundError` if the check that an order names has no verdicts to keep."""
    if order.earlier is None:
        return
    summary = store.summary(order.earlier)
    if order.mode is not Mode.THOROUGH or summary.mode != Mode.THOROUGH:
        raise UsageError(
            "Only a thorough check can keep the verdicts of an earlier one, which was thorough, too."
        )
    if summary.state is not RunState.COMPLETED:
        raise UsageError(f"{order.earlier} is not completed, so there are no verdicts to keep.")


def load_earlier(store: RunStore, run_id: str, settings: Settings, today: date) -> EarlierCheck | None:
    """Return an earlier check with the machine's verdicts; None if it was deleted meanwhile, or kept no order."""
    try:
        started = store.summary(run_id).created_at.astimezone(UTC)
        report = store.get(run_id)
        order = load_order(store, run_id, settings).order
        data = store.order_data(run_id)
    except (NotFoundError, UsageError, StorageError):
        return None
    return EarlierCheck(
        run_id=run_id,
        started=started,
        order=order,
        report=report,
        is_of_today=started.date() == today,
        same_settings=data is not None and has_settings(data, settings),
    )
