"""`veridic replay`: a saved run made again, on the evidence it had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from veridic.cli.output import FormatOption, OutputOption, write_report
from veridic.cli.runs import RunId
from veridic.domain.formats import ReportFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veridic.domain.report import Report


def replay(
    run_id: RunId,
    format: FormatOption = ReportFormat.TEXT,  # noqa: A002
    output: OutputOption = None,
) -> None:
    """Make a saved run again on the evidence it had, and say which verdicts are the same.

    The text is checked as of the same day, and nothing is searched for: sources that have changed or gone
    since make no difference. The replay is not saved.

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
    from veridic.reporting.outside import one_line
    from veridic.runtime.replaying import changes

    changed = changes(before, after)
    number = len(before.decisions)
    verdicts = "verdict is" if number == 1 else "verdicts are"
    yield f"{number - len(changed)} of {number} {verdicts} the same as in {run_id}."
    for change in changed:
        yield f"{change.before}, now {change.after or 'not decided'}: {one_line(change.claim)}"
