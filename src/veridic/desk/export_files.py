"""Checks as files: JSON, which a desk can import again, CSV, and ClaimReview of what is published."""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from veridic.desk.desk import Desk
from veridic.desk.exporting import COLUMNS, csv_rows
from veridic.desk.lifecycle import CheckStatus
from veridic.desk.published import Publisher, claim_reviews, public_page
from veridic.desk.records import CheckRecord, PublicationRecord
from veridic.desk.spreadsheet import rows_as_csv
from veridic.domain.errors import NotFoundError
from veridic.domain.modes import ExportFormat
from veridic.domain.people import Actor

_PAGE = 200


def all_ids(desk: Desk, actor: Actor, status: CheckStatus | None = None) -> Iterator[str]:
    """Return the ids of all checks, or of those in a state. The first are read at once, so that an error can still be told."""
    return _following(desk, actor, status, desk.next_ids(actor, status, "", _PAGE))


def export_checks_as(
    export_format: ExportFormat, desk: Desk, actor: Actor, ids: Iterator[str], by: Publisher
) -> Iterator[str]:
    """Yield the content of a file with these checks, piece by piece. As ClaimReview, what is published of them, `by` this desk."""
    match export_format:
        case ExportFormat.JSON:
            return _as_json(_records(desk, actor, ids))
        case ExportFormat.CSV:
            return _as_csv(_records(desk, actor, ids))
        case ExportFormat.CLAIMREVIEW:
            published = (found for check_id in ids if (found := desk.publication(check_id)) is not None)
            return _as_claim_reviews(published, by)


def _following(desk: Desk, actor: Actor, status: CheckStatus | None, page: list[str]) -> Iterator[str]:
    while page:
        yield from page
        page = desk.next_ids(actor, status, page[-1], _PAGE)


def _records(desk: Desk, actor: Actor, ids: Iterator[str]) -> Iterator[CheckRecord]:
    for check_id in ids:
        with suppress(NotFoundError):  # deleted meanwhile
            yield desk.check(actor, check_id)


def _as_csv(checks: Iterator[CheckRecord]) -> Iterator[str]:
    return chain([rows_as_csv([COLUMNS])], (rows_as_csv(csv_rows(check)) for check in checks))


def _as_json(checks: Iterator[CheckRecord]) -> Iterator[str]:
    yield '{"checks": ['
    yield from _separated(check.model_dump_json() for check in checks)
    yield "]}\n"


def _as_claim_reviews(publications: Iterator[PublicationRecord], by: Publisher) -> Iterator[str]:
    yield '{"@context": "https://schema.org", "@graph": ['
    yield from _separated(
        json.dumps(review, ensure_ascii=False)
        for publication in publications
        for review in claim_reviews(public_page(publication), by)
    )
    yield "]}\n"


def _separated(pieces: Iterator[str]) -> Iterator[str]:
    separator = "\n"
    for piece in pieces:
        yield separator + piece
        separator = ",\n"
