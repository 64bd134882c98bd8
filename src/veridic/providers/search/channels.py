"""The four search channels, and the search queries for a claim."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from veridic.config.settings import SearchDepth, Settings
from veridic.domain.base import Frozen
from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.words import cut, one_line

_CURRENT_DATE = re.compile(r"\s*\(current date: [^()]*\)")
_TWO_YEARS_IN_DAYS = 365 * 2
_MAX_WORDS = 40
_MAX_CHARACTERS = 300
"""Of a claim in a query: engines take no more than 50 words and 300 to 400 characters."""


class ChannelPlan(Frozen):
    """How to search one channel."""

    channel: Channel
    count: int
    days_back: int | None
    """None for no limit."""
    domains: tuple[str, ...] = ()
    """Search only these; empty for the whole web."""
    phrase: str = ""
    """Added to the claim in the query, to find this kind of source."""


CHANNELS: tuple[ChannelPlan, ...] = (
    ChannelPlan(
        channel=Channel.NEWS,
        count=5,
        days_back=30,
        domains=(
            "reuters.com",
            "apnews.com",
            "bbc.com",
            "nytimes.com",
            "washingtonpost.com",
            "wsj.com",
            "npr.org",
            "politico.com",
            "bloomberg.com",
            "economist.com",
            "ft.com",
            "theguardian.com",
        ),
        phrase="latest news",
    ),
    ChannelPlan(
        channel=Channel.RESEARCH,
        count=10,
        days_back=_TWO_YEARS_IN_DAYS,
        domains=(
            "nature.com",
            "science.org",
            "sciencedirect.com",
            "pubmed.ncbi.nlm.nih.gov",
            "pmc.ncbi.nlm.nih.gov",
            "arxiv.org",
            "nejm.org",
            "thelancet.com",
            "bmj.com",
        ),
        phrase="study findings",
    ),
    ChannelPlan(
        channel=Channel.GENERAL,
        count=5,
        days_back=_TWO_YEARS_IN_DAYS,
        domains=(
            "wikipedia.org",
            "britannica.com",
            "brookings.edu",
            "rand.org",
            "pewresearch.org",
            "cfr.org",
            "csis.org",
            "factcheck.org",
            "politifact.com",
            "snopes.com",
            "apnews.com",
            "reuters.com",
        ),
        phrase="fact check",
    ),
    ChannelPlan(channel=Channel.HISTORICAL, count=5, days_back=None, phrase="historical precedent"),
)


def channels_for(settings: Settings) -> tuple[ChannelPlan, ...]:
    """Return the channels with the counts and ranges of the `EXA_*` settings, which apply to every provider."""
    changes: dict[Channel, dict[str, int | None]] = {
        Channel.NEWS: {"count": settings.exa_num_results_news, "days_back": settings.exa_days_back_news},
        Channel.RESEARCH: {"count": settings.exa_num_results_research},
        Channel.GENERAL: {"count": settings.exa_num_results_general},
        Channel.HISTORICAL: {
            "count": settings.exa_num_results_historical,
            "days_back": settings.exa_days_back_historical,
        },
    }
    searched = (Channel.GENERAL,) if settings.exa_search_depth is SearchDepth.BASIC else tuple(Channel)
    return tuple(
        plan.model_copy(update=changes[plan.channel]) for plan in CHANNELS if plan.channel in searched
    )


def queries_for(
    claim_text: str,
    as_of: date,
    channels: Sequence[ChannelPlan] = CHANNELS,
    written: Mapping[Channel, str] | None = None,
) -> tuple[SearchQuery, ...]:
    """Return one query per channel, from `written` or else in the claim's own words; none for a claim without words.

    No date range extends past `as_of`, and every query contains it as the current date.
    """
    claim = _as_query(claim_text)
    if not claim:
        return ()
    wordings = {channel: _as_query(text) for channel, text in (written or {}).items()}
    return tuple(
        SearchQuery(
            query=with_current_date(wordings.get(plan.channel) or f"{claim} {plan.phrase}".rstrip(), as_of),
            claim=claim,
            channel=plan.channel,
            published_from=_days_before(as_of, plan.days_back),
            published_to=as_of,
            include_domains=plan.domains,
            count=plan.count,
        )
        for plan in channels
    )


def with_current_date(query: str, as_of: date) -> str:
    """Add the current date to a query, so that "current" and "recent" refer to that day."""
    return f"{query} (current date: {as_of.isoformat()})"


def _as_query(text: str) -> str:
    """Make a text fit for every engine: one line, short; empty if it has no word."""
    # A model that knows the date may have added it already.
    line = _CURRENT_DATE.sub("", one_line(text)).rstrip(" .!?…")
    return cut(line, _MAX_CHARACTERS, _MAX_WORDS) if any(map(str.isalnum, line)) else ""


def _days_before(as_of: date, days: int | None) -> date | None:
    if days is None:
        return None
    return as_of - timedelta(days=min(days, (as_of - date.min).days))
