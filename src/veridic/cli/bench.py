"""`veridic bench`: measures Veridic on rows and articles with known answers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from veridic.cli.output import OutputOption

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import RenderableType

    from veridic.bench.pages import PagesResult
    from veridic.bench.stories import StoriesResult

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
    output_format: FormatOption = BenchFormat.TEXT,
    output: OutputOption = None,
) -> None:
    """Measure how well the embedded network tells whether evidence supports a claim, refutes it or does neither.

    A row is a JSON object with "claim", "evidence" (a text or a list of them), "label" (SUPPORTED, REFUTED or NEI)
    and, as needed, "set" and "binary". A set without NEI is read two-way; one with binary rows, as supported or not.

    Example:

      veridic bench verifier pairs.jsonl --format json
    """
    from veridic.bench.rows import PairRow, read_rows
    from veridic.bench.verifier import bench_verifier
    from veridic.cli.bench_tables import verifier_tables
    from veridic.cli.progress import ProgressBar
    from veridic.engine.judges import pair_judge

    rows = read_rows(files, PairRow)
    with ProgressBar() as bar:
        result = bench_verifier(rows, pair_judge(), bar.show)
    _write(result, verifier_tables(result), output_format, output)


@app.command()
def claims(
    files: FilesArgument,
    output_format: FormatOption = BenchFormat.TEXT,
    output: OutputOption = None,
) -> None:
    """Measure how well check-worthy sentences are told apart from others.

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
    from veridic.engine.open_evidence import open_reference

    settings = load_settings()
    cases = find_cases(folder)
    with ProgressBar() as bar:
        if any(case.evidence is None for case in cases):
            open_reference(settings, bar.indexing)
        result = bench_check(cases, run_embedded(settings), bar.show)
    _write(result, check_tables(result), output_format, output)
    _end(result.errors)


@app.command()
def stories(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Stories, one a .json file; or pages and claims as JSON lines. Zipped or not.", show_default=False)],
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N stories or claims.", show_default=False)] = None,
    show: Annotated[bool, typer.Option("--show", help="List every statement that was misjudged below the table; JSON always has them.")] = False,
    output_format: FormatOption = BenchFormat.TEXT,
    output: OutputOption = None,
) -> None:  # fmt: skip
    """Check news stories with known answers against their own sources, and measure how many mistakes are found.

    A story is a JSON object with "id", "article", "sources", "statements" and "not_claims". JSON lines have rows with
    "page" and "text", all of them one corpus, and rows with "claim", "label" and "gold". All is checked on the
    embedded engine.

    Example:

      veridic bench stories newsroom/*.json --show
    """
    from veridic.bench.story import is_story_file
    from veridic.domain.errors import UsageError

    kinds = set(map(is_story_file, files))
    if len(kinds) > 1:
        raise UsageError("Give either stories (.json) or pages and claims (.jsonl), not both at once.")
    result, tables = _stories(files, limit, show) if kinds == {True} else _pages(files, limit, show)
    _write(result, tables, output_format, output)
    _end(result.errors)


def _stories(files: list[Path], limit: int | None, show: bool) -> tuple[StoriesResult, list[RenderableType]]:
    from veridic.bench.stories import bench_stories, check_embedded
    from veridic.bench.story import read_story
    from veridic.cli.bench_tables import stories_tables
    from veridic.cli.progress import ProgressBar
    from veridic.config.settings import load_settings

    read = [read_story(path) for path in files[:limit]]
    with ProgressBar() as bar:
        result = bench_stories(read, check_embedded(load_settings()), bar.reading)
    return result, stories_tables(result, show=show)


def _pages(files: list[Path], limit: int | None, show: bool) -> tuple[PagesResult, list[RenderableType]]:
    from veridic.bench.pages import bench_pages, open_pages, read_pages
    from veridic.cli.bench_tables import pages_tables
    from veridic.cli.progress import ProgressBar
    from veridic.config.settings import load_settings

    read = read_pages(files).first(limit)
    with ProgressBar() as bar, open_pages(read.pages, load_settings(), bar.indexing) as check_claim:
        result = bench_pages(read, check_claim, bar.reading)
    return result, pages_tables(result, show=show)


def _end(errors: tuple[str, ...]) -> NoReturn:
    """Print what could not be completed, and exit with 3 if there was anything, else 0."""
    from veridic.reporting.escaping import one_line

    for error in errors:
        typer.echo(one_line(f"Not completed: {error}"), err=True)
    raise typer.Exit(3 if errors else 0)


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
        content = _as_text(tables)
    if output is None:
        typer.echo(content, nl=False)
    else:
        write_file(output, content)


def _as_text(tables: list[RenderableType]) -> str:
    import io

    from rich.console import Console

    text = io.StringIO()
    Console(file=text, width=100).print(*tables, sep="\n")
    return text.getvalue()
