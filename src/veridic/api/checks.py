"""Routes under `/api/checks`: start, estimate, list, show, download, cancel and delete runs."""

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Response
from starlette.concurrency import run_in_threadpool

from veridic.api.bodies import CHECK_REQUEST_BODY, Submission, read_submission
from veridic.api.dependencies import ActorDep, RunnerDep, SettingsDep, allow_start
from veridic.api.openapi import ERRORS_ALWAYS, RunId, errors, file_response, started_response
from veridic.api.requests import check_order
from veridic.api.responses import (
    Cancelled,
    CheckDetail,
    CheckList,
    CheckStarted,
    CheckSummary,
    EstimatedCost,
    Links,
    Resumed,
    RunUsage,
    check_path,
    events_path,
    summary_fields,
)
from veridic.check.estimate import estimate
from veridic.desk.person_verdicts import load_report
from veridic.domain.errors import NotFoundError
from veridic.domain.modes import Mode, ReportFormat
from veridic.domain.verdicts import Scale, Verdict, say
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
    """A document's verdict on the scale of lists."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    MISLEADING = "MISLEADING"
    UNVERIFIABLE = "UNVERIFIABLE"

    def canonical(self) -> tuple[Verdict, ...]:
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
    runner: RunnerDep,
    settings: SettingsDep,
    actor: ActorDep,
) -> CheckStarted:
    """Starts a check of a text, a web page or an uploaded file, and returns at once.

    The page is fetched and the file read before the response, so what can't be read is refused here. Sources are
    corpora, by name: clients can't make the server read its own files.
    """
    order = await run_in_threadpool(check_order, submission.request, submission.upload, settings)
    started = await runner.start(order, priority=submission.request.priority)
    await run_in_threadpool(runner.store.started_by, started.run_id, actor)
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
    submission: Annotated[Submission, Depends(read_submission)], settings: SettingsDep
) -> EstimatedCost:
    """Takes the same request as `POST /api/checks`, but starts nothing.

    The embedded extractor counts the claims; no model or search provider is called. Pages are fetched and files are
    read, so estimates count against the rate limit of starts.
    """
    order = await run_in_threadpool(check_order, submission.request, submission.upload, settings)
    likely = await run_in_threadpool(estimate, order, settings)
    return EstimatedCost.model_validate(
        {**likely.model_dump(), "mode": order.mode, "cost_usd": likely.cost_usd}
    )


@router.get("", summary="List runs", responses=errors(400, 503))
async def list_checks(
    runner: RunnerDep,
    state: RunState | None = None,
    mode: Mode | None = None,
    verdict: ShownVerdict | None = None,
    q: Annotated[
        str | None,
        Query(max_length=200, description="Words in the title, the source, the question or the text."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
    cursor: Annotated[
        str | None, Query(max_length=64, description="The `next_cursor` of the page before.")
    ] = None,
) -> CheckList:
    """Lists runs, newest first, filtered by the parameters given."""

    def search() -> CheckList:
        found = runner.store.search(
            state=state,
            mode=mode,
            verdicts=verdict.canonical() if verdict else None,
            text=q,
            before=cursor,
            limit=limit + 1,
        )
        summaries = [CheckSummary.model_validate(summary_fields(run)) for run in found[:limit]]
        return CheckList(checks=summaries, next_cursor=summaries[-1].id if len(found) > limit else None)

    try:
        return await run_in_threadpool(search)
    except NotFoundError:
        raise HTTPException(400, "cursor should be the next_cursor of another page of this list.") from None


@router.get("/{run_id}", summary="Show a run", responses=errors(400, 404, 503))
async def show_check(run_id: RunId, runner: RunnerDep) -> CheckDetail:
    """A run's state and, once it is completed, its report and result."""
    return await run_in_threadpool(_detail, runner, run_id)


@router.get(
    "/{run_id}/report",
    summary="Download a run's report",
    response_class=Response,
    responses=file_response(kind for _, kind in _FILES.values()) | errors(400, 404, 503),
)
async def download_report(
    run_id: RunId,
    runner: RunnerDep,
    report_format: Annotated[ReportFormat, Query(alias="format")] = ReportFormat.JSON,
) -> Response:
    """The report of a completed run, in the formats of `veridic check --format`."""

    def rendered() -> str:
        return render(load_report(runner.store, run_id), report_format)

    extension, kind = _FILES[report_format]
    content = await run_in_threadpool(rendered)
    return Response(
        content.encode("utf-8", "replace"),
        headers={
            "Content-Type": kind,
            "Content-Disposition": f'attachment; filename="{_file_stem(run_id)}.{extension}"',
        },
    )


@router.post("/{run_id}/cancel", summary="Cancel a run", responses=errors(400, 404, 503))
async def cancel_check(run_id: RunId, runner: RunnerDep, actor: ActorDep) -> Cancelled:
    """Cancels a run that is under way; what it has found so far is kept."""
    await run_in_threadpool(runner.store.summary, run_id)
    return Cancelled(id=run_id, cancelled=await runner.cancel(run_id, actor.shown_name))


@router.post(
    "/{run_id}/resume",
    summary="Resume a run",
    status_code=202,
    responses=errors(400, 404, 409, 429, 503),
    dependencies=[Depends(allow_start)],
)
async def resume_check(run_id: RunId, runner: RunnerDep) -> Resumed:
    """Lets a run that was interrupted or failed go on; what it has paid for is not paid again."""
    await runner.resume(run_id)
    return Resumed(id=run_id, events=events_path(run_id))


@router.delete("/{run_id}", summary="Delete a run", status_code=204, responses=errors(400, 404, 409, 503))
async def delete_check(run_id: RunId, runner: RunnerDep, actor: ActorDep) -> None:
    """Deletes a run that has ended, with everything saved about it."""
    await run_in_threadpool(runner.store.delete, run_id, actor)


def _detail(runner: Runner, run_id: str) -> CheckDetail:
    run = runner.store.summary(run_id)
    result = report = None
    if run.mode == Mode.CONSENSUS and run.state.has_ended:
        result = runner.store.result(run_id)
    if run.state is RunState.COMPLETED:
        report = to_json(load_report(runner.store, run_id))
    summary = summary_fields(run)
    usage = RunUsage.of(runner.store.usage(run_id))
    return CheckDetail.model_validate(summary | {"usage": usage, "result": result, "report": report})


def _file_stem(run_id: str) -> str:
    """Keep the characters that are safe in file names and headers."""
    return "".join(c for c in run_id if c.isascii() and (c.isalnum() or c in "-_")) or "report"
