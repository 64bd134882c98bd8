"""Review and publishing: the second reader, publications, corrections, retractions."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from veridic.desk.accepting import require_verdicts_of_people
from veridic.desk.assigning import uncomplete
from veridic.desk.changing import HeldCheck, hold_check, record_change, set_status
from veridic.desk.lifecycle import CHECK_MOVES, CheckStatus, require_move
from veridic.desk.reading import TITLE, People, load_claims, load_notices
from veridic.desk.records import (
    ClaimRecord,
    PublicationKind,
    PublicationRecord,
    ReviewDecision,
    SecondReader,
    SourceRecord,
    Verification,
)
from veridic.domain.errors import ConflictError, ForbiddenError, UsageError
from veridic.domain.people import Actor
from veridic.store import audit
from veridic.store.desk_tables import CheckReview, DeskCheck, Publication
from veridic.store.own_paths import own_names_of
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, Run

_WEB_SCHEMES = ("http://", "https://")


def second_reader(session: Session, check_id: str, actor: Actor, *, needed: bool) -> SecondReader:
    """Return whether the rule of the second reader lets the actor publish the check as it is now."""
    if not needed:
        return SecondReader(
            applies=False,
            satisfied=True,
            sentence="A second reader is not needed (VERIDIC_DESK_SECOND_READER).",
        )
    if actor.user_id is None:
        return SecondReader(
            applies=False,
            satisfied=True,
            sentence="The rule of the second reader can't apply: this server has no accounts.",
        )
    authors = _authors(session, check_id)
    if actor.user_id in authors:
        return _unsatisfied("You completed or verified this yourself; another person publishes it.")
    if not authors >= _approvers(session, check_id):
        return SecondReader(
            applies=True, satisfied=True, sentence="Another person has approved this version."
        )
    return _unsatisfied("An editor who did not work on it has to approve this version first.")


def review(
    session: Session,
    actor: Actor,
    check_id: str,
    decision: ReviewDecision,
    note: str,
    version: int,
    *,
    needs_second_reader: bool,
) -> None:
    """Approve a completed check, or send it back to work."""
    check = hold_check(session, check_id, version)
    if check.status is not CheckStatus.COMPLETED:
        raise ConflictError(f"{check_id} is {check.status.value}; only a completed check can be reviewed.")
    if decision == "approved":
        require_verdicts_of_people(check_id, load_claims(session, check_id, People(session)), decision)
    is_own = actor.user_id is not None and actor.user_id in _authors(session, check_id)
    if needs_second_reader and is_own and decision == "approved":
        raise ForbiddenError("You completed or verified this yourself; another person approves it.")
    session.add(
        CheckReview(
            fact_check_id=check_id,
            user_id=actor.user_id,
            decision=decision,
            note=note or None,
            version=check.desk.version,
            created_at=datetime.now(UTC),
        )
    )
    # A review changes nothing that was reviewed, so the version stays, and the approval with it.
    audit.record(
        session,
        actor,
        "reviewed",
        ("fact_check", check_id),
        fact_check_id=check_id,
        after={"decision": decision, "note": note, "version": check.desk.version},
    )
    if decision == "changes_requested":
        uncomplete(check)
        set_status(session, actor, check, CheckStatus.IN_PROGRESS, note=note)


def publish(
    session: Session, actor: Actor, check_id: str, version: int, *, needs_second_reader: bool
) -> None:
    """Publish a completed check for the first time, and lock it."""
    check = hold_check(session, check_id, version)
    require_move(actor, CHECK_MOVES, check.status, CheckStatus.PUBLISHED, check_id)
    if _latest(session, check_id) is not None:
        raise ConflictError(f"{check_id} was published before; publish it as a correction, with a reason.")
    _release(session, actor, check, "published", None, needs_second_reader=needs_second_reader)


def correct(
    session: Session, actor: Actor, check_id: str, reason: str, version: int, *, needs_second_reader: bool
) -> None:
    """Publish a notice of correction: of a published check as it is, or of one that was reopened and completed again."""
    check = hold_check(session, check_id, version)
    reason = _required(reason)
    latest = _require_published(session, check_id)
    if check.status is CheckStatus.COMPLETED:
        _release(session, actor, check, "corrected", reason, needs_second_reader=needs_second_reader)
        return
    if check.status is not CheckStatus.PUBLISHED:
        raise ConflictError(
            f"{check_id} is {check.status.value}; complete it before publishing its correction."
        )
    if latest.kind == "retracted":
        raise ConflictError(f"{check_id} was retracted; reopen it before publishing a correction.")
    publication = _add_publication(session, actor, check, "corrected", reason, latest.content)
    record_change(session, actor, "corrected", check, {"number": latest.number}, _account(publication))


def retract(session: Session, actor: Actor, check_id: str, reason: str, version: int) -> None:
    """Publish that a check no longer stands; its public page says so and stays."""
    check = hold_check(session, check_id, version)
    reason = _required(reason)
    latest = _require_published(session, check_id)
    if latest.kind == "retracted":
        raise ConflictError(f"{check_id} is already retracted.")
    publication = _add_publication(session, actor, check, "retracted", reason, latest.content)
    record_change(session, actor, "retracted", check, {"number": latest.number}, _account(publication))


def reopen(session: Session, actor: Actor, check_id: str, reason: str, version: int) -> None:
    """Unlock a published check for changes; its public page stays until the correction is published."""
    check = hold_check(session, check_id, version)
    reason = _required(reason)
    if check.status is not CheckStatus.PUBLISHED:
        raise ConflictError(f"{check_id} is {check.status.value}, not published.")
    uncomplete(check)
    set_status(session, actor, check, CheckStatus.IN_PROGRESS, reason=reason)


def load_publication(session: Session, check_id: str) -> PublicationRecord | None:
    """Return the newest publication of a check, or None."""
    latest = _latest(session, check_id)
    return None if latest is None else _record(session, latest, People(session))


def load_publications(session: Session, limit: int) -> list[PublicationRecord]:
    """Return the newest publication of each check, newest first; retracted ones say so."""
    newest = select(func.max(Publication.id)).group_by(Publication.fact_check_id)
    rows = session.scalars(
        select(Publication)
        .where(Publication.id.in_(newest))
        .order_by(Publication.published_at.desc(), Publication.id.desc())
        .limit(limit)
    ).all()
    people = People(session)
    people.fetch(row.user_id for row in rows)
    return [_record(session, row, people) for row in rows]


def _unsatisfied(sentence: str) -> SecondReader:
    return SecondReader(applies=True, satisfied=False, sentence=sentence)


def _authors(session: Session, check_id: str) -> set[int]:
    """Return who completed a check or verified a claim of it."""
    verified = (
        select(ClaimVerification.verified_by)
        .join(ExtractedClaim, ExtractedClaim.id == ClaimVerification.claim_id)
        .where(ExtractedClaim.fact_check_id == check_id)
    )
    completed = select(FactCheck.completed_by).where(FactCheck.id == check_id)
    return {user for user in session.scalars(verified.union(completed)) if user is not None}


def _approvers(session: Session, check_id: str) -> set[int]:
    """Return who approved the check as it is now; of each person, the last review counts."""
    version = session.scalar(select(DeskCheck.version).where(DeskCheck.fact_check_id == check_id)) or 1
    reviews = session.execute(
        select(CheckReview.user_id, CheckReview.decision)
        .where(CheckReview.fact_check_id == check_id, CheckReview.version == version)
        .order_by(CheckReview.id)
    )
    last = {row.user_id: row.decision for row in reviews if row.user_id is not None}
    return {user for user, decision in last.items() if decision == "approved"}


def _release(
    session: Session,
    actor: Actor,
    check: HeldCheck,
    kind: PublicationKind,
    reason: str | None,
    *,
    needs_second_reader: bool,
) -> None:
    """Publish a completed check as it is now."""
    require_verdicts_of_people(check.id, load_claims(session, check.id, People(session)), "published")
    rule = second_reader(session, check.id, actor, needed=needs_second_reader)
    if not rule.satisfied:
        raise ForbiddenError(rule.sentence)
    publication = _add_publication(session, actor, check, kind, reason, _snapshot(session, check))
    set_status(
        session,
        actor,
        check,
        CheckStatus.PUBLISHED,
        second_reader=rule.sentence,
        **_account(publication),
    )


def _add_publication(
    session: Session,
    actor: Actor,
    check: HeldCheck,
    kind: PublicationKind,
    reason: str | None,
    content: dict[str, Any],
) -> Publication:
    latest = _latest(session, check.id)
    row = Publication(
        fact_check_id=check.id,
        number=latest.number + 1 if latest else 1,
        kind=kind,
        reason=reason,
        content=content,
        user_id=actor.user_id,
        published_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    return row


def _snapshot(session: Session, check: HeldCheck) -> dict[str, Any]:
    """Return all that a public page shows, as JSON."""
    session.flush()
    title = session.scalar(
        select(TITLE)
        .select_from(FactCheck)
        .outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id)
        .outerjoin(Run, Run.fact_check_id == FactCheck.id)
        .where(FactCheck.id == check.id)
    )
    completed, notes = check.row.completed_at, check.row.fact_checker_notes
    return {
        "title": title,
        "text": check.row.content,
        "overall_rating": check.row.overall_rating,
        "notes": notes and own_names_of(session, check.id).text(notes),
        "completed_at": completed.isoformat() if completed else None,
        "claims": [_public_claim(claim) for claim in load_claims(session, check.id, People(session))],
    }


def _public_claim(claim: ClaimRecord) -> dict[str, Any]:
    machine = claim.machine if claim.machine is not claim.leading else None
    return {
        "id": claim.id,
        "text": claim.text,
        "claim_type": claim.claim_type,
        "span": list(claim.span) if claim.span else None,
        "status": claim.status.value,
        **_public_verdict(claim.leading),
        "sources": [_public_source(source) for source in (claim.leading.sources if claim.leading else ())],
        "machine": _public_verdict(machine) if machine else None,
        "differs": claim.differs,
    }


def _public_verdict(verification: Verification | None) -> dict[str, Any]:
    if verification is None:
        return {"rating": None, "notes": None, "method": None, "verified_by": None, "verified_at": None}
    by, at = verification.verified_by, verification.verified_at
    return {
        "rating": verification.rating,
        "notes": verification.notes,
        "method": verification.method,
        "verified_by": by.name if by else None,
        "verified_at": at.isoformat() if at else None,
        "confidence": verification.confidence,
    }


def _public_source(source: SourceRecord) -> dict[str, Any]:
    """Return a source for the public: a file of the desk has its title, never its path."""
    is_web = source.url.lower().startswith(_WEB_SCHEMES)
    return {
        "url": source.url if is_web else None,
        "title": source.title or (source.domain if is_web else None),
        "domain": source.domain,
        "credibility_tier": source.credibility_tier,
        "supports_claim": source.supports_claim,
        "excerpt": source.excerpt,
        "date_published": source.date_published.date().isoformat() if source.date_published else None,
    }


def _latest(session: Session, check_id: str) -> Publication | None:
    return session.scalars(
        select(Publication)
        .where(Publication.fact_check_id == check_id)
        .order_by(Publication.number.desc())
        .limit(1)
    ).one_or_none()


def _require_published(session: Session, check_id: str) -> Publication:
    latest = _latest(session, check_id)
    if latest is None:
        raise ConflictError(f"{check_id} was never published.")
    return latest


def _required(reason: str) -> str:
    if not reason.strip():
        raise UsageError("Give a reason; readers see it on the public page.")
    return reason.strip()


def _account(publication: Publication) -> dict[str, Any]:
    return {"number": publication.number, "kind": publication.kind, "reason": publication.reason}


def _record(session: Session, row: Publication, people: People) -> PublicationRecord:
    person = people.get(row.user_id)
    return PublicationRecord(
        check_id=row.fact_check_id,
        number=row.number,
        kind=row.kind,
        reason=row.reason,
        title=row.content.get("title"),
        published_at=row.published_at,
        published_by=person.name if person else None,
        content=row.content,
        notices=load_notices(session, row.fact_check_id),
    )
