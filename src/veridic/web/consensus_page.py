"""`ConsensusPage`: the parts of a check's page that are specific to consensus mode."""

from collections import Counter
from collections.abc import Iterator, Sequence

from veridic.claims.locate import locate_claims
from veridic.domain.consensus import ContentSource, FactCheckResult, FailedChecker, RunConfig
from veridic.domain.document import Span
from veridic.domain.events import EventName
from veridic.domain.usage import ModelCall, Usage, add_up
from veridic.reporting.wording import Tone, count
from veridic.web.check_view import ContentView, Notice, content_view, omission_notices, unchecked_views
from veridic.web.claim_views import SourceView, consensus_views, correction_views, passage_sources
from veridic.web.run_record import RunRecord, checked_document, document_link, failure_notices
from veridic.web.stages import Stages, StageView

_VERIFY = "verify_"
"""Prefix of the checkers' stages."""
_NO_REASON = "it gave no answer that could be used."


def pending_checkers(models: Sequence[str], done: Sequence[str]) -> list[str]:
    """Return the checkers that have neither answered nor failed; a model asked twice may be in it twice."""
    return list((Counter(models) - Counter(done)).elements())


def assume_failed(pending: Sequence[str], calls: Sequence[ModelCall]) -> tuple[FailedChecker, ...]:
    """Return the checkers without an answer as failed, once all checkers are done."""
    errors = _last_errors(calls)
    return tuple(FailedChecker(model=model, error=errors.get(model, _NO_REASON)) for model in pending)


def trouble_notices(pending: Sequence[str], calls: Sequence[ModelCall]) -> Iterator[Notice]:
    """Yield notices of checkers whose last request failed but which may still answer."""
    errors = _last_errors(calls)
    for model in pending:
        if model in errors:
            yield Notice(
                Tone.CAUTION, "A checker has trouble.", f"{model} has no answer yet: {errors[model]}"
            )


def _last_errors(calls: Sequence[ModelCall]) -> dict[str, str]:
    return {call.model: call.error for call in calls if call.error and call.stage.startswith(_VERIFY)}


class ConsensusPage:
    """Claims with the judgements of the checkers as they answer, then the report."""

    verdict = None
    as_of = None

    def __init__(self, record: RunRecord, result: FactCheckResult) -> None:
        self._record = record
        self._result = result
        started = record.data(EventName.FACTCHECK_START)
        self._config = RunConfig.model_validate(started["config"]) if started else None
        self.reported = record.report is not None or record.names[EventName.REPORT_COMPLETE] > 0
        self.extracted = (
            self.reported or record.names[EventName.EXTRACT_COMPLETE] > 0 or bool(result.extraction.claims)
        )
        self.score = result.report.reliability_score
        self.report_text = result.report.report_text
        self.left_out = unchecked_views(record.report.omissions if record.report else ())
        self._document = checked_document(record, result.content.text)
        self.claims = consensus_views(
            result.extraction.claims,
            result.verification.consensus,
            self._spans(),
            so_far=record.running and not record.names[EventName.ALL_CHECKERS_COMPLETE] and not self.reported,
            passages=result.sources or (),
            corrections=correction_views(record.report) if record.report else {},
        )

    def _spans(self) -> dict[str, Span]:
        if self._record.report:
            return {decision.claim.id: decision.claim.span for decision in self._record.report.decisions}
        located = locate_claims(self._result.extraction.claims, self._document)
        return {claim.id: claim.span for claim in located}

    @property
    def awaits_checkers(self) -> bool:
        return (
            self._record.running
            and self._record.names[EventName.VERIFY_START] > 0
            and not self._record.names[EventName.ALL_CHECKERS_COMPLETE]
        )

    def stages(self) -> tuple[StageView, ...]:
        checkers = self._config.checker_models if self._config else ()
        answered = len(self._result.verification.checkers)
        failed = len(self._failed())
        return Stages(
            names=self._record.names,
            running=self._record.running,
            reported=self.reported,
            claims=len(self.claims),
            checkers=max(len(checkers), answered + failed),
            answered=answered,
            failed=failed,
            generated=self._result.content.source is ContentSource.GENERATED,
        ).consensus()

    def content(self) -> ContentView | None:
        content = self._result.content
        if content.source is ContentSource.USER_PROVIDED:
            return content_view(
                "User Content", "", document_link(self._record), self._document, self.claims, self.left_out
            )
        if content.model is None:
            return None  # not generated yet
        seconds = (content.response_time_ms or 0) / 1000
        return content_view(
            content.model, f"written in {seconds:.1f} s", None, self._document, self.claims, self.left_out
        )

    def sources(self) -> tuple[SourceView, ...]:
        return passage_sources(self._result.sources or (), self._result.verification.consensus)

    def roles(self) -> Iterator[tuple[str, str]]:
        if self._config is None:
            return
        if self._config.generator_model:
            yield "Generator", self._config.generator_model
        yield "Extractor", self._config.extractor_model
        yield "Checkers", ", ".join(self._config.checker_models)
        yield "Reporter", self._config.reporter_model
        yield "Verdict", "Majority of the checkers; a tie counts against the claim"

    def notices(self) -> Iterator[Notice]:
        if self._config and self._config.bias_warning:
            yield Notice(Tone.CAUTION, "Possible bias.", self._config.bias_warning)
        failed = self._failed()
        for checker in failed:
            yield Notice(Tone.BAD, "A checker failed.", f"{checker.model}: {checker.error}")
        if self.awaits_checkers:
            yield from trouble_notices(self._pending_checkers(), self._record.calls)
        yield from omission_notices(self._record.report.omissions if self._record.report else ())
        shown = {checker.error for checker in failed}
        yield from failure_notices(self._record, shown)
        uncited = sum(claim.rests_on_knowledge for claim in self.claims)
        if self.reported and uncited:
            yield Notice(
                Tone.OPEN,
                "No source was cited.",
                f"{count(uncited, 'verdict')} of {len(self.claims)} rest on what models know.",
            )

    def usage(self) -> Usage | None:
        if self._record.report:
            return self._record.report.usage
        return add_up(self._record.calls) if self._record.calls else None

    def shared(self) -> None:
        """None: in consensus mode, evidence belongs to single claims."""

    def _failed(self) -> tuple[FailedChecker, ...]:
        """Return the failed checkers: from the report's stage; before it, from the run; and if another process
        runs it, those without an answer once all are done."""
        if self._result.failed_checkers is not None:
            return self._result.failed_checkers
        if self.reported:
            return ()
        if self._record.failed_checkers or not self._record.names[EventName.ALL_CHECKERS_COMPLETE]:
            return self._record.failed_checkers
        return assume_failed(self._pending_checkers(), self._record.calls)

    def _pending_checkers(self) -> list[str]:
        models = self._config.checker_models if self._config else ()
        answered = [checker.model for checker in self._result.verification.checkers]
        failed = [checker.model for checker in self._record.failed_checkers]
        return pending_checkers(models, answered + failed)
