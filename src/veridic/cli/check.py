"""`veridic check`: a document's claims against evidence."""

from enum import StrEnum
from typing import Annotated

import typer

from veridic.cli.output import FormatOption, OutputOption, ReportFormat


class Mode(StrEnum):
    THOROUGH = "thorough"


class Engine(StrEnum):
    AUTO = "auto"
    EMBEDDED = "embedded"


AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        metavar="PATH|NAME",
        help="What to check against: a folder, a file, JSON lines, or a corpus by name; repeat for several. "
        "Without it, the built-in reference library (the CIA World Factbook).",
        show_default=False,
    ),
]
FailOnOption = Annotated[
    str | None,
    typer.Option(
        metavar="VERDICT,...",
        help="End with exit code 1 if a claim gets one of these verdicts, such as REFUTED,OUTDATED.",
        show_default=False,
    ),
]


def check(
    target: Annotated[str, typer.Argument(metavar="PATH|URL|-", help="The text to check: a file (plain text, Markdown, HTML, PDF, DOCX), a web address, or - for standard input.", show_default=False)],
    against: AgainstOption = None,
    mode: Annotated[Mode, typer.Option(help="How deep to look: each claim on its own.")] = Mode.THOROUGH,
    engine: Annotated[Engine, typer.Option(help="Who does the work; auto takes the best that is set up.")] = Engine.AUTO,
    format: FormatOption = ReportFormat.TEXT,  # noqa: A002
    output: OutputOption = None,
    fail_on: FailOnOption = None,
) -> None:  # fmt: skip
    """Check the claims of a document, and say which hold and what says so.

    Examples:

      veridic check article.md

      veridic check article.md --against sources/ --format html --output report.html

      curl -s https://example.org/speech.txt | veridic check - --fail-on REFUTED
    """
    from veridic.cli.fail_on import exit_code, read_verdicts
    from veridic.cli.output import refuse_to_overwrite, write_report
    from veridic.cli.running import run_check
    from veridic.config.settings import load_settings
    from veridic.ingest.read import read_document

    del mode, engine  # one of each, so far: the options are there for scripts to be explicit
    failing = read_verdicts(fail_on)
    settings = load_settings()
    refuse_to_overwrite(output, target)
    document = read_document(target, settings=settings)
    report = run_check(document, against or [], settings)
    write_report(report, format, output)
    raise typer.Exit(exit_code(report, failing))
