"""Routes of the desk's records as files: statistics, export, import, the audit trail."""

import json
from collections.abc import Iterator
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
from veridic.desk.export_files import all_ids, export_checks_as
from veridic.desk.importing import Imported
from veridic.desk.lifecycle import CheckStatus
from veridic.desk.published import publisher
from veridic.desk.spreadsheet import rows_as_csv
from veridic.desk.statistics import Statistics, to_csv
from veridic.domain.modes import ExportFormat
from veridic.domain.people import Actor
from veridic.store.audit import AuditEntry

router = APIRouter()
_PAGE = 200
_CSV, _JSON, _LD_JSON, _LINES = "text/csv", "application/json", "application/ld+json", "application/x-ndjson"
_MAX_NUMBER = 2**31 - 1


class TableFormat(StrEnum):
    JSON = "json"
    CSV = "csv"


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
    ids = all_ids(desk, actor, status)
    return _exported(ids, desk, actor, request, export_format, "checks")


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
    summary="Import checks",
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
async def import_checks(request: Request, desk: DeskDep, actor: ActorDep) -> Imported:
    """Saves checks of other desks; nothing that is here is changed.

    Takes what `GET .../export` gives as JSON: its checks get new numbers, and their verdicts count as another desk's. Or takes
    schema.org ClaimReview (one, a list, a `@graph`, or a feed such as the Data Commons one; up to 1,000 at once), as earlier checks
    that `GET .../similar` finds. What can't be read is skipped, each with its reason, and so is what was imported before.
    """
    return await run_in_threadpool(desk.import_data, actor, parse_json(await request.body()))


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
    by = publisher(request.app.state.settings, str(request.base_url))
    return _file(export_checks_as(export_format, desk, actor, ids, by), kind, f"{name}.{extension}")


def _file(content: Iterator[str], kind: str, name: str) -> Response:
    return StreamingResponse(
        (piece.encode("utf-8", "replace") for piece in content),
        headers={
            "Content-Type": f"{kind}; charset=utf-8" if kind == _CSV else kind,
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )
