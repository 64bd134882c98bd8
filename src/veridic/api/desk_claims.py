"""Routes of claims at the desk: adding, changing, verifying; pending claims, earlier verdicts, claim types."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel

from veridic.api.dependencies import ActorDep, DeskDep, json_only
from veridic.api.desk_requests import AtVersion, ClaimChangeRequest, FlagRequest, NewClaim, VerifyRequest
from veridic.api.openapi import CheckId, ClaimId, desk_errors
from veridic.desk.claim_editing import ClaimChange
from veridic.desk.records import ClaimRecord, ClaimTypeRecord, PendingClaim, SimilarClaim

router = APIRouter()
_CHANGES = desk_errors(400, 404, 409, 413, 415)


class ClaimList(BaseModel):
    """Claims in the order of the text."""

    claims: list[ClaimRecord]


class PendingClaims(BaseModel):
    """Claims that wait: high priority first, then the oldest first."""

    claims: list[PendingClaim]


class SimilarClaims(BaseModel):
    """Earlier verdicts, on the most similar claim first."""

    claims: list[SimilarClaim]


class ClaimTypes(BaseModel):
    claim_types: list[ClaimTypeRecord]


@router.get(
    "/checks/{check_id}/claims", summary="List the claims of a check", responses=desk_errors(400, 404)
)
def list_claims(check_id: CheckId, desk: DeskDep, actor: ActorDep) -> ClaimList:
    """Lists the claims with all their verdicts, people's and the machine's, and the sources of each."""
    return ClaimList(claims=list(desk.check(actor, check_id).claims))


@router.post(
    "/checks/{check_id}/claims",
    summary="Add a claim",
    status_code=201,
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def add_claim(check_id: CheckId, request: NewClaim, desk: DeskDep, actor: ActorDep) -> ClaimRecord:
    """Adds a claim that the extractor missed. Its type is read from its words."""
    return desk.add_claim(actor, check_id, request.text, request.span)


@router.get("/claims/{claim_id}", summary="Show a claim", responses=desk_errors(400, 404))
def show_claim(claim_id: ClaimId, desk: DeskDep, actor: ActorDep) -> ClaimRecord:
    """Returns a claim with its verdicts; `leading` is the one that counts, a person's before the machine's."""
    return desk.claim(actor, claim_id)


@router.patch(
    "/claims/{claim_id}", summary="Change a claim", dependencies=[Depends(json_only)], responses=_CHANGES
)
def change_claim(
    claim_id: ClaimId, request: ClaimChangeRequest, desk: DeskDep, actor: ActorDep
) -> ClaimRecord:
    """Changes a claim's words, type or priority, or whether it can be verified."""
    change = ClaimChange.model_validate(request.model_dump(exclude={"version"}))
    return desk.change_claim(actor, claim_id, change, request.version)


@router.post(
    "/claims/{claim_id}/start",
    summary="Begin to work on a claim",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def start_claim(claim_id: ClaimId, request: AtVersion, desk: DeskDep, actor: ActorDep) -> ClaimRecord:
    """Marks a claim as in progress, so that others see that somebody is at it."""
    return desk.start_claim(actor, claim_id, request.version)


@router.post(
    "/claims/{claim_id}/verify",
    summary="Verify a claim",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def verify_claim(claim_id: ClaimId, request: VerifyRequest, desk: DeskDep, actor: ActorDep) -> ClaimRecord:
    """Saves a person's verdict with its sources. It leads; the machine's stays beside it, and `differs` compares them."""
    return desk.verify_claim(actor, claim_id, request, request.version)


@router.post(
    "/claims/{claim_id}/accept",
    summary="Accept the machine's verdict on a claim",
    dependencies=[Depends(json_only)],
    responses=_CHANGES,
)
def accept_claim(claim_id: ClaimId, request: AtVersion, desk: DeskDep, actor: ActorDep) -> ClaimRecord:
    """Saves the machine's verdict, with its notes and sources, as that of the person who asks. Its method is `accepted`."""
    return desk.accept_claim(actor, claim_id, request.version)


@router.post(
    "/claims/{claim_id}/flag", summary="Flag a claim", dependencies=[Depends(json_only)], responses=_CHANGES
)
def flag_claim(claim_id: ClaimId, request: FlagRequest, desk: DeskDep, actor: ActorDep) -> ClaimRecord:
    """Marks a claim as needing special attention."""
    return desk.flag_claim(actor, claim_id, request.note, request.version)


@router.get("/pending", summary="List claims that nobody has verified", responses=desk_errors(400))
def list_pending(
    desk: DeskDep, actor: ActorDep, limit: Annotated[int, Query(ge=1, le=500)] = 50
) -> PendingClaims:
    """Lists verifiable claims without a verdict, over all checks."""
    return PendingClaims(claims=desk.pending_claims(actor, limit))


@router.get("/similar", summary="Find earlier verdicts on a claim", responses=desk_errors(400))
def find_similar(
    desk: DeskDep,
    actor: ActorDep,
    text: Annotated[str, Query(min_length=1, max_length=2_000, description="The claim.")],
    limit: Annotated[int, Query(ge=1, le=50)] = 5,
) -> SimilarClaims:
    """Finds claims in like words that have a verdict, of this desk or imported from another."""
    return SimilarClaims(claims=desk.similar(actor, text, limit))


@router.get("/claim-types", summary="List the types of claims", responses=desk_errors())
def list_claim_types(desk: DeskDep) -> ClaimTypes:
    """Lists the types, and how claims of each are verified."""
    return ClaimTypes(claim_types=desk.claim_types())
