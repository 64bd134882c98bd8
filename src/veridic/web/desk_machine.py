"""Asking the machine about a check at the desk, and what was checked before."""

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from veridic.api.dependencies import RunnerDep
from veridic.api.desk_machine import MachineCheckRequest, machine_order, start_machine_check
from veridic.domain.errors import NotFoundError, UsageError
from veridic.domain.modes import Mode
from veridic.web.desk_context import REFUSALS, ContextDep, Line, Version, answer_to
from veridic.web.desk_workbench import PATH, workbench_page
from veridic.web.earlier_checks import earlier_checks

router = APIRouter(include_in_schema=False)


@router.post(PATH + "/{check_id}/machine")
async def ask_machine(
    context: ContextDep,
    request: Request,
    runner: RunnerDep,
    check_id: str,
    version: Version,
    mode: Line = Mode.THOROUGH,
) -> Response:
    """Start the machine's run; its page follows."""
    against = [name for name in (await request.form()).getlist("against") if isinstance(name, str)]
    try:
        context.limit_work()
        document = await run_in_threadpool(context.desk.document, context.actor, check_id)
        wanted = _request(version, mode, against)
        order = await run_in_threadpool(machine_order, wanted, document, context.settings)
        await start_machine_check(context.desk, context.actor, runner, check_id, version, order)
    except NotFoundError:
        raise
    except REFUSALS as error:
        sentence, status, headers = answer_to(error)
        return await run_in_threadpool(
            workbench_page, context, check_id, problem=sentence, status=status, headers=headers
        )
    return RedirectResponse(f"/checks/{check_id}", 303)


@router.get(PATH + "/{check_id}/earlier")
def earlier(context: ContextDep, check_id: str) -> Response:
    """Show what was checked before of a check's claims: a page, which other pages show as a part of theirs."""
    check = context.desk.check(context.actor, check_id)
    claims = [claim.text for claim in check.claims]
    return context.page(
        "desk_earlier.html.j2",
        tab="check",
        check=check,
        earlier=earlier_checks(context.desk, context.actor, claims, check_id),
    )


def _request(version: int, mode: str, against: list[str]) -> MachineCheckRequest:
    try:
        return MachineCheckRequest.model_validate({"version": version, "mode": mode, "against": against})
    except ValidationError:
        raise UsageError("Choose a mode and sources that there are.") from None
