"""Floors hold, rise freely, and are lowered only with a reason."""

import json
import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from benchmarks import floors, floors_measured
from benchmarks.floors_measured import HEADLINES, data_folder, headlines, sample
from benchmarks.floors_pinned import FallenError, Floors, Lowered, falls, falls_of_data, updated
from hypothesis import given
from hypothesis import strategies as st
from typer import Typer
from typer.testing import CliRunner

from veridic.bench.claims import SentenceRow
from veridic.bench.measures import Answer, Label
from veridic.bench.rows import PairRow
from veridic.judging.base import Belief

TODAY = date(2026, 11, 15)
DIGESTS = {"rows.jsonl.gz": "a1" * 32}
PINNED = Floors(
    data=DIGESTS,
    full={"fm2": {"rows": 100, "accuracy": 0.72}, "all": {"rows": 900, "calibration_error": 0.05}},
    sample={"fm2": {"rows": 20, "accuracy": 0.7}},
)


def found(accuracy: float = 0.72, error: float = 0.05, data: dict[str, str] = DIGESTS) -> Floors:
    full: dict[str, dict[str, int | float]] = {
        "fm2": {"rows": 100, "accuracy": accuracy},
        "all": {"rows": 900, "calibration_error": error},
    }
    return Floors(data=data, full=full, sample=PINNED.sample)


def test_what_is_as_good_or_better_holds() -> None:
    better = found(accuracy=0.8, error=0.01)
    assert falls("full", PINNED.full, better.full, tolerance=0) == []
    assert falls("full", PINNED.full, PINNED.full, tolerance=0) == []


@pytest.mark.parametrize(
    ("worse", "said"),
    [
        (found(accuracy=0.71), "full fm2 accuracy: 0.72 pinned, 0.71 found"),
        (found(error=0.06), "full all calibration_error: 0.05 pinned, 0.06 found"),
    ],
)
def test_what_fell_is_named(worse: Floors, said: str) -> None:
    assert [str(fall) for fall in falls("full", PINNED.full, worse.full, tolerance=0.005)] == [said]
    assert falls("full", PINNED.full, worse.full, tolerance=0.02) == []


def test_missing_or_changed_set_counts_as_fallen() -> None:
    assert len(falls("full", PINNED.full, {}, tolerance=0.5)) == 4
    other = {"fm2": {"rows": 99, "accuracy": 0.72}, "all": {"rows": 900, "calibration_error": 0.05}}
    assert [fall.what for fall in falls("full", PINNED.full, other, tolerance=0.5)] == ["full fm2 rows"]


def test_small_sets_may_lose_a_row_or_two() -> None:
    pinned = {"fm2": {"rows": 20, "accuracy": 0.7}}
    assert not falls(
        "sample", pinned, {"fm2": {"rows": 20, "accuracy": 0.6}}, tolerance=0.015, rows_of_slack=2
    )
    assert falls("sample", pinned, {"fm2": {"rows": 20, "accuracy": 0.55}}, tolerance=0.015, rows_of_slack=2)


def test_other_data_is_named() -> None:
    (fall,) = falls_of_data(DIGESTS, {"rows.jsonl.gz": "b2" * 32})
    assert str(fall) == "rows.jsonl.gz: a1a1a1a1a1a1 pinned, b2b2b2b2b2b2 found"
    assert len(falls_of_data(DIGESTS, {})) == 1


def test_the_first_floors_are_what_is_reached() -> None:
    assert updated(None, PINNED, None, TODAY) == PINNED


def test_floors_rise_freely() -> None:
    better = found(accuracy=0.8)
    assert updated(PINNED, better, None, TODAY) == better


def test_slightly_lower_value_keeps_its_floor() -> None:
    pinned = updated(PINNED, found(accuracy=0.7199, error=0.01), None, TODAY)
    assert pinned == found(accuracy=0.72, error=0.01)
    assert updated(PINNED, found(accuracy=0.8, error=0.0501), None, TODAY) == found(accuracy=0.8)


@pytest.mark.parametrize("worse", [found(accuracy=0.714), found(error=0.056), found(data={})])
def test_a_floor_is_not_lowered_without_a_reason(worse: Floors) -> None:
    with pytest.raises(FallenError):
        updated(PINNED, worse, None, TODAY)
    with pytest.raises(FallenError):
        updated(PINNED, worse, "", TODAY)


def test_a_reason_is_recorded_and_stays() -> None:
    lower = updated(PINNED, found(accuracy=0.7), "a smaller model", TODAY)
    what = "full fm2 accuracy: 0.72 pinned, 0.7 found"
    assert lower.lowered == (Lowered(date=TODAY, what=what, why="a smaller model"),)
    assert updated(lower, found(accuracy=0.9), None, TODAY).lowered == lower.lowered


