"""Routes of the desk's records as files: statistics, export, import, the audit trail."""

import json
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from itertools import chain
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from veridic.api.bodies import parse_json
from veridic.api.dependencies import ActorDep, DeskDep, allow_start, json_only
from veridic.api.openapi import CheckId, desk_errors, file_response
from veridic.desk.desk import Desk
from veridic.desk.exporting import COLUMNS, csv_rows
from veridic.desk.importing import Imported
from veridic.desk.lifecycle import CheckStatus
from veridic.desk.published import Publisher, claim_reviews, public_page, publisher
from veridic.desk.records import CheckRecord, PublicationRecord
from veridic.desk.spreadsheet import rows_as_csv
from veridic.desk.statistics import Statistics, to_csv
from veridic.domain.errors import NotFoundError
from veridic.domain.people import Actor
from veridic.store.audit import AuditEntry

router = APIRouter()
_PAGE = 200
_CSV, _JSON, _LD_JSON, _LINES = "text/csv", "application/json", "application/ld+json", "application/x-ndjson"
_MAX_NUMBER = 2**31 - 1


class TableFormat(StrEnum):
    JSON = "json"
    CSV = "csv"


class ExportFormat(StrEnum):
    JSON = "json"
    CSV = "csv"
    CLAIMREVIEW = "claimreview"


_EXPORT_FILES = {
    ExportFormat.JSON: ("json", _JSON),
    ExportFormat.CSV: ("csv", _CSV),
    ExportFormat.CLAIMREVIEW: ("claimreview.json", _LD_JSON),
}


class AuditPage(BaseModel):
    """Changes, newest first."""

    entries: list[AuditEntry]
    next_cursor: int | None = Field(
        description="Pass it as `cursor` to get the next page; null on the last page."
    )


_Limit = Annotated[int, Query(ge=1, le=1_000)]
_Cursor = Annotated[int | None, Query(ge=1, le=_MAX_NUMBER, description="`next_cursor` of the page before.")]
_Format = Annotated[ExportFormat, Query(alias="format")]


@router.get(
    "/statistics",
    summary="Show the desk in numbers",
    response_model=Statistics,
    responses=desk_errors(400)
    | {200: {"content": {_CSV: {"schema": {"type": "string"}}}, "description": "As JSON or CSV."}},
)
def show_statistics(
    desk: DeskDep,
    actor: ActorDep,
    table_format: Annotated[TableFormat, Query(alias="format")] = TableFormat.JSON,
) -> Statistics | Response:
    """Counts checks and claims, the time that people and the machine take, sources by tier, how often the machine and people
    agree, and the load of each person."""
    statistics = desk.statistics(actor)
    if table_format is TableFormat.JSON:
        return statistics
    return _file(iter([to_csv(statistics)]), _CSV, "statistics.csv")


@router.get(
    "/export",
    summary="Export all checks",
    response_class=StreamingResponse,
    responses=file_response(kind for _, kind in _EXPORT_FILES.values()) | desk_errors(400),
)
def export_checks(
    request: Request,
    desk: DeskDep,
    actor: ActorDep,
    export_format: _Format = ExportFormat.JSON,
    status: Annotated[CheckStatus | None, Query(description="Only checks in this state.")] = None,
) -> Response:
    """Exports checks with their claims and verdicts: JSON as `GET .../checks/{check_id}` has them, a CSV row for each claim, or
    a ClaimReview for each claim that this desk has rated and published."""
    # The first page is read before the response begins, so that an error can still be answered.
    first = desk.next_ids(actor, status, "", _PAGE)
    return _exported(_all_ids(desk, actor, status, first), desk, actor, request, export_format, "checks")


@router.get(
    "/checks/{check_id}/export",
    summary="Export a check",
    response_class=StreamingResponse,
    responses=file_response(kind for _, kind in _EXPORT_FILES.values()) | desk_errors(400, 404),
)
def export_check(
    check_id: CheckId,
    request: Request,
    desk: DeskDep,
    actor: ActorDep,
    export_format: _Format = ExportFormat.JSON,
) -> Response:
    """Exports one check in the same formats; as ClaimReview what is published of it."""
    check = desk.check(actor, check_id)
    return _exported(iter([check.id]), desk, actor, request, export_format, check.id)


@router.post(
    "/import",
    summary="Import ClaimReviews",
    dependencies=[Depends(json_only), Depends(allow_start)],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                _JSON: {"schema": {"type": ["object", "array"]}},
                _LD_JSON: {"schema": {"type": ["object", "array"]}},
            },
        }
    },
    responses=desk_errors(400, 413, 415, 429),
)
async def import_reviews(request: Request, desk: DeskDep, actor: ActorDep) -> Imported:
    """Saves other desks' verdicts as earlier checks, so that `GET .../similar` finds them.

    Takes schema.org ClaimReview: one, a list, a `@graph`, or a feed such as the Data Commons one; up to 1,000 at once. Reviews
    without a page, a claim or a rating that can be read are skipped, each with its reason, and so is what was imported before.
    """
    return await run_in_threadpool(desk.import_reviews, actor, parse_json(await request.body()))


