"""The Jinja environment: all output is escaped, and invisible characters are made visible."""

import re
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from veridic.domain.own_names import own_name
from veridic.domain.people import Actor, Right
from veridic.reporting.dateline import symbol
from veridic.reporting.escaping import one_line, visible, web_link
from veridic.reporting.validation_wording import calls_made, window
from veridic.reporting.wording import cost, count, day
from veridic.web import desk_words
from veridic.web.check_view import CheckView
from veridic.web.claim_views import ClaimView
from veridic.web.evidence_views import anchor, search_outcome
from veridic.web.own_names import with_own_names
from veridic.web.triage import task_of

_CITATION_MARK = re.compile(r"\[(\d{1,6})\]")


reader: ContextVar[Actor | None] = ContextVar("reader", default=None)
"""The person whom pages of this request are rendered for; None on a server without accounts."""

allowed: ContextVar[frozenset[Right]] = ContextVar("allowed", default=frozenset(Right))
"""What whoever sent this request may do."""

has_desk: ContextVar[bool] = ContextVar("has_desk", default=True)
"""Whether whoever sent this request has a part in the desk: a shared token has none."""


def render(template: str, **values: Any) -> str:
    """Render a page; strings in `values` are escaped."""
    person = reader.get()
    rights = {f"may_{right.value}": right in allowed.get() for right in Right}
    defaults = {"here": "", "signed_in": False, "reader": person, "has_desk": has_desk.get(), **rights}
    return _environment().get_template(template).render(**(defaults | values))


def who_can_open() -> str:
    """Say who can open a page that needs no more than to be signed in."""
    if reader.get() is not None:
        return "Everybody with an account here can open it, after signing in."
    return "Whoever reaches this server can open it."


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("veridic.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_visible,
    )
    environment.globals["verdict_rank"] = _verdict_rank
    environment.globals["count"] = count
    environment.globals["anchor"] = anchor
    environment.globals["task_of"] = task_of
    environment.globals["symbol"] = symbol
    environment.globals["words"] = desk_words
    environment.globals["who_can_open"] = who_can_open
    environment.globals["web_link"] = web_link
    environment.filters["one_line"] = one_line
    environment.filters["as_typed"] = _as_typed
    environment.filters["timestamp"] = _timestamp
    environment.filters["duration"] = duration
    environment.filters["usage"] = calls_made
    environment.filters["cost"] = cost
    environment.filters["day"] = day
    environment.filters["linked"] = _link_citations
    environment.filters["outcome"] = search_outcome
    environment.filters["window"] = window
    environment.filters["own_name"] = own_name
    environment.filters["with_own_names"] = with_own_names
    return environment


def _make_visible(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _as_typed(text: str) -> Markup:
    """For form fields: escape only, so that what was typed can be sent again unchanged."""
    return escape(text)


def _verdict_rank(view: CheckView, claim: ClaimView) -> int:
    """Return the rank of a claim's verdict on the page, for sorting."""
    return next(rank for rank, share in enumerate(view.findings) if share.sign == claim.sign)


def _timestamp(when: datetime) -> str:
    """Format a time as `16 November 2026, 14:05 UTC`."""
    utc = when.astimezone(UTC)
    return f"{day(utc.date())}, {utc:%H:%M} UTC"


def duration(seconds: float) -> str:
    """Format a duration as `0.4 s`, `12 s` or `2 min 5 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"


def _link_citations(text: str, sources: int) -> Markup:
    """Escape a report's summary and turn its citation marks into links to the sources."""

    def link(mark: re.Match[str]) -> str:
        number = int(mark[1])
        if not 1 <= number <= sources:
            return mark[0]
        return f'<a class="reference" href="#source-{number}" aria-label="Source {number}">[{number}]</a>'

    return Markup(_CITATION_MARK.sub(link, str(escape(visible(text)))))  # noqa: S704 - escaped before
