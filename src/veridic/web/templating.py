"""The templates' environment: everything that is written out is made visible and escaped."""

import re
from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from veridic.reporting.dateline import symbol
from veridic.reporting.outside import one_line, visible
from veridic.reporting.validation_wording import calls_made, window
from veridic.reporting.wording import cost, count, day
from veridic.web.check_view import CheckView
from veridic.web.claim_views import ClaimView
from veridic.web.evidence_views import anchor, outcome

_MARK = re.compile(r"\[(\d{1,6})\]")


def render(template: str, **values: Any) -> str:
    """A whole page. Strings from outside are shown, never acted on."""
    return _environment().get_template(template).render(**({"here": "", "signed_in": False} | values))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("veridic.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.globals["verdict_rank"] = _verdict_rank
    environment.globals["count"] = count
    environment.globals["anchor"] = anchor
    environment.globals["symbol"] = symbol
    environment.filters["one_line"] = one_line
    environment.filters["as_typed"] = _as_typed
    environment.filters["moment"] = _moment
    environment.filters["duration"] = duration
    environment.filters["usage"] = calls_made
    environment.filters["cost"] = cost
    environment.filters["day"] = day
    environment.filters["linked"] = _linked
    environment.filters["outcome"] = outcome
    environment.filters["window"] = window
    return environment


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _as_typed(text: str) -> Markup:
    """For fields of a form: escaped, and else to the letter what was typed, so that it can be sent again."""
    return escape(text)


def _verdict_rank(view: CheckView, claim: ClaimView) -> int:
    """Where a claim's verdict stands among those of the page, for sorting."""
    return next(place for place, share in enumerate(view.findings) if share.sign == claim.sign)


def _moment(when: datetime) -> str:
    """`16 November 2026, 14:05 UTC`."""
    utc = when.astimezone(UTC)
    return f"{day(utc.date())}, {utc:%H:%M} UTC"


def duration(seconds: float) -> str:
    """`0.4 s`, `12 s`, `2 min 5 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"


def _linked(text: str, sources: int) -> Markup:
    """A report's own summary, with its marks as links to the sources; everything else escaped."""

    def link(mark: re.Match[str]) -> str:
        number = int(mark[1])
        if not 1 <= number <= sources:
            return mark[0]
        return f'<a class="reference" href="#source-{number}" aria-label="Source {number}">[{number}]</a>'

    return Markup(_MARK.sub(link, str(escape(visible(text)))))  # noqa: S704 - escaped before
