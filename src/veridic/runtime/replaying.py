"""Replaying a saved run on its saved evidence: what it needs, and which verdicts change."""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import ValidationError

from veridic.config.settings import Settings
from veridic.domain.errors import StorageError, UsageError
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.domain.verdicts import Verdict
from veridic.engine.order import CheckOrder
from veridic.runtime.saved_orders import with_saved_settings
from veridic.store.runs import RunStore


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
        # The report has the document, and runs of older versions didn't save all of the order.
        order = CheckOrder.model_validate({**data["order"], "document": None})
        saved = with_saved_settings(settings, data)
    except (AttributeError, KeyError, TypeError, ValidationError) as error:
        raise StorageError(
            f"The order of {run_id} was saved by another version of Veridic and can't be read by this one."
        ) from error
    original = {"mode": Mode(before.mode), "document": before.document, "as_of": before.as_of}
    return Replay(before, order.model_copy(update=original), saved, evidence)


def changes(before: Report, after: Report) -> list[Change]:
    """Return the claims whose verdict is different or missing in the second report."""
    new = {decision.claim.id: decision.verdict for decision in after.decisions}
    compared = (Change(old.claim.text, old.verdict, new.get(old.claim.id)) for old in before.decisions)
    return [change for change in compared if change.before is not change.after]
