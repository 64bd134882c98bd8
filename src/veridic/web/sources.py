"""The pages of own sources: the sets, one set with its documents, one document with a passage marked."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from fastapi import APIRouter, HTTPException, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.dependencies import ActorDep, SettingsDep, SourceSetsDep, allow_start
from veridic.api.errors import headers_of, status_of
from veridic.config.settings import Settings
from veridic.desk.source_sets import SourceSets
from veridic.domain.errors import ConflictError, NotFoundError, UsageError, VeridicError
from veridic.domain.people import Actor, Right
from veridic.engine.own_sources import MOST_AT_ONCE, SentFile
from veridic.evidence.corpus import REFERENCE, Corpora, CorpusDocument, CorpusInfo
from veridic.web.source_links import MARK
from veridic.web.source_views import set_name, view_document, view_set
from veridic.web.templating import render

router = APIRouter(include_in_schema=False)
_NO_NAME = "Give the set a name with letters from a to z or digits, such as harbour-story."


class Sent(NamedTuple):
    """What a form adds to a set."""

    name: str = ""
    files: tuple[SentFile, ...] = ()
    text: str = ""
    title: str = ""
    addresses: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.files or self.text.strip() or self.addresses)


@router.get("/sources")
async def list_sets(settings: SettingsDep, actor: ActorDep) -> Response:
    return await _sets_page(settings, actor)


@router.post("/sources")
async def make_set(request: Request, settings: SettingsDep, actor: ActorDep, sets: SourceSetsDep) -> Response:
    """Make a set, and add to it what was sent with its name."""
    sent = await _read_form(request, settings)
    name = set_name(sent.name)
    try:
        if not name:
            raise UsageError(_NO_NAME)
        await run_in_threadpool(sets.create, name)
        await _add(name, sent, request, sets)
    except (VeridicError, HTTPException) as error:
        taken = isinstance(error, ConflictError)
        sentence = f"There is a set named {name} already; choose another name." if taken else _said(error)
        return await _sets_page(settings, actor, sent, sentence, error)
    return RedirectResponse(f"/sources/{name}", 303)


@router.get("/sources/{name}")
async def show_set(
    name: str,
    settings: SettingsDep,
    actor: ActorDep,
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
    remove: str = "",
) -> Response:
    """Show the documents of a set; with `remove`, ask whether to remove the set."""
    if remove:
        await run_in_threadpool(_documents, name, settings)
        return _page(settings, actor, "source_set_delete.html.j2", name=name)
    return await _set_page(name, settings, actor, page)


@router.post("/sources/{name}")
async def add_to_set(
    name: str, request: Request, settings: SettingsDep, actor: ActorDep, sets: SourceSetsDep
) -> Response:
    sent = await _read_form(request, settings)
    try:
        if sent.is_empty:
            raise UsageError("Choose files, paste a text or give addresses to add.")
        await _add(name, sent, request, sets)
    except NotFoundError:
        raise
    except (VeridicError, HTTPException) as error:
        return await _set_page(name, settings, actor, 1, sent, _said(error), error)
    return RedirectResponse(f"/sources/{name}", 303)


@router.post("/sources/{name}/delete")
async def remove_set(name: str, sets: SourceSetsDep) -> Response:
    if name == REFERENCE:
        raise NotFoundError("There is no such set of sources.")
    await run_in_threadpool(sets.remove, name)
    return RedirectResponse("/sources", 303)


@router.post("/sources/{name}/documents/delete")
async def remove_from_set(name: str, request: Request, sets: SourceSetsDep) -> Response:
    async with request.form(max_files=0, max_fields=5) as form:
        document = str(form.get("document", ""))
    await run_in_threadpool(sets.remove_document, name, document)
    return RedirectResponse(f"/sources/{name}", 303)


@router.get("/sources/{name}/{document:path}")
async def show_document(
    name: str,
    document: str,
    settings: SettingsDep,
    actor: ActorDep,
    at: Annotated[str, Query(max_length=40)] = "",
    part: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
) -> Response:
    """Show a document's text as it was read, with the passage `at` marked."""

    def rendered() -> Response:
        if name == REFERENCE:
            raise NotFoundError("The built-in library can't be read here.")
        passages = Corpora(settings.corpora).text_of(name, document)
        view = view_document(document, passages, at, part)
        return _page(settings, actor, "source_document.html.j2", set_name=name, view=view, mark=MARK)

    return await run_in_threadpool(rendered)


