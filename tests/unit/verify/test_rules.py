"""Runs the examples of every rule."""

from collections import Counter
from pathlib import Path

import pytest
from tests.unit.verify.projects import verify

from veridic.domain.code import CodeVerdict, Finding
from veridic.verify.rules.rule import Example, Rule
from veridic.verify.rules.table import RULES

ONLY_OBJECT = frozenset({"neighbours"})
"""Rules that never verify: finding a name somewhere in the code proves nothing."""
by_name = pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])


def found_by(rule: Rule, example: Example, root: Path) -> list[Finding]:
    """Return the findings of the rule on its example."""
    report = verify(root / "project", {**example.code, "README.md": example.says})
    assert not report.errors
    return [finding for finding in report.findings if finding.rule.partition(":")[0] == rule.name]


@by_name
def test_holding_example_is_verified(rule: Rule, tmp_path: Path) -> None:
    found = found_by(rule, rule.holds, tmp_path)
    assert CodeVerdict.VERIFIED in [finding.verdict for finding in found] or rule.name in ONLY_OBJECT
    assert not {CodeVerdict.REFUTED, CodeVerdict.STALE} & {finding.verdict for finding in found}


@pytest.mark.parametrize(
    ("rule", "example"),
    [(rule, rule.fails) for rule in RULES if rule.fails],
    ids=[rule.name for rule in RULES if rule.fails],
)
def test_failing_example_raises_an_alarm(rule: Rule, example: Example, tmp_path: Path) -> None:
    alarms = [
        finding
        for finding in found_by(rule, example, tmp_path)
        if finding.verdict in (CodeVerdict.REFUTED, CodeVerdict.STALE)
    ]
    assert alarms
    for alarm in alarms:
        assert alarm.rule.partition(": ")[2], "an alarm says what it rests on"
        assert alarm.evidence


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(rule.name for rule in RULES).items() if count > 1] == []


@by_name
def test_description_is_one_sentence(rule: Rule) -> None:
    assert rule.reads[0].isupper()
    assert rule.reads.endswith(".")
    assert ". " not in rule.reads
    assert "\n" not in rule.reads
