"""Saving a run's outcome: the claims, the verdicts, the report, or the error."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from veridic.domain.claim import Claim
from veridic.domain.decision import Decision
from veridic.domain.errors import StorageError
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, overall_rating, rated_verdict, say
from veridic.store import audit, leases, rows, steps
from veridic.store import rows as validation_rows
from veridic.store.columns import storable
from veridic.store.desk_tables import DeskCheck
from veridic.store.rows import ClaimStatus, FactCheckStatus, same_words
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, Run

ClaimRows = Sequence[tuple[ExtractedClaim, Decision | None]]
ClaimKey = tuple[int | None, int | None, str]
T = TypeVar("T")


def add_claims(session: Session, run_id: str, claims: Sequence[Claim]) -> None:
    """Save the claims as pending, beside those that a check from the desk has already."""
    fact_check = get_fact_check(session, run_id)
    fact_check.status = FactCheckStatus.IN_PROGRESS
    saved = _saved_claims(session, run_id)
    _, missing = _paired(saved, {_key(claim): claim for claim in claims})
    session.add_all(rows.claim_row(run_id, claim) for claim in missing)
    listed = [row.claim_text for row in saved if row.verifiable]
    listed += [claim.text for claim in missing if claim.framing.verifiable]
    fact_check.claims_to_verify = rows.as_json(listed)


def complete(session: Session, run_id: str, report: Report) -> Report:
    """Save the verdicts and the report; return the report with its id."""
    report = report.model_copy(update={"id": run_id})
    now = datetime.now(UTC)
    fact_check = get_fact_check(session, run_id)
    # The claims' spans refer to this text, which a model may have generated since the run began.
    # A text from the desk stays whole where the machine has read its beginning only.
    if not is_from_desk(session, run_id):
        fact_check.content = report.document.text
    claims = _claim_rows(session, run_id, report.decisions, now)
    _add_verifications(session, claims, report, now)
    if report.mode != Mode.CONSENSUS:
        _add_validations(session, claims, report, now)
    before = fact_check.status
    _close(fact_check, claims, report, now, is_left_to_people=is_from_desk(session, run_id))
    _record_end(
        session,
        run_id,
        "run_completed",
        before,
        {
            "status": fact_check.status,
            "overall_rating": fact_check.overall_rating,
            "ratings": Counter(say(decision.verdict, Scale.RATING) for decision in report.decisions),
            "seconds": round(report.processing_time_ms / 1000),
        },
    )
    run = session.get_one(Run, run_id)
    run.engine = report.engine
    run.verdict = rated_verdict([decision.verdict for decision in report.decisions], report.verdict)
    run.credibility_score = report.credibility_score
    run.usage = report.usage.model_dump()
    # ASCII, so that any string is read back unchanged.
    run.report = json.dumps(report.model_dump(mode="json"))
    session.flush()
    leases.end(session, run_id)
    steps.delete_of(session, run_id)
    return report


def fail(session: Session, run_id: str, message: str) -> None:
    """Save why a run failed; its claims stay pending. Its steps stay, too: it may be resumed."""
    fact_check = get_fact_check(session, run_id)
    before = fact_check.status
    if is_from_desk(session, run_id):
        if fact_check.status == FactCheckStatus.EXTRACTING_CLAIMS:
            is_taken = fact_check.assigned_to is not None
            fact_check.status = FactCheckStatus.IN_PROGRESS if is_taken else FactCheckStatus.PENDING
    elif fact_check.assigned_to is None:
        fact_check.status = FactCheckStatus.PENDING
        fact_check.fact_checker_notes = f"The automated check did not finish: {message}"
    _record_end(session, run_id, "run_failed", before, {"status": fact_check.status, "error": message})
    session.get_one(Run, run_id).error = message
    session.flush()
    leases.end(session, run_id)


def _record_end(
    session: Session, run_id: str, action: str, status_before: str | None, after: dict[str, Any]
) -> None:
    audit.record(
        session,
        None,
        action,
        ("fact_check", run_id),
        fact_check_id=run_id,
        before={"status": status_before},
        after=after,
    )


def get_fact_check(session: Session, run_id: str) -> FactCheck:
    """Return the fact check of a run under way; raise `StorageError` if it was deleted."""
    # Held until the transaction ends: somebody could be assigned to the check meanwhile.
    fact_check = session.get(FactCheck, run_id, with_for_update=True)
    if fact_check is None:
        raise run_deleted(run_id)
    return fact_check


def run_deleted(run_id: str) -> StorageError:
    return StorageError(f"The run {run_id} is no longer in the database.")


def _claim_rows(session: Session, run_id: str, decisions: Sequence[Decision], now: datetime) -> ClaimRows:
    """Pair saved claims with their decisions, set their status, and add claims that were not saved yet."""
    pairs, missing = _paired(
        _saved_claims(session, run_id), {_key(decision.claim): decision for decision in decisions}
    )
    added = [(rows.claim_row(run_id, decision.claim), decision) for decision in missing]
    session.add_all(row for row, _ in added)
    claims = [*pairs, *added]
    by_people = set(session.scalars(_claims_of_people(run_id)))
    for row, decision in claims:
        # Also a claim that somebody has flagged, or works on, stays as it is.
        if decision is not None and row.id not in by_people and row.status == ClaimStatus.PENDING:
            row.status = rows.claim_status(decision)
            row.updated_at = now
    session.flush()
    return claims


def _saved_claims(session: Session, run_id: str) -> Sequence[ExtractedClaim]:
    return session.scalars(
        select(ExtractedClaim).where(ExtractedClaim.fact_check_id == run_id).order_by(ExtractedClaim.id)
    ).all()


def _paired(
    saved: Sequence[ExtractedClaim], found: Mapping[ClaimKey, T]
) -> tuple[list[tuple[ExtractedClaim, T | None]], list[T]]:
    """Pair saved claims with what was found for them, by place and words, otherwise by words; return what is left, too.

    A claim that a person wrote has no place, and perhaps no full stop.
    """
    left = dict(found)
    pairs = {row.id: left.pop((row.span_start, row.span_end, row.claim_text), None) for row in saved}
    by_words = {same_words(key[2]): key for key in reversed(left)}
    for row in saved:
        if pairs[row.id] is None and (key := by_words.pop(same_words(row.claim_text), None)) is not None:
            pairs[row.id] = left.pop(key)
    return [(row, pairs[row.id]) for row in saved], list(left.values())


def is_from_desk(session: Session, run_id: str) -> bool:
    """Return whether a person took the text in, who then asked the machine."""
    taken_in = select(DeskCheck.document.is_not(None)).where(DeskCheck.fact_check_id == run_id)
    return bool(session.scalar(taken_in))


def _claims_of_people(run_id: str) -> Select[int]:
    """Select the claims that a person has verified: the machine's verdict stands beside it and doesn't count."""
    by_person = or_(
        ClaimVerification.verified_by.is_not(None),
        ClaimVerification.verification_method.in_(rows.BY_PEOPLE),
    )
    return (
        select(ClaimVerification.claim_id)
        .join(ExtractedClaim, ExtractedClaim.id == ClaimVerification.claim_id)
        .where(ExtractedClaim.fact_check_id == run_id, by_person)
    )


def _key(claim: Claim) -> ClaimKey:
    return (*claim.span, storable(claim.text))


def _add_verifications(session: Session, claims: ClaimRows, report: Report, now: datetime) -> None:
    seconds = rows.seconds_per_claim(report)
    verified = [
        (rows.verification_row(row.id, decision, seconds=seconds, at=now), decision)
        for row, decision in claims
        if decision is not None
    ]
    session.add_all(verification for verification, _ in verified)
    session.flush()
    sources = [
        (rows.source_row(verification.id, evidence, at=now), evidence.source.date)
        for verification, decision in verified
        for evidence in decision.evidence
    ]
    session.add_all(row for row, _ in sources)
    session.flush()
    dates = (rows.source_date_row(row.id, published) for row, published in sources)
    session.add_all(date for date in dates if date is not None)


def _add_validations(session: Session, claims: ClaimRows, report: Report, now: datetime) -> None:
    numbers = {source.location: number for number, source in enumerate(report.sources, start=1)}
    validated = [
        (validation_rows.result_row(row.fact_check_id, row.id, decision, at=now), decision)
        for row, decision in claims
        if decision is not None
    ]
    session.add_all(result for result, _ in validated)
    session.flush()
    for result, decision in validated:
        session.add_all(validation_rows.citation_rows(result.id, decision, numbers))


def _close(
    fact_check: FactCheck, claims: ClaimRows, report: Report, now: datetime, *, is_left_to_people: bool
) -> None:
    """Set the overall result; the status is `completed` only if no claim is pending, since a claim's check may fail, and
    if nobody has the check: who has it, or took the text in, completes it.
    """
    fact_check.claims_to_verify = rows.as_json(row.claim_text for row, _ in claims if row.verifiable)
    fact_check.verified_claims = rows.as_json(rows.verified_claims(report))
    fact_check.disputed_claims = rows.as_json(rows.disputed_claims(report))
    fact_check.sources = rows.as_json(source.reference for source in report.sources)
    verdicts = [decision.verdict for decision in report.decisions]
    fact_check.overall_rating = overall_rating(verdicts, report.verdict)
    is_left_to_people |= fact_check.assigned_to is not None
    if is_left_to_people or any(row.status == ClaimStatus.PENDING for row, _ in claims):
        fact_check.status = FactCheckStatus.IN_PROGRESS
    else:
        fact_check.status = FactCheckStatus.COMPLETED
        fact_check.completed_at = now
