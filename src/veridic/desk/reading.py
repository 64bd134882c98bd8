"""Reading checks, claims and their verifications from the database as records."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from veridic.desk.changing import no_check, no_claim
from veridic.desk.lifecycle import check_status, claim_status
from veridic.desk.records import (
    IMPORTED,
    CheckRecord,
    ClaimRecord,
    ClaimTypeRecord,
    Comment,
    Notice,
    Person,
    Review,
    SecondReader,
    SourceRecord,
    Verification,
)
from veridic.domain.claim import Priority
from veridic.domain.own_names import OwnNames
from veridic.store import listing
from veridic.store.desk_tables import CheckReview, ClaimComment, DeskCheck, DeskClaim, Publication, SourceDate
from veridic.store.own_paths import names_of_runs, own_names_of
from veridic.store.tables import (
    ClaimKind,
    ClaimVerification,
    ExtractedClaim,
    FactCheck,
    Run,
    User,
    ValidationResult,
    VerificationSource,
)

TITLE = func.coalesce(DeskCheck.title, Run.title)


class People:
    """Looks up people by id, each once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[int, Person | None] = {}

    def fetch(self, ids: Iterable[int | None]) -> None:
        """Look up several people with one query."""
        missing = {i for i in ids if i is not None} - self._known.keys()
        if missing:
            found = self._session.execute(
                select(User.id, User.username, User.display_name).where(User.id.in_(missing))
            )
            self._known.update(
                {
                    row.id: Person(id=row.id, username=row.username, display_name=row.display_name)
                    for row in found
                }
            )

    def get(self, user_id: int | None) -> Person | None:
        if user_id is None:
            return None
        self.fetch([user_id])
        return self._known.get(user_id)


def load_check(session: Session, check_id: str, second_reader: SecondReader) -> CheckRecord:
    """Return a check with everything about it; raise `NotFoundError`."""
    found = session.execute(
        select(FactCheck, DeskCheck, TITLE, Run.fact_check_id)
        .outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id)
        .outerjoin(Run, Run.fact_check_id == FactCheck.id)
        .where(FactCheck.id == check_id)
    ).one_or_none()
    if found is None:
        raise no_check(check_id)
    row, title = found[0], found[2]
    desk: DeskCheck | None = found[1]
    people = People(session)
    people.fetch([row.assigned_to, row.created_by, row.completed_by])
    return CheckRecord(
        id=row.id,
        title=title,
        content=row.content,
        machine_run=listing.find_run(session, row.id).state if found[3] else None,
        status=check_status(row.status),
        version=desk.version if desk else 1,
        priority=as_priority(desk.priority if desk else None),
        due_at=desk.due_at if desk else None,
        created_at=row.created_at,
        completed_at=row.completed_at,
        created_by=people.get(row.created_by),
        assigned_to=people.get(row.assigned_to),
        completed_by=people.get(row.completed_by),
        notes=row.fact_checker_notes and own_names_of(session, row.id).text(row.fact_checker_notes),
        overall_rating=row.overall_rating,
        claims=load_claims(session, check_id, people),
        comments=_load_comments(session, check_id, people),
        reviews=_load_reviews(session, check_id, people),
        publications=load_notices(session, check_id),
        second_reader=second_reader,
    )


def load_claim(session: Session, claim_id: int) -> ClaimRecord:
    """Return one claim; raise `NotFoundError`."""
    row = session.get(ExtractedClaim, claim_id)
    if row is None:
        raise no_claim(claim_id)
    return _claim_records(session, [row], People(session))[0]


def load_claims(session: Session, check_id: str, people: People) -> tuple[ClaimRecord, ...]:
    """Return the claims of a check in the order of the text; those without a place come last."""
    # A claim that a person found before any other has no sentence.
    place = (ExtractedClaim.span_start, ExtractedClaim.sentence_index)
    rows = session.scalars(
        select(ExtractedClaim)
        .where(ExtractedClaim.fact_check_id == check_id)
        .order_by(*(column.asc().nulls_last() for column in place), ExtractedClaim.id)
    ).all()
    return _claim_records(session, rows, people)


def load_notices(session: Session, check_id: str) -> tuple[Notice, ...]:
    """Return the history of a check's publications, oldest first."""
    columns = (Publication.number, Publication.kind, Publication.reason, Publication.published_at)
    found = session.execute(
        select(*columns).where(Publication.fact_check_id == check_id).order_by(Publication.number)
    )
    return tuple(Notice.model_validate(dict(row)) for row in found.mappings())


def types_without_sources(session: Session) -> frozenset[str]:
    """Return the types of claims that can be rated without a source."""
    return frozenset(
        session.scalars(select(ClaimKind.type_name).where(ClaimKind.requires_sources.is_(False)))
    )


def load_claim_types(session: Session) -> list[ClaimTypeRecord]:
    """Return the types of claims, and how each is verified."""
    return [
        ClaimTypeRecord(
            type_name=row.type_name,
            verification_approach=row.verification_approach,
            description=row.description,
            requires_sources=row.requires_sources is not False,
            typical_verification_time=row.typical_verification_time,
        )
        for row in session.scalars(select(ClaimKind).order_by(ClaimKind.id))
    ]


def as_priority(value: str | None) -> Priority:
    """Return a priority; medium for a value that people have written into the table by other means."""
    return Priority(value) if value in list(Priority) else Priority.MEDIUM


