"""A saved run, made again on the evidence it had: what has to be kept for that, and what came out the same."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from veridic.config.settings import Settings
from veridic.domain.errors import StorageError, UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.domain.usage import ModelCall
from veridic.domain.verdicts import Verdict
from veridic.pipeline.orders import CheckOrder
from veridic.store.runs import RunStore

_OF_THE_ORDER = {"models", "against", "threshold", "stage_timeout_ms", "max_cost_usd"}
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
"""What decides how evidence is read. Keys and addresses are not kept: a replay uses those of today."""


class Replay(NamedTuple):
    """Everything that making a run again takes."""

    before: Report
    """What it came to the first time."""
    order: CheckOrder
    settings: Settings
    kept: Mapping[str, Gathered]
    """The evidence by question: nothing else is read."""


class Change(NamedTuple):
    claim: str
    before: Verdict
    after: Verdict | None
    """None where the claim was not decided again."""


def order_data(order: CheckOrder, settings: Settings) -> dict[str, Any]:
    """What a replay needs to know beside the text, the report and the evidence."""
    return {
        "order": order.model_dump(mode="json", include=_OF_THE_ORDER),
        "settings": settings.model_dump(mode="json", include=_OF_THE_SETTINGS),
    }


def load_replay(store: RunStore, run_id: str, settings: Settings) -> Replay:
    """`UsageError` where a run can't be made again, `NotFoundError` where there is no run or no report."""
    summary = store.summary(run_id)
    if summary.mode == Mode.CONSENSUS:
        raise UsageError(
            f"{run_id} is a run of consensus mode, which keeps no evidence to replay it on; "
            f"`veridic runs show {run_id}` shows its report."
        )
    before = store.get(run_id)
    data, kept = store.order_data(run_id), store.evidence(run_id)
    if data is None or not kept:
        raise UsageError(
            f"No evidence was kept for {run_id}, so it can't be replayed; check the text again to have it kept."
        )
    calls = store.calls(run_id)
    return Replay(
        before,
        _order(run_id, data, before, calls),
        _settings(settings, data, calls, claims=summary.claims),
        kept,
    )


def changes(before: Report, after: Report) -> list[Change]:
    """The claims that got another verdict the second time, or none."""
    again = {(one.claim.span, one.claim.text): one.verdict for one in after.decisions}
    compared = (
        Change(one.claim.text, one.verdict, again.get((one.claim.span, one.claim.text)))
        for one in before.decisions
    )
    return [change for change in compared if change.before is not change.after]


def _order(run_id: str, data: Mapping[str, Any], before: Report, calls: Sequence[ModelCall]) -> CheckOrder:
    try:
        ordered = CheckOrder.model_validate(data["order"])
    except (KeyError, TypeError, ValidationError) as error:
        raise StorageError(
            f"What was ordered with {run_id} was saved by another version of Veridic and can't be read by this one."
        ) from error
    extractor = _model_of("extract", calls) or ordered.models.extractor
    return ordered.model_copy(
        update={
            "mode": Mode(before.mode),
            "engine": EngineChoice(before.engine),
            "document": before.document,
            "models": ordered.models.model_copy(update={"extractor": extractor}),
            "as_of": before.as_of,
        }
    )


def _settings(
    settings: Settings, data: Mapping[str, Any], calls: Sequence[ModelCall], *, claims: int
) -> Settings:
    saved = data.get("settings", {})
    update = {name: saved[name] for name in _OF_THE_SETTINGS if name in saved}
    # Where no limit was set, there may have been one all the same: searching costs money, a replay does not.
    update["max_claims_per_article"] = update.get("max_claims_per_article") or claims or None
    if validator := _model_of("validate", calls):
        update["validator_model"] = validator
    return settings.model_copy(update=update)


def _model_of(stage: str, calls: Sequence[ModelCall]) -> str | None:
    """Who was asked: the settings of today may name somebody else."""
    return next((call.model for call in calls if call.stage.split("/")[0] == stage), None)
