"""`--fail-on`, and the exit code of a check."""

import pytest
from tests.builders import make_decision, make_report

from veridic.cli.fail_on import exit_code, read_verdicts
from veridic.domain.errors import UsageError
from veridic.domain.report import Failure
from veridic.domain.verdicts import Verdict


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (None, set()),
        ("", set()),
        (" , ", set()),
        ("REFUTED", {Verdict.REFUTED}),
        ("refuted, Outdated", {Verdict.REFUTED, Verdict.OUTDATED}),
        ("FALSE", {Verdict.REFUTED}),
        ("true", {Verdict.SUPPORTED}),
        ("MISLEADING", {Verdict.MISLEADING}),
        ("mostly_supported,", {Verdict.MOSTLY_SUPPORTED}),
    ],
)
def test_verdicts_in_canonical_or_report_words(text: str | None, verdicts: set[Verdict]) -> None:
    assert read_verdicts(text) == verdicts


@pytest.mark.parametrize("word", ["WRONG", "REFUTED;OUTDATED", "mixed"])
def test_unknown_verdict_lists_the_known_ones(word: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_verdicts(f"REFUTED,{word}")
    assert repr(word) in str(caught.value)
    assert all(verdict in str(caught.value) for verdict in Verdict)


@pytest.mark.parametrize(
    ("stage", "failing", "code"),
    [
        (None, "REFUTED", 1),
        (None, "OUTDATED", 0),
        (None, None, 0),
        ("search", None, 3),
        ("search", "REFUTED", 3),
        ("saving", None, 0),
        ("reading sources", None, 0),
    ],
)
def test_exit_code(stage: str | None, failing: str | None, code: int) -> None:
    errors = (Failure(stage=stage, message="It failed."),) if stage else ()
    report = make_report([make_decision(verdict=Verdict.REFUTED)], errors=errors)
    assert exit_code(report, read_verdicts(failing)) == code
