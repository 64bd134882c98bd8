"""The desk in numbers: charts, and the same figures as CSV."""

import csv
import io
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from veridic.desk.statistics import to_csv
from veridic.web.desk_charts import calibration_points, charts_of
from veridic.web.desk_context import ContextDep

router = APIRouter(include_in_schema=False)
PATH = "/desk/statistics"


@router.get(PATH)
def statistics(context: ContextDep) -> Response:
    collected = context.desk.statistics(context.actor)
    return context.page(
        "desk_statistics.html.j2",
        tab="statistics",
        charts=charts_of(collected, context.desk.claim_types()),
        agreement=collected.agreement,
        points=calibration_points(collected.agreement),
    )


@router.get(f"{PATH}.csv")
def table(context: ContextDep, section: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Return the statistics as CSV, all or those of one section."""
    text = to_csv(context.desk.statistics(context.actor))
    if section:
        text = _only(text, section)
    name = f"desk-{section if section.isidentifier() else 'statistics'}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def _only(table: str, section: str) -> str:
    rows = list(csv.reader(io.StringIO(table)))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([rows[0], *(row for row in rows[1:] if row[0] == section)])
    return out.getvalue()
