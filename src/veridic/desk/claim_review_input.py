"""Reads other desks' published verdicts from schema.org ClaimReview. Does no I/O."""

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time
from typing import Any

from pydantic import ValidationError

from veridic.desk.records import Rating, Text, Url
from veridic.domain.base import Frozen
from veridic.domain.dates import PartialDate
from veridic.domain.errors import UsageError
from veridic.reporting.claimreview import RATING_VALUES
from veridic.reporting.escaping import web_link
from veridic.store.columns import storable

MAX_REVIEWS = 1_000
_MAX_DEPTH = 4
"""How deep reviews may lie in lists, graphs and feeds."""
_BY_VALUE = {value: Rating(word) for word, value in RATING_VALUES.items()}
_MAX_NOTES = 20_000


class EarlierVerdict(Frozen):
    """What a ClaimReview says, as far as the desk uses it."""

    claim: Text
    rating: Rating
    label: str
    """The other desk's own word for the rating."""
    url: Url
    """The page of the review."""
    author: str | None
    published: datetime | None
    notes: str


class Skipped(Frozen):
    """A review that was not imported."""

    claim: str | None
    reason: str


def read_reviews(data: object) -> tuple[list[EarlierVerdict], list[Skipped]]:
    """Return the verdicts in JSON-LD: a ClaimReview, a list or `@graph` of them, or a feed (`dataFeedElement`, `item`).

    Raises `UsageError` if there is no ClaimReview in it, or if there are too many.
    """
    verdicts: list[EarlierVerdict] = []
    skipped: list[Skipped] = []
    for number, review in enumerate(_reviews(data, _MAX_DEPTH)):
        if number == MAX_REVIEWS:
            raise UsageError(
                f"More than {MAX_REVIEWS:,} reviews can't be imported at once; send them in parts."
            )
        try:
            verdicts.append(_verdict(review))
        except ValueError as error:
            skipped.append(Skipped(claim=_text(review.get("claimReviewed"), 200), reason=_reason(error)))
    if not verdicts and not skipped:
        raise UsageError('There is no ClaimReview in it: none of its objects has "@type": "ClaimReview".')
    return verdicts, skipped


def _reviews(data: object, depth: int) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, list):
        for item in data if depth else ():
            yield from _reviews(item, depth - 1)
    elif isinstance(data, dict):
        kind = data.get("@type")
        if "ClaimReview" in (kind if isinstance(kind, list) else [kind]):
            yield data
            return
        for name in ("@graph", "dataFeedElement", "item"):
            if depth and name in data:
                yield from _reviews(data[name], depth - 1)


def _verdict(review: Mapping[str, Any]) -> EarlierVerdict:
    rating = _first(review.get("reviewRating"))
    author = _first(review.get("author"))
    return EarlierVerdict(
        claim=_text(review.get("claimReviewed"), None) or "",
        rating=_rating(rating),
        label=_text(rating.get("alternateName"), 200) or "",
        url=_page_of(review),
        author=_text(author.get("name"), 200),
        published=_published(review.get("datePublished")),
        notes=_text(review.get("reviewBody"), _MAX_NOTES) or "",
    )


def _page_of(review: Mapping[str, Any]) -> str:
    url = review.get("url")
    if not isinstance(url, str) or web_link(url) is None:
        raise ValueError("It has no url of the page that it was published on.")
    return url


def _rating(rating: Mapping[str, Any]) -> Rating:
    """Return the rating by its number on the other desk's own scale, otherwise by its word if it is one of ours."""
    numbers = [_number(rating.get(name)) for name in ("ratingValue", "worstRating", "bestRating")]
    value, worst, best = numbers
    if (
        value is not None
        and worst is not None
        and best is not None
        and worst <= value <= best
        and worst < best
    ):
        return _BY_VALUE[math.floor(1 + 4 * (value - worst) / (best - worst) + 0.5)]
    label = rating.get("alternateName")
    word = label.strip().casefold().replace(" ", "_") if isinstance(label, str) else ""
    if word in list(Rating):
        return Rating(word)
    said = f" ({_text(label, 60)})" if word else ""
    raise ValueError(
        f"Its rating{said} can't be read: it has no ratingValue between worstRating and bestRating, "
        "and its alternateName is none of true, mostly true, mixed, mostly false, false, unverifiable."
    )


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _published(value: object) -> datetime | None:
    try:
        day = PartialDate.parse(value).first if isinstance(value, str) else None
    except ValueError:
        return None
    return datetime.combine(day, time.min, tzinfo=UTC) if day and day.year > 1 else None


def _first(value: object) -> Mapping[str, Any]:
    """Return an object, or the first of several; an empty one for anything else."""
    found = value[0] if isinstance(value, list) and value else value
    return found if isinstance(found, dict) else {}


def _text(value: object, limit: int | None) -> str | None:
    return storable(" ".join(value.split()))[:limit] or None if isinstance(value, str) else None


def _reason(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        field = "claimReviewed" if first["loc"][:1] == ("claim",) else first["loc"][0]
        return f"{field}: {first['msg']}."
    return str(error)
