"""How many claims are checked at once."""

from datetime import date

from veridic.check.run import Plan, plan_for
from veridic.config.settings import Settings
from veridic.domain.modes import Mode

DAY = date(2026, 11, 18)


def plan(settings: Settings, *, asks_outside: bool = True) -> Plan:
    return plan_for(Mode.THOROUGH, settings, as_of=DAY, asks_outside=asks_outside)


def test_a_paid_run_starts_all_claims_at_once() -> None:
    usual = plan(Settings())
    assert (usual.at_once, usual.stagger_seconds) == (usual.most_claims, 0.0)


def test_settings_override_the_default() -> None:
    chosen = plan(Settings(max_concurrent_validations=3, validation_stagger_seconds=1.0))
    assert (chosen.at_once, chosen.stagger_seconds) == (3, 1.0)
    assert plan(Settings(enable_parallel_validation=False)).at_once == 1


def test_embedded_claims_are_checked_one_by_one() -> None:
    own = plan(Settings(max_concurrent_validations=3, validation_stagger_seconds=1.0), asks_outside=False)
    assert (own.at_once, own.stagger_seconds) == (1, 0.0)
