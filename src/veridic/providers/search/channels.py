"""The four channels that a claim is searched on, as data, and the query of each for a claim."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from veridic.config.settings import SearchDepth, Settings
from veridic.domain.base import Frozen
from veridic.domain.evidence import Channel
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.words import cut, one_line

_CURRENT_DATE = re.compile(r"\s*\(current date: [^()]*\)")
_TWO_YEARS = 365 * 2
_MOST_WORDS = 40
_MOST_CHARACTERS = 300
"""Of a claim in a query: engines take no more than 50 words and 300 to 400 characters."""


class ChannelPlan(Frozen):
    """How one channel is searched."""

    channel: Channel
    count: int
    days_back: int | None
    """None: no limit."""
    domains: tuple[str, ...] = ()
    """Only these, or the whole web."""
    phrase: str = ""
    """Follows the claim in the query, to lead to this kind of source."""


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
        days_back=_TWO_YEARS,
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
        days_back=_TWO_YEARS,
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
    """The channels with the counts and ranges of the `EXA_*` settings, which hold for every provider."""
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
    """One query a channel, as `written` or else in the claim's own words; none for a claim that has no words.

    No range reaches past `as_of`, which also stands in every query as the current date.
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
    """The query as it is sent: "current" and "recent" in it mean as of that day."""
    return f"{query} (current date: {as_of.isoformat()})"


def _as_query(text: str) -> str:
    """On one line and short enough for every engine; empty where there is no word in it."""
    # A model that was told of the date may have added it too.
    line = _CURRENT_DATE.sub("", one_line(text)).rstrip(" .!?…")
    return cut(line, _MOST_CHARACTERS, _MOST_WORDS) if any(map(str.isalnum, line)) else ""


def _days_before(as_of: date, days: int | None) -> date | None:
    if days is None:
        return None
    return as_of - timedelta(days=min(days, (as_of - date.min).days))
