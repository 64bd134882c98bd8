"""The `veridic bench stories` command, with a fake engine."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.builders import make_claim, make_decision, make_document, make_evidence, make_report
from typer.testing import CliRunner

from veridic.bench.story import Story
from veridic.cli.main import app
from veridic.domain.errors import InputError, UsageError
from veridic.domain.report import Failure, Report
from veridic.domain.verdicts import Verdict

STORY = {
    "id": "weather [bold]",
    "article": {"title": "A year", "published": "2026-02-13", "text": "It rained in May. It snowed in June."},
    "sources": [{"id": "s", "title": "Log", "date": "2026-01-30", "domain": "met.example", "text": "Dry."}],
    "statements": [
        {"words": "It rained in May", "label": "REFUTED", "evidence": [], "kind": "time"},
        {"words": "It snowed in June", "label": "REFUTED", "evidence": [], "kind": "time"},
    ],
    "not_claims": [],
}
ROWS: list[dict[str, Any]] = [
    {"page": "Rain", "text": "It rained in May."},
    {"claim": "It rained.", "label": "SUPPORTED", "on_page": "Rain", "gold": ["It rained in May."]},
    {"claim": "It snowed.", "label": "REFUTED", "on_page": "Rain", "gold": []},
]


def _report(text: str, quote: str, *failures: Failure) -> Report:
    """A report that supports whatever was quoted."""
    document = make_document(text)
    claim = make_claim(quote, document=document)
    decision = make_decision(claim, Verdict.SUPPORTED, evidence=[make_evidence("It rained in May.")])
    return make_report([decision], document=document, errors=failures, processing_time_ms=80)


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_story(story: Story) -> Report:
        failures = [Failure(stage="search", message="Too slow.")] if story.id == "slow" else []
        return _report(story.markdown, story.statements[0].words, *failures)

    @contextmanager
    def open_pages(*_: object) -> Iterator[Callable[[str], Report]]:
        yield lambda text: _report(text, text)

    monkeypatch.setattr("veridic.bench.stories.check_embedded", lambda _settings: check_story)
    monkeypatch.setattr("veridic.bench.pages.open_pages", open_pages)


def story_file(folder: Path, name: str = "a.json", **changes: object) -> str:
    path = folder / name
    path.write_text(json.dumps(STORY | changes), encoding="utf-8")
    return str(path)


def pages_file(folder: Path) -> str:
    path = folder / "pages.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["bench", "stories", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_json_has_the_documented_figures(tmp_path: Path) -> None:
    found = json.loads(run(story_file(tmp_path), "--format", "json"))
    assert {key: found[key] for key in list(found)[:13]} == {
        "stories": 1,
        "statements": 2,
        "mistakes_found": 0.0,
        "alarms_right": None,
        "true_supported": None,
        "supported_right": 0.0,
        "wrong_and_sure": 0.5,
        "not_listed": 0.5,
        "colour_listed_as_claims": None,
        "outdated_found": None,
        "contested_found": None,
        "settling_passage_in_first_five": None,
        "seconds_per_1000_words": 10.0,
    }
    assert [one["got"] for one in found["misjudged"]] == ["SUPPORTED", None]


def test_table_has_percent_and_counts(tmp_path: Path) -> None:
    shown = run(story_file(tmp_path))
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "mistakes found 2 0.0" in lines
    assert "alarms that are right 0 –" in lines
    assert "wrong and sure 2 50.0" in lines
    assert lines[-1] == "1 story, 2 statements. 10.0 seconds for 1,000 words."


def test_show_lists_every_misjudged_statement(tmp_path: Path) -> None:
    output = tmp_path / "result.txt"
    assert run(story_file(tmp_path), "--show", "--output", str(output)) == ""
    shown = " ".join(output.read_text(encoding="utf-8").split())
    held = "REFUTED expected, SUPPORTED found (93% sure): It rained in May <- It rained in May."
    assert f"weather [bold], time: {held}" in shown
    assert "weather [bold], time: REFUTED expected, no claim found: It snowed in June" in shown


def test_limit_takes_the_first_stories(tmp_path: Path) -> None:
    files = [story_file(tmp_path, f"{name}.json") for name in "abc"]
    assert json.loads(run(*files, "--limit", "2", "--format", "json"))["stories"] == 2


def test_pages_and_claims_are_counted(tmp_path: Path) -> None:
    found = json.loads(run(pages_file(tmp_path), "--format", "json"))
    assert (found["pages"], found["claims"], found["settling_passage_in_first_five"]) == (1, 2, 1.0)
    assert (found["right"], found["wrong"], found["open"]) == (1, 1, 0)
    shown = run(pages_file(tmp_path), "--show")
    assert "1 2 1 1 0 100.0" in [" ".join(line.split()) for line in shown.splitlines()]
    assert "REFUTED expected, SUPPORTED found (93% sure): It snowed." in " ".join(shown.split())


def test_limit_takes_the_first_claims(tmp_path: Path) -> None:
    assert json.loads(run(pages_file(tmp_path), "--limit", "1", "--format", "json"))["claims"] == 1


def test_stories_and_pages_can_t_be_mixed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not both at once"):
        run(story_file(tmp_path), pages_file(tmp_path))


def test_bad_story_is_rejected_before_any_check(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='"statements" is missing'):
        run(story_file(tmp_path), _bad(tmp_path))


def _bad(folder: Path) -> str:
    path = folder / "bad.json"
    path.write_text(json.dumps({key: STORY[key] for key in STORY if key != "statements"}), encoding="utf-8")
    return str(path)


def test_incomplete_check_exits_with_3(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["bench", "stories", story_file(tmp_path, id="slow")])
    assert done.exit_code == 3
    assert "Not completed: slow: Too slow." in done.stderr
