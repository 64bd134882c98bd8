"""Intake at the desk: a text, a file or a page becomes a check, and what was checked before is offered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from veridic.api.dependencies import FetcherDep
from veridic.api.requests import Upload, read_given
from veridic.desk.documents import pasted_document
from veridic.desk.extraction import claims_of
from veridic.desk.lifecycle import require_right
from veridic.domain.claim import Priority
from veridic.domain.document import Document
from veridic.domain.people import Right
from veridic.providers.fetch.base import Fetcher
from veridic.web.desk_context import REFUSALS, ContextDep, DeskContext, answer_to
from veridic.web.desk_words import end_of
from veridic.web.earlier_checks import EarlierChecks, earlier_checks
from veridic.web.forms import MOST_PASTED, InputKind

router = APIRouter(include_in_schema=False)
PATH = "/desk/new"
_GIVEN = (InputKind.TEXT, InputKind.FILE, InputKind.URL)
_LONGEST_LINE = 500
_MAX_FIELDS = 20


@dataclass(frozen=True, slots=True)
class NewCheck:
    """The fields of the form as typed."""

    given: InputKind = InputKind.TEXT
    title: str = ""
    text: str = ""
    url: str = ""
    priority: str = Priority.MEDIUM.value
    due: str = ""
    extract: bool = True
    mistakes: Mapping[str, str] = field(default_factory=dict)
    """By field; the key `form` is for what concerns no field."""


class _Sent(NamedTuple):
    typed: NewCheck
    upload: Upload | None
    looks: bool
    """Only earlier checks are wanted."""


@router.get(PATH)
def intake(context: ContextDep) -> Response:
    return _page(context, NewCheck())


@router.post(PATH)
async def create(request: Request, context: ContextDep, fetcher: FetcherDep) -> Response:
    """Take in what was given and show its check; on mistakes, show the form again with what was typed."""
    sent = await _read(request, context)
    return await run_in_threadpool(_answer, context, sent, fetcher)


def _answer(context: DeskContext, sent: _Sent, fetcher: Fetcher) -> Response:
    typed = replace(sent.typed, mistakes=_mistakes(sent))
    if typed.mistakes:
        return _page(context, _without_large_text(typed), status=400)
    try:
        require_right(context.actor, Right.CHECK)
        if sent.looks or typed.extract or typed.given is not InputKind.TEXT:
            context.limit_work()
        document = _document(typed, sent.upload, context, fetcher)
        if sent.looks:
            claims = [claim.text for claim in claims_of(document)]
            return _page(context, typed, earlier=earlier_checks(context.desk, context.actor, claims))
        desk, actor = context.desk, context.actor
        check_id = desk.create(actor, typed.title, document, Priority(typed.priority), end_of(typed.due))
        if typed.extract:
            desk.extract(actor, check_id, version=1)
    except REFUSALS as error:
        sentence, status, headers = answer_to(error)
        return _page(context, replace(typed, mistakes={"form": sentence}), status=status, headers=headers)
    return RedirectResponse(f"/desk/checks/{check_id}", 303)


def _document(typed: NewCheck, upload: Upload | None, context: DeskContext, fetcher: Fetcher) -> Document:
    match typed.given:
        case InputKind.FILE:
            document = read_given(None, None, upload, context.settings)
        case InputKind.URL:
            document = read_given(None, typed.url, None, context.settings, fetcher)
        case _:
            # Browsers send line ends of their own.
            document = pasted_document(typed.text.replace("\r\n", "\n"))
    if document is None:
        raise ValueError("the mistakes of a form without content were looked for before")
    return document


async def _read(request: Request, context: DeskContext) -> _Sent:
    limit = context.settings.api_max_request_bytes
    async with request.form(max_files=1, max_fields=_MAX_FIELDS, max_part_size=limit) as fields:
        values = {name: value for name, value in fields.items() if isinstance(value, str)}
        file = fields.get("file")
        chosen = isinstance(file, UploadFile) and (file.filename or file.size)
        upload = (
            Upload(file.filename or "", await file.read())
            if isinstance(file, UploadFile) and chosen
            else None
        )
    given = values.get("given", "")
    return _Sent(
        NewCheck(
            given=InputKind(given) if given in _GIVEN else InputKind.TEXT,
            title=values.get("title", ""),
            text=values.get("text", ""),
            url=values.get("url", "").strip(),
            priority=values.get("priority", Priority.MEDIUM.value),
            due=values.get("due", ""),
            extract=values.get("extract") == "on",
        ),
        upload,
        looks=values.get("action") == "look",
    )


def _mistakes(sent: _Sent) -> dict[str, str]:
    """Return the fields with mistakes, each with a sentence."""
    typed, mistakes = sent.typed, {}
    if typed.given is InputKind.TEXT and not typed.text.strip():
        mistakes["text"] = "Paste the text that is to be checked."
    elif typed.given is InputKind.TEXT and len(typed.text) > MOST_PASTED:
        mistakes["text"] = (
            f"The text has {len(typed.text):,} characters, and at most {MOST_PASTED:,} can be pasted: send it as a file."
        )
    elif typed.given is InputKind.FILE and sent.upload is None:
        mistakes["file"] = "Choose the file that is to be checked."
    elif typed.given is InputKind.URL and not typed.url.lower().startswith(("http://", "https://")):
        mistakes["url"] = "Give an address that begins with http:// or https://."
    if len(typed.title) > _LONGEST_LINE:
        mistakes["title"] = f"A title has at most {_LONGEST_LINE} characters."
    if typed.priority not in list(Priority):
        mistakes["priority"] = "Choose high, medium or low."
    try:
        end_of(typed.due)
    except ValueError:
        mistakes["due"] = "Give a date such as 2026-11-30."
    return mistakes


def _without_large_text(typed: NewCheck) -> NewCheck:
    """Return the form without a text that a browser would lay out for minutes; the other fields stay."""
    return replace(
        typed,
        text="" if len(typed.text) > MOST_PASTED else typed.text,
        title="" if len(typed.title) > _LONGEST_LINE else typed.title,
    )


def _page(
    context: DeskContext,
    typed: NewCheck,
    *,
    earlier: Sequence[EarlierChecks] | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    require_right(context.actor, Right.CHECK)
    return context.page(
        "desk_new.html.j2",
        status=status,
        headers=headers,
        tab="new",
        typed=typed,
        mistakes=typed.mistakes,
        earlier=earlier,
        most_pasted=MOST_PASTED,
        priorities=[priority.value for priority in Priority],
    )
