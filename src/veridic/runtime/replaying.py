"""A saved run, made again on the evidence it had: what has to be kept for that, and what came out the same."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from veridic.config.settings import Settings
from veridic.domain.errors import StorageError, UsageError
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.domain.verdicts import Verdict
from veridic.pipeline.orders import CheckOrder, ModelChoice
from veridic.pipeline.team import chosen_models
from veridic.store.runs import RunStore

_OF_THE_ORDER = {"models", "against", "threshold", "max_cost_usd"}
_OF_THE_SETTINGS = {
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
"""What decides which claims are read, and how. Keys and addresses are not kept: a replay uses those of today."""


class Replay(NamedTuple):
    """Everything that making a run again takes."""

    before: Report
    """What it came to the first time."""
    order: CheckOrder
    settings: Settings
    evidence: Mapping[str, Gathered]
    """By question: nothing else is read."""


class Change(NamedTuple):
    claim: str
    before: Verdict
    after: Verdict | None
    """None where the claim could not be read again."""


def order_data(order: CheckOrder, settings: Settings) -> dict[str, Any]:
    """What a replay needs to know beside the report and the evidence.

    Models are named even where they were nobody's choice: what is chosen without one changes with the settings.
    """
    names = chosen_models(order, settings)
    models = ModelChoice(extractor=names.extractor, checkers=(names.validator,))
    return {
        "order": order.model_copy(update={"models": models}).model_dump(mode="json", include=_OF_THE_ORDER),
        "settings": settings.model_dump(mode="json", include=_OF_THE_SETTINGS),
    }


def load_replay(store: RunStore, run_id: str, settings: Settings) -> Replay:
    """`UsageError` where a run can't be made again, `NotFoundError` where there is no run or no report."""
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
        ordered = CheckOrder.model_validate(data["order"])
        saved = {name: data["settings"][name] for name in _OF_THE_SETTINGS & data["settings"].keys()}
    except (AttributeError, KeyError, TypeError, ValidationError) as error:
        raise StorageError(
            f"What was ordered with {run_id} was saved by another version of Veridic and can't be read by this one."
        ) from error
    asked = {"mode": Mode(before.mode), "document": before.document, "as_of": before.as_of}
    return Replay(before, ordered.model_copy(update=asked), settings.model_copy(update=saved), evidence)


def changes(before: Report, after: Report) -> list[Change]:
    """The claims that got another verdict the second time, or none."""
    again = {decision.claim.id: decision.verdict for decision in after.decisions}
    compared = (Change(one.claim.text, one.verdict, again.get(one.claim.id)) for one in before.decisions)
    return [change for change in compared if change.before is not change.after]
