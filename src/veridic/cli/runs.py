"""`veridic runs` and `veridic replay`: saved checks."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.check import FailOnOption
from veridic.cli.output import FormatOption, OutputOption, write_report
from veridic.domain.modes import ReportFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from veridic.domain.report import Report
    from veridic.domain.verdicts import Verdict
    from veridic.store.runs import RunSummary


app = typer.Typer(help="List, show, resume and delete the checks that were saved.", no_args_is_help=True)

RunId = Annotated[str, typer.Argument(metavar="ID", help="Such as FC-2026-000001.", show_default=False)]
_COLUMNS = ("id", "date", "title", "verdict", "score", "claims")


class ListFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command("list")
def list_runs(
    limit: Annotated[int, typer.Option(min=1, help="Show at most this many, newest first.")] = 20,
    list_format: Annotated[ListFormat, typer.Option("--format", help="A table, or JSON.")] = ListFormat.TEXT,
) -> None:
    """List the newest runs: as a table, or as tab-separated lines if the output is not a terminal."""
    from rich.console import Console

    from veridic.config.settings import load_settings
    from veridic.runtime.leases import is_dead
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
        store.release_dead(is_dead)  # so that no run of a process that is gone is called running
        runs = store.recent(limit)
    console = Console()
    if list_format is ListFormat.JSON:
        typer.echo(_as_json(runs))
    elif not runs:
        typer.echo("No runs yet; `veridic check FILE` makes the first.", err=True)
    elif console.is_terminal:
        console.print(run_table(runs))
    else:
        for run in runs:
            typer.echo("\t".join(_cells(run)))


@app.command()
def show(
    run_id: RunId,
    report_format: FormatOption = ReportFormat.TEXT,
    output: OutputOption = None,
) -> None:
    """Show the report of a run; verdicts of people lead."""
    from veridic.config.settings import load_settings
    from veridic.desk.person_verdicts import load_report
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
        report = load_report(store, run_id)
    write_report(report, report_format, output)


@app.command()
def resume(
    run_id: RunId,
    report_format: FormatOption = ReportFormat.TEXT,
    output: OutputOption = None,
    fail_on: FailOnOption = None,
) -> None:
    """Go on with a run that was interrupted or failed, to its report.

    What was found and paid for before is used again; a call that was under way may be paid twice, and is counted.

    Example:

      veridic runs resume FC-2026-000001
    """
    from veridic.cli.fail_on import exit_code, read_verdicts
    from veridic.cli.running import resume_check
    from veridic.config.settings import load_settings

    failing = read_verdicts(fail_on)
    report = resume_check(run_id, load_settings())
    write_report(report, report_format, output)
    raise typer.Exit(exit_code(report, failing))


@app.command()
def delete(run_id: RunId) -> None:
    """Remove a run and everything saved about it: text, claims, evidence, report."""
    from veridic.config.settings import load_settings
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
        store.delete(run_id)
    typer.echo(f"Deleted {run_id}.")


def run_table(runs: list[RunSummary]) -> Table:
    """Return the runs as a table for the terminal."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in _COLUMNS:
        narrow = name != "title"
        table.add_column(
            name,
            no_wrap=narrow,
            justify="right" if name in ("score", "claims") else "left",
            overflow="ellipsis",
        )
    for run in runs:
        # As Text, so that a title with [brackets] is not parsed as markup.
        table.add_row(*(Text(cell) for cell in _cells(run)))
    return table


def _cells(run: RunSummary) -> tuple[str, ...]:
    from veridic.reporting.escaping import one_line

    return (
        run.id,
        f"{run.created_at:%Y-%m-%d %H:%M}",
        one_line(run.title or run.source),
        _outcome(run),
        "–" if run.credibility_score is None else str(run.credibility_score),
        str(run.claims),
    )


def _outcome(run: RunSummary) -> str:
    from veridic.domain.verdicts import Scale, say

    return run.state.value if run.verdict is None else say(run.verdict, Scale.VALIDATION)


def _as_json(runs: list[RunSummary]) -> str:
    import json

    from veridic.domain.verdicts import Scale, say

    def said(verdict: Verdict | None) -> str | None:
        return None if verdict is None else say(verdict, Scale.VALIDATION)

    listed = [
        run.model_dump(mode="json")
        | {"verdict": said(run.verdict), "machine_verdict": said(run.machine_verdict)}
        for run in runs
    ]
    return json.dumps(listed, ensure_ascii=False, indent=2)


def replay(
    run_id: RunId,
    format: FormatOption = ReportFormat.TEXT,  # noqa: A002
    output: OutputOption = None,
) -> None:
    """Replay a saved run on its saved evidence, and show which verdicts are the same.

    The text is checked as of the same day, without any search, so sources that have changed or gone since then
    make no difference. The replay is not saved.

    Example:

      veridic replay FC-2026-000001
    """
    from veridic.cli.fail_on import exit_code
    from veridic.cli.running import run_again
    from veridic.config.settings import load_settings
    from veridic.runtime.replaying import load_replay
    from veridic.store.runs import RunStore

    settings = load_settings()
    with RunStore(settings.database) as store:
        saved = load_replay(store, run_id, settings)
    report = run_again(saved)
    write_report(report, format, output)
    for line in _comparison(run_id, saved.before, report):
        typer.echo(line, err=True)
    raise typer.Exit(exit_code(report, frozenset()))


def _comparison(run_id: str, before: Report, after: Report) -> Iterator[str]:
    from veridic.reporting.escaping import one_line
    from veridic.runtime.replaying import changes

    changed = changes(before, after)
    number = len(before.decisions)
    verdicts = "verdict is" if number == 1 else "verdicts are"
    yield f"{number - len(changed)} of {number} {verdicts} the same as in {run_id}."
    for change in changed:
        yield f"{change.before}, now {change.after or 'not decided'}: {one_line(change.claim)}"
