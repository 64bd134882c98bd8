"""The routes of the pages."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.checks import ShownVerdict
from veridic.api.dependencies import RunnerGiven, SettingsGiven, allow_start
from veridic.api.describing import RunId
from veridic.api.errors import headers_of, status_of
from veridic.api.requests import Upload, check_order
from veridic.config.settings import Settings
from veridic.domain.errors import UsageError, VeridicError
from veridic.domain.modes import Mode
from veridic.providers.llm.roles import RoleModels, ValidationModels, default_models, validation_models
from veridic.runtime.runner import Runner
from veridic.store.runs import RunState, RunStore, RunSummary
from veridic.web.forms import (
    OrderForm,
    blank_form,
    corpora_to_choose,
    missing,
    place_of,
    read_form,
    request_of,
    web_searches,
)
from veridic.web.listing import Wanted, run_view
from veridic.web.moment import Moment
from veridic.web.moments import title_of, view_of
from veridic.web.templating import render

router = APIRouter(include_in_schema=False)

RUNS_A_PAGE = 20
_EMBEDDED = ("embedded/extractor", "embedded/verifier", "embedded/reporter")
_SAVING_SECONDS = 3.0
_SAVING_STEP_SECONDS = 0.02


@router.get("/")
async def start_page(settings: SettingsGiven) -> Response:
    return await _start_page(blank_form(settings), settings)


@router.post("/")
async def start(request: Request, runner: RunnerGiven, settings: SettingsGiven) -> Response:
    """Begin a check and lead to its page; what is wrong is said on this one, and nothing typed is lost."""
    limit = settings.api_max_request_bytes
    async with request.form(max_files=1, max_fields=100, max_part_size=limit) as fields:
        form = read_form(_texts(fields))
        upload = await _upload(fields)
    default, _ = _defaults(settings)
    mistakes = missing(form, upload, default)
    if mistakes:
        return await _start_page(replace(form, mistakes=mistakes), settings, 400)
    try:
        await allow_start(request)
        order = await run_in_threadpool(
            check_order, request_of(form), upload if form.given == "file" else None, settings
        )
        started = await runner.start(order)
    except VeridicError as error:
        form = replace(form, mistakes={place_of(error, form): str(error)})
        return await _start_page(form, settings, status_of(error), headers_of(error))
    except ValidationError:
        sentence = "A field is longer than it may be; shorten it."
        return await _start_page(replace(form, mistakes={form.given.value: sentence}), settings, 400)
    except HTTPException as error:
        form = replace(form, mistakes={"form": str(error.detail)})
        return await _start_page(form, settings, error.status_code, error.headers)
    return RedirectResponse(f"/checks/{started.run_id}", 303)


@router.get("/checks")
async def list_page(
    runner: RunnerGiven,
    settings: SettingsGiven,
    q: Annotated[str, Query(max_length=200)] = "",
    state: str = "",
    mode: str = "",
    verdict: str = "",
    before: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """Past checks, the newest first. A filter that does not exist filters nothing."""
    wanted = Wanted(
        q=q.strip(),
        state=state if state in list(RunState) else "",
        mode=mode if mode in list(Mode) else "",
        verdict=verdict if verdict in list(ShownVerdict) else "",
        before=before,
    )
    found = await run_in_threadpool(_search, runner.store, wanted)
    shown = found[:RUNS_A_PAGE]
    more = len(found) > RUNS_A_PAGE
    return _page(
        settings,
        "checks.html.j2",
        here="checks",
        runs=[run_view(run, under_way=runner.is_running(run.id)) for run in shown],
        wanted=wanted,
        filtered=wanted.is_narrow,
        states=[state.value for state in RunState],
        modes=[mode.value for mode in Mode],
        verdicts=[verdict.value for verdict in ShownVerdict],
        first_page=wanted.address(),
        next_page=wanted.address(before=shown[-1].id) if more else None,
    )


@router.get("/checks/{run_id}")
async def check_page(
    run_id: RunId,
    runner: RunnerGiven,
    settings: SettingsGiven,
    seen: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> Response:
    """A check as it stands, live or later. With `seen`, not before that event of the run has been saved."""
    await _until_saved(runner, run_id, seen)
    moment = await run_in_threadpool(read_moment, runner, run_id)
    page = await run_in_threadpool(lambda: _rendered_check(settings, moment))
    return HTMLResponse(page)


@router.post("/checks/{run_id}/cancel")
async def cancel(run_id: RunId, runner: RunnerGiven) -> Response:
    await runner.cancel(run_id)
    return RedirectResponse(f"/checks/{run_id}", 303)


@router.get("/checks/{run_id}/delete")
async def confirm_deletion(run_id: RunId, runner: RunnerGiven, settings: SettingsGiven) -> Response:
    summary = await run_in_threadpool(runner.store.summary, run_id)
    return _page(settings, "delete.html.j2", run={"id": summary.id, "title": title_of(summary)})


@router.post("/checks/{run_id}/delete")
async def delete(run_id: RunId, runner: RunnerGiven) -> Response:
    if runner.is_running(run_id):
        raise HTTPException(409, f"{run_id} is still under way; cancel it first.")
    await run_in_threadpool(runner.store.delete, run_id)
    return RedirectResponse("/checks", 303)


def read_moment(runner: Runner, run_id: str) -> Moment:
    """Everything that is kept of a run. Blocks."""
    store = runner.store
    under_way = runner.is_running(run_id)
    summary = store.summary(run_id)
    is_completed = summary.state is RunState.COMPLETED
    return Moment(
        summary=summary,
        under_way=under_way,
        text=store.content(run_id),
        events=tuple(store.events(run_id)),
        result=store.result(run_id) if summary.mode == Mode.CONSENSUS else None,
        report=store.get(run_id) if is_completed else None,
        calls=() if is_completed else tuple(store.calls(run_id)),
        failed_checkers=runner.failed_checkers(run_id),
    )


async def _until_saved(runner: Runner, run_id: str, number: int) -> None:
    """Events are told before they are on the disk: a page that knows of one waits, and not for long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_SAVING_SECONDS):
            while number and runner.is_running(run_id):
                if await run_in_threadpool(runner.store.events, run_id, number - 1):
                    return
                await asyncio.sleep(_SAVING_STEP_SECONDS)