@router.get("/checks/{check_id}/audit", summary="Show the changes of a check", responses=desk_errors(400))
def show_check_audit(
    check_id: CheckId, desk: DeskDep, actor: ActorDep, limit: _Limit = 200, cursor: _Cursor = None
) -> AuditPage:
    """Lists who changed what of a check, and when; for editors. A deleted check still has its entries."""
    return _audit_page(desk.audit(actor, check_id, cursor, limit + 1), limit)


@router.get("/audit", summary="Show the audit trail", responses=desk_errors(400))
def show_audit(desk: DeskDep, actor: ActorDep, limit: _Limit = 200, cursor: _Cursor = None) -> AuditPage:
    """Lists every change at the desk and of accounts; for admins. The database refuses to change or delete an entry."""
    return _audit_page(desk.audit(actor, None, cursor, limit + 1), limit)


@router.get(
    "/audit/export",
    summary="Export the audit trail",
    response_class=StreamingResponse,
    responses=file_response((_LINES, _CSV)) | desk_errors(400),
)
def export_audit(
    desk: DeskDep,
    actor: ActorDep,
    table_format: Annotated[
        TableFormat, Query(alias="format", description="`json` has one object on each line.")
    ] = TableFormat.JSON,
) -> Response:
    """Exports the whole audit trail, newest first; for admins."""
    entries = _audit_entries(desk, actor, desk.audit(actor, limit=_PAGE))
    if table_format is TableFormat.JSON:
        return _file((f"{entry.model_dump_json()}\n" for entry in entries), _LINES, "audit.ndjson")
    header = rows_as_csv([tuple(AuditEntry.model_fields)])
    rows = (rows_as_csv([_audit_cells(entry)]) for entry in entries)
    return _file(chain([header], rows), _CSV, "audit.csv")


def _all_ids(desk: Desk, actor: Actor, status: CheckStatus | None, page: list[str]) -> Iterator[str]:
    while page:
        yield from page
        page = desk.next_ids(actor, status, page[-1], _PAGE)


def _audit_entries(desk: Desk, actor: Actor, page: list[AuditEntry]) -> Iterator[AuditEntry]:
    while page:
        yield from page
        page = desk.audit(actor, before_id=page[-1].id, limit=_PAGE)


def _audit_page(entries: list[AuditEntry], limit: int) -> AuditPage:
    has_more = len(entries) > limit
    return AuditPage(entries=entries[:limit], next_cursor=entries[limit - 1].id if has_more else None)


def _audit_cells(entry: AuditEntry) -> tuple[object, ...]:
    values = entry.model_dump(mode="json")
    return tuple(
        json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
        for value in values.values()
    )


def _exported(
    ids: Iterator[str], desk: Desk, actor: Actor, request: Request, export_format: ExportFormat, name: str
) -> Response:
    extension, kind = _EXPORT_FILES[export_format]
    if export_format is ExportFormat.CLAIMREVIEW:
        published = (found for check_id in ids if (found := desk.publication(check_id)) is not None)
        by = publisher(request.app.state.settings, str(request.base_url))
        written = _as_claim_reviews(published, by)
    else:
        written = _WRITERS[export_format](_records(desk, actor, ids))
    return _file(written, kind, f"{name}.{extension}")


def _records(desk: Desk, actor: Actor, ids: Iterator[str]) -> Iterator[CheckRecord]:
    for check_id in ids:
        with suppress(NotFoundError):  # deleted meanwhile
            yield desk.check(actor, check_id)


def _as_csv(checks: Iterator[CheckRecord]) -> Iterator[str]:
    yield rows_as_csv([COLUMNS])
    for check in checks:
        yield rows_as_csv(csv_rows(check))


def _as_json(checks: Iterator[CheckRecord]) -> Iterator[str]:
    yield '{"checks": ['
    yield from _separated(check.model_dump_json() for check in checks)
    yield "]}\n"


_WRITERS = {ExportFormat.CSV: _as_csv, ExportFormat.JSON: _as_json}


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


def _file(content: Iterator[str], kind: str, name: str) -> Response:
    return StreamingResponse(
        (piece.encode("utf-8", "replace") for piece in content),
        headers={
            "Content-Type": f"{kind}; charset=utf-8" if kind == _CSV else kind,
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )
