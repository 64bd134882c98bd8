"""Replaying a saved run on its saved evidence: what is saved for it, and which verdicts change."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from veridic.check.team import chosen_models
from veridic.config.settings import Settings
from veridic.domain.errors import StorageError, UsageError
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.domain.verdicts import Verdict
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.store.runs import RunStore

_ORDER_FIELDS = {"models", "against", "threshold", "max_cost_usd"}
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
"""Settings that affect which claims are read and how. Keys and URLs are not saved: a replay uses the current ones."""


class Replay(NamedTuple):
    """Everything that a replay needs."""

    before: Report
    """The report of the original run."""
    order: CheckOrder
    settings: Settings
    evidence: Mapping[str, Gathered]
    """By question; a replay reads nothing else."""


class Change(NamedTuple):
    claim: str
    before: Verdict
    after: Verdict | None
    """None if the claim could not be judged again."""


def order_data(order: CheckOrder, settings: Settings) -> dict[str, Any]:
    """Return what a replay needs besides the report and the evidence.

    Models are always named, also where the order named none, because the defaults change with the settings.
    """
    names = chosen_models(order, settings)
    models = ModelChoice(extractor=names.extractor, checkers=(names.validator,))
    return {
        "order": order.model_copy(update={"models": models}).model_dump(mode="json", include=_ORDER_FIELDS),
        "settings": settings.model_dump(mode="json", include=_SETTINGS_FIELDS),
    }


def load_replay(store: RunStore, run_id: str, settings: Settings) -> Replay:
    """Load a run for a replay. Raises `UsageError` if it can't be replayed, `NotFoundError` without a run or a report."""
    if store.summary(run_id).mode == Mode.CONSENSUS:
        raise UsageError(
            f"{run_id} is a run of consensus mode, which keeps no evidence to replay it on; "
            f"`veridic runs show {run_id}` shows its report."
        )
    before = store.get(run_id)
    data, evidence = store.order_data(run_id), store.evidence(run_id)
    if data is None or not evidence:
        raise UsageError(
            f"No evidence was kept for {run_id}, so it can't be replayed; check the text again to have it kept."
        )
    try:
        order = CheckOrder.model_validate(data["order"])
        saved = {name: data["settings"][name] for name in _SETTINGS_FIELDS & data["settings"].keys()}
    except (AttributeError, KeyError, TypeError, ValidationError) as error:
        raise StorageError(
            f"The order of {run_id} was saved by another version of Veridic and can't be read by this one."
        ) from error
    original = {"mode": Mode(before.mode), "document": before.document, "as_of": before.as_of}
    return Replay(before, order.model_copy(update=original), settings.model_copy(update=saved), evidence)


def changes(before: Report, after: Report) -> list[Change]:
    """Return the claims whose verdict is different or missing in the second report."""
    new = {decision.claim.id: decision.verdict for decision in after.decisions}
    compared = (Change(old.claim.text, old.verdict, new.get(old.claim.id)) for old in before.decisions)
    return [change for change in compared if change.before is not change.after]
