import json
from pathlib import Path

import pytest
from benchmarks import extraction_speed, help_time
from benchmarks.__main__ import MEASURES, run_all
from benchmarks.measure import FULL, QUICK, Figure
from benchmarks.results import print_results, write_results
from benchmarks.stopwatch import Stopwatch
from rich.console import Console

REFERENCE_PAGE = Path(__file__).parents[3] / "docs" / "reference" / "benchmarks.md"


def test_a_quick_run_writes_one_file_a_measure(tmp_path: Path) -> None:
    cheap = [help_time.MEASURE, extraction_speed.MEASURE]
    console = Console(record=True, width=100)
    figures = run_all(cheap, QUICK._replace(rounds=1, words=200), tmp_path, console)
    assert all(figure.value > 0 for figure in figures)
    assert "words through extraction" in console.export_text()
    for measure in cheap:
        found = json.loads((tmp_path / "quick" / f"{measure.name}.json").read_text(encoding="utf-8"))
        assert found["measure"] == measure.name
        assert found["scale"]["name"] == "quick"
        assert {"veridic", "python", "system", "at"} <= found.keys()
        assert all(f.keys() == {"name", "value", "unit", "at_most", "met"} for f in found["figures"])


def test_a_full_run_has_the_folder_to_itself(tmp_path: Path) -> None:
    write_results(tmp_path, help_time.MEASURE, FULL, [Figure("starts", 3, "count")])
    assert [path.name for path in tmp_path.iterdir()] == ["help_time.json"]


@pytest.mark.parametrize(("value", "word"), [(0.15, "met"), (0.16, "MISSED")])
def test_a_target_is_met_or_said_to_be_missed(value: float, word: str) -> None:
    console = Console(record=True, width=100)
    print_results(console, help_time.MEASURE, [Figure("share", value, "share", at_most=0.15)])
    assert f"0.15 {word}" in console.export_text()


def test_stopwatch_counts_calls_and_restores_the_class() -> None:
    class Greeter:
        def greet(self, name: str, *, loud: bool = False) -> str:
            return name.upper() if loud else name

    original, watch = Greeter.greet, Stopwatch()
    with watch.on(Greeter, "greet"):
        assert Greeter().greet("ada", loud=True) == "ADA"
        assert Greeter().greet("leo") == "leo"
    assert len(watch.seconds) == 2
    assert watch.total == sum(watch.seconds)
    assert Greeter.greet is original


def test_the_reference_page_names_every_measure() -> None:
    page = REFERENCE_PAGE.read_text(encoding="utf-8")
    assert [name for name in MEASURES if f"`{name}`" not in page] == []