@given(st.floats(0, 1), st.floats(0, 1))
def test_without_a_reason_no_update_ever_lowers_a_floor(before: float, after: float) -> None:
    try:
        pinned = updated(found(accuracy=before), found(accuracy=after), None, TODAY)
    except FallenError:
        assert after < before
    else:
        assert pinned.full["fm2"]["accuracy"] >= before


def pair(number: int, set_name: str) -> PairRow:
    return PairRow(set=set_name, claim=f"Claim {number}.", evidence=("So.",), label=Label.SUPPORTED)


def test_the_sample_is_the_same_rows_whatever_their_order() -> None:
    pairs = [pair(number, name) for name in ("a", "b") for number in range(100)] + [pair(0, "tiny")]
    sentences = [
        SentenceRow(set="ct24.dev", text=f"Sentence {number}.", check_worthy=True) for number in range(300)
    ]
    shuffled = random.Random(3).sample(pairs, len(pairs))
    chosen, few = sample(pairs, sentences)
    assert sample(shuffled, sentences[::-1]) == (chosen, few)
    assert [row.set_name for row in chosen] == ["a"] * 44 + ["b"] * 44 + ["tiny"]
    assert len(few) == 200


def test_headlines_take_sets_together_and_all() -> None:
    right, wrong = Answer(Label.REFUTED, Label.REFUTED, 1.0), Answer(Label.REFUTED, Label.NEI, 1.0)
    got = headlines({"check_covid.dev": [right], "check_covid.test": [wrong], "unknown": [right, right]})
    assert got["check_covid"] == {"rows": 2, "macro_f1": 0.3333}
    assert got["all"] == {"rows": 4, "accuracy": 0.75, "calibration_error": 0.25}
    assert got.keys() <= HEADLINES.keys()


def test_data_that_is_nowhere_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_DATA", str(tmp_path))
    assert data_folder() is None


class Agreeable:
    """Supports everything."""

    name = "agreeable"

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        return [Belief(0.8, 0.1, 0.1) for _ in pairs]


class Contrary(Agreeable):
    """Refutes everything."""

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        return [Belief(0.1, 0.8, 0.1) for _ in pairs]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one set that a judge who agrees with everything gets right, and nothing pinned yet."""
    row = {"claim": "It rained.", "evidence": "It rained.", "label": "SUPPORTED", "set": "fm2_gold.dev"}
    (tmp_path / "verifier-dev.jsonl.gz").write_text(json.dumps(row), encoding="utf-8")
    sentence = {"text": "Taxes rose by 9 percent in 2010.", "check_worthy": 1, "set": "ct24.dev"}
    (tmp_path / "claim-detection.jsonl.gz").write_text(json.dumps(sentence), encoding="utf-8")
    (tmp_path / "fm2-pages-dev.jsonl.gz").touch()
    (tmp_path / "newsroom").mkdir()
    monkeypatch.setenv("VERIDIC_DATA", str(tmp_path))
    monkeypatch.setattr(floors, "PINNED", tmp_path / "floors.json")
    monkeypatch.setattr(floors, "reached_by_checks", lambda folder, **_: {})
    monkeypatch.setattr(floors_measured, "pair_judge", Agreeable)
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    app = Typer()
    app.command()(floors.main)
    done = CliRunner().invoke(app, arguments)
    return done.exit_code, done.stderr


def test_command_pins_holds_and_lowers_floors(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = run()
    assert (code, "--update" in said) == (2, True)
    assert run("--update") == (0, "")
    assert run() == (0, "")

    monkeypatch.setattr(floors_measured, "pair_judge", Contrary)
    code, said = run()
    assert (code, "full fm2_gold.dev accuracy: 1 pinned, 0 found" in said) == (1, True)
    before = (data / "floors.json").read_bytes()
    code, said = run("--update")
    assert (code, "fm2_gold.dev accuracy" in said) == (1, True)
    assert (data / "floors.json").read_bytes() == before

    assert run("--update", "--because", "the judge was replaced") == (0, "")
    assert run() == (0, "")
    reasons = json.loads((data / "floors.json").read_text(encoding="utf-8"))["lowered"]
    assert {one["why"] for one in reasons} == {"the judge was replaced"}


@pytest.mark.parametrize("arguments", [["--because", "why not"], ["--update", "--because", " "]])
def test_reason_and_update_require_each_other(data: Path, arguments: list[str]) -> None:
    code, said = run(*arguments)
    assert (code, "--because gives the reason" in said) == (2, True)


def test_the_command_says_where_the_data_should_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_DATA", str(tmp_path))
    code, said = run()
    assert (code, "VERIDIC_DATA" in said) == (2, True)


def test_data_that_has_changed_is_named(data: Path) -> None:
    assert run("--update")[0] == 0
    with (data / "claim-detection.jsonl.gz").open("a", encoding="utf-8") as file:
        file.write("\n\n")
    code, said = run()
    assert (code, "claim-detection.jsonl.gz" in said) == (1, True)
