"""Renders a report as one self-contained HTML file that makes no requests and runs no text from outside."""

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.validation import CitedSentence, Validation
from veridic.domain.verdicts import Verdict
from veridic.reporting import claim_account, validation_wording, wording
from veridic.reporting.annotate import paragraphs
from veridic.reporting.claim_account import sources_read
from veridic.reporting.comparing import differences
from veridic.reporting.dateline import DatedPoint, dateline, point_label, symbol
from veridic.reporting.escaping import visible, web_link
from veridic.reporting.numbering import MARK, Numbering
from veridic.reporting.report_sections import missing_remarks

_TEMPLATE = "report.html.j2"
_MIN_DATES = 2
_LANGUAGE_TAG = re.compile(r"[a-z]{2,3}")


def to_html(report: Report) -> str:
    """Return the complete page. Text from outside is escaped; style and script are pinned by hash."""
    style = "".join((_asset("palette.css", "look"), _asset("dateline.css", "look"), _asset("report.css")))
    script = _asset("report.js")
    return (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            report=report,
            engine=wording.engine_of(report),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=_content_security_policy(style, script),
            **_view(report),
        )
    )


@dataclass(frozen=True, slots=True)
class Card:
    """The data of one claim's card on the page."""

    number: int
    decision: Decision
    reason: tuple[CitedSentence, ...]
    findings: tuple[CitedSentence, ...]
    conflicts: tuple[CitedSentence, ...]
    dates: Markup
    """The dated sources read, on a time line; empty if there are fewer than two."""
    problems: tuple[str, ...]
    """The reasons for failed searches, each once."""
    restated: str
    """The claim as checked, if it differs from the author's words; otherwise empty."""
    quoted: tuple[Evidence, ...]
    """Supporting and contradicting evidence; for an unverifiable claim, the closest passages."""
    context: tuple[Evidence, ...]
    changes: tuple[tuple[str, str, str], ...]
    """The correction as word differences: kept, removed and added text."""


@dataclass(frozen=True, slots=True)
class Share:
    """A verdict's segment of the stacked bar."""

    verdict: Verdict
    start: int
    count: int


def _view(report: Report) -> dict[str, Any]:
    numbering = Numbering(report)
    cards = [
        _card(number, decision, report.engine)
        for number, decision in zip(numbering.claims, report.decisions, strict=True)
    ]
    language = report.language.lower()
    return {
        "cards": cards,
        "groups": [
            (verdict, [card for card in cards if card.decision.verdict is verdict])
            for verdict in wording.READING_ORDER
            if any(card.decision.verdict is verdict for card in cards)
        ],
        "corrected": [card for card in cards if card.decision.correction is not None],
        "paragraphs": paragraphs(report),
        "shares": list(_shares(report)),
        "numbering": numbering,
        "verdict_of": {card.number: card.decision.verdict for card in cards},
        "passages_read": sum(decision.passages_read for decision in report.decisions),
        "language": language if _LANGUAGE_TAG.fullmatch(language) and language != "und" else None,
        "wording": wording,
        "validation_wording": validation_wording,
        "summary": list(_summary_parts(report)),
        "sources_read": sources_read(report),
        "unanswered": validation_wording.unanswered(report),
        "errors": validation_wording.other_errors(report),
        "symbol": symbol,
        "remarks": missing_remarks(report.consensus.report_text, report.consensus.remarks)
        if report.consensus
        else [],
    }


def _card(number: int, decision: Decision, engine: str) -> Card:
    correction, validation = decision.correction, decision.validation
    searches = validation.searches if validation else ()
    is_open = wording.TONES[decision.verdict] is wording.Tone.OPEN
    quoted = claim_account.best_passages(decision) if is_open else claim_account.quoted(decision)
    return Card(
        number=number,
        decision=decision,
        reason=claim_account.reason(decision),
        findings=claim_account.findings(decision, decision.evidence, engine=engine),
        conflicts=claim_account.contradictions(decision),
        dates=_dates(number, validation, decision.as_of) if validation else Markup(""),
        problems=tuple(dict.fromkeys(problem for search in searches for problem in search.problems)),
        restated=wording.checked_as(decision.claim),
        quoted=quoted,
        context=tuple(e for e in decision.evidence if e not in quoted),
        changes=differences(correction.original, correction.corrected) if correction else (),
    )


def _dates(number: int, validation: Validation, as_of: date) -> Markup:
    dated = [(one.source.date, one) for one in validation.sources if one.source.date is not None]
    if len(dated) < _MIN_DATES:
        return Markup("")
    points = [
        DatedPoint(
            date=when,
            stance=one.stance,
            label=point_label(wording.source_name(one.source), when, wording.STANCES[one.stance].lower()),
            href="",  # the claim's citations link to the sources; up to twenty more tab stops per claim would not help
        )
        for when, one in dated
    ]
    spoken = " ".join(
        f"{wording.STANCES[stance]}: {', '.join(days)}."
        for stance in Stance
        if (days := sorted(str(when) for when, one in dated if one.stance is stance))
    )
    return dateline(points, as_of=as_of, name=f"Sources of claim {number} by date. {spoken}")


def _summary_parts(report: Report) -> Iterator[tuple[str, int | None]]:
    """Split the summary at its citations, into words and the source number that follows. Consensus mode has no citations here."""
    listed = 0 if report.mode == Mode.CONSENSUS else len(report.sources)
    start = 0
    for mark in MARK.finditer(report.summary):
        if 1 <= int(mark[1]) <= listed:
            yield report.summary[start : mark.start()], int(mark[1])
            start = mark.end()
    yield report.summary[start:], None


def _shares(report: Report) -> Iterator[Share]:
    start = 0
    for verdict, count in report.counts().items():
        yield Share(verdict, start, count)
        start += count


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=DictLoader({_TEMPLATE: _asset(_TEMPLATE)}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_visible,
    )
    environment.filters["cost"] = wording.cost
    environment.filters["day"] = wording.day
    environment.filters["percent"] = wording.percent
    environment.filters["sure"] = wording.sure
    environment.filters["certainty"] = wording.certainty
    environment.filters["verdict_word"] = wording.verdict_word
    environment.filters["web_link"] = web_link
    environment.filters["css_name"] = lambda verdict: verdict.value.lower().replace("_", "-")
    return environment


def _make_visible(value: object) -> object:
    """Make control characters visible. Applied to everything the template writes, before escaping."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _asset(name: str, folder: str = "templates") -> str:
    return files("veridic.reporting").joinpath(folder, name).read_text(encoding="utf-8")


def _content_security_policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_fingerprint(style)}'; script-src '{_fingerprint(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _fingerprint(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
