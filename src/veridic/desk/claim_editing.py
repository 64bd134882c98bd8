"""Changing a claim itself: its words, its type, whether it can be verified, how urgent it is."""

from typing import Any

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk.changing import HeldClaim, hold_claim, record_claim_change
from veridic.desk.records import Text
from veridic.domain.base import Frozen
from veridic.domain.claim import Framing, FramingKind, Priority
from veridic.domain.errors import ConflictError, UsageError
from veridic.domain.people import Actor
from veridic.store.tables import ClaimVerification


class ClaimChange(Frozen):
    """What to change of a claim; what is None stays."""

    text: Text | None = Field(default=None, description="Only as long as nobody has verified it.")
    claim_type: FramingKind | None = Field(
        default=None,
        description="The verification type follows from it, and so does `verifiable` unless given.",
    )
    verifiable: bool | None = Field(
        default=None, description="A claim that can't be verified doesn't keep a check from being completed."
    )
    priority: Priority | None = None


def change(session: Session, actor: Actor, claim_id: int, wanted: ClaimChange, version: int) -> None:
    """Change a claim of an open check; raise `ConflictError` for new words of a claim that has a verdict."""
    if wanted == ClaimChange():
        raise UsageError("Say what to change: text, claim_type, verifiable or priority.")
    claim = hold_claim(session, claim_id, version)
    if wanted.text is not None and wanted.text != claim.row.claim_text:
        _refuse_reworded_verdict(session, claim_id)
    before = _values(claim)
    if wanted.text is not None:
        claim.row.claim_text = wanted.text
    if wanted.claim_type is not None:
        _set_type(claim, wanted.claim_type)
    if wanted.verifiable is not None:
        claim.row.verifiable = wanted.verifiable
    if wanted.priority is not None:
        claim.row.priority = wanted.priority
    changed = {name: value for name, value in _values(claim).items() if value != before[name]}
    if changed:
        record_claim_change(
            session, actor, "changed", claim, {name: before[name] for name in changed}, changed
        )


def _refuse_reworded_verdict(session: Session, claim_id: int) -> None:
    verified = select(ClaimVerification.id).where(ClaimVerification.claim_id == claim_id).limit(1)
    if session.scalar(verified) is not None:
        raise ConflictError(
            f"Claim {claim_id} has a verdict on its words, so they can't be changed; "
            "add a claim with the other words."
        )


def _set_type(claim: HeldClaim, kind: FramingKind) -> None:
    framing = Framing(kind=kind)
    claim.row.claim_type = kind.value
    claim.row.verification_type = framing.verification_type.value
    claim.row.verifiable = framing.verifiable


def _values(claim: HeldClaim) -> dict[str, Any]:
    row = claim.row
    return {
        "text": row.claim_text,
        "claim_type": row.claim_type and str(row.claim_type),
        "verification_type": row.verification_type and str(row.verification_type),
        "verifiable": row.verifiable is not False,
        "priority": row.priority and str(row.priority),
    }
