"""`veridic runs`: the checks that were saved."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.output import FormatOption, OutputOption, write_report
from veridic.domain.formats import ReportFormat

if TYPE_CHECKING:
    from rich.table import Table

    from veridic.store.runs import RunSummary

app = typer.Typer(help="List and show the checks that were saved.", no_args_is_help=True)

RunId = Annotated[str, typer.Argument(metavar="ID", help="Such as FC-2026-000001.", show_default=False)]
_COLUMNS = ("id", "date", "title", "verdict", "score", "claims")


class ListFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command("list")
def list_runs(
    limit: Annotated[int, typer.Option(min=1, help="Show at most so many, newest first.")] = 20,
    list_format: Annotated[ListFormat, typer.Option("--format", help="A table, or JSON.")] = ListFormat.TEXT,
) -> None:
    """The newest runs: a table, or tab-separated lines where the output is not a terminal."""
    from rich.console import Console

    from veridic.config.settings import load_settings
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
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
    """The report of a run, as it was."""
    from veridic.config.settings import load_settings
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
        report = store.get(run_id)
    write_report(report, report_format, output)


@app.command()
def delete(run_id: RunId) -> None:
    """Remove a run and everything saved about it: text, claims, evidence, report."""
    from veridic.config.settings import load_settings
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
        store.delete(run_id)
    typer.echo(f"Deleted {run_id}.")


def run_table(runs: list[RunSummary]) -> Table:
    """The runs as a terminal shows them."""
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
        # As Text, so that a title with [brackets] in it is shown and not obeyed.
        table.add_row(*(Text(cell) for cell in _cells(run)))
    return table


def _cells(run: RunSummary) -> tuple[str, ...]:
    from veridic.reporting.outside import one_line

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

    listed = [
        run.model_dump(mode="json")
        | {"verdict": None if run.verdict is None else say(run.verdict, Scale.VALIDATION)}
        for run in runs
    ]
    return json.dumps(listed, ensure_ascii=False, indent=2)
