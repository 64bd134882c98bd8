"""The start page: what should be checked, against what, and what that will ask."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, NamedTuple

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.dependencies import ActorDep, RunnerDep, SettingsDep, allow_start, source_sets
from veridic.api.errors import headers_of, status_of
from veridic.api.requests import Upload, check_order
from veridic.config.settings import Settings
from veridic.desk.source_sets import SourceSets
from veridic.domain.errors import UsageError, VeridicError
from veridic.domain.people import Actor
from veridic.engine.order import CheckOrder
from veridic.engine.own_sources import MOST_AT_ONCE, SentFile
from veridic.providers.llm.roles import RoleModels, ValidationModels, default_models, validation_models
from veridic.runtime.runner import Runner
from veridic.web.asking import Asked, asked_or_problem, set_up
from veridic.web.forms import (
    MOST_PASTED,
    OrderForm,
    blank_form,
    corpus_choices,
    example_form,
    field_for_error,
    find_mistakes,
    preview_order,
    read_form,
    to_request,
    web_searches,
)
from veridic.web.source_views import set_name
from veridic.web.templating import render

router = APIRouter(include_in_schema=False)
_EMBEDDED = ("embedded/extractor", "embedded/verifier", "embedded/reporter")


class _Start(NamedTuple):
    """What the form of the start page sends."""

    form: OrderForm
    upload: Upload | None
    files: tuple[SentFile, ...]
    """Own sources for this check."""


@router.get("/")
async def start_page(
    settings: SettingsDep, against: Annotated[list[str] | None, Query(max_length=20)] = None
) -> Response:
    """Show the form; `against` names sets of sources to tick."""
    return await _start_page(blank_form(settings, against or ()), settings)


@router.post("/")
async def start(request: Request, runner: RunnerDep, settings: SettingsDep, actor: ActorDep) -> Response:
    """Start a check and redirect to its page; on errors, show the form again with what was typed."""
    sent = await _read_start(request, settings)
    return await _ordered(request, sent, settings, partial(_begin, runner, actor))


@router.post("/estimate")
async def show_estimate(request: Request, settings: SettingsDep) -> Response:
    """Show the form again, with what the check will ask and is likely to cost; start nothing."""
    sent = await _read_start(request, settings)
    form = sent.form
    if not (form.text.strip() or form.url or sent.upload):
        return await _start_page(form, settings)

    async def estimated(order: CheckOrder) -> Response:
        asked = await run_in_threadpool(asked_or_problem, order, settings)
        return await _start_page(form, settings, asked=asked)

    return await _ordered(request, sent._replace(files=()), settings, estimated)


async def _begin(runner: Runner, actor: Actor, order: CheckOrder) -> Response:
    started = await runner.start(order)
    await run_in_threadpool(runner.store.started_by, started.run_id, actor)
    return RedirectResponse(f"/checks/{started.run_id}", 303)


async def _ordered(
    request: Request, sent: _Start, settings: Settings, then: Callable[[CheckOrder], Awaitable[Response]]
) -> Response:
    """Answer with `then` of the order, or with the form and what is wrong in it."""
    form = sent.form
    default, _ = _defaults(settings)
    mistakes = find_mistakes(form, sent.upload, default)
    if mistakes:
        too_long = len(form.text) > MOST_PASTED
        form = replace(form, mistakes=mistakes, text="" if too_long else form.text)
        return await _start_page(form, settings, 400)
    try:
        await allow_start(request)
        if sent.files:
            form = await run_in_threadpool(_with_new_set, form, sent.files, await source_sets(request))
        upload = sent.upload if form.given == "file" else None
        order = await run_in_threadpool(check_order, to_request(form), upload, settings)
        return await then(order)
    except VeridicError as error:
        form = replace(form, mistakes={field_for_error(error, form): str(error)})
        return await _start_page(form, settings, status_of(error), headers_of(error))
    except ValidationError:
        sentence = "A field is longer than it may be; shorten it."
        return await _start_page(replace(form, mistakes={form.given.value: sentence}), settings, 400)
    except HTTPException as error:
        form = replace(form, mistakes={"form": str(error.detail)})
        return await _start_page(form, settings, error.status_code, error.headers)


def _with_new_set(form: OrderForm, files: Sequence[SentFile], sets: SourceSets) -> OrderForm:
    """Put files into a set of their own, and return the form with it ticked. Blocks.

    A file that can't be read costs only itself: the page of the set says why.
    """
    name = set_name(form.new_set) or f"sources-{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
    sets.create(name)
    added = sets.add_files(name, files)
    if not any(one.passages for one in added):
        sets.remove(name)
        why = added[0].problem or "they have no text."
        raise UsageError(f"None of the files to check against can be read: {why}")
    return replace(form, against=(*form.against, name), new_set="")


async def _read_start(request: Request, settings: Settings) -> _Start:
    limit = settings.api_max_request_bytes
    async with request.form(max_files=1 + MOST_AT_ONCE, max_fields=100, max_part_size=limit) as fields:
        if "example" in fields:
            return _Start(example_form(), None, ())
        given = [one for one in fields.getlist("sources") if isinstance(one, UploadFile)]
        files = [SentFile(one.filename or "", await one.read()) for one in given if one.filename or one.size]
        return _Start(read_form(_text_fields(fields)), await _upload(fields), tuple(files))


async def _start_page(
    form: OrderForm,
    settings: Settings,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    asked: Asked | None = None,
) -> Response:
    default, problem = _defaults(settings)
    readers = _validation_defaults(settings)
    checkers = default.checkers if default else ()
    others = (default.extractor, default.reporter, default.generator) if default else ()
    page = render(
        "start.html.j2",
        signed_in=settings.api_token is not None,
        here="start",
        form=form,
        corpora=await run_in_threadpool(corpus_choices, settings),
        web=web_searches(settings),
        defaults=default,
        readers=readers,
        models_problem=problem,
        asked=asked or await run_in_threadpool(asked_or_problem, preview_order(form), settings),
        set_up=set_up(settings),
        most_pasted=MOST_PASTED,
        known_models=list(dict.fromkeys(filter(None, (*(readers or ()), *others, *checkers, *_EMBEDDED)))),
        today=datetime.now(UTC).date(),
    )
    return HTMLResponse(page, status, headers=headers)


def _defaults(settings: Settings) -> tuple[RoleModels | None, str]:
    """Return the default models, or None and the problem."""
    try:
        return default_models(settings), ""
    except UsageError as error:
        return None, str(error)


def _validation_defaults(settings: Settings) -> ValidationModels | None:
    try:
        return validation_models(settings)
    except UsageError:
        return None  # `_defaults` gives the reason


def _text_fields(form: FormData) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
    return fields


async def _upload(form: FormData) -> Upload | None:
    """Return the uploaded file; browsers send one without name and content if none was chosen."""
    file = form.get("file")
    if not isinstance(file, UploadFile) or not (file.filename or file.size):
        return None
    return Upload(file.filename or "", await file.read())
