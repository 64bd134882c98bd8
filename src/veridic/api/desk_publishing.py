"""Routes of review and publishing: the second reader, publications, corrections, retractions."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel

from veridic.api.dependencies import ActorDep, DeskDep, json_only
from veridic.api.desk_requests import AtVersion, ReasonRequest, ReviewRequest
from veridic.api.openapi import CheckId, desk_errors
from veridic.desk.records import CheckRecord, PublicationRecord
from veridic.domain.errors import NotFoundError

router = APIRouter()
_CHANGES = desk_errors(400, 404, 409, 413, 415)


class Publications(BaseModel):
    """The newest publication of each check, newest first; retracted ones say so."""

    publications: list[PublicationRecord]


@router.post(
    "/checks/{check_id}/review",
    summary="Review a completed check",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def review_check(check_id: CheckId, request: ReviewRequest, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Approves a completed check, or sends it back to work. Nobody approves what they completed or verified themselves."""
    return desk.review(actor, check_id, request.decision, request.note, request.version)


@router.post(
    "/checks/{check_id}/publish",
    summary="Publish a check",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def publish_check(check_id: CheckId, request: AtVersion, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Publishes a completed check for the first time, and locks it. `second_reader` of the check says who has to read it first."""
    return desk.publish(actor, check_id, request.version)


@router.post(
    "/checks/{check_id}/correct",
    summary="Publish a correction",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def correct_check(check_id: CheckId, request: ReasonRequest, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Publishes a correction with its reason: of a published check as it is, or of one that was reopened and completed again."""
    return desk.correct(actor, check_id, request.reason, request.version)


@router.post(
    "/checks/{check_id}/reopen",
    summary="Reopen a published check",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def reopen_check(check_id: CheckId, request: ReasonRequest, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Unlocks a published check, to change its verdicts. What is published stays until the correction."""
    return desk.reopen(actor, check_id, request.reason, request.version)


@router.post(
    "/checks/{check_id}/retract",
    summary="Retract a published check",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def retract_check(check_id: CheckId, request: ReasonRequest, desk: DeskDep, actor: ActorDep) -> CheckRecord:
    """Publishes that a check no longer stands, and why."""
    return desk.retract(actor, check_id, request.reason, request.version)


@router.get(
    "/checks/{check_id}/publication", summary="Show what was published", responses=desk_errors(400, 404)
)
def show_publication(check_id: CheckId, desk: DeskDep) -> PublicationRecord:
    """Returns the newest publication of a check, with the history of its corrections."""
    publication = desk.publication(check_id)
    if publication is None:
        raise NotFoundError(f"{check_id} was never published, or there is no such check.")
    return publication


@router.get(
    "/checks/{check_id}/publications/{number}",
    summary="Show what was published earlier",
    responses=desk_errors(400, 404),
)
def show_version(
    check_id: CheckId,
    number: Annotated[int, Path(ge=1, le=2**31 - 1, description="As in `notices`.")],
    desk: DeskDep,
) -> PublicationRecord:
    """Returns a version as it was published; `notices` has all of them."""
    publication = desk.publication_version(check_id, number)
    if publication is None:
        raise NotFoundError(f"There is no version {number} of {check_id}.")
    return publication


@router.get("/publications", summary="List publications", responses=desk_errors(400))
def list_publications(desk: DeskDep, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> Publications:
    """Lists what this desk has published."""
    return Publications(publications=desk.publications(limit))
