"""The audit trail of the whole desk, for admins."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from veridic.web.desk_context import ContextDep
from veridic.web.desk_history import trail_of

router = APIRouter(include_in_schema=False)
PATH = "/desk/audit"
CHANGES_PER_PAGE = 100


@router.get(PATH)
def trail(context: ContextDep, before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None) -> Response:
    """Show changes, newest first; `before` is the last of the page before."""
    found = context.desk.audit(context.actor, before_id=before, limit=CHANGES_PER_PAGE + 1)
    entries = found[:CHANGES_PER_PAGE]
    people = {person.id: person.display_name or person.username for person in context.accounts.people()}
    return context.page(
        "desk_audit.html.j2",
        tab="audit",
        lines=trail_of(entries, people),
        newest=before is None,
        next_page=f"{PATH}?before={entries[-1].id}" if len(found) > CHANGES_PER_PAGE else None,
    )
