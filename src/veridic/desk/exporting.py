"""Checks as files: CSV with a row for each claim, and what was published as schema.org ClaimReview."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.lifecycle import CheckStatus
from veridic.desk.records import (
    IMPORTED,
    CheckRecord,
    ClaimRecord,
    Person,
    PublicationRecord,
    Verification,
)
from veridic.reporting.claimreview import RATING_VALUES
from veridic.reporting.escaping import one_line, web_link
from veridic.store.tables import FactCheck

COLUMNS = (
    "check_id",
    "title",
    "check_status",
    "overall_rating",
    "check_priority",
    "due_at",
    "created_at",
    "created_by",
    "assigned_to",
    "completed_at",
    "completed_by",
    "claim_id",
    "claim_text",
    "claim_type",
    "claim_status",
    "rating",
    "method",
    "verified_by",
    "verified_at",
    "time_spent_seconds",
    "notes",
    "supporting_sources",
    "disputing_sources",
    "machine_rating",
    "machine_confidence",
)
"""Of the CSV table; the verdict is the one that leads."""


def next_ids(session: Session, status: CheckStatus | None, after: str, limit: int) -> list[str]:
    """Return the ids of checks in their order, those after `after`."""
    query = select(FactCheck.id).where(FactCheck.id > after).order_by(FactCheck.id).limit(limit)
    if status is not None:
        query = query.where(FactCheck.status == status)
    return list(session.scalars(query))


def csv_rows(check: CheckRecord) -> Iterator[tuple[object, ...]]:
    """Return the rows of a check by `COLUMNS`: one for each claim, or one without a claim if there is none."""
    of_check = (
        check.id,
        check.title,
        check.status.value,
        check.overall_rating,
        check.priority.value,
        _moment(check.due_at),
        _moment(check.created_at),
        _name(check.created_by),
        _name(check.assigned_to),
        _moment(check.completed_at),
        _name(check.completed_by),
    )
    if not check.claims:
        yield (*of_check, *(None for _ in COLUMNS[len(of_check) :]))
    for claim in check.claims:
        yield (*of_check, *_claim_cells(claim))


def claim_reviews(publication: PublicationRecord, url: str) -> list[dict[str, Any]]:
    """Return a ClaimReview for each claim that a published check rates true to false, as it was published at `url`.

    There is none for a retracted check, and none for a verdict that was imported: it is another desk's.
    """
    if publication.kind == "retracted":
        return []
    return [
        _review(publication, claim, f"{url}#claim-{number}")
        for number, claim in enumerate(publication.content["claims"], 1)
        if claim["rating"] in RATING_VALUES and claim["method"] != IMPORTED
    ]


def _claim_cells(claim: ClaimRecord) -> tuple[object, ...]:
    leading, machine = claim.leading, claim.machine
    return (
        claim.id,
        claim.text,
        claim.claim_type,
        claim.status.value,
        leading and leading.rating,
        leading and leading.method,
        leading and _name(leading.verified_by),
        leading and _moment(leading.verified_at),
        leading and leading.time_spent_seconds,
        leading and leading.notes,
        _addresses(leading, supports=True),
        _addresses(leading, supports=False),
        machine and machine.rating,
        machine and machine.confidence,
    )


def _addresses(verification: Verification | None, *, supports: bool) -> str | None:
    sources = verification.sources if verification else ()
    return "\n".join(source.url for source in sources if source.supports_claim is supports) or None


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _name(person: Person | None) -> str | None:
    return person.username if person else None


def _review(publication: PublicationRecord, claim: Mapping[str, Any], url: str) -> dict[str, Any]:
    item: dict[str, Any] = {"@type": "Claim", "text": one_line(claim["text"])}
    if publication.title:
        item["appearance"] = {"@type": "CreativeWork", "name": one_line(publication.title)}
    return {
        "@type": "ClaimReview",
        "url": url,
        "datePublished": publication.notices[0].published_at.date().isoformat(),
        "dateModified": publication.published_at.date().isoformat(),
        "claimReviewed": one_line(claim["text"]),
        "author": _author(claim["verified_by"]),
        "itemReviewed": item,
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": RATING_VALUES[claim["rating"]],
            "bestRating": 5,
            "worstRating": 1,
            "alternateName": claim["rating"].replace("_", " ").capitalize(),
        },
        "reviewBody": one_line(claim["notes"] or ""),
        "citation": [_work(source) for source in claim["sources"]],
    }


def _author(person: str | None) -> dict[str, str]:
    """Return the person who decided the claim, otherwise Veridic."""
    if person:
        return {"@type": "Person", "name": one_line(person)}
    return {"@type": "Organization", "name": "Veridic"}


def _work(source: Mapping[str, Any]) -> dict[str, str]:
    link = web_link(source["url"])
    name = source["title"] or source["domain"] or link or "A source of the desk"
    work = {"@type": "CreativeWork", "name": one_line(name)}
    if link:
        work["url"] = link
    if source["date_published"]:
        work["datePublished"] = source["date_published"]
    return work
