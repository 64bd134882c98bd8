"""What consensus mode puts on the page of a check."""

from collections.abc import Iterator

from veridic.claims.locate import locate_claims
from veridic.domain.consensus import ContentSource, FactCheckResult, FailedChecker, RunConfig
from veridic.domain.document import Span
from veridic.domain.events import EventName
from veridic.domain.usage import Usage, add_up
from veridic.reporting.wording import Tone, count
from veridic.web.check_view import ContentView, Notice, content_view, left_out_notices
from veridic.web.claim_views import SourceView, extracted_views, passage_sources
from veridic.web.moment import Moment, address_of, document_of, failures_of
from veridic.web.silent_checkers import given_up, in_trouble, unheard
from veridic.web.stages import Stages, StageView


class ConsensusPage:
    """Claims with what each checker says, as the checkers answer; then the report."""

    verdict = None
    as_of = None

    def __init__(self, moment: Moment, result: FactCheckResult) -> None:
        self._moment = moment
        self._result = result
        started = moment.data(EventName.FACTCHECK_START)
        self._config = RunConfig.model_validate(started["config"]) if started else None
        self.reported = moment.report is not None or moment.names[EventName.REPORT_COMPLETE] > 0
        self.extracted = (
            self.reported or moment.names[EventName.EXTRACT_COMPLETE] > 0 or bool(result.extraction.claims)
        )
        self.score = result.report.reliability_score
        self.report_text = result.report.report_text
        self._document = document_of(moment, result.content.text)
        self.claims = extracted_views(
            result.extraction.claims,
            result.verification.consensus,
            self._spans(),
            so_far=moment.running and not moment.names[EventName.ALL_CHECKERS_COMPLETE] and not self.reported,
        )

    def _spans(self) -> dict[str, Span]:
        if self._moment.report:
            return {decision.claim.id: decision.claim.span for decision in self._moment.report.decisions}
        located = locate_claims(self._result.extraction.claims, self._document)
        return {claim.id: claim.span for claim in located}

    @property
    def awaits_checkers(self) -> bool:
        return (
            self._moment.running
            and self._moment.names[EventName.VERIFY_START] > 0
            and not self._moment.names[EventName.ALL_CHECKERS_COMPLETE]
        )

    def stages(self) -> tuple[StageView, ...]:
        checkers = self._config.checker_models if self._config else ()
        answered = len(self._result.verification.checkers)
        failed = len(self._failed())
        return Stages(
            names=self._moment.names,
            running=self._moment.running,
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
            return content_view("User Content", "", address_of(self._moment), self._document, self.claims)
        if content.model is None:
            return None  # until it is written, there is only the question
        seconds = (content.response_time_ms or 0) / 1000
        return content_view(content.model, f"written in {seconds:.1f} s", None, self._document, self.claims)

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
            yield from in_trouble(self._unheard(), self._moment.calls)
        yield from left_out_notices(self._moment.report.omissions if self._moment.report else ())
        told = {checker.error for checker in failed}
        yield from failures_of(self._moment, told)
        resting = sum(claim.rests_on_knowledge for claim in self.claims)
        if self.reported and resting:
            yield Notice(
                Tone.OPEN,
                "No source was cited.",
                f"{count(resting, 'verdict')} of {len(self.claims)} rest on what models know.",
            )

    def usage(self) -> Usage | None:
        if self._moment.report:
            return self._moment.report.usage
        return add_up(self._moment.calls) if self._moment.calls else None

    def shared(self) -> None:
        """Checkers have their evidence claim by claim."""

    def _failed(self) -> tuple[FailedChecker, ...]:
        """As the report's stage has it; before that, as the run knows it, or where it is not carried out here,
        who is silent when all have been heard."""
        if self._result.failed_checkers is not None:
            return self._result.failed_checkers
        if self.reported:
            return ()
        if self._moment.failed_checkers or not self._moment.names[EventName.ALL_CHECKERS_COMPLETE]:
            return self._moment.failed_checkers
        return given_up(self._unheard(), self._moment.calls)

    def _unheard(self) -> list[str]:
        asked = self._config.checker_models if self._config else ()
        answered = [checker.model for checker in self._result.verification.checkers]
        failed = [checker.model for checker in self._moment.failed_checkers]
        return unheard(asked, answered + failed)
