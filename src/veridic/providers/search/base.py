"""What a search asks, what it finds, and what every search provider promises."""

from datetime import date
from typing import NamedTuple, Protocol, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from veridic.domain.base import Frozen
from veridic.domain.dates import DateField
from veridic.domain.evidence import Channel, Found, Passage
from veridic.domain.urls import canonical_url

MOST_RESULTS = 100


class SearchQuery(Frozen):
    query: str = Field(min_length=1)
    """What is asked for, in words, the current date included."""
    claim: str = ""
    """The claim's words alone, for engines that match words and not meaning; empty where there are none apart."""
    channel: Channel = Channel.GENERAL
    published_from: date | None = None
    published_to: date | None = None
    """The last day that counts. Without one it is today: nothing comes from the future."""
    include_domains: tuple[str, ...] = ()
    """Only these and their subdomains; all, where none is named."""
    exclude_domains: tuple[str, ...] = ()
    count: int = Field(default=5, gt=0, le=MOST_RESULTS)
    """At most so many results."""

    @field_validator("include_domains", "exclude_domains")
    @classmethod
    def _in_lower_case(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(domain.lower().strip(".") for domain in domains)

    @model_validator(mode="after")
    def _must_be_a_range(self) -> Self:
        if self.published_from and self.published_to and self.published_from > self.published_to:
            raise ValueError("the first day comes after the last")
        return self


class SearchResult(Frozen):
    """A page that was found. Its text is data from outside: cleaned of control characters, and no more."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    title: str
    url: str
    """Always http or https, with no login in it; empty for a document of a corpus that stands on no page."""
    domain: str
    """The host, without `www.`; empty where there is none."""
    published: DateField | None = None
    author: str | None = None
    text: str = ""
    """What the page says, whole or its beginning; empty where the provider gives only `highlights`."""
    highlights: tuple[str, ...] = ()
    """Pieces of the page that speak about the query, word for word, best first."""
    score: float | None = None
    """The provider's own measure, comparable within one answer; None where it has none."""
    provider: str
    passages: tuple[Found, ...] = ()
    """What a corpus found in it, best first and ready to be read; there is no `text` then."""
    rest: tuple[Passage, ...] = ()
    """What else stands in it, where it is short."""

    @property
    def location(self) -> str:
        """What identifies the source: two results of one location are the same."""
        return self.passages[0].passage.source.location if self.passages else canonical_url(self.url)


class SearchAnswer(NamedTuple):
    """What a search brought, and what its provider says it cost."""

    results: tuple[SearchResult, ...] = ()
    billed_usd: float | None = None
    """None where the provider does not say: then its price list counts."""


class SearchProvider(Protocol):
    """Somebody who searches: the web, or a corpus.

    Results come best first, each address once, within the query's days, domains and count, whether or not the
    provider can filter by them itself. A result that can't be shown to lie within the days is left out, unless the
    provider was asked for these days and found it there, or no days were asked for (a search up to today has none).
    """

    @property
    def name(self) -> str:
        """`exa`, `wikipedia`, ...: as `VERIDIC_SEARCH` names it; a corpus by its own name."""
        ...

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """What was found, which may be nothing.

        Raises `SearchAccessError` where it is no use to ask this provider again before its key or its plan is
        mended, and another `SearchError`, with the provider's reason, where it gave no results to be used.
        """
        ...
