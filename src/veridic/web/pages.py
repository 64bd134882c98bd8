"""The routes of checks: the list, the page of one, and what can be done with it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.checks import ShownVerdict
from veridic.api.dependencies import ActorDep, DeskDep, RunnerDep, SettingsDep, allow_start
from veridic.api.guard import PROGRAM
from veridic.api.openapi import RunId
from veridic.config.settings import Settings
from veridic.desk.lifecycle import require_right
from veridic.desk.person_verdicts import load_report
from veridic.domain.errors import NotFoundError
from veridic.domain.modes import Mode
from veridic.domain.people import Right
from veridic.runtime.runner import Runner
from veridic.store.runs import RunState, RunStore, RunSummary
from veridic.web.check_page import build_check_view, run_title
from veridic.web.listing import ListFilters, run_view
from veridic.web.run_record import RunRecord
from veridic.web.templating import render

router = APIRouter(include_in_schema=False)


RUNS_PER_PAGE = 20


@router.get("/checks")
async def list_page(
    runner: RunnerDep,
    settings: SettingsDep,
    q: Annotated[str, Query(max_length=200)] = "",
    state: str = "",
    mode: str = "",
    verdict: str = "",
    by: Annotated[str, Query(max_length=200)] = "",
    before: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """List past checks, newest first. Unknown filter values are ignored."""
    starters = await run_in_threadpool(runner.store.starters)
    filters = ListFilters(
        q=q.strip(),
        state=state if state in list(RunState) else "",
        mode=mode if mode in list(Mode) else "",
        verdict=verdict if verdict in list(ShownVerdict) else "",
        by=by if by in starters else "",
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
        starters=starters,
        first_page=filters.address(),
        next_page=filters.address(before=runs[-1].id) if more else None,
    )


@router.get("/checks/{run_id}")
async def check_page(
    run_id: RunId,
    runner: RunnerDep,
    settings: SettingsDep,
    desk: DeskDep,
    actor: ActorDep,
    show: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Show a check, running or ended; `show` filters its claims, and unknown values are ignored.

    A text that was taken in at the desk, and that the machine has not checked, has a page there.
    """
    try:
        record = await run_in_threadpool(load_record, runner, run_id)
    except NotFoundError as error:
        with suppress(NotFoundError):
            check = await run_in_threadpool(desk.check, actor, run_id)
            if check.machine_run is None:
                return RedirectResponse(f"/desk/checks/{run_id}", 303)
        raise error from None
    if record.report is not None and actor is not PROGRAM:
        claims = (await run_in_threadpool(desk.check, actor, run_id)).claims
        record = replace(record, at_desk=claims)
    page = await run_in_threadpool(lambda: _rendered_check(settings, record, show))
    return HTMLResponse(page)


@router.post("/checks/{run_id}/cancel")
async def cancel(run_id: RunId, runner: RunnerDep, actor: ActorDep) -> Response:
    await runner.cancel(run_id, actor)
    return RedirectResponse(f"/checks/{run_id}", 303)


@router.post("/checks/{run_id}/resume")
async def resume(run_id: RunId, runner: RunnerDep, actor: ActorDep, request: Request) -> Response:
    await allow_start(request)
    await runner.resume(run_id, actor)
    return RedirectResponse(f"/checks/{run_id}", 303)


@router.get("/checks/{run_id}/delete")
async def confirm_deletion(
    run_id: RunId, runner: RunnerDep, settings: SettingsDep, actor: ActorDep
) -> Response:
    require_right(actor, Right.EDIT)
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
        started_by=filters.by or None,
        before=filters.before or None,
        limit=RUNS_PER_PAGE + 1,
    )


def _rendered_check(settings: Settings, record: RunRecord, show: str) -> str:
    return render(
        "check.html.j2", view=build_check_view(record, show), signed_in=settings.api_token is not None
    )


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
