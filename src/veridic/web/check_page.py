"""Builds the page of a check, in any mode, from what is saved of the run. Does no I/O."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from veridic.domain.modes import Mode
from veridic.domain.own_names import own_name
from veridic.reporting.escaping import one_line, visible, web_link
from veridic.reporting.wording import count
from veridic.store.runs import RunState, RunSummary
from veridic.web.check_view import CheckView, Notice, verdict_shares
from veridic.web.claim_views import ClaimView
from veridic.web.consensus_page import ConsensusPage
from veridic.web.own_names import with_own_names
from veridic.web.run_record import RunRecord
from veridic.web.stages import StageView, progress_line
from veridic.web.triage import Task, task_shares
from veridic.web.validation_page import ValidationPage

_HEADING_OFFSET = 2
"""A `#` heading of a report becomes `<h3>`."""


def render_markdown(text: str) -> Markup:
    """Render Markdown with tables. HTML is escaped, images are disabled, and only http(s) links are allowed."""
    parser = _parser()
    tokens = parser.parse(visible(text))
    for token in tokens:
        token.attrs.pop("style", None)  # table alignment: the content security policy forbids inline styles
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HEADING_OFFSET)}"
        if token.type == "table_open":
            token.attrs["tabindex"] = "0"  # it scrolls sideways on a phone, by keyboard too
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs["rel"] = "noopener noreferrer nofollow"
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 - html is off


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.validateLink = lambda url: web_link(url) is not None  # type: ignore[method-assign]
    return parser


_NO_ORIGIN = frozenset({"text", "question", "-", ""})
"""Sources of text that was typed in or generated."""
_MAX_TITLE_LENGTH = 90


def build_check_view(record: RunRecord, show: str = "") -> CheckView:
    """Return everything that the page of a check shows; `show` is the `Task` of the claims to list, or empty for all."""
    is_consensus = record.summary.mode == Mode.CONSENSUS
    page = ConsensusPage(record, record.result) if is_consensus and record.result else ValidationPage(record)
    stages = page.stages()
    return CheckView(
        run_id=record.summary.id,
        title=_title(record),
        mode=record.summary.mode,
        engine=record.report.engine if record.report else record.summary.engine,
        state=record.state,
        created_at=record.summary.created_at,
        origin=_origin(record.summary.source),
        after=record.events[-1].number if record.events else 0,
        awaits_checkers=page.awaits_checkers,
        progress=_progress(record, stages, page.claims),
        stages=stages,
        content=page.content(),
        claims=page.claims,
        extracted=page.extracted,
        reported=page.reported,
        score=page.score,
        verdict=page.verdict,
        as_of=page.as_of,
        summary=record.report.summary if record.report else "",
        shares=verdict_shares(page.claims),
        tasks=task_shares(page.claims, len(page.left_out)),
        show=show if show in list(Task) else "",
        notices=tuple(_with_own_names(record, page.notices())),
        left_out=page.left_out,
        sources=page.sources(),
        report_html=render_markdown(page.report_text) if page.report_text else None,
        roles=tuple(page.roles()),
        usage=page.usage(),
        usage_by_stage=tuple(record.report.usage_by_stage.items()) if record.report else (),
        shared=page.shared(),
        seconds=record.report.processing_time_ms / 1000 if record.report else None,
    )


def _with_own_names(record: RunRecord, notices: Iterable[Notice]) -> Iterator[Notice]:
    references = [record.summary.source, *(record.report.corpora if record.report else ())]
    for notice in notices:
        yield replace(notice, text=with_own_names(notice.text, references))


def _progress(record: RunRecord, stages: tuple[StageView, ...], claims: tuple[ClaimView, ...]) -> str:
    if record.state == RunState.QUEUED:
        return record.summary.waiting_for or "Waiting for its turn …"
    if record.running:
        return progress_line(stages, record.summary.mode)
    if record.state == RunState.COMPLETED:
        return f"Finished. {describe_verdicts(claims)}."
    if record.state == "cancelled":
        return f"{record.summary.error} What it found until then is kept here."
    if record.state == RunState.FAILED:
        return "This check did not finish; what it found is kept here."
    return "This check was interrupted, or another process is working on it; what it found is kept here."


def describe_verdicts(claims: Sequence[ClaimView]) -> str:
    """Return a line such as `6 claims: 3 verified, 2 disputed, 1 unverifiable`."""
    verdicts = ", ".join(f"{share.count} {share.sign.word.lower()}" for share in verdict_shares(claims))
    return count(len(claims), "claim") + (f": {verdicts}" if verdicts else "")


def _title(record: RunRecord) -> str:
    result, report, summary = record.result, record.report, record.summary
    titles = (
        result.title if result else None,
        report.document.title if report else None,
        run_title(summary, record.text),
    )
    return next(title for title in titles if title and title.strip())


def run_title(summary: RunSummary, text: str = "") -> str:
    """Return a run's title, or its question, the first words of the text, its source or its id."""
    source = _origin(summary.source)
    titles = (summary.title, summary.question, _first_words(text), source, summary.id)
    return next(title for title in titles if title and title.strip())


def _first_words(text: str) -> str:
    words = one_line(text[: 4 * _MAX_TITLE_LENGTH])
    return words if len(words) <= _MAX_TITLE_LENGTH else words[:_MAX_TITLE_LENGTH].rsplit(" ", 1)[0] + " …"


def _origin(source: str) -> str:
    return "" if source in _NO_ORIGIN else own_name(source)
