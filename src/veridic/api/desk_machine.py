"""The machine's check of a text at the desk: its run belongs to the same check, beside what people find."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from veridic.api.dependencies import ActorDep, DeskDep, RunnerDep, SettingsDep, allow_start, json_only
from veridic.api.desk_requests import DeskRequest, Version
from veridic.api.openapi import CheckId, desk_errors
from veridic.api.requests import CheckRequest, CorpusNames, ModelNames, check_order
from veridic.api.responses import CheckStarted, Links
from veridic.config.settings import Settings
from veridic.desk.desk import Desk
from veridic.domain.document import Document
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.people import Actor
from veridic.engine.order import CheckOrder
from veridic.runtime.runner import Runner, Started

router = APIRouter()


class MachineCheckRequest(DeskRequest):
    """How the machine checks the text; what is left out is as in `POST /api/checks`."""

    version: Version
    mode: Mode | None = None
    engine: EngineChoice = EngineChoice.AUTO
    models: ModelNames = ModelNames()
    against: CorpusNames = Field(default=[])
    as_of: date | None = None
    max_cost: Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)] | None = None


@router.post(
    "/checks/{check_id}/machine-check",
    summary="Let the machine check a text",
    status_code=202,
    dependencies=[Depends(json_only), Depends(allow_start)],
    responses=desk_errors(400, 404, 409, 413, 415, 429, 503),
)
async def check_by_machine(
    check_id: CheckId,
    request: MachineCheckRequest,
    desk: DeskDep,
    actor: ActorDep,
    runner: RunnerDep,
    settings: SettingsDep,
) -> CheckStarted:
    """Starts a run on the text of an open check. Its claims and verdicts become those of this check; a person's verdicts stay, and lead.

    Meanwhile nobody can change the check; the run is followed, cancelled and resumed under `/api/checks` with the same id.
    """
    document = await run_in_threadpool(desk.document, actor, check_id)
    order = await run_in_threadpool(machine_order, request, document, settings)
    started = await start_machine_check(desk, actor, runner, check_id, request.version, order)
    return CheckStarted(
        id=check_id,
        mode=order.mode,
        conversation_id=started.conversation_id,
        message_id=started.message_id,
        links=Links.to(check_id),
    )


def machine_order(request: MachineCheckRequest, document: Document, settings: Settings) -> CheckOrder:
    """Return the order for a text as it was taken in. Blocks while corpora are looked up."""
    wanted = request.model_dump(exclude={"version"}, exclude_unset=True)
    order = check_order(CheckRequest.model_validate({**wanted, "text": document.text}), None, settings)
    return order.model_copy(update={"document": document})


async def start_machine_check(
    desk: Desk, actor: Actor, runner: Runner, check_id: str, version: int, order: CheckOrder
) -> Started:
    """Start the run of a check, in the same transaction in which the check notes who asked for it."""
    also = desk.asks_machine(actor, check_id, version)
    check = await run_in_threadpool(desk.check, actor, check_id)
    return await runner.start(order, priority=check.priority, also=also, check_id=check_id)
