"""What is saved of an order, so that its run can be resumed, made again or replayed."""

from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from veridic.check.choose_readers import chosen_models
from veridic.config.settings import Settings
from veridic.consensus.cast import chosen_cast
from veridic.domain.errors import StorageError, UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.engine.content import truncated
from veridic.engine.order import CheckOrder, Conversation, ModelChoice, document_to_validate
from veridic.providers.search.connect import connect_search
from veridic.runtime.needs import is_embedded, named_models
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


def resolved(order: CheckOrder, settings: Settings) -> CheckOrder:
    """Return the order with everything in it that these settings and this process decide: the engine, the models of all
    roles, the search providers, and the folder of relative paths.

    So it is run alike by every process, whatever that has for defaults.
    """
    if order.mode is Mode.CONSENSUS:
        document = order.document and truncated(order.document, order.max_content_length)
        cast = chosen_cast(order, settings)
        models = ModelChoice(
            generator=None if document else cast.generator,
            extractor=cast.extractor,
            checkers=cast.checkers,
            reporter=cast.reporter,
        )
    else:
        document = document_to_validate(order)
        names = chosen_models(order, settings)
        models = ModelChoice(extractor=names.extractor, checkers=(names.validator,))
    search = order.search
    if search is None and not order.against:
        search = tuple(provider.name for provider in connect_search(settings))
    return order.model_copy(
        update={
            "document": document,
            "engine": _engine_of(models, order.engine),
            "models": models,
            "folder": (order.folder or str(Path.cwd())) if order.against else "",
            "search": search,
        }
    )


def _engine_of(models: ModelChoice, ordered: EngineChoice) -> EngineChoice:
    """Return the engine that all these models are of; where they are mixed, the one that was ordered."""
    kinds = {is_embedded(name) for name in named_models(models)}
    if len(kinds) > 1:
        return ordered
    return EngineChoice.EMBEDDED if kinds == {True} else EngineChoice.LLM


def order_data(
    order: CheckOrder, settings: Settings, conversation: Conversation | None = None
) -> dict[str, Any]:
    """Return a resolved order without its text, which is saved as the content of the check."""
    return {
        "order": order.model_dump(mode="json", exclude={"document": {"text"}}),
        "settings": settings.model_dump(mode="json", include=_SETTINGS_FIELDS),
        "conversation": conversation.model_dump(mode="json") if conversation else None,
    }


def load_order(store: RunStore, run_id: str, settings: Settings) -> SavedOrder:
    """Load the order of a run with its text. Raises `NotFoundError`, and `UsageError` if it can't be run again."""
    data = store.order_data(run_id)
    if data is None or "mode" not in data["order"]:
        raise UsageError(
            f"{run_id} was made by an older Veridic that kept no order to go on with; check the text again."
        )
    try:
        saved = dict(data["order"])
        if saved["document"] is not None:
            saved["document"] = saved["document"] | {"text": store.content(run_id)}
        saved.setdefault("folder", data.get("folder") or "")  # where an older version kept it
        order = CheckOrder.model_validate(saved)
        conversation = data["conversation"] and Conversation.model_validate(data["conversation"])
    except (AttributeError, KeyError, TypeError, ValidationError) as error:
        raise StorageError(
            f"The order of {run_id} was saved by another version of Veridic and can't be read by this one."
        ) from error
    return SavedOrder(order, with_saved_settings(settings, data), conversation)


def with_saved_settings(settings: Settings, data: dict[str, Any]) -> Settings:
    """Return the current settings with the saved ones in their place."""
    saved = {name: data["settings"][name] for name in _SETTINGS_FIELDS & data["settings"].keys()}
    return settings.model_copy(update=saved)
