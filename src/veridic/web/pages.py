"""The routes of the web pages, except sign-in."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.checks import ShownVerdict
from veridic.api.dependencies import ActorDep, RunnerDep, SettingsDep, allow_start
from veridic.api.errors import headers_of, status_of
from veridic.api.openapi import RunId
from veridic.api.requests import Upload, check_order
from veridic.config.settings import Settings
from veridic.desk.person_verdicts import load_report
from veridic.domain.errors import UsageError, VeridicError
from veridic.domain.modes import Mode
from veridic.providers.llm.roles import RoleModels, ValidationModels, default_models, validation_models
from veridic.runtime.runner import Runner
from veridic.store.runs import RunState, RunStore, RunSummary
from veridic.web.check_page import build_check_view, run_title
from veridic.web.forms import (
    OrderForm,
    blank_form,
    corpus_choices,
    field_for_error,
    find_mistakes,
    read_form,
    to_request,
    web_searches,
)
from veridic.web.listing import ListFilters, run_view
from veridic.web.run_record import RunRecord
from veridic.web.templating import render

router = APIRouter(include_in_schema=False)

RUNS_PER_PAGE = 20
_EMBEDDED = ("embedded/extractor", "embedded/verifier", "embedded/reporter")


@router.get("/")
async def start_page(settings: SettingsDep) -> Response:
    return await _start_page(blank_form(settings), settings)


@router.post("/")
async def start(request: Request, runner: RunnerDep, settings: SettingsDep, actor: ActorDep) -> Response:
    """Start a check and redirect to its page; on errors, show the form again with what was typed."""
    limit = settings.api_max_request_bytes
    async with request.form(max_files=1, max_fields=100, max_part_size=limit) as fields:
        form = read_form(_text_fields(fields))
        upload = await _upload(fields)
    default, _ = _defaults(settings)
    mistakes = find_mistakes(form, upload, default)
    if mistakes:
        return await _start_page(replace(form, mistakes=mistakes), settings, 400)
    try:
        await allow_start(request)
        order = await run_in_threadpool(
            check_order, to_request(form), upload if form.given == "file" else None, settings
        )
        started = await runner.start(order)
        await run_in_threadpool(runner.store.started_by, started.run_id, actor)
    except VeridicError as error:
        form = replace(form, mistakes={field_for_error(error, form): str(error)})
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
    runner: RunnerDep,
    settings: SettingsDep,
    q: Annotated[str, Query(max_length=200)] = "",
    state: str = "",
    mode: str = "",
    verdict: str = "",
    before: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """List past checks, newest first. Unknown filter values are ignored."""
    filters = ListFilters(
        q=q.strip(),
        state=state if state in list(RunState) else "",
        mode=mode if mode in list(Mode) else "",
        verdict=verdict if verdict in list(ShownVerdict) else "",
        before=before,
    )
    found = await run_in_threadpool(_search, runner.store, filters)
    runs = found[:RUNS_PER_PAGE]
    more = len(found) > RUNS_PER_PAGE
    return _page(
        settings,
        "checks.html.j2",
        here="checks",
        runs=[run_view(run) for run in runs],
        filters=filters,
        filtered=filters.is_active,
        states=[state.value for state in RunState],
        modes=[mode.value for mode in Mode],
        verdicts=[verdict.value for verdict in ShownVerdict],
        first_page=filters.address(),
        next_page=filters.address(before=runs[-1].id) if more else None,
    )


@router.get("/checks/{run_id}")
async def check_page(
    run_id: RunId,
    runner: RunnerDep,
    settings: SettingsDep,
    show: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Show a check, running or ended; `show` filters its claims, and unknown values are ignored."""
    record = await run_in_threadpool(load_record, runner, run_id)
    page = await run_in_threadpool(lambda: _rendered_check(settings, record, show))
    return HTMLResponse(page)


@router.post("/checks/{run_id}/cancel")
async def cancel(run_id: RunId, runner: RunnerDep) -> Response:
    await runner.cancel(run_id)
    return RedirectResponse(f"/checks/{run_id}", 303)


@router.post("/checks/{run_id}/resume")
async def resume(run_id: RunId, runner: RunnerDep) -> Response:
    await runner.resume(run_id)
    return RedirectResponse(f"/checks/{run_id}", 303)


@router.get("/checks/{run_id}/delete")
async def confirm_deletion(run_id: RunId, runner: RunnerDep, settings: SettingsDep) -> Response:
    summary = await run_in_threadpool(runner.store.summary, run_id)
    return _page(settings, "delete.html.j2", run={"id": summary.id, "title": run_title(summary)})


@router.post("/checks/{run_id}/delete")
async def delete(run_id: RunId, runner: RunnerDep, actor: ActorDep) -> Response:
    await run_in_threadpool(runner.store.delete, run_id, actor)
    return RedirectResponse("/checks", 303)


def load_record(runner: Runner, run_id: str) -> RunRecord:
    """Load everything that is saved of a run. Blocks."""
    store = runner.store
    summary = store.summary(run_id)
    is_completed = summary.state is RunState.COMPLETED
    return RunRecord(
        summary=summary,
        text=store.content(run_id),
        events=tuple(store.events(run_id)),
        result=store.result(run_id) if summary.mode == Mode.CONSENSUS else None,
        report=load_report(store, run_id) if is_completed else None,
        calls=() if is_completed else tuple(store.calls(run_id)),
        failed_checkers=runner.failed_checkers(run_id),
    )


def _search(store: RunStore, filters: ListFilters) -> list[RunSummary]:
    return store.search(
        state=RunState(filters.state) if filters.state else None,
        mode=filters.mode or None,
        verdicts=ShownVerdict(filters.verdict).canonical() if filters.verdict else None,
        text=filters.q or None,
        before=filters.before or None,
        limit=RUNS_PER_PAGE + 1,
    )


def _rendered_check(settings: Settings, record: RunRecord, show: str) -> str:
    return render(
        "check.html.j2", view=build_check_view(record, show), signed_in=settings.api_token is not None
    )


async def _start_page(
    form: OrderForm, settings: Settings, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    default, problem = _defaults(settings)
    readers = _validation_defaults(settings)
    checkers = default.checkers if default else ()
    others = (default.extractor, default.reporter, default.generator) if default else ()
    return _page(
        settings,
        "start.html.j2",
        status=status,
        headers=headers,
        here="start",
        form=form,
        corpora=await run_in_threadpool(corpus_choices, settings),
        web=web_searches(settings),
        defaults=default,
        readers=readers,
        models_problem=problem,
        known_models=list(dict.fromkeys(filter(None, (*(readers or ()), *others, *checkers, *_EMBEDDED)))),
        today=datetime.now(UTC).date(),
    )


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
