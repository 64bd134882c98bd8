"""Checks as files: what the desk gives out, and taking in what others gave out."""

import json

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import Response

from veridic.desk.importing import Imported
from veridic.desk.lifecycle import require_right
from veridic.domain.errors import UsageError
from veridic.domain.people import Right
from veridic.web.desk_context import REFUSALS, ContextDep, DeskContext, answer_to

router = APIRouter(include_in_schema=False)
PATH = "/desk/files"


@router.get(PATH)
def exchange(context: ContextDep) -> Response:
    return _page(context)


@router.post(PATH)
async def import_file(context: ContextDep, request: Request) -> Response:
    """Import a file; the same page says what became of it."""
    async with request.form(max_files=1, max_fields=5) as form:
        file = form.get("file")
        content = await file.read() if isinstance(file, UploadFile) else b""
    return await run_in_threadpool(_imported, context, content)


def _imported(context: DeskContext, content: bytes) -> Response:
    try:
        require_right(context.actor, Right.EDIT)
        context.limit_work()
        return _page(context, done=context.desk.import_data(context.actor, _json(content)))
    except REFUSALS as error:
        sentence, status, headers = answer_to(error)
        return _page(context, problem=sentence, status=status, headers=headers)


def _json(content: bytes) -> object:
    if not content:
        raise UsageError("Choose the file that is to be imported.")
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise UsageError(
            "The file is not valid JSON: it should be an export of a desk, or ClaimReviews."
        ) from None


def _page(
    context: DeskContext,
    *,
    done: Imported | None = None,
    problem: str = "",
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    require_right(context.actor, Right.EDIT)
    return context.page(
        "desk_exchange.html.j2", status=status, headers=headers, tab="files", done=done, problem=problem
    )
