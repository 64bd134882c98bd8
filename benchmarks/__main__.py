"""`python -m benchmarks [--quick] [--only NAME]`: measure, print a table, write JSON."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from benchmarks import (
    batch_faults,
    batch_speed,
    check_memory,
    check_overhead,
    consensus_run,
    desk_queue,
    extraction_speed,
    help_time,
    index_scale,
    kills,
    model_speed,
    plain_statements,
    streams,
    thorough_run,
    verify_speed,
    workers,
)
from benchmarks.measure import FULL, QUICK, Figure, Measure, Scale
from benchmarks.results import RESULTS, print_results, write_results
from benchmarks.workspace import Workspace

MEASURES = {
    measure.name: measure
    for measure in (
        help_time.MEASURE,
        extraction_speed.MEASURE,
        index_scale.MEASURE,
        check_overhead.MEASURE,
        check_memory.MEASURE,
        model_speed.MEASURE,
        consensus_run.MEASURE,
        thorough_run.MEASURE,
        streams.MEASURE,
        kills.MEASURE,
        workers.MEASURE,
        desk_queue.MEASURE,
        verify_speed.MEASURE,
        plain_statements.MEASURE,
        batch_speed.MEASURE,
        batch_faults.MEASURE,
    )
}


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="A small run, to see that it works.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=f"One of {', '.join(MEASURES)}; repeat for several."),
    ] = None,
    output: Annotated[Path, typer.Option(help="The folder for the JSON files.")] = RESULTS,
) -> None:
    """Measure how fast, how frugal and how right Veridic is. Ends with exit code 1 if a full run misses a target."""
    unknown = set(only or ()) - set(MEASURES)
    if unknown:
        raise typer.BadParameter(f"there is no measure {min(unknown)!r}; there are {', '.join(MEASURES)}")
    scale = QUICK if quick else FULL
    chosen = [measure for name, measure in MEASURES.items() if not only or name in only]
    figures = run_all(chosen, scale, output, Console())
    if scale is FULL and not all(figure.is_met for figure in figures):
        raise typer.Exit(1)


def run_all(measures: list[Measure], scale: Scale, output: Path, console: Console) -> list[Figure]:
    """Run measures one after the other; each is printed and written as soon as it is done."""
    everything: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="veridic-bench-") as folder, _progress() as progress:
        workspace = Workspace(Path(folder), scale.passages)
        task = progress.add_task("")
        for measure in measures:

            def step(done: int, total: int | None, what: str, title: str = measure.title) -> None:
                progress.update(task, completed=done, total=total, description=f"{title}: {what}")

            figures = list(measure.run(scale, workspace, step))
            write_results(output, measure, scale, figures)
            print_results(console, measure, figures)
            everything += figures
    return everything


def _progress() -> Progress:
    """On standard error, so that the tables can be piped; only for people at a terminal."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(bench)
    app()
