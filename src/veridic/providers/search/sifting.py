"""Turns an engine's answer into results that match the query's date range, domains and count."""

import math
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from veridic.domain.dates import PartialDate
from veridic.domain.urls import canonical_url
from veridic.providers.search.base import SearchQuery, SearchResult
from veridic.providers.search.words import clean, one_line

_ISO_DATE = re.compile(r"(\d{4}(?:-\d{2}(?:-\d{2})?)?)(?:[T ].*)?", re.DOTALL)
_LONGEST_DATE = 60
_LONGEST_URL = 2_000
_LONGEST_LINE = 500
_LONGEST_TEXT = 50_000
_LONGEST_HIGHLIGHT = 2_000
_MOST_HIGHLIGHTS = 10


class Row(NamedTuple):
    """One result as the engine returned it; every field may have any type."""

    title: Any
    url: Any
    published: Any = None
    text: Any = None
    highlights: Any = ()
    score: Any = None
    author: Any = None


class UnreadableResultsError(Exception):
    """The response is not a search answer; the message, which may be empty, is the reason."""


def sift(
    rows: Sequence[Row], query: SearchQuery, provider: str, *, range_applied: bool, today: date
) -> tuple[SearchResult, ...]:
    """Return the results within the query's date range, domains and count. Raises `UnreadableResultsError` if no row is usable.

    `range_applied`: the engine filtered by the date range, so undated results are within it.
    """
    read = [result for row in rows if (result := _read(row, provider)) is not None]
    if rows and not read:
        raise UnreadableResultsError("none of the results has a web address")
    kept = (
        result
        for result in _unique(read)
        if fits_domains(result.domain, query)
        and fits_date_range(result.published, query, range_applied=range_applied, today=today)
    )
    return tuple(kept)[: query.count]


def read_date(value: object) -> PartialDate | None:
    """Parse a date as engines write it (ISO 8601 or RFC 5322); None for anything else."""
    if not isinstance(value, str) or len(value) > _LONGEST_DATE:
        return None
    try:
        if match := _ISO_DATE.fullmatch(value.strip()):
            return PartialDate.parse(match[1])
        return PartialDate.of(parsedate_to_datetime(value).date())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def is_within(host: str, domains: Collection[str]) -> bool:
    """Whether a host is one of the domains or a subdomain of one."""
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def fits_domains(host: str, query: SearchQuery) -> bool:
    if is_within(host, query.exclude_domains):
        return False
    return not query.include_domains or is_within(host, query.include_domains)


def _read(row: Row, provider: str) -> SearchResult | None:
    domain = _domain(row.url)
    if domain is None:
        return None
    title = _line(row.title)
    return SearchResult(
        title=title or domain,
        url=row.url.strip(),
        domain=domain,
        published=read_date(row.published),
        author=_line(row.author) or None,
        text=clean(row.text[:_LONGEST_TEXT]).strip() if isinstance(row.text, str) else "",
        highlights=_highlights(row.highlights),
        score=_score(row.score),
        provider=provider,
    )


def _line(value: object) -> str:
    return one_line(value)[:_LONGEST_LINE] if isinstance(value, str) else ""


def _domain(url: object) -> str | None:
    """Return the host of a web address that can be shown as a link; None for anything else."""
    if not isinstance(url, str) or len(url) > _LONGEST_URL:
        return None
    url = url.strip()
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
        return None
    if not url.isprintable() or " " in url or "\\" in url:
        return None
    return host.rstrip(".").removeprefix("www.") or None


def _highlights(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        return ()
    lines = (
        one_line(item[:_LONGEST_HIGHLIGHT]) for item in value[:_MOST_HIGHLIGHTS] if isinstance(item, str)
    )
    return tuple(dict.fromkeys(line for line in lines if line))


def _score(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        score = float(value)
    except OverflowError:
        return None
    return score if math.isfinite(score) else None


def _unique(results: Iterable[SearchResult]) -> Iterable[SearchResult]:
    seen: set[str] = set()
    for result in results:
        address = canonical_url(result.url)
        if address not in seen:
            seen.add(address)
            yield result


def fits_date_range(
    published: PartialDate | None, query: SearchQuery, *, range_applied: bool, today: date
) -> bool:
    """Whether a result of this date is within the query's date range, as far as we know; see `sift`."""
    first = query.published_from or date.min
    last = query.published_to or today
    if published is not None:
        if published.first > last or published.last < first:
            return False
        if first <= published.first and published.last <= last:
            return True
    # No date, or one that isn't precise enough. What exists today was not published after today.
    could_fit = query.published_from is None or (published is not None and published.first >= first)
    return range_applied or (could_fit and last >= today)
