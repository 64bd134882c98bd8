"""How many claims are worked on at once."""

from datetime import date

from veridic.config.settings import Settings
from veridic.domain.modes import Mode
from veridic.pipeline.limits import plan_for
from veridic.pipeline.thorough import Plan

DAY = date(2026, 11, 18)


def plan(settings: Settings, *, asks_outside: bool = True) -> Plan:
    return plan_for(Mode.THOROUGH, settings, as_of=DAY, asks_outside=asks_outside)


def test_all_claims_of_a_paid_run_start_at_once() -> None:
    usual = plan(Settings())
    assert (usual.at_once, usual.stagger_seconds) == (usual.most_claims, 0.0)


def test_settings_hold_where_they_are_set() -> None:
    chosen = plan(Settings(max_concurrent_validations=3, validation_stagger_seconds=1.0))
    assert (chosen.at_once, chosen.stagger_seconds) == (3, 1.0)
    assert plan(Settings(enable_parallel_validation=False)).at_once == 1


def test_on_this_machine_claims_follow_one_another() -> None:
    own = plan(Settings(max_concurrent_validations=3, validation_stagger_seconds=1.0), asks_outside=False)
    assert (own.at_once, own.stagger_seconds) == (1, 0.0)
