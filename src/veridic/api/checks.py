"""Checks of any mode: start, list, show, report, cancel, delete."""

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Response
from starlette.concurrency import run_in_threadpool

from veridic.api.bodies import CHECK_REQUEST_BODY, Submission, read_submission
from veridic.api.dependencies import RunnerGiven, SettingsGiven, allow_start
from veridic.api.describing import ERRORS_ALWAYS, RunId, errors, file_response, started_response
from veridic.api.requests import check_order
from veridic.api.responses import (
    Cancelled,
    CheckDetail,
    CheckList,
    CheckStarted,
    CheckSummary,
    EstimatedCost,
    Links,
    RunUsage,
    check_path,
    summary_fields,
)
from veridic.domain.errors import NotFoundError
from veridic.domain.formats import ReportFormat
from veridic.domain.modes import Mode
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.pipeline.estimate import estimate
from veridic.reporting.json_report import to_json
from veridic.reporting.render import render
from veridic.runtime.runner import Runner
from veridic.store.runs import RunState

router = APIRouter(prefix="/api/checks", tags=["Checks"], responses=ERRORS_ALWAYS)

_FILES = {
    ReportFormat.TEXT: ("txt", "text/plain; charset=utf-8"),
    ReportFormat.JSON: ("json", "application/json"),
    ReportFormat.MARKDOWN: ("md", "text/markdown; charset=utf-8"),
    ReportFormat.HTML: ("html", "text/html; charset=utf-8"),
    ReportFormat.CLAIMREVIEW: ("claimreview.json", "application/ld+json"),
}


class ShownVerdict(StrEnum):
    """A document's verdict as lists show it."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    MISLEADING = "MISLEADING"
    UNVERIFIABLE = "UNVERIFIABLE"

    def means(self) -> tuple[Verdict, ...]:
        return tuple(verdict for verdict in Verdict if say(verdict, Scale.VALIDATION) == self)


@router.post(
    "",
    summary="Start a run of any mode",
    status_code=202,
    dependencies=[Depends(allow_start)],
    openapi_extra={"requestBody": CHECK_REQUEST_BODY},
    responses=started_response() | errors(400, 413, 415, 429, 502, 503),
)
async def start_check(
    submission: Annotated[Submission, Depends(read_submission)],
    response: Response,
    runner: RunnerGiven,
    settings: SettingsGiven,
) -> CheckStarted:
    """Starts a check of a text, a web page or an uploaded file, and returns at once.

    A page is fetched and a file is read before the answer, so what can't be read is refused here. Sources are named
    by corpus: no path of the server is ever read.
    """
    order = await run_in_threadpool(check_order, submission.request, submission.upload, settings)
    started = await runner.start(order)
    response.headers["Location"] = check_path(started.run_id)
    return CheckStarted(
        id=started.run_id,
        mode=order.mode,
        conversation_id=started.conversation_id,
        message_id=started.message_id,
        links=Links.to(started.run_id),
    )


@router.post(
    "/estimate",
    summary="Say what a run is likely to cost",
    dependencies=[Depends(allow_start)],
    openapi_extra={"requestBody": CHECK_REQUEST_BODY},
    responses=errors(400, 413, 415, 429, 502, 503),
)
async def estimate_check(
    submission: Annotated[Submission, Depends(read_submission)], settings: SettingsGiven
) -> EstimatedCost:
    """Takes the same request as a start, and starts nothing.

    No model and no search is asked: claims are counted by the embedded extractor. A page is fetched and a file is
    read, so it counts against the limit of starts.
    """
    order = await run_in_threadpool(check_order, submission.request, submission.upload, settings)
    likely = await run_in_threadpool(estimate, order, settings)
    return EstimatedCost.model_validate(
        {**likely.model_dump(), "mode": order.mode, "cost_usd": likely.cost_usd}
    )


@router.get("", summary="List runs", responses=errors(400, 503))
async def list_checks(
    runner: RunnerGiven,
    state: RunState | None = None,
    mode: Mode | None = None,
    verdict: ShownVerdict | None = None,
    q: Annotated[
        str | None,
        Query(max_length=200, description="Stands in the title, the source, the question or the text."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
    cursor: Annotated[
        str | None, Query(max_length=64, description="The `next_cursor` of the page before.")
    ] = None,
) -> CheckList:
    """The newest runs first; what they were begun with filters them."""

    def search() -> CheckList:
        found = runner.store.search(
            state=state,
            mode=mode,
            verdicts=verdict.means() if verdict else None,
            text=q,
            before=cursor,
            limit=limit + 1,
        )
        shown = [
            CheckSummary.model_validate(summary_fields(run, under_way=runner.is_running(run.id)))
            for run in found[:limit]
        ]
        return CheckList(checks=shown, next_cursor=shown[-1].id if len(found) > limit else None)

    try:
        return await run_in_threadpool(search)
    except NotFoundError:
        raise HTTPException(400, "cursor should be the next_cursor of another page of this list.") from None


@router.get("/{run_id}", summary="Show a run", responses=errors(400, 404, 503))
async def show_check(run_id: RunId, runner: RunnerGiven) -> CheckDetail:
    """A run's state and, once it is completed, all it came to."""
    return await run_in_threadpool(_detail, runner, run_id)


@router.get(
    "/{run_id}/report",
    summary="Download a run's report",
    response_class=Response,
    responses=file_response(kind for _, kind in _FILES.values()) | errors(400, 404, 503),
)
async def download_report(
    run_id: RunId,
    runner: RunnerGiven,
    report_format: Annotated[ReportFormat, Query(alias="format")] = ReportFormat.JSON,
) -> Response:
    """The report of a completed run, in the formats of `veridic check --format`."""

    def written() -> str:
        return render(runner.store.get(run_id), report_format)

    extension, kind = _FILES[report_format]
    content = await run_in_threadpool(written)
    return Response(
        content.encode("utf-8", "replace"),
        headers={
            "Content-Type": kind,
            "Content-Disposition": f'attachment; filename="{_file_stem(run_id)}.{extension}"',
        },
    )


@router.post("/{run_id}/cancel", summary="Cancel a run", responses=errors(400, 404, 503))
async def cancel_check(run_id: RunId, runner: RunnerGiven) -> Cancelled:
    """Ends a run that is under way; what it has found so far stays."""
    await run_in_threadpool(runner.store.summary, run_id)
    return Cancelled(id=run_id, cancelled=await runner.cancel(run_id))


@router.delete("/{run_id}", summary="Delete a run", status_code=204, responses=errors(400, 404, 409, 503))
async def delete_check(run_id: RunId, runner: RunnerGiven) -> None:
    """Removes a run that has ended and everything saved about it."""
    if runner.is_running(run_id):
        raise HTTPException(409, f"{run_id} is still under way; cancel it first.")
    await run_in_threadpool(runner.store.delete, run_id)


def _detail(runner: Runner, run_id: str) -> CheckDetail:
    run = runner.store.summary(run_id)
    result = report = None
    if run.mode == Mode.CONSENSUS and run.state is not RunState.UNFINISHED:
        result = runner.store.result(run_id)
    if run.state is RunState.COMPLETED:
        report = to_json(runner.store.get(run_id))
    shown = summary_fields(run, under_way=runner.is_running(run_id))
    usage = RunUsage.of(runner.store.usage(run_id))
    return CheckDetail.model_validate(shown | {"usage": usage, "result": result, "report": report})


def _file_stem(run_id: str) -> str:
    """Only what is safe in any file system and any header."""
    return "".join(c for c in run_id if c.isascii() and (c.isalnum() or c in "-_")) or "report"
