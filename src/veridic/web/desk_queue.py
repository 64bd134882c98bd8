"""The queue of the desk: its views and filters, and assigning a check to oneself."""

from dataclasses import dataclass
from typing import Annotated, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query
from starlette.responses import RedirectResponse, Response

from veridic.api.errors import status_of
from veridic.desk.lifecycle import OPEN, CheckStatus
from veridic.desk.records import QueueItem, QueueView
from veridic.domain.errors import NotFoundError, VeridicError
from veridic.web.desk_context import ContextDep, DeskContext, Version

router = APIRouter(include_in_schema=False)
PATH = "/desk"
CHECKS_PER_PAGE = 50
_VIEWS: tuple[QueueView, ...] = get_args(QueueView)


@dataclass(frozen=True, slots=True)
class QueueAddress:
    """The view and the filters in the page's address."""

    view: QueueView = "all"
    q: str = ""
    status: str = ""
    after: str = ""

    @property
    def is_filtered(self) -> bool:
        return bool(self.q or self.status)

    @property
    def unfiltered(self) -> str:
        return QueueAddress(self.view).address()

    def with_view(self, view: QueueView) -> str:
        """Return the address of another view with the same words; the state is left out, it may not fit there."""
        return QueueAddress(view, self.q).address()

    def address(self, after: str = "") -> str:
        values = {"view": "" if self.view == "all" else self.view, "q": self.q, "status": self.status}
        query = urlencode({name: value for name, value in (values | {"after": after}).items() if value})
        return f"{PATH}?{query}" if query else PATH


@router.get(PATH)
def queue(
    context: ContextDep,
    view: str = "all",
    q: Annotated[str, Query(max_length=200)] = "",
    status: str = "",
    after: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """Show the queue. Filter values that don't exist are ignored."""
    here = QueueAddress(
        view=next((known for known in _VIEWS if known == view), "all"),
        q=q.strip(),
        status=status if status in list(CheckStatus) else "",
        after=after,
    )
    return _queue_page(context, here)


@router.post(f"{PATH}/take")
def take(context: ContextDep, check_id: Annotated[str, Form(max_length=64)], version: Version) -> Response:
    """Assign a check of the queue to oneself; the page of the check follows."""
    try:
        context.desk.take(context.actor, check_id, version)
    except VeridicError as error:
        return _queue_page(context, QueueAddress(), problem=str(error), status=status_of(error))
    return RedirectResponse(f"{PATH}/checks/{check_id}", 303)


def _queue_page(
    context: DeskContext, here: QueueAddress, *, problem: str = "", status: int = 200
) -> Response:
    found = _find(context, here)
    items = found[:CHECKS_PER_PAGE]
    more = len(found) > CHECKS_PER_PAGE
    return context.page(
        "desk_queue.html.j2",
        status=status,
        tab="queue",
        items=items,
        can_take={item.id for item in items if context.can_take(item)},
        queue=here,
        views=[(view, here.with_view(view)) for view in _VIEWS],
        states=[state.value for state in CheckStatus],
        next_page=here.address(after=items[-1].id) if more else None,
        open_states=[state.value for state in OPEN],
        problem=problem,
    )


def _find(context: DeskContext, here: QueueAddress) -> list[QueueItem]:
    status = CheckStatus(here.status) if here.status else None
    try:
        return context.desk.queue(
            context.actor, here.view, here.q, status, CHECKS_PER_PAGE + 1, here.after or None
        )
    except NotFoundError:
        # The last check of the page before was deleted meanwhile: begin again.
        return context.desk.queue(context.actor, here.view, here.q, status, CHECKS_PER_PAGE + 1)
