"""Writes a report to the terminal, to standard output or to a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.domain.modes import ReportFormat

if TYPE_CHECKING:
    from veridic.domain.report import Report


FormatOption = Annotated[ReportFormat, typer.Option("--format", help="How the report is written.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", help="Write the report to this file instead of standard output.", show_default=False
    ),
]


def write_report(report: Report, format: ReportFormat, output: Path | None) -> None:  # noqa: A002
    """Write the report to `output`, or to standard output; raise `UsageError` if the file can't be written."""
    from veridic.reporting.render import render

    if output is not None:
        write_file(output, render(report, format))
    elif format is ReportFormat.TEXT:
        from rich.console import Console

        from veridic.reporting.terminal import print_report

        print_report(report, Console())
    else:
        sys.stdout.write(render(report, format))


def refuse_to_overwrite(output: Path | None, article: str) -> None:
    """Raise `UsageError` if the report would overwrite the article."""
    from veridic.domain.errors import UsageError

    if output is not None and output.exists() and output.resolve() == Path(article).resolve():
        raise UsageError(f"--output names the article itself, {article}; name another file for the report.")


def write_file(path: Path, content: str) -> None:
    """Write a file atomically, so that an old report isn't lost if the disk is full.

    A symbolic link is followed; a pipe or device is written to directly.
    """
    from veridic.domain.errors import UsageError
    from veridic.ingest.formats import replace_file

    try:
        target = path.resolve()
        if target.is_dir():
            raise UsageError(
                f"The report can't be written to {str(path)!r}: it is a folder; name a file in it."
            )
        if target.exists() and not target.is_file():
            target.write_text(content, encoding="utf-8")
        else:
            replace_file(target, content.encode("utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"The report can't be written to {path}: {reason}.") from None
