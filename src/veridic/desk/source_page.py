"""What a source's page says about itself, so that a person who adds it by its address need not type it."""

from datetime import UTC, datetime, time

from pydantic import ConfigDict, Field

from veridic.config.settings import Settings
from veridic.desk.verifying import domain_of
from veridic.domain.base import Frozen
from veridic.domain.dates import DateField, PartialDate
from veridic.domain.errors import EmptyInputError, TooLargeError, UnsupportedInputError, UsageError
from veridic.domain.evidence import TIER_SCORES, Tier
from veridic.evidence.credibility import Credibility
from veridic.ingest.read import read_document
from veridic.providers.fetch.base import Fetcher

_WEB_SCHEMES = ("http://", "https://")
_MAX_LINE = 500


class SourcePage(Frozen):
    """A source as its page describes it; every field can be corrected before it is used in a verification."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    url: str = Field(description="The final address, after redirects.")
    title: str | None
    domain: str | None
    author: str | None
    date_published: datetime | None = Field(description="If only month or year are known, their first day.")
    published: DateField | None = Field(description="As exact as it is known: 2026, 2026-01 or 2026-01-21.")
    notes: str = Field(description="Why the page was not read; empty if it was.")
    credibility_tier: Tier
    credibility_score: float


def read_source_page(
    url: str, settings: Settings, credibility: Credibility, fetcher: Fetcher | None = None
) -> SourcePage:
    """Fetch a page and return its title, author, date, domain and tier.

    A page that is empty, too large or of a kind that can't be read has a domain and a tier all the same. Raises `UsageError` for
    what is no web address, `ForbiddenAddressError` for one on a private network, and `FetchError`.
    """
    # `read_document` would read anything else as a path on the server.
    if not url.lower().startswith(_WEB_SCHEMES):
        raise UsageError("url should be an address that begins with http:// or https://.")
    try:
        document = read_document(url, settings=settings, fetcher=fetcher)
    except (EmptyInputError, UnsupportedInputError, TooLargeError) as error:
        return _page(url, credibility, notes=str(error))
    return _page(
        document.url or url,
        credibility,
        title=_line(document.title),
        author=_line(document.author),
        published=document.published,
    )


def _page(
    url: str,
    credibility: Credibility,
    *,
    title: str | None = None,
    author: str | None = None,
    published: PartialDate | None = None,
    notes: str = "",
) -> SourcePage:
    domain = domain_of(url)
    tier = credibility.tier(domain)
    return SourcePage(
        url=url,
        title=title,
        domain=domain,
        author=author,
        date_published=datetime.combine(published.first, time.min, tzinfo=UTC) if published else None,
        published=published,
        notes=notes,
        credibility_tier=tier,
        credibility_score=TIER_SCORES[tier],
    )


def _line(text: str | None) -> str | None:
    return " ".join(text.split())[:_MAX_LINE] or None if text else None
