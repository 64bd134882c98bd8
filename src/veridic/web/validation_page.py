"""What summary and thorough mode put on the page of a check."""

from collections.abc import Iterator

from veridic.domain.usage import Usage
from veridic.web.check_view import ContentView, Notice, content_view, left_out_notices
from veridic.web.claim_views import SourceView
from veridic.web.evidence_views import EvidenceView
from veridic.web.marks import article_sign
from veridic.web.moment import Moment, address_of, document_of, failures_of, steps_failed
from veridic.web.stages import Stages, StageView
from veridic.web.told import Told
from veridic.web.validation_views import decided_views, report_sources, shared_evidence, told_views


class ValidationPage:
    """Searches and verdicts as they come, then the report."""

    report_text = ""
    awaits_checkers = False

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._told = Told(moment.events)
        report = moment.report
        self.reported = report is not None
        self.extracted = self.reported or self._told.claims is not None
        self.score = report.credibility_score if report else None
        self.verdict = article_sign(report.verdict) if report else None
        self.as_of = report.as_of if report else self._told.as_of
        self.claims = (
            decided_views(report, self._told) if report else told_views(self._told, running=moment.running)
        )

    def stages(self) -> tuple[StageView, ...]:
        return Stages(
            names=self._moment.names,
            running=self._moment.running,
            reported=self.reported,
            claims=len(self.claims),
            answered=sum(claim.sign is not None for claim in self.claims),
        ).validation()

    def content(self) -> ContentView:
        document = document_of(self._moment, self._moment.text)
        return content_view("User Content", "", address_of(self._moment), document, self.claims)

    def sources(self) -> tuple[SourceView, ...]:
        return report_sources(self._moment.report) if self._moment.report else ()

    def shared(self) -> EvidenceView | None:
        """With the report, every claim has it."""
        return None if self.reported else shared_evidence(self._told)

    def roles(self) -> Iterator[tuple[str, str]]:
        report = self._moment.report
        if report:
            yield "Engine", report.engine
            yield from ((role.capitalize(), model) for role, model in report.models.items())
            yield "Evidence", ", ".join(report.corpora) or "none"

    def usage(self) -> Usage | None:
        return self._moment.report.usage if self._moment.report else self._told.usage

    def notices(self) -> Iterator[Notice]:
        if not self.reported:
            yield from steps_failed(self._told.failures)
        yield from failures_of(self._moment)
        report = self._moment.report
        if report is not None and "extractor" in report.models:
            yield from left_out_notices(report.omissions)