def _claim_records(
    session: Session, rows: Sequence[ExtractedClaim], people: People
) -> tuple[ClaimRecord, ...]:
    of_check = [row.id for row in rows]
    handled = session.scalars(select(DeskClaim).where(DeskClaim.claim_id.in_(of_check)))
    desks = {desk.claim_id: desk for desk in handled}
    people.fetch(desk.status_by for desk in desks.values())
    verifications = _load_verifications(session, of_check, people)
    free = types_without_sources(session)
    names = names_of_runs(session, (row.fact_check_id for row in rows))
    return tuple(
        _claim_record(
            row,
            desks.get(row.id),
            people,
            [_with_names(one, names[row.fact_check_id]) for one in verifications[row.id]],
            requires_sources=row.claim_type not in free,
        )
        for row in rows
    )


def _with_names(verification: Verification, names: OwnNames) -> Verification:
    """Return a verification in which files are named: whoever is at the desk is not at this machine."""
    notes = verification.notes
    sources = tuple(
        source.model_copy(
            update={**names.data({"url": source.url}), "notes": source.notes and names.text(source.notes)}
        )
        for source in verification.sources
    )
    return verification.model_copy(update={"notes": notes and names.text(notes), "sources": sources})


def _claim_record(
    row: ExtractedClaim,
    desk: DeskClaim | None,
    people: People,
    verifications: list[Verification],
    *,
    requires_sources: bool,
) -> ClaimRecord:
    person = next((v for v in verifications if v.is_by_person), None)
    others = [v for v in verifications if not v.is_by_person]
    machine = next((v for v in others if v.method != IMPORTED), None)
    has_span = row.span_start is not None and row.span_end is not None
    return ClaimRecord(
        id=row.id,
        check_id=row.fact_check_id,
        text=row.claim_text,
        claim_type=row.claim_type,
        verification_type=row.verification_type,
        verifiable=row.verifiable is not False,
        status=claim_status(row.status),
        priority=as_priority(row.priority),
        sentence_index=row.sentence_index,
        span=(row.span_start, row.span_end) if has_span else None,
        version=desk.version if desk else 1,
        updated_at=row.updated_at,
        status_by=people.get(desk.status_by) if desk else None,
        status_at=desk.status_at if desk else None,
        verifications=tuple(verifications),
        requires_sources=requires_sources,
        leading=person or next(iter(others), None),
        machine=machine,
        differs=person is not None and machine is not None and person.rating != machine.rating,
    )


def _load_verifications(
    session: Session, claim_ids: Sequence[int], people: People
) -> Mapping[int, list[Verification]]:
    """Return the verifications of claims, newest first."""
    rows = session.scalars(
        select(ClaimVerification)
        .where(ClaimVerification.claim_id.in_(claim_ids))
        .order_by(ClaimVerification.id.desc())
    ).all()
    people.fetch(row.verified_by for row in rows)
    sources = _load_sources(session, [row.id for row in rows])
    confidences = _load_confidences(session, claim_ids)
    by_claim: defaultdict[int, list[Verification]] = defaultdict(list)
    for row in rows:
        by_machine = row.verification_method == "automated"
        by_claim[row.claim_id].append(
            Verification(
                id=row.id,
                status=row.verification_status or "pending",
                rating=row.rating,
                # People who write into the table directly may leave the method out.
                method=row.verification_method or ("manual" if row.verified_by is not None else None),
                notes=row.verification_notes,
                verified_by=people.get(row.verified_by),
                verified_at=row.verified_at,
                time_spent_seconds=row.time_spent_seconds,
                credibility_score=row.credibility_score,
                confidence=confidences.get(row.claim_id) if by_machine else None,
                sources=tuple(sources[row.id]),
            )
        )
    return by_claim


def _load_sources(session: Session, verification_ids: Sequence[int]) -> Mapping[int, list[SourceRecord]]:
    found: defaultdict[int, list[SourceRecord]] = defaultdict(list)
    rows = session.execute(
        select(VerificationSource, SourceDate.published)
        .outerjoin(SourceDate, SourceDate.source_id == VerificationSource.id)
        .where(VerificationSource.verification_id.in_(verification_ids))
        .order_by(VerificationSource.id)
    )
    for row, published in rows:
        values = _values(row, SourceRecord.model_fields.keys() - {"published"})
        day = row.date_published.date() if row.date_published else None
        found[row.verification_id].append(
            SourceRecord.model_validate(values | {"published": published or day})
        )
    return found


def _load_confidences(session: Session, claim_ids: Sequence[int]) -> dict[int, int]:
    """Return the machine's confidence in percent by claim; the latest where there are several."""
    found = session.execute(
        select(ValidationResult.claim_id, ValidationResult.confidence)
        .where(ValidationResult.claim_id.in_(claim_ids))
        .order_by(ValidationResult.created_at)
    )
    return {row.claim_id: row.confidence for row in found if row.claim_id is not None}


def _load_comments(session: Session, check_id: str, people: People) -> tuple[Comment, ...]:
    rows = session.scalars(
        select(ClaimComment).where(ClaimComment.fact_check_id == check_id).order_by(ClaimComment.id)
    ).all()
    people.fetch(row.user_id for row in rows)
    return tuple(
        Comment(
            id=row.id,
            check_id=check_id,
            claim_id=row.claim_id,
            by=people.get(row.user_id),
            text=row.text,
            created_at=row.created_at,
        )
        for row in rows
    )


def _load_reviews(session: Session, check_id: str, people: People) -> tuple[Review, ...]:
    rows = session.scalars(
        select(CheckReview).where(CheckReview.fact_check_id == check_id).order_by(CheckReview.id.desc())
    ).all()
    people.fetch(row.user_id for row in rows)
    return tuple(
        Review.model_validate(
            {
                **_values(row, ("id", "decision", "note", "version", "created_at")),
                "check_id": check_id,
                "by": people.get(row.user_id),
            }
        )
        for row in rows
    )


def _values(row: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}
