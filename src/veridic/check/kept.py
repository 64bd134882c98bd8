"""Verdicts that a check takes over from an earlier one, for claims whose words and sentence have not changed.

A verdict is kept only if the new check would come to it in the same way: the same engine, models and settings, sources that
have not changed since, and nothing from the web that is older than the day. Everything else is checked anew.
"""

from datetime import date, datetime
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.claim import Claim
from veridic.domain.decision import Decision
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.search import problems_of
from veridic.domain.usage import Usage
from veridic.engine.order import CheckOrder
from veridic.evidence.corpus import REFERENCE, Corpora

_Key = tuple[str | None, ...]


class EarlierCheck(NamedTuple):
    """A finished check whose verdicts may be kept."""

    run_id: str
    started: datetime
    order: CheckOrder
    report: Report
    is_of_today: bool
    same_settings: bool
    """Whether the settings that decide which passages are read, and how, are those of then, and so are the program and its
    library."""


class Conditions(NamedTuple):
    """What the new check is made with, as far as a verdict depends on it."""

    engine: str
    models: dict[str, str]
    searched: tuple[str, ...]
    asks_web: bool
    as_of: date


class KeptVerdicts:
    """The verdicts of an earlier check that may be kept, by claim; none if `why_none` says why."""

    def __init__(self, earlier: EarlierCheck, why_none: str = "") -> None:
        self.run_id = earlier.run_id
        self.why_none = why_none
        decisions = () if why_none else earlier.report.decisions
        self._decisions = {_key(decision.claim): decision for decision in decisions if _is_whole(decision)}

    def decision(self, claim: Claim) -> Decision | None:
        """Return the earlier decision for a claim in the same words and the same sentence. Its costs are counted there."""
        found = self._decisions.get(_key(claim))
        if found is None or found.validation is None:
            return None
        validation = found.validation.model_copy(update={"usage": Usage(), "processing_time_ms": 0})
        return found.model_copy(update={"claim": claim, "validation": validation})


def kept_verdicts(
    earlier: EarlierCheck, order: CheckOrder, now: Conditions, settings: Settings
) -> KeptVerdicts:
    return KeptVerdicts(earlier, why_nothing_is_kept(earlier, order, now, settings))


def why_nothing_is_kept(earlier: EarlierCheck, order: CheckOrder, now: Conditions, settings: Settings) -> str:
    """Return the reason in words that follow "because"; empty if verdicts can be kept."""
    then = earlier.report
    if Mode.THOROUGH not in (order.mode, then.mode) or order.mode != then.mode:
        return "only thorough checks decide claim by claim"
    if (now.engine, now.models) != (then.engine, then.models):
        return "it was made by another engine or other models"
    if order.threshold != earlier.order.threshold or not earlier.same_settings:
        return "it was made with other settings"
    if (order.against, now.searched) != (earlier.order.against, then.corpora):
        return "it was made against other sources"
    if _published(order) != _published(earlier.order):
        return "the text has another date"
    if now.asks_web and not earlier.is_of_today:
        return "what it found on the web is older than a day"
    if not _same_day(earlier, now):
        return "it was made as of another day"
    if _changed_since(earlier, order, settings):
        return "the sources have changed since"
    return ""


def _published(order: CheckOrder) -> object:
    return order.document and order.document.published


def _same_day(earlier: EarlierCheck, now: Conditions) -> bool:
    """Sources that stay as they are say the same on a later day, if the earlier check read all there was on its own."""
    then = earlier.report.as_of
    return then == now.as_of or (not now.asks_web and now.as_of > then == earlier.started.date())


def _changed_since(earlier: EarlierCheck, order: CheckOrder, settings: Settings) -> bool:
    """Tell whether a corpus was changed since; of what is none, such as a folder, that is not known."""
    corpora = Corpora(settings.corpora)
    updated = [corpora.updated(name) for name in order.against if name != REFERENCE]
    return any(moment is None or moment > earlier.started for moment in updated)


def _is_whole(decision: Decision) -> bool:
    """Whether every search for it was answered; what was missed is looked for again."""
    return decision.validation is not None and not problems_of(decision.validation.searches)


def _key(claim: Claim) -> _Key:
    return claim.text, claim.context, claim.framing.kind.value, claim.framing.underlying_claim
