"""What is saved of an order, so that its run can be resumed, made again or replayed."""

from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from veridic import __version__
from veridic.check.team import chosen_models
from veridic.config.settings import Settings
from veridic.domain.errors import StorageError, UsageError
from veridic.domain.modes import Mode
from veridic.engine.content import truncated
from veridic.engine.order import CheckOrder, Conversation, ModelChoice, document_to_validate
from veridic.evidence.reference import factbook_fingerprint
from veridic.store.runs import RunStore

_SETTINGS_FIELDS = {
    "gemini_max_tokens_thorough",
    "gemini_temperature_thorough",
    "gemini_top_k_thorough",
    "gemini_top_p_thorough",
    "max_claims_per_article",
    "max_evidence_chars_per_source",
    "max_highlight_chars",
    "max_highlights_per_source",
    "passages_per_claim",
    "validate_high_risk_only",
}
"""Settings that affect which claims are read and how. Keys and URLs are not saved: the current ones are used."""


class SavedOrder(NamedTuple):
    order: CheckOrder
    settings: Settings
    """The current ones, with what was saved in their place."""
    conversation: Conversation | None


def order_data(
    order: CheckOrder, settings: Settings, conversation: Conversation | None = None
) -> dict[str, Any]:
    """Return the order without its text, which is saved as the content of the check.

    In summary and thorough mode models are always named, also where the order named none, because the defaults change
    with the settings.
    """
    if order.mode is Mode.CONSENSUS:
        document = order.document and truncated(order.document, order.max_content_length)
    else:
        document = document_to_validate(order)
        names = chosen_models(order, settings)
        models = ModelChoice(extractor=names.extractor, checkers=(names.validator,))
        order = order.model_copy(update={"models": models})
    order = order.model_copy(update={"document": document})
    return {
        "order": order.model_dump(mode="json", exclude={"document": {"text"}}),
        "settings": settings.model_dump(mode="json", include=_SETTINGS_FIELDS),
        "program": _program(),
        "conversation": conversation.model_dump(mode="json") if conversation else None,
        "folder": str(Path.cwd()) if order.against else None,
    }


def load_order(store: RunStore, run_id: str, settings: Settings) -> SavedOrder:
    """Load the order of a run with its text. Raises `NotFoundError`, and `UsageError` if it can't be run again here."""
    data = store.order_data(run_id)
    if data is None or "mode" not in data["order"]:
        raise UsageError(
            f"{run_id} was made by an older Veridic that kept no order to go on with; check the text again."
        )
    try:
        saved = dict(data["order"])
        if saved["document"] is not None:
            saved["document"] = saved["document"] | {"text": store.content(run_id)}
        order = CheckOrder.model_validate(saved)
        conversation = data["conversation"] and Conversation.model_validate(data["conversation"])
    except (AttributeError, KeyError, TypeError, ValidationError) as error:
        raise StorageError(
            f"The order of {run_id} was saved by another version of Veridic and can't be read by this one."
        ) from error
    _require_folder(run_id, order, data.get("folder"))
    return SavedOrder(order, with_saved_settings(settings, data), conversation)


def with_saved_settings(settings: Settings, data: dict[str, Any]) -> Settings:
    """Return the current settings with the saved ones in their place."""
    saved = {name: data["settings"][name] for name in _SETTINGS_FIELDS & data["settings"].keys()}
    return settings.model_copy(update=saved)


def has_settings(data: dict[str, Any], settings: Settings) -> bool:
    """Return whether settings, program and library are still those that were saved with an order."""
    current = settings.model_dump(mode="json", include=_SETTINGS_FIELDS)
    return bool(data["settings"] == current and data.get("program") == _program())


def _program() -> dict[str, str]:
    return {"veridic": __version__, "library": factbook_fingerprint()}


def _require_folder(run_id: str, order: CheckOrder, folder: str | None) -> None:
    """Refuse a run whose relative paths meant another folder."""
    if folder is None or folder == str(Path.cwd()):
        return
    for target in order.against:
        if not Path(target).is_absolute() and (Path(folder) / target).exists():
            raise UsageError(f"{run_id} was started in {folder}, where its sources are; resume it there.")
