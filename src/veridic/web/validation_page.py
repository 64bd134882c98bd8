"""`ValidationPage`: the parts of a check's page that are specific to summary and thorough mode."""

from collections.abc import Iterator

from veridic.domain.own_names import own_name
from veridic.domain.usage import Usage
from veridic.web.check_view import ContentView, Notice, content_view, omission_notices, unchecked_views
from veridic.web.claim_views import SourceView
from veridic.web.evidence_views import EvidenceView
from veridic.web.marks import article_sign
from veridic.web.run_events import RunEvents
from veridic.web.run_record import (
    RunRecord,
    checked_document,
    document_link,
    failed_step_notices,
    failure_notices,
)
from veridic.web.stages import Stages, StageView
from veridic.web.validation_views import live_views, report_sources, report_views, shared_evidence


class ValidationPage:
    """Searches and verdicts as they come in, then the report."""

    report_text = ""
    awaits_checkers = False

    def __init__(self, record: RunRecord) -> None:
        self._record = record
        self._events = RunEvents(record.events)
        report = record.report
        self.reported = report is not None
        self.extracted = self.reported or self._events.claims is not None
        self.score = report.credibility_score if report else None
        self.verdict = article_sign(report) if report else None
        self.as_of = report.as_of if report else self._events.as_of
        self.left_out = unchecked_views(report.omissions if report else ())
        self.claims = (
            report_views(report, self._events) if report else live_views(self._events, running=record.running)
        )

    def stages(self) -> tuple[StageView, ...]:
        return Stages(
            names=self._record.names,
            running=self._record.running,
            reported=self.reported,
            claims=len(self.claims),
            answered=sum(claim.sign is not None for claim in self.claims),
        ).validation()

    def content(self) -> ContentView:
        document = checked_document(self._record, self._record.text)
        return content_view(
            "User Content", "", document_link(self._record), document, self.claims, self.left_out
        )

    def sources(self) -> tuple[SourceView, ...]:
        return report_sources(self._record.report) if self._record.report else ()

    def shared(self) -> EvidenceView | None:
        """Summary mode: the shared evidence; None with a report, where each claim has its own."""
        return None if self.reported else shared_evidence(self._events)

    def roles(self) -> Iterator[tuple[str, str]]:
        report = self._record.report
        if report:
            yield "Engine", report.engine
            yield from ((role.capitalize(), model) for role, model in report.models.items())
            yield "Evidence", ", ".join(map(own_name, report.corpora)) or "none"

    def usage(self) -> Usage | None:
        return self._record.report.usage if self._record.report else self._events.usage

    def notices(self) -> Iterator[Notice]:
        if not self.reported:
            yield from failed_step_notices(self._events.failures)
        yield from failure_notices(self._record)
        report = self._record.report
        if report is not None and "extractor" in report.models:
            yield from omission_notices(report.omissions)
