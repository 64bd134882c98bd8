"""How many claims are checked, how many at once, and how long a call may take."""

from datetime import date

from veridic.config.settings import Settings
from veridic.domain.modes import Mode
from veridic.pipeline.orders import CheckOrder
from veridic.pipeline.thorough import Plan

MOST_PAID_CLAIMS = 20
"""How many claims are checked by default where each of them costs money or somebody's time."""
_MOST_AT_ONCE = 20
"""Where no setting says how many. How fast providers are asked is their own say (`providers/pace.py`)."""


def plan_for(mode: Mode, settings: Settings, *, as_of: date, asks_outside: bool) -> Plan:
    """The settings' limits. Where nobody outside is asked, there is nobody to be gentle with and nothing to save:
    claims follow one another without a pause, and all of them are checked."""
    in_parallel = asks_outside and settings.enable_parallel_validation
    return Plan(
        mode=mode,
        as_of=as_of,
        most_claims=most_claims(settings, asks_outside=asks_outside),
        only_high_risk=settings.validate_high_risk_only,
        at_once=(settings.max_concurrent_validations or _MOST_AT_ONCE) if in_parallel else 1,
        stagger_seconds=settings.validation_stagger_seconds if in_parallel else 0.0,
        run_seconds=settings.run_timeout_seconds if asks_outside else None,
    )


def stage_seconds(order: CheckOrder, settings: Settings) -> float:
    """How long a model may take for its answer."""
    return settings.llm_timeout_seconds if order.stage_timeout_ms is None else order.stage_timeout_ms / 1000


def most_claims(settings: Settings, *, asks_outside: bool) -> int | None:
    """None: all of them."""
    return settings.max_claims_per_article or (MOST_PAID_CLAIMS if asks_outside else None)
