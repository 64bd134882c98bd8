"""Renders a report in any of its formats."""

import io
import json

from veridic.domain.modes import ReportFormat
from veridic.domain.report import Report

_TEXT_WIDTH = 100


def render(report: Report, format: ReportFormat) -> str:  # noqa: A002
    """Return the whole report as text. Each format's modules are imported only when needed."""
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
    from rich.console import Console

    from veridic.reporting.terminal import print_report

    text = io.StringIO()
    print_report(report, Console(file=text, width=_TEXT_WIDTH))
    return text.getvalue()
