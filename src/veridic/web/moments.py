"""The page that shows a run at one moment, whatever its mode. Pure: rows in, page out."""

from collections.abc import Sequence

from veridic.domain.modes import Mode
from veridic.reporting.outside import one_line
from veridic.reporting.wording import count
from veridic.store.runs import RunState, RunSummary
from veridic.web.check_view import CheckView, left_out_by_reason, shares_of
from veridic.web.claim_views import ClaimView
from veridic.web.consensus_page import ConsensusPage
from veridic.web.moment import Moment
from veridic.web.rendered_markdown import rendered
from veridic.web.stages import StageView, progress_line
from veridic.web.validation_page import ValidationPage

_TYPED_IN = frozenset({"text", "question", "-", ""})
"""Sources that name no place."""
_LONGEST_TITLE = 90


def view_of(moment: Moment) -> CheckView:
    """The whole page."""
    is_consensus = moment.summary.mode == Mode.CONSENSUS
    shown = ConsensusPage(moment, moment.result) if is_consensus and moment.result else ValidationPage(moment)
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
        left_out=left_out_by_reason(moment.report.omissions if moment.report else ()),
        sources=shown.sources(),
        report_html=rendered(shown.report_text) if shown.report_text else None,
        roles=tuple(shown.roles()),
        usage=shown.usage(),
        usage_by_stage=tuple(moment.report.usage_by_stage.items()) if moment.report else (),
        shared=shown.shared(),
        seconds=moment.report.processing_time_ms / 1000 if moment.report else None,
    )


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
