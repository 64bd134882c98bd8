"""The interface of search providers: the query, the results, and list prices."""

from datetime import date
from typing import NamedTuple, Protocol, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from veridic.domain.base import Frozen
from veridic.domain.dates import DateField
from veridic.domain.evidence import Channel, Found, Passage
from veridic.domain.urls import canonical_url

MAX_RESULTS = 100


class SearchQuery(Frozen):
    query: str = Field(min_length=1)
    """The search words, the current date included."""
    claim: str = ""
    """The claim's words alone, for engines that match words and not meaning; may be empty."""
    channel: Channel = Channel.GENERAL
    published_from: date | None = None
    published_to: date | None = None
    """The last day, included; today by default."""
    include_domains: tuple[str, ...] = ()
    """Only these domains and their subdomains; empty for all."""
    exclude_domains: tuple[str, ...] = ()
    count: int = Field(default=5, gt=0, le=MAX_RESULTS)
    """The maximum number of results."""

    @field_validator("include_domains", "exclude_domains")
    @classmethod
    def _to_lower_case(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(domain.lower().strip(".") for domain in domains)

    @model_validator(mode="after")
    def _check_date_range(self) -> Self:
        if self.published_from and self.published_to and self.published_from > self.published_to:
            raise ValueError("the first day comes after the last")
        return self


class SearchResult(Frozen):
    """A page that was found. Its text comes from outside; only control characters are removed."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    title: str
    url: str
    """Always http or https, without credentials; empty for a corpus document that isn't on the web."""
    domain: str
    """The host without `www.`; empty if there is none."""
    published: DateField | None = None
    author: str | None = None
    text: str = ""
    """The page's text, whole or its beginning; empty if the provider returns only `highlights`."""
    highlights: tuple[str, ...] = ()
    """Excerpts of the page that match the query, word for word, best first."""
    score: float | None = None
    """The provider's own score, comparable within one answer; None if it has none."""
    provider: str
    passages: tuple[Found, ...] = ()
    """Passages found by a corpus, best first; `text` is empty then."""
    rest: tuple[Passage, ...] = ()
    """The document's other passages, if it is short."""

    @property
    def location(self) -> str:
        """Identifies the source: two results with the same location are the same."""
        return self.passages[0].passage.source.location if self.passages else canonical_url(self.url)


class SearchAnswer(NamedTuple):
    """The results of a search, and the cost that the provider reports."""

    results: tuple[SearchResult, ...] = ()
    billed_usd: float | None = None
    """None if the provider doesn't report it; the list price applies then."""


class SearchProvider(Protocol):
    """Searches the web or a corpus.

    Results come best first, each address once, within the query's date range, domains and count, whether or not the
    provider can filter by them. A result whose date can't be confirmed is dropped, unless the provider filtered by
    the date range itself or the query has none (a search up to today has none). A database's own records, such as those of
    Crossref, are within the domains unless these are excluded. A provider finds nothing on a channel that it doesn't serve.
    """

    @property
    def name(self) -> str:
        """`exa`, `wikipedia`, ... as in `VERIDIC_SEARCH`; or the name of a corpus."""
        ...

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """Return the results, which may be empty.

        Raises `SearchAccessError` if the provider's key or plan must be fixed before it can be used again, and another
        `SearchError` with the provider's reason if it returned no usable results.
        """
        ...


_USD_PER_REQUEST = {
    "exa": 0.0025,  # 0.010 for four searches (seed 001)
    "tavily": 0.008,  # one credit, pay as you go
    "brave": 0.005,
}


def search_price(provider: str) -> float:
    """Return US dollars for one request; 0 for free providers and for a corpus."""
    return _USD_PER_REQUEST.get(provider, 0.0)