def _search(store: RunStore, wanted: Wanted) -> list[RunSummary]:
    return store.search(
        state=RunState(wanted.state) if wanted.state else None,
        mode=wanted.mode or None,
        verdicts=ShownVerdict(wanted.verdict).means() if wanted.verdict else None,
        text=wanted.q or None,
        before=wanted.before or None,
        limit=RUNS_A_PAGE + 1,
    )


def _rendered_check(settings: Settings, moment: Moment) -> str:
    return render("check.html.j2", view=view_of(moment), signed_in=settings.api_token is not None)


async def _start_page(
    form: OrderForm, settings: Settings, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    default, problem = _defaults(settings)
    readers = _validation_defaults(settings)
    named = default.checkers if default else ()
    writers = (default.extractor, default.reporter, default.generator) if default else ()
    return _page(
        settings,
        "start.html.j2",
        status=status,
        headers=headers,
        here="start",
        form=form,
        corpora=await run_in_threadpool(corpora_to_choose, settings),
        web=web_searches(settings),
        defaults=default,
        readers=readers,
        models_problem=problem,
        known_models=list(dict.fromkeys(filter(None, (*(readers or ()), *writers, *named, *_EMBEDDED)))),
        today=datetime.now(UTC).date(),
    )


def _defaults(settings: Settings) -> tuple[RoleModels | None, str]:
    """Who takes each role, or why that can't be said."""
    try:
        return default_models(settings), ""
    except UsageError as error:
        return None, str(error)


def _validation_defaults(settings: Settings) -> ValidationModels | None:
    try:
        return validation_models(settings)
    except UsageError:
        return None  # for the reason that `_defaults` gives


def _page(
    settings: Settings,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: object,
) -> Response:
    page = render(template, signed_in=settings.api_token is not None, **values)
    return HTMLResponse(page, status, headers=headers)


def _texts(form: FormData) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
    return fields


async def _upload(form: FormData) -> Upload | None:
    """The chosen file; browsers send one without a name and content where none was chosen."""
    file = form.get("file")
    if not isinstance(file, UploadFile) or not (file.filename or file.size):
        return None
    return Upload(file.filename or "", await file.read())
