"""The queue: checks by priority and age, filtered by view, state and words."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select, tuple_
from sqlalchemy.orm import Session, defer

from veridic.desk import index
from veridic.desk.changing import no_check
from veridic.desk.lifecycle import OPEN, SETTLED, CheckStatus, check_status
from veridic.desk.reading import TITLE, People, as_priority
from veridic.desk.records import PendingClaim, QueueItem, QueueView
from veridic.domain.base import Frozen
from veridic.domain.claim import Priority
from veridic.domain.people import Actor
from veridic.store.desk_tables import DeskCheck
from veridic.store.rows import BY_PEOPLE
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, Run

_EXCERPT_LENGTH = 200


def priority_rank(column: Any) -> ColumnElement[int]:
    """Order high before medium before low; as words, the alphabet would order them."""
    return case((column == Priority.HIGH, 0), (column == Priority.LOW, 2), else_=1)


_RANK = priority_rank(DeskCheck.priority)


class QueueFilter(Frozen):
    """Criteria for the queue."""

    view: QueueView = "all"
    text: str = ""
    """Words in the text, the title or the id; the desk's index must be up to date."""
    status: CheckStatus | None = None
    after: str | None = None
    """The last check of the previous page."""


def find(
    session: Session, actor: Actor, criteria: QueueFilter, limit: int, *, own_reviews: bool
) -> list[QueueItem]:
    """Return matching checks, high priority first, then the oldest first.

    `own_reviews`: whether "to_review" lists what the actor completed.
    """
    conditions = [_in_view(actor, criteria, own_reviews=own_reviews)]
    if criteria.status is not None:
        conditions.append(FactCheck.status == criteria.status)
    if criteria.text.strip():
        conditions.append(index.checks_with(session, criteria.text))
    if criteria.after is not None:
        conditions.append(_after(session, criteria.after))
    query = (
        _joined(select(FactCheck.id))
        .where(*conditions)
        .order_by(_RANK, FactCheck.created_at, FactCheck.id)
        .limit(limit)
    )
    return _items(session, session.scalars(query).all())


def pending_claims(session: Session, limit: int) -> list[PendingClaim]:
    """Return verifiable claims that nobody has verified yet, high priority first, then the oldest first."""
    rows = session.execute(
        select(
            ExtractedClaim,
            func.substr(FactCheck.content, 1, _EXCERPT_LENGTH).label("content"),
            FactCheck.created_by,
        )
        .join(FactCheck, FactCheck.id == ExtractedClaim.fact_check_id)
        .where(ExtractedClaim.status == "pending", ExtractedClaim.verifiable.is_(True))
        .order_by(priority_rank(ExtractedClaim.priority), ExtractedClaim.created_at, ExtractedClaim.id)
        .limit(limit)
    )
    return [
        PendingClaim(
            claim_id=claim.id,
            check_id=claim.fact_check_id,
            text=claim.claim_text,
            claim_type=claim.claim_type,
            priority=as_priority(claim.priority),
            created_at=claim.created_at,
            source_content=content,
            fact_check_creator=creator,
        )
        for claim, content, creator in rows
    ]


def _joined(query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return query.outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id).outerjoin(
        Run, Run.fact_check_id == FactCheck.id
    )


def _in_view(actor: Actor, criteria: QueueFilter, *, own_reviews: bool) -> ColumnElement[bool]:
    handled = or_(FactCheck.completed_by.is_not(None), DeskCheck.fact_check_id.is_not(None))
    match criteria.view:
        case "mine" if actor.user_id is None:
            return FactCheck.status == CheckStatus.IN_PROGRESS
        case "mine":
            return and_(FactCheck.assigned_to == actor.user_id, FactCheck.status != CheckStatus.PUBLISHED)
        case "unassigned":
            machine_only = and_(FactCheck.status == CheckStatus.COMPLETED, ~handled)
            return and_(FactCheck.assigned_to.is_(None), or_(FactCheck.status.in_(OPEN), machine_only))
        case "to_review":
            by_others = (
                FactCheck.completed_by.is_distinct_from(actor.user_id)
                if actor.user_id is not None and not own_reviews
                else handled
            )
            return and_(FactCheck.status == CheckStatus.COMPLETED, handled, by_others)
        case _ if criteria.status is None:
            return FactCheck.status != CheckStatus.PUBLISHED
        case _:
            return FactCheck.status.is_not(None)


def _after(session: Session, check_id: str) -> ColumnElement[bool]:
    last = session.execute(
        _joined(select(_RANK, FactCheck.created_at)).where(FactCheck.id == check_id)
    ).one_or_none()
    if last is None:
        raise no_check(check_id)
    rank, created_at = last
    is_later: ColumnElement[bool] = tuple_(_RANK, FactCheck.created_at, FactCheck.id) > (
        rank,
        created_at,
        check_id,
    )
    return is_later


def _items(session: Session, ids: Sequence[str]) -> list[QueueItem]:
    excerpt = func.substr(FactCheck.content, 1, _EXCERPT_LENGTH)
    rows = session.execute(
        _joined(select(FactCheck, DeskCheck, TITLE.label("title"), excerpt.label("excerpt")))
        .options(defer(FactCheck.content))
        .where(FactCheck.id.in_(ids))
    ).all()
    counts = {row[0]: (row[1], row[2]) for row in session.execute(_count_claims(ids))}
    people = People(session)
    people.fetch(
        user for row in rows for user in (row[0].assigned_to, row[0].created_by, row[0].completed_by)
    )
    by_id = {row[0].id: _item(*row, people=people, counts=counts.get(row[0].id, (0, 0))) for row in rows}
    return [by_id[check_id] for check_id in ids]


def _count_claims(ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    settled = func.sum(case((and_(ExtractedClaim.status.in_(SETTLED), _rated_by_person()), 1), else_=0))
    return (
        select(ExtractedClaim.fact_check_id, func.count(), settled)
        .where(ExtractedClaim.fact_check_id.in_(ids))
        .group_by(ExtractedClaim.fact_check_id)
    )


def _rated_by_person() -> ColumnElement[bool]:
    # People who write into the table directly may leave the method out.
    by_person = or_(
        ClaimVerification.verification_method.in_(BY_PEOPLE),
        and_(ClaimVerification.verification_method.is_(None), ClaimVerification.verified_by.is_not(None)),
    )
    return exists().where(
        ClaimVerification.claim_id == ExtractedClaim.id, ClaimVerification.rating.is_not(None), by_person
    )


def _item(
    row: FactCheck,
    desk: DeskCheck | None,
    title: str | None,
    excerpt: str,
    *,
    people: People,
    counts: tuple[int, int],
) -> QueueItem:
    return QueueItem(
        id=row.id,
        title=title,
        status=check_status(row.status),
        priority=as_priority(desk.priority if desk else None),
        due_at=desk.due_at if desk else None,
        created_at=row.created_at,
        completed_at=row.completed_at,
        assigned_to=people.get(row.assigned_to),
        created_by=people.get(row.created_by),
        completed_by=people.get(row.completed_by),
        overall_rating=row.overall_rating,
        version=desk.version if desk else 1,
        claims=counts[0],
        settled=counts[1],
        excerpt=excerpt,
    )
