"""`veridic claim`: check one claim."""

from typing import Annotated

import typer

from veridic.cli.check import AgainstOption, FailOnOption
from veridic.cli.output import FormatOption, OutputOption
from veridic.domain.modes import ReportFormat


def claim(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The claim, as one sentence.", show_default=False)],
    against: AgainstOption = None,
    threshold: Annotated[float, typer.Option(min=0.0, max=1.0, help="The confidence a clear verdict needs; below it, the claim is partly true at most.")] = 0.85,
    format: FormatOption = ReportFormat.TEXT,  # noqa: A002
    output: OutputOption = None,
    fail_on: FailOnOption = None,
) -> None:  # fmt: skip
    """Check one claim, and show the evidence for and against it.

    Example:

      veridic claim "The capital of Australia is Sydney."
    """
    from veridic.cli.fail_on import exit_code, read_verdicts
    from veridic.cli.output import write_report
    from veridic.cli.running import run_check
    from veridic.config.settings import load_settings
    from veridic.engine.order import CheckOrder
    from veridic.ingest.read import document_from_text

    failing = read_verdicts(fail_on)
    order = CheckOrder(
        document=document_from_text(text, source="Claim"),
        against=tuple(against or ()),
        threshold=threshold,
    )
    report = run_check(order, load_settings())
    write_report(report, format, output)
    raise typer.Exit(exit_code(report, failing))
