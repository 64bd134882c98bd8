"""Which articles get a second look."""

import pytest
from tests.builders import make_claim, make_decision, make_report

from veridic.batch.plan import BatchPlan, flags_of
from veridic.config.settings import Settings
from veridic.domain.claim import Risk
from veridic.domain.errors import UsageError
from veridic.domain.modes import FirstLook, Mode
from veridic.domain.report import Failure, Report
from veridic.domain.verdicts import Verdict
from veridic.engine.costs import VALIDATE

RULE = Settings.model_fields["batch_flags"].default


def report(*verdicts: Verdict, risk: Risk = Risk.LOW, verdict: Verdict = Verdict.SUPPORTED) -> Report:
    return make_report([make_decision(make_claim(risk=risk), one) for one in verdicts], verdict=verdict)


@pytest.mark.parametrize(
    ("looked_at", "flags"),
    [
        (report(Verdict.SUPPORTED), ()),
        (report(Verdict.SUPPORTED, Verdict.UNVERIFIABLE), ()),
        (report(Verdict.SUPPORTED, Verdict.REFUTED), ("FALSE",)),
        (report(Verdict.OUTDATED), ("MISLEADING",)),
        (report(Verdict.REFUTED, Verdict.PARTIAL), ("FALSE", "MISLEADING")),
        (report(Verdict.SUPPORTED, verdict=Verdict.REFUTED), ("FALSE",)),
        (report(Verdict.SUPPORTED, risk=Risk.HIGH), ("HIGH_RISK",)),
        (report(Verdict.SUPPORTED, risk=Risk.MEDIUM), ()),
    ],
)  # fmt: skip
def test_false_misleading_and_risky_articles_are_flagged(looked_at: Report, flags: tuple[str, ...]) -> None:
    assert flags_of(looked_at, RULE) == flags


def test_what_could_not_be_looked_at_is_flagged() -> None:
    broken = make_report([], errors=(Failure(stage=VALIDATE, message="no answer"),))

    assert flags_of(broken, RULE) == ("INCOMPLETE",)


def test_the_rule_takes_canonical_verdicts_too() -> None:
    assert flags_of(report(Verdict.OUTDATED), ("OUTDATED", "REFUTED")) == ("OUTDATED",)


@pytest.mark.parametrize("text", ["FALSE,NONSENSE", "HIGH"])
def test_a_rule_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="it should name some of HIGH_RISK, TRUE, MISLEADING, FALSE"):
        Settings(batch_flags=text)


def test_a_rule_is_read_in_any_case() -> None:
    assert Settings(batch_flags="refuted, high_risk").batch_flags == ("REFUTED", "HIGH_RISK")


@pytest.mark.parametrize(
    "plan",
    [
        BatchPlan(mode=Mode.SUMMARY, triage=FirstLook.SUMMARY),
        BatchPlan(mode=Mode.CONSENSUS, triage=FirstLook.SUMMARY),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(plan: BatchPlan, settings: Settings) -> None:
    with pytest.raises(UsageError):
        plan.uses_embedded_engine(settings)


def test_the_embedded_engine_is_told_from_models(settings: Settings) -> None:
    with_model = settings.model_copy(
        update={"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": "local", "validator_model": "local"}
    )

    assert BatchPlan().uses_embedded_engine(settings)
    assert not BatchPlan().uses_embedded_engine(with_model)
    assert BatchPlan(triage=FirstLook.EMBEDDED).uses_embedded_engine(with_model)
