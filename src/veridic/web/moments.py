"""A run at one moment, as its rows have it, and the page that shows it. Pure: rows in, page out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veridic.claims.locate import locate_claims
from veridic.domain.claim import Omission
from veridic.domain.consensus import ContentSource, FactCheckResult, FailedChecker, RunConfig
from veridic.domain.document import Document, Span
from veridic.domain.events import EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report
from veridic.domain.usage import ModelCall, Usage, add_up
from veridic.ingest.formats import MARKDOWN, text_format
from veridic.ingest.read import document_from_text
from veridic.reporting.outside import one_line, web_link
from veridic.reporting.wording import Tone, count
from veridic.runtime.runner import CANCELLED
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunSummary
from veridic.web.check_view import CheckView, ContentView, Notice, content_view, shares_of
from veridic.web.claim_views import ClaimView, SourceView, extracted_views, passage_sources
from veridic.web.evidence_views import EvidenceView
from veridic.web.marks import article_sign
from veridic.web.rendered_markdown import rendered
from veridic.web.silent_checkers import given_up, in_trouble, unheard
from veridic.web.stages import Stages, StageView, progress_line
from veridic.web.told import Told
from veridic.web.validation_views import decided_views, report_sources, shared_evidence, told_views

_TYPED_IN = frozenset({"text", "question", "-", ""})
"""Sources that name no place."""
_LONGEST_TITLE = 90


@dataclass(frozen=True)
class Moment:
    """Everything that is kept of a run, at one moment."""

    summary: RunSummary
    under_way: bool
    """Whether this process is carrying it out."""
    text: str
    """What is checked; empty while it is being written."""
    events: tuple[LoggedEvent, ...] = ()
    result: FactCheckResult | None = None
    """Consensus mode: what its stages came to so far."""
    report: Report | None = None
    calls: tuple[ModelCall, ...] = ()
    failed_checkers: tuple[FailedChecker, ...] = ()
    """Consensus mode, while this process carries it out: who has failed so far."""

    @cached_property
    def names(self) -> Counter[str]:
        return Counter(event.name for event in self.events)

    def data(self, name: EventName) -> dict[str, Any] | None:
        """What the first event of that name says."""
        return next((event.data for event in self.events if event.name == name.value), None)

    @property
    def state(self) -> str:
        return state_of(self.summary, under_way=self.under_way)

    @property
    def running(self) -> bool:
        return self.state == "running"


def state_of(summary: RunSummary, *, under_way: bool) -> str:
    """`running`, `completed`, `failed`, `cancelled` or `interrupted`."""
    if summary.state is RunState.UNFINISHED:
        return "running" if under_way else "interrupted"
    return "cancelled" if summary.error == CANCELLED else summary.state.value


def view_of(moment: Moment) -> CheckView:
    """The whole page."""
    is_consensus = moment.summary.mode == Mode.CONSENSUS and moment.result is not None
    shown = _Consensus(moment, moment.result) if is_consensus and moment.result else _Validation(moment)
    stages = shown.stages()
    return CheckView(
        run_id=moment.summary.id,
        title=_title(moment),
        mode=moment.summary.mode,
        state=moment.state,
        created_at=moment.summary.created_at,
        origin=_origin(moment.summary.source),
        after=moment.events[-1].number if moment.events else 0,
        awaits_checkers=shown.awaits_checkers,
        progress=_progress(moment, stages, shown.claims),
        stages=stages,
        content=shown.content(),
        claims=shown.claims,
        extracted=shown.extracted,
        reported=shown.reported,
        score=shown.score,
        verdict=shown.verdict,
        as_of=shown.as_of,
        summary=moment.report.summary if moment.report else "",
        shares=shares_of(shown.claims),
        notices=tuple(shown.notices()),
        sources=shown.sources(),
        report_html=rendered(shown.report_text) if shown.report_text else None,
        roles=tuple(shown.roles()),
        usage=shown.usage(),
        usage_by_stage=tuple(moment.report.usage_by_stage.items()) if moment.report else (),
        shared=shown.shared(),
        seconds=moment.report.processing_time_ms / 1000 if moment.report else None,
    )


class _Consensus:
    """What consensus mode puts on the page."""

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
        self._document = _document(moment, result.content.text)
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
            return content_view("User Content", "", _address(self._moment), self._document, self.claims)
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
        for reason, number in Counter(one.reason for one in self._omissions()).items():
            named = f"{count(number, 'claim')} that the extractor named"
            yield Notice(Tone.CAUTION, "Not checked.", f"{named}: {reason.value}.")
        told = {checker.error for checker in failed}
        yield from _failures(self._moment, told)
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

    def shared(self) -> EvidenceView | None:
        return None

    def _omissions(self) -> tuple[Omission, ...]:
        return self._moment.report.omissions if self._moment.report else ()

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


class _Validation:
    """What summary and thorough mode put on the page: searches and verdicts as they come, then the report."""

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
        document = _document(self._moment, self._moment.text)
        return content_view("User Content", "", _address(self._moment), document, self.claims)

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
            yield from _steps_failed(self._told.failures)
        yield from _failures(self._moment, set())


def _failures(moment: Moment, told: set[str]) -> Iterator[Notice]:
    """Why a run ended early, and what failed on the way to a report."""
    if moment.state == RunState.FAILED and moment.summary.error:
        yield Notice(Tone.BAD, "This check did not finish.", moment.summary.error)
    yield from _steps_failed(
        failure
        for failure in (moment.report.errors if moment.report else ())
        if not any(reason in failure.message for reason in told)
    )


def _steps_failed(failures: Iterable[Failure]) -> Iterator[Notice]:
    for failure in failures:
        where = f"{failure.stage}, {failure.claim_id}" if failure.claim_id else failure.stage
        yield Notice(Tone.BAD, "A step failed.", f"{where}: {failure.message}")


def _document(moment: Moment, text: str) -> Document:
    """What is checked: as the report has it, or as it was read, which need not be done twice."""
    if moment.report:
        return moment.report.document
    source = moment.summary.source
    if text.strip() and text_format(text, source) == MARKDOWN:
        return document_from_text(text, source=source, media_type=MARKDOWN)
    return Document(text=text, source=source)


def _progress(moment: Moment, stages: tuple[StageView, ...], claims: tuple[ClaimView, ...]) -> str:
    if moment.running:
        return progress_line(stages, moment.summary.mode)
    if moment.state == RunState.COMPLETED:
        return f"Finished. {in_words(claims)}."
    if moment.state == "cancelled":
        return "This check was cancelled; what it found until then stays here."
    if moment.state == RunState.FAILED:
        return "This check did not finish; what it found stays here."
    return "This check was interrupted, or another process is working on it; what it found stays here."


def in_words(claims: Sequence[ClaimView]) -> str:
    """`6 claims: 3 verified, 2 disputed, 1 unverifiable`."""
    verdicts = ", ".join(f"{share.count} {share.sign.word.lower()}" for share in shares_of(claims))
    return count(len(claims), "claim") + (f": {verdicts}" if verdicts else "")


def _title(moment: Moment) -> str:
    result, report, summary = moment.result, moment.report, moment.summary
    titles = (
        result.title if result else None,
        report.document.title if report else None,
        title_of(summary, moment.text),
    )
    return next(title for title in titles if title and title.strip())


def title_of(summary: RunSummary, text: str = "") -> str:
    """What a run goes by in a list: its title, else its question, the text's first words, its source or its id."""
    source = _origin(summary.source)
    titles = (summary.title, summary.question, _first_words(text), source, summary.id)
    return next(title for title in titles if title and title.strip())


def _first_words(text: str) -> str:
    words = one_line(text[: 4 * _LONGEST_TITLE])
    return words if len(words) <= _LONGEST_TITLE else words[:_LONGEST_TITLE].rsplit(" ", 1)[0] + " …"


def _origin(source: str) -> str:
    return "" if source in _TYPED_IN else source


def _address(moment: Moment) -> str | None:
    return web_link(moment.report.document.url if moment.report else moment.summary.source)
