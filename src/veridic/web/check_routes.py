"""What can be done with a check besides reading it: a corrected copy, another run, and a comparison of two runs."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from veridic.api.dependencies import ActorDep, RunnerDep, SettingsDep, allow_start
from veridic.api.openapi import RunId
from veridic.config.settings import Settings
from veridic.desk.person_verdicts import load_report
from veridic.domain.document import Document
from veridic.domain.report import Report
from veridic.ingest.formats import MARKDOWN
from veridic.reporting.corrected_text import CorrectedText, corrected_text, proposals
from veridic.runtime.runner import Runner
from veridic.runtime.saved_orders import load_order
from veridic.store.runs import RunStore, RunSummary
from veridic.web.check_page import run_title
from veridic.web.run_comparison import compare_runs
from veridic.web.templating import render

router = APIRouter(prefix="/checks/{run_id}", include_in_schema=False)

_MOST_OTHERS = 20
_WORDS_COMPARED = 200
"""Runs are of the same text if it begins with the same characters."""

Numbers = Annotated[list[int] | None, Query(alias="apply", max_length=1000)]


@router.post("/again")
async def run_again(
    run_id: RunId, request: Request, runner: RunnerDep, settings: SettingsDep, actor: ActorDep
) -> Response:
    """Start the same order anew: the same text, mode and sources, as of today unless a day was named."""
    await allow_start(request)
    saved = await run_in_threadpool(load_order, runner.store, run_id, settings)
    # With the searches that are set up now: who asks anew may just have added one.
    anew = saved.order.model_copy(update={"conversation_id": None, "search": None})
    started = await runner.start(anew)
    await run_in_threadpool(runner.store.started_by, started.run_id, actor)
    return RedirectResponse(f"/checks/{started.run_id}", 303)


@router.get("/corrected")
async def corrected_page(
    run_id: RunId, runner: RunnerDep, settings: SettingsDep, numbers: Numbers = None
) -> Response:
    """Show a copy of the text with the corrections of the claims in `apply`, or with all that can be applied."""
    report = await run_in_threadpool(load_report, runner.store, run_id)
    copy = _copy(report, numbers)
    return _page(
        settings,
        "corrected.html.j2",
        run_id=run_id,
        title=run_title(await run_in_threadpool(runner.store.summary, run_id)),
        proposals=proposals(report),
        applied=[proposal.number for proposal in copy.applied],
        left_out=copy.left_out,
        text=copy.text,
    )


@router.get("/corrected.txt")
async def corrected_file(run_id: RunId, runner: RunnerDep, numbers: Numbers = None) -> Response:
    """Download the copy that `corrected_page` shows."""
    report = await run_in_threadpool(load_report, runner.store, run_id)
    name = f"{run_id}-corrected.{_suffix(report.document)}"
    return PlainTextResponse(
        _copy(report, numbers).text, headers={"content-disposition": f'attachment; filename="{name}"'}
    )


@router.get("/compare")
async def choose_comparison(
    run_id: RunId,
    runner: RunnerDep,
    settings: SettingsDep,
    other: Annotated[str, Query(alias="with", max_length=64)] = "",
) -> Response:
    """List the other runs of the same text; with another run's number, show the comparison."""
    if other.strip():
        return RedirectResponse(f"/checks/{run_id}/compare/{quote(other.strip().upper(), safe='')}", 303)
    summary, others = await run_in_threadpool(_other_runs, runner.store, run_id)
    return _page(settings, "compare_choice.html.j2", run_id=run_id, title=run_title(summary), others=others)


@router.get("/compare/{other_id}")
async def compare_page(run_id: RunId, other_id: RunId, runner: RunnerDep, settings: SettingsDep) -> Response:
    """Show which claims' verdicts differ between two runs, from the older to the newer."""
    older, newer = sorted(
        await run_in_threadpool(lambda: [_finished(runner, one) for one in (run_id, other_id)]),
        key=lambda run: (run[0].created_at, run[0].id),
    )
    return _page(
        settings,
        "compare.html.j2",
        before=older[0],
        after=newer[0],
        title=run_title(newer[0]),
        comparison=compare_runs(older[1], newer[1]),
    )


def _finished(runner: Runner, run_id: str) -> tuple[RunSummary, Report]:
    return runner.store.summary(run_id), load_report(runner.store, run_id)


def _other_runs(store: RunStore, run_id: str) -> tuple[RunSummary, list[RunSummary]]:
    """Return a run's summary and the other finished runs of its text, newest first."""
    summary = store.summary(run_id)
    beginning = store.content(run_id)[:_WORDS_COMPARED].strip()
    found = store.search(text=beginning, limit=_MOST_OTHERS + 1) if beginning else []
    return summary, [run for run in found if run.id != run_id and run.state.has_ended and not run.error]


def _copy(report: Report, numbers: list[int] | None) -> CorrectedText:
    wanted = [proposal.number for proposal in proposals(report)] if numbers is None else numbers
    return corrected_text(report, wanted)


def _suffix(document: Document) -> str:
    return "md" if document.media_type == MARKDOWN else "txt"


def _page(settings: Settings, template: str, **values: object) -> Response:
    return HTMLResponse(render(template, signed_in=settings.api_token is not None, **values))