async def _read_form(request: Request, settings: Settings) -> Sent:
    limit = settings.api_max_request_bytes
    async with request.form(max_files=MOST_AT_ONCE, max_fields=20, max_part_size=limit) as form:
        sent = [one for one in form.getlist("file") if isinstance(one, UploadFile)]
        files = [SentFile(one.filename or "", await one.read()) for one in sent if one.filename or one.size]
        return Sent(
            name=str(form.get("name", "")),
            files=tuple(files),
            text=str(form.get("text", "")),
            title=str(form.get("title", "")),
            addresses=tuple(str(form.get("urls", "")).split()),
        )


async def _add(name: str, sent: Sent, request: Request, sets: SourceSets) -> None:
    if sent.files:
        await run_in_threadpool(sets.add_files, name, sent.files)
    if sent.text.strip():
        await run_in_threadpool(sets.add_text, name, sent.text, sent.title)
    if sent.addresses:
        await allow_start(request)  # as a check of a page: the server asks other machines
        await run_in_threadpool(sets.add_addresses, name, sent.addresses)


async def _sets_page(
    settings: Settings,
    actor: Actor,
    sent: Sent = Sent(),  # noqa: B008  immutable
    mistake: str = "",
    error: VeridicError | HTTPException | None = None,
) -> Response:
    sets = await run_in_threadpool(own_sets, settings)
    return _page(settings, actor, "sources.html.j2", error, sets=sets, sent=sent, mistake=mistake)


async def _set_page(
    name: str,
    settings: Settings,
    actor: Actor,
    page: int,
    sent: Sent = Sent(),  # noqa: B008  immutable
    mistake: str = "",
    error: VeridicError | HTTPException | None = None,
) -> Response:
    def rendered() -> Response:
        view = view_set(name, _documents(name, settings), page)
        return _page(settings, actor, "source_set.html.j2", error, name=name, view=view, sent=sent, mistake=mistake)  # fmt: skip

    return await run_in_threadpool(rendered)


def own_sets(settings: Settings) -> list[CorpusInfo]:
    """Return the sets that people made. Blocks."""
    return [one for one in Corpora(settings.corpora).list() if one.name != REFERENCE]


def _documents(name: str, settings: Settings) -> list[CorpusDocument]:
    if name == REFERENCE:
        raise NotFoundError("The built-in library can't be read here.")
    return Corpora(settings.corpora).documents(name)


def _said(error: VeridicError | HTTPException) -> str:
    return str(error.detail) if isinstance(error, HTTPException) else str(error)


def _page(
    settings: Settings,
    actor: Actor,
    template: str,
    error: VeridicError | HTTPException | None = None,
    **values: object,
) -> Response:
    status, headers = _status(error)
    page = render(
        template,
        here="sources",
        signed_in=settings.api_token is not None,
        may_add=actor.may(Right.CHECK),
        may_remove=actor.may(Right.EDIT),
        most_bytes=settings.max_document_bytes,
        most_files=MOST_AT_ONCE,
        **values,
    )
    return HTMLResponse(page, status, headers=dict(headers or {}))


def _status(error: VeridicError | HTTPException | None) -> tuple[int, Mapping[str, str] | None]:
    if error is None:
        return 200, None
    if isinstance(error, HTTPException):
        return error.status_code, error.headers
    return status_of(error), headers_of(error)
