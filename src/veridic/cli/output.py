"""Where a report goes: to the terminal, to standard output, or to a file."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veridic.domain.report import Report


class ReportFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"
    CLAIMREVIEW = "claimreview"


FormatOption = Annotated[ReportFormat, typer.Option("--format", help="How the report is written.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", help="Write the report to this file instead of standard output.", show_default=False
    ),
]


def write_report(report: Report, format: ReportFormat, output: Path | None) -> None:  # noqa: A002
    """Render the report and put it where the user wants it; `UsageError` if the file can't be written."""
    if output is not None:
        write_file(output, _render(report, format))
    elif format is ReportFormat.TEXT:
        from rich.console import Console

        from veridic.reporting.terminal import print_report

        print_report(report, Console())
    else:
        sys.stdout.write(_render(report, format))


def refuse_to_overwrite(output: Path | None, article: str) -> None:
    """`UsageError` if the report would take the place of the article it is about."""
    from veridic.domain.errors import UsageError

    if output is not None and output.exists() and output.resolve() == Path(article).resolve():
        raise UsageError(f"--output names the article itself, {article}; name another file for the report.")


def write_file(path: Path, content: str) -> None:
    """Write all of a file or nothing: an old report isn't lost to a full disk.

    A link is followed, and what isn't an ordinary file (a pipe, a device) is written to as it is.
    """
    from veridic.domain.errors import UsageError

    try:
        target = path.resolve()
        if target.is_dir():
            raise UsageError(
                f"The report can't be written to {str(path)!r}: it is a folder; name a file in it."
            )
        if target.exists() and not target.is_file():
            target.write_text(content, encoding="utf-8")
        else:
            _replace(target, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"The report can't be written to {path}: {reason}.") from None


def _replace(target: Path, content: str) -> None:
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_text(content, encoding="utf-8")
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        with suppress(OSError):  # it has moved, or was never made
            part.unlink()


def _render(report: Report, format: ReportFormat) -> str:  # noqa: A002
    if format is ReportFormat.JSON:
        from veridic.reporting.json_report import to_json

        return json.dumps(to_json(report), ensure_ascii=False, indent=2) + "\n"
    if format is ReportFormat.CLAIMREVIEW:
        from veridic.reporting.claimreview import to_claimreview

        return json.dumps(to_claimreview(report), ensure_ascii=False, indent=2) + "\n"
    if format is ReportFormat.MARKDOWN:
        from veridic.reporting.markdown import to_markdown

        return to_markdown(report)
    if format is ReportFormat.HTML:
        from veridic.reporting.html import to_html

        return to_html(report)
    return _plain_text(report)


def _plain_text(report: Report) -> str:
    import io

    from rich.console import Console

    from veridic.reporting.terminal import print_report

    text = io.StringIO()
    print_report(report, Console(file=text, width=100))
    return text.getvalue()
