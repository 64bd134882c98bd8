"""The `veridic runs` command."""

import json
from pathlib import Path

import pytest
from rich.console import Console
from tests.builders import make_document, sample_report
from typer.testing import CliRunner, Result

from veridic.cli import runs as runs_command
from veridic.config.settings import Settings
from veridic.domain.errors import NotFoundError
from veridic.domain.report import Report
from veridic.store.runs import RunStore


def runs(*arguments: str | Path) -> Result:
    return CliRunner().invoke(runs_command.app, [str(argument) for argument in arguments])


@pytest.fixture
def saved(settings: Settings) -> Report:
    report = sample_report()
    with RunStore(settings.database) as store:
        run_id = store.begin(report.document, mode="thorough", engine="embedded")
        return store.complete(run_id, report)


def test_an_empty_list(settings: Settings) -> None:
    result = runs("list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "No runs yet" in result.stderr
    assert json.loads(runs("list", "--format", "json").stdout) == []


def test_a_piped_list_has_one_line_per_run(settings: Settings, saved: Report) -> None:
    with RunStore(settings.database) as store:
        hostile = "Bad\x1b[31m\ttitle\r\nwith [bold]lines[/bold]\u202e"
        store.begin(make_document(title=hostile), mode="thorough", engine="embedded")
    lines = [line.split("\t") for line in runs("list").stdout.splitlines()]
    assert [len(cells) for cells in lines] == [6, 6]
    assert lines[1][0] == saved.id
    assert lines[1][2:] == ["Notes on Australia 🦘", "MISLEADING", "48", "7"]
    assert "\x1b" not in lines[0][2]
    assert "\u202e" not in lines[0][2]
    assert lines[0][3:] == ["interrupted", "–", "0"]


def test_markup_in_titles_is_printed_as_text(settings: Settings) -> None:
    with RunStore(settings.database) as store:
        store.begin(make_document(title="[red]Alarm[/red]"), mode="thorough", engine="embedded")
        listed = store.recent()
    console = Console(width=120, force_terminal=True, color_system=None)
    with console.capture() as shown:
        console.print(runs_command.run_table(listed))
    assert "[red]Alarm[/red]" in shown.get()


def test_the_list_as_json(saved: Report) -> None:
    (run,) = json.loads(runs("list", "--format", "json").stdout)
    assert (run["id"], run["state"], run["verdict"]) == (saved.id, "completed", "MISLEADING")
    assert (run["credibility_score"], run["claims"], run["title"]) == (48, 7, "Notes on Australia 🦘")


def test_limit_shortens_the_list(settings: Settings) -> None:
    with RunStore(settings.database) as store:
        ids = [store.begin(make_document(), mode="thorough", engine="embedded") for _ in range(3)]
    lines = runs("list", "--limit", "2").stdout.splitlines()
    assert [line.split("\t")[0] for line in lines] == [ids[2], ids[1]]


def test_show_prints_the_report(saved: Report) -> None:
    assert saved.id is not None
    shown = runs("show", saved.id)
    assert shown.exit_code == 0
    assert saved.id in shown.stdout
    assert "26,768,598" in shown.stdout
    assert json.loads(runs("show", saved.id, "--format", "json").stdout)["id"] == saved.id


def test_show_writes_a_file(saved: Report, tmp_path: Path) -> None:
    assert saved.id is not None
    page = tmp_path / "report.html"
    result = runs("show", saved.id, "--format", "html", "--output", page)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "<html" in page.read_text(encoding="utf-8")


def test_show_suggests_a_similar_id(saved: Report) -> None:
    assert saved.id is not None
    result = runs("show", saved.id[:-1])
    assert isinstance(result.exception, NotFoundError)
    assert f"did you mean {saved.id}" in str(result.exception)


def test_delete(settings: Settings, saved: Report) -> None:
    assert saved.id is not None
    assert runs("delete", saved.id).stdout == f"Deleted {saved.id}.\n"
    with RunStore(settings.database) as store:
        assert store.recent() == []
