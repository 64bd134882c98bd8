"""Routes of checks at the desk: intake, the queue, assignment, states, comments."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, Field

from veridic.api.dependencies import (
    AccountsDep,
    ActorDep,
    DeskDep,
    FetcherDep,
    SettingsDep,
    allow_start,
    json_only,
)
from veridic.api.desk_intake import INTAKE_BODY, Intake, read_intake
from veridic.api.desk_requests import (
    AssignRequest,
    AtVersion,
    CommentRequest,
    MoveRequest,
)
from veridic.api.openapi import CheckId, desk_errors
from veridic.api.requests import read_given, refuse_large_text
from veridic.desk.lifecycle import CheckStatus, require_right
from veridic.desk.records import CheckRecord, QueueItem, QueueView
from veridic.domain.document import Document
from veridic.domain.errors import UsageError
from veridic.domain.people import RIGHTS, Right, Role

router = APIRouter()
_CHANGES = desk_errors(400, 404, 409, 413, 415)


class Created(BaseModel):
    id: str = Field(examples=["FC-2026-000001"])
    check: str = Field(examples=["/api/fact-checking/checks/FC-2026-000001"])


class QueuePage(BaseModel):
    """Checks: high priority before medium before low, then the oldest first."""

    checks: list[QueueItem]
    next_cursor: str | None = Field(
        description="Pass it as `cursor` to get the next page; null on the last page."
    )


class Commented(BaseModel):
    id: int


class DeskPerson(BaseModel):
    """Somebody with an account."""

    id: int
    username: str
    display_name: str | None
    role: Role


class DeskPeople(BaseModel):
    people: list[DeskPerson]


def check_path(check_id: str) -> str:
    return f"/api/fact-checking/checks/{check_id}"


@router.post(
    "/create",
    summary="Add a text to check",
    status_code=201,
    dependencies=[Depends(allow_start)],
    openapi_extra={"requestBody": INTAKE_BODY},
    responses={
        201: {"headers": {"Location": {"description": "The check.", "schema": {"type": "string"}}}},
        **desk_errors(400, 413, 415, 429, 502),
    },
)
def create_check(
    intake: Annotated[Intake, Depends(read_intake)],
    response: Response,
    desk: DeskDep,
    actor: ActorDep,
    settings: SettingsDep,
    fetcher: FetcherDep,
) -> Created:
    """Saves a text, a page or a file as a pending check, without a run. `POST .../extract-claims` then finds its claims, and
    `POST .../machine-check` has the machine check them."""
    request = intake.request
    require_right(actor, Right.CHECK)
    if request.content is not None:
        refuse_large_text(request.content, settings)
        content: str | Document = request.content
    else:
        document = read_given(None, request.url, intake.upload, settings, fetcher)
        if document is None:
            raise UsageError("Give one of content, url and file.")
        content = document
    check_id = desk.create(actor, request.title, content, request.priority, request.due_at)
    response.headers["Location"] = check_path(check_id)
    return Created(id=check_id, check=check_path(check_id))


@router.get("/checks", summary="List the queue", responses=desk_errors(400, 404))
def list_queue(
    desk: DeskDep,
    actor: ActorDep,
    view: Annotated[QueueView, Query(description="`mine` is for the person whose token it is.")] = "all",
    q: Annotated[str, Query(max_length=200, description="Words of the id, the title or the text.")] = "",
    status: Annotated[CheckStatus | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[
        str | None, Query(min_length=1, max_length=64, description="`next_cursor` of the page before.")
    ] = None,
) -> QueuePage:
    """Lists checks; without `status`, those that are not published. Machine-made checks are listed, too."""
    found = desk.queue(actor, view, q, status, limit + 1, cursor)
    return QueuePage(checks=found[:limit], next_cursor=found[limit - 1].id if len(found) > limit else None)


@router.get("/checks/{check_id}", summary="Show a check", responses=desk_errors(400, 404))
def show_check(check_id: CheckId, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Returns a check with its claims and their verdicts, comments, reviews and publications."""
    return desk.check(actor, check_id)


@router.post(
    "/checks/{check_id}/extract-claims",
    summary="Find the claims of a check",
    dependencies=[Depends(json_only), Depends(allow_start)],
    responses=desk_errors(400, 404, 409, 413, 415, 429),
)
def extract_claims(check_id: CheckId, request: AtVersion, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Finds the claims of a pending check with the embedded extractor; takes seconds for a long text."""
    return desk.extract(actor, check_id, request.version)


@router.post(
    "/checks/{check_id}/take",
    summary="Assign a check to oneself",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def take_check(check_id: CheckId, request: AtVersion, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Assigns a check that nobody has to the person who asks, and puts it into work."""
    return desk.take(actor, check_id, request.version)


@router.post(
    "/checks/{check_id}/assign",
    summary="Assign or reassign a check",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def assign_check(check_id: CheckId, request: AssignRequest, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Sets who works on a check, until when, and how urgent it is. For editors, and for the one who has it."""
    check = desk.check(actor, check_id)
    due_at = request.due_at if "due_at" in request.model_fields_set else check.due_at
    priority = request.priority or check.priority
    return desk.assign(actor, check_id, request.assigned_to, due_at, priority, request.version)


@router.post(
    "/checks/{check_id}/move",
    summary="Move a check to another state",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def move_check(check_id: CheckId, request: MoveRequest, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Completes a check, takes it up again, or puts it back. Complete: a person stands for a verdict on every verifiable claim."""
    return desk.move(actor, check_id, request.status, request.version, request.notes)


@router.post(
    "/checks/{check_id}/accept",
    summary="Accept the machine's verdicts on all remaining claims",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def accept_remaining(check_id: CheckId, request: AtVersion, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Accepts the machine's verdict on each claim that waits for a person, as `POST .../claims/{claim_id}/accept` does.

    Claims that somebody else has in progress, or that a person has flagged, are left as they are.
    """
    return desk.accept_remaining(actor, check_id, request.version)


@router.post(
    "/checks/{check_id}/comments",
    summary="Comment on a check or a claim",
    status_code=201,
    dependencies=[Depends(json_only)],
    responses=desk_errors(400, 404, 413, 415),
)
def add_comment(check_id: CheckId, request: CommentRequest, desk: DeskDep, actor: ActorDep) -> Commented:
    """Adds a comment, in any state of the check. Readers of the public page don't see it."""
    return Commented(id=desk.comment(actor, check_id, request.claim_id, request.text))


@router.get("/people", summary="List who can be assigned", responses=desk_errors())
def list_people(accounts: AccountsDep) -> DeskPeople:
    """Lists the people who may work on checks, by name; empty on a server without accounts."""
    return DeskPeople(
        people=[
            DeskPerson.model_validate(person, from_attributes=True)
            for person in accounts.people()
            if not person.disabled and Right.CHECK in RIGHTS[person.role]
        ]
    )
