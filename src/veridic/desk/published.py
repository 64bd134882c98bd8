"""What was published of a check, who published it, and its ClaimReview markup. Does no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from veridic.config.settings import Settings
from veridic.desk.records import Notice, PublicationRecord, Rating
from veridic.domain.document import Span
from veridic.reporting.claimreview import RATING_VALUES
from veridic.reporting.escaping import one_line, web_link
from veridic.store.rows import BY_PEOPLE

RATINGS: Mapping[Rating, str] = {
    Rating.TRUE: "True",
    Rating.MOSTLY_TRUE: "Mostly true",
    Rating.MIXED: "Mixed",
    Rating.MOSTLY_FALSE: "Mostly false",
    Rating.FALSE: "False",
    Rating.UNVERIFIABLE: "Unverifiable",
}
_UNTITLED = 90


class _Public(BaseModel):
    """Published content may be older than this version: fields that it doesn't have are empty."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PublicSource(_Public):
    url: str | None = None
    title: str | None = None
    domain: str | None = None
    credibility_tier: str | None = None
    supports_claim: bool | None = None
    excerpt: str | None = None
    date_published: datetime | None = None


class PublicVerdict(_Public):
    rating: str | None = None
    notes: str | None = None
    method: str | None = None
    verified_by: str | None = None
    verified_at: datetime | None = None


class PublicClaim(PublicVerdict):
    text: str
    span: Span | None = None
    sources: tuple[PublicSource, ...] = ()
    machine: PublicVerdict | None = None
    differs: bool = False


class PublicContent(_Public):
    title: str | None = None
    text: str = ""
    overall_rating: str | None = None
    notes: str | None = None
    claims: tuple[PublicClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class Publisher:
    """Who publishes, where, and on which scale."""

    name: str
    url: str
    """Without a slash at the end."""
    ratings: Mapping[str, str]

    def page(self, check_id: str = "") -> str:
        """Return the address of a check's page, or of the list."""
        return f"{self.url}/published/{check_id}".rstrip("/")


def publisher(settings: Settings, request_url: str) -> Publisher:
    """Return the desk as the settings name it; without an address of its own, it is where the request was sent."""
    words = settings.desk_ratings or tuple(RATINGS.values())
    return Publisher(
        name=settings.desk_name,
        url=(settings.desk_url or request_url).rstrip("/"),
        ratings=dict(zip((rating.value for rating in Rating), words, strict=True)),
    )


@dataclass(frozen=True, slots=True)
class PublicPage:
    """A published check as its page shows it."""

    check_id: str
    title: str
    content: PublicContent
    notices: tuple[Notice, ...]
    published_by: str | None

    @property
    def first_published(self) -> datetime:
        return self.notices[0].published_at

    @property
    def updated(self) -> datetime:
        return self.notices[-1].published_at

    @property
    def changes(self) -> tuple[Notice, ...]:
        """Corrections and retractions, newest first."""
        return tuple(reversed(self.notices[1:]))

    @property
    def is_retracted(self) -> bool:
        return self.notices[-1].kind == "retracted"


def public_page(record: PublicationRecord) -> PublicPage:
    content = PublicContent.model_validate(record.content)
    excerpt = one_line(content.text)
    title = record.title or (excerpt if len(excerpt) <= _UNTITLED else f"{excerpt[:_UNTITLED]} …")
    return PublicPage(
        check_id=record.check_id,
        title=one_line(title) or record.check_id,
        content=content,
        notices=record.notices,
        published_by=record.published_by,
    )


def claim_reviews(page: PublicPage, desk: Publisher) -> list[dict[str, Any]]:
    """Return a ClaimReview for each claim on the scale from false to true.

    There is none for a retracted check, and none for a verdict that nobody of this desk stands for: the machine's alone,
    or one that was imported.
    """
    if page.is_retracted:
        return []
    return [
        _review(page, desk, number, claim)
        for number, claim in enumerate(page.content.claims, 1)
        if claim.rating in RATING_VALUES and claim.method in BY_PEOPLE
    ]


def json_ld(reviews: list[dict[str, Any]]) -> dict[str, Any]:
    """Return ClaimReviews as one JSON-LD document."""
    return {"@context": "https://schema.org", "@graph": reviews}


def _review(page: PublicPage, desk: Publisher, number: int, claim: PublicClaim) -> dict[str, Any]:
    rating = claim.rating or ""
    review: dict[str, Any] = {
        "@type": "ClaimReview",
        "url": f"{desk.page(page.check_id)}#claim-{number}",
        "datePublished": page.first_published.date().isoformat(),
        "dateModified": page.updated.date().isoformat(),
        "claimReviewed": one_line(claim.text),
        "author": {"@type": "Organization", "name": one_line(desk.name), "url": desk.url},
        "itemReviewed": {
            "@type": "Claim",
            "text": one_line(claim.text),
            "appearance": {"@type": "CreativeWork", "name": page.title},
        },
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": RATING_VALUES[rating],
            "bestRating": max(RATING_VALUES.values()),
            "worstRating": min(RATING_VALUES.values()),
            "alternateName": desk.ratings[rating],
        },
        "citation": [_work(source) for source in claim.sources if source.title or source.url],
    }
    if claim.notes:
        review["reviewBody"] = one_line(claim.notes)
    return review


def _work(source: PublicSource) -> dict[str, Any]:
    work: dict[str, Any] = {"@type": "CreativeWork", "name": one_line(source.title or source.url or "")}
    if link := web_link(source.url):
        work["url"] = link
    if source.date_published:
        work["datePublished"] = source.date_published.date().isoformat()
    return work
