"""`veridic bench`: how good Veridic is, on rows and articles with known answers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from veridic.cli.output import OutputOption

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import RenderableType

app = typer.Typer(help="Measure how good Veridic is, on data with known answers.", no_args_is_help=True)


class BenchFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[
    BenchFormat, typer.Option("--format", help="Tables in percent, or JSON with fractions.")
]
FilesArgument = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", help="JSON lines, zipped or not.", show_default=False),
]


@app.command()
def verifier(
    files: FilesArgument,
    judge: Annotated[Literal["model", "rules", "fused"], typer.Option(help="Who judges: the model alone, the exact comparisons alone, or both together as in a check.")] = "fused",
    output_format: FormatOption = BenchFormat.TEXT,
    output: OutputOption = None,
) -> None:  # fmt: skip
    """Measure how well a judge tells whether evidence supports a claim, refutes it or leaves it open.

    A row is a JSON object with "claim", "evidence" (a text or a list of them), "label" (SUPPORTED, REFUTED or NEI)
    and, as needed, "set" and "binary". A set without NEI is read two-way; one with binary rows, as supported or not.

    Example:

      veridic bench verifier pairs.jsonl --judge rules --format json
    """
    from veridic.bench.rows import PairRow, read_rows
    from veridic.bench.verifier import bench_verifier
    from veridic.cli.bench_tables import verifier_tables
    from veridic.cli.progress import ProgressBar
    from veridic.pipeline.judges import pair_judge

    rows = read_rows(files, PairRow)
    with ProgressBar() as bar:
        result = bench_verifier(rows, pair_judge(judge), bar.show)
    _write(result, verifier_tables(result), output_format, output)


@app.command()
def claims(
    files: FilesArgument,
    output_format: FormatOption = BenchFormat.TEXT,
    output: OutputOption = None,
) -> None:
    """Measure how well sentences that are worth checking are told from others.

    A row is a JSON object with "text", with "check_worthy" or "factual_claim" (0 or 1) and, as needed, "set". Rows
    that only say "hedged" are skipped and counted.

    Example:

      veridic bench claims sentences.jsonl
    """
    from veridic.bench.claims import SentenceRow, bench_claims, embedded_worth
    from veridic.bench.rows import read_rows
    from veridic.cli.bench_tables import claims_tables
    from veridic.cli.progress import ProgressBar

    rows = read_rows(files, SentenceRow)
    with ProgressBar() as bar:
        result = bench_claims(rows, embedded_worth, progress=bar.show)
    _write(result, claims_tables(result), output_format, output)


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A case, or a folder of cases: an article.md with its expected.json, and a folder sources or corpus to check it against.", show_default=False)],
    output_format: FormatOption = BenchFormat.TEXT,
    output: OutputOption = None,
) -> None:  # fmt: skip
    """Check whole articles with known answers, and measure how well wrong claims are found.

    The answers are a JSON list of objects with "sentence" and "expected", a verdict such as SUPPORTED or REFUTED.
    Without a folder of sources, an article is checked against the built-in reference library.

    Example:

      veridic bench check cases/
    """
    from veridic.bench.cases import find_cases
    from veridic.bench.check import bench_check, run_embedded
    from veridic.cli.bench_tables import check_tables
    from veridic.cli.progress import ProgressBar
    from veridic.config.settings import load_settings
    from veridic.pipeline.corpora import open_reference
    from veridic.reporting.outside import one_line

    settings = load_settings()
    cases = find_cases(folder)
    with ProgressBar() as bar:
        if any(case.evidence is None for case in cases):
            open_reference(settings, bar.indexing)
        result = bench_check(cases, run_embedded(settings), bar.show)
    _write(result, check_tables(result), output_format, output)
    for error in result.errors:
        typer.echo(one_line(f"Not completed: {error}"), err=True)
    raise typer.Exit(3 if result.errors else 0)


def _write(
    result: BaseModel, tables: list[RenderableType], output_format: BenchFormat, output: Path | None
) -> None:
    from rich.console import Console

    from veridic.cli.output import write_file

    if output_format is BenchFormat.JSON:
        content = result.model_dump_json(indent=2) + "\n"
    elif output is None:
        Console().print(*tables, sep="\n")
        return
    else:
        content = _plain(tables)
    if output is None:
        typer.echo(content, nl=False)
    else:
        write_file(output, content)


def _plain(tables: list[RenderableType]) -> str:
    import io

    from rich.console import Console

    text = io.StringIO()
    Console(file=text, width=100).print(*tables, sep="\n")
    return text.getvalue()
