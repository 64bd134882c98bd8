"""Batches: their articles, what has become of each, and which process works on a batch.

All functions work within the caller's transaction. Runs of articles are ordinary runs; an article's row names them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import func, insert, or_, select, update
from sqlalchemy.orm import Session, aliased

from veridic.domain.base import Frozen
from veridic.domain.digests import content_digest
from veridic.domain.errors import ConflictError, NotFoundError
from veridic.store.batch_tables import ArticleState, Batch, BatchArticle
from veridic.store.leases import lease_end
from veridic.store.listing import is_held, is_owned
from veridic.store.tables import Run

_ROWS_AT_ONCE = 500
_UNENDED = [state.value for state in ArticleState if not state.has_ended]


class BatchSummary(Frozen):
    """A batch in a list."""

    id: int
    source: str
    output: str
    plan: dict[str, Any]
    created_at: datetime
    finished_at: datetime | None
    is_under_way: bool
    """Whether a process works on it."""
    articles: int
    ended: int
    failed: int
    """Articles without a complete result."""
    cost_usd: float


class Listed(NamedTuple):
    """An item of the input."""

    key: str
    source: str
    given_id: str | None = None
    title: str | None = None


class ArticleRow(NamedTuple):
    """What is known of an article while it is checked."""

    number: int
    key: str
    state: ArticleState
    first_run_id: str | None
    run_id: str | None
    limit_usd: float | None
    cost_usd: float

    @property
    def current_run(self) -> str | None:
        """The run under way."""
        return self.run_id or self.first_run_id


class Outcome(NamedTuple):
    """What came of an article."""

    state: ArticleState
    result: dict[str, Any] | None = None
    problem: str | None = None
    cost_usd: float = 0.0
    """What its last run has cost."""


class FinishedArticle(NamedTuple):
    """An article with its result, or that of the article it is a copy of."""

    number: int
    given_id: str | None
    source: str
    title: str | None
    state: ArticleState
    copy_of: int | None
    first_run_id: str | None
    run_id: str | None
    cost_usd: float
    result: dict[str, Any] | None
    problem: str | None


class Totals(NamedTuple):
    """How far a batch is."""

    listed: int
    ended: int
    failed: int
    spent_usd: float
    """By ended runs."""
    dearest_usd: float
    """What the most expensive article has cost."""


def create(session: Session, source: str, output: str, plan: dict[str, Any]) -> int:
    """Save a new batch; return its id."""
    batch = Batch(source=source, output=output, plan=plan, created_at=datetime.now(UTC))
    session.add(batch)
    session.flush()
    return batch.id


def origin_of(batch_id: int) -> str:
    """Return the origin of a batch's runs: the batch takes no others."""
    return f"batch/{batch_id}"


def set_plan(session: Session, batch_id: int, plan: dict[str, Any]) -> None:
    """Save another plan for the articles that are still to be checked."""
    session.execute(update(Batch).where(Batch.id == batch_id).values(plan=plan))


def find_by_output(session: Session, output: str) -> int | None:
    """Return the batch that writes its results to this file."""
    return session.scalar(select(Batch.id).where(Batch.output == output))


def find(session: Session, batch_id: int) -> BatchSummary:
    """Return a batch. Raises `NotFoundError`."""
    batch = session.get(Batch, batch_id)
    if batch is None:
        raise NotFoundError(f"There is no batch {batch_id}; `veridic batch --list` shows what there is.")
    return _summary(session, batch)


def newest(session: Session, limit: int) -> list[BatchSummary]:
    """Return the newest batches, newest first."""
    found = session.scalars(select(Batch).order_by(Batch.id.desc()).limit(limit))
    return [_summary(session, batch) for batch in found]


def take(session: Session, batch_id: int, owner: str, is_dead: Callable[[str], bool]) -> None:
    """Let this process work on a batch. Raises `ConflictError` if another one does."""
    batch = session.get_one(Batch, batch_id, with_for_update=True)
    if is_held(batch) and batch.owner != owner and not is_dead(str(batch.owner)):
        raise ConflictError(f"Another process works on batch {batch_id}.")
    batch.owner, batch.lease_until, batch.finished_at = owner, lease_end(), None


def renew(session: Session, batch_id: int, owner: str) -> bool:
    """Keep working on a batch; return False if another process has taken it."""
    kept = session.execute(
        update(Batch)
        .where(Batch.id == batch_id, Batch.owner == owner)
        .values(lease_until=lease_end())
        .returning(Batch.id)
    )
    return kept.first() is not None


def leave(session: Session, batch_id: int, owner: str, *, is_finished: bool) -> None:
    """Stop working on a batch, unless another process has taken it.

    Its runs that no process works on leave the queue, so that they cost nothing until the batch goes on.
    """
    left = session.execute(
        update(Batch)
        .where(Batch.id == batch_id, Batch.owner == owner)
        .values(owner=None, lease_until=None, finished_at=datetime.now(UTC) if is_finished else None)
        .returning(Batch.id)
    )
    if left.first() is None:
        return
    session.execute(
        update(Run)
        .where(Run.fact_check_id.in_(_runs_of(batch_id)), ~is_owned(datetime.now(UTC)))
        .values(queued_at=None)
        .execution_options(synchronize_session=False)
    )


def list_articles(session: Session, batch_id: int, items: Sequence[Listed]) -> dict[str, ArticleRow]:
    """Add the items that are new to the batch, with the next numbers; return the row of each by its key."""
    unique = {content_digest(item.key): item for item in items}
    rows = _by_digest(session, batch_id, unique)
    number = _last_number(session, batch_id)
    new = []
    for digest, item in unique.items():
        if digest not in rows:
            number += 1
            listed = item._asdict() | {"key": digest}
            new.append({"batch_id": batch_id, "number": number, "state": ArticleState.WAITING} | listed)
    if new:
        session.execute(insert(BatchArticle), new)
        rows = _by_digest(session, batch_id, unique)
    return {item.key: rows[digest] for digest, item in unique.items()}


def waiting_again(session: Session, batch_id: int) -> int:
    """Let failed and incomplete articles be checked again, from their beginning; return how many there are."""
    again = update(BatchArticle).where(
        BatchArticle.batch_id == batch_id,
        BatchArticle.state.in_([ArticleState.FAILED, ArticleState.INCOMPLETE]),
    )
    changed = session.execute(
        again.values(
            state=ArticleState.WAITING,
            first_run_id=None,
            run_id=None,
            limit_usd=None,
            result=None,
            problem=None,
        ).returning(BatchArticle.number)
    )
    return len(changed.all())


def claim_digest(session: Session, batch_id: int, number: int, digest: str, title: str | None) -> int | None:
    """Save what an article's text is. If another article has the same text, make this one its copy and return that one's number."""
    first = session.scalar(
        select(func.min(BatchArticle.number)).where(
            BatchArticle.batch_id == batch_id,
            BatchArticle.digest == digest,
            BatchArticle.number != number,
            BatchArticle.copy_of.is_(None),
        )
    )
    values: dict[str, Any] = {"digest": digest, "title": title, "copy_of": first}
    if first is not None:
        values["state"] = ArticleState.COPY
    session.execute(_article(batch_id, number).values(values))
    return first


def begin(
    session: Session, run_id: str, *, batch_id: int, number: int, limit_usd: float | None, is_first: bool
) -> None:
    """Save which run checks an article. Done in the transaction that begins the run, so that a kill leaves both or neither."""
    run = {"first_run_id": run_id} if is_first else {"run_id": run_id}
    session.execute(
        _article(batch_id, number).values(state=ArticleState.CHECKING, limit_usd=limit_usd, **run)
    )


def finish(session: Session, batch_id: int, number: int, outcome: Outcome) -> None:
    """Save what came of an article, or of its first look if the state is FLAGGED."""
    session.execute(
        _article(batch_id, number).values(
            state=outcome.state,
            result=outcome.result,
            problem=outcome.problem,
            limit_usd=None,
            cost_usd=BatchArticle.cost_usd + outcome.cost_usd,
        )
    )


def give_up_waiting(session: Session, batch_id: int, problem: str) -> int:
    """Let articles fail that still wait, though the input was gone through; return how many there are."""
    waiting = update(BatchArticle).where(
        BatchArticle.batch_id == batch_id, BatchArticle.state == ArticleState.WAITING
    )
    failed = session.execute(
        waiting.values(state=ArticleState.FAILED, problem=problem).returning(BatchArticle.number)
    )
    return len(failed.all())


def begun(session: Session, batch_id: int) -> list[ArticleRow]:
    """Return the articles that have a run and have not ended."""
    states = [ArticleState.CHECKING, ArticleState.FLAGGED]
    query = _rows(batch_id).where(BatchArticle.state.in_(states)).order_by(BatchArticle.number)
    return [_row(*row) for row in session.execute(query)]


def with_ended_run(session: Session, batch_id: int) -> list[ArticleRow]:
    """Return the articles whose run has ended, or was deleted, and whose result is not saved yet."""
    query = (
        _rows(batch_id)
        .outerjoin(Run, Run.fact_check_id == func.coalesce(BatchArticle.run_id, BatchArticle.first_run_id))
        .where(
            BatchArticle.state == ArticleState.CHECKING,
            or_(Run.fact_check_id.is_(None), Run.report.is_not(None), Run.error.is_not(None)),
        )
        .order_by(BatchArticle.number)
    )
    return [_row(*row) for row in session.execute(query)]


def totals(session: Session, batch_id: int) -> Totals:
    """Return how many articles there are, how many have ended and failed, and what they have cost."""
    counted = session.execute(
        select(BatchArticle.state, func.count())
        .where(BatchArticle.batch_id == batch_id)
        .group_by(BatchArticle.state)
    )
    states: dict[str, int] = dict(counted.all())
    spent, dearest = session.execute(
        select(
            func.coalesce(func.sum(BatchArticle.cost_usd), 0.0),
            func.coalesce(func.max(BatchArticle.cost_usd), 0.0),
        ).where(BatchArticle.batch_id == batch_id)
    ).one()
    listed = sum(states.values())
    ended = listed - sum(states.get(state, 0) for state in _UNENDED)
    failed = states.get(ArticleState.FAILED, 0) + states.get(ArticleState.INCOMPLETE, 0)
    return Totals(listed, ended, failed, spent, dearest)


def finished_articles(session: Session, batch_id: int) -> Iterator[FinishedArticle]:
    """Yield all articles in the order of the input, a few at a time; copies have the result of the one that was checked."""
    original = aliased(BatchArticle)
    after = 0
    while True:
        query: Any = (
            select(BatchArticle, original)
            .outerjoin(
                original,
                (original.batch_id == BatchArticle.batch_id) & (original.number == BatchArticle.copy_of),
            )
            .where(BatchArticle.batch_id == batch_id, BatchArticle.number > after)
            .order_by(BatchArticle.number)
            .limit(_ROWS_AT_ONCE)
        )
        page = session.execute(query).all()
        for article, checked in page:
            after = article.number
            yield _finished(article, checked or article)
        session.expunge_all()
        if len(page) < _ROWS_AT_ONCE:
            return


def _finished(article: BatchArticle, checked: BatchArticle) -> FinishedArticle:
    return FinishedArticle(
        number=article.number,
        given_id=article.given_id,
        source=article.source,
        title=article.title,
        state=ArticleState(checked.state),
        copy_of=article.copy_of,
        first_run_id=checked.first_run_id,
        run_id=checked.run_id,
        cost_usd=article.cost_usd,
        result=checked.result,
        problem=checked.problem,
    )


def _summary(session: Session, batch: Batch) -> BatchSummary:
    done = totals(session, batch.id)
    return BatchSummary(
        id=batch.id,
        source=batch.source,
        output=batch.output,
        plan=batch.plan,
        created_at=batch.created_at,
        finished_at=batch.finished_at,
        is_under_way=is_held(batch),
        articles=done.listed,
        ended=done.ended,
        failed=done.failed,
        cost_usd=done.spent_usd,
    )


def _article(batch_id: int, number: int) -> Any:
    return update(BatchArticle).where(BatchArticle.batch_id == batch_id, BatchArticle.number == number)


def _runs_of(batch_id: int) -> Any:
    run = func.coalesce(BatchArticle.run_id, BatchArticle.first_run_id)
    return select(run).where(
        BatchArticle.batch_id == batch_id, BatchArticle.state == ArticleState.CHECKING, run.is_not(None)
    )


def _rows(batch_id: int) -> Any:
    return select(
        BatchArticle.number,
        BatchArticle.key,
        BatchArticle.state,
        BatchArticle.first_run_id,
        BatchArticle.run_id,
        BatchArticle.limit_usd,
        BatchArticle.cost_usd,
    ).where(BatchArticle.batch_id == batch_id)


def _row(number: int, key: str, state: str, *rest: Any) -> ArticleRow:
    return ArticleRow(number, key, ArticleState(state), *rest)


def _by_digest(session: Session, batch_id: int, digests: Iterable[str]) -> dict[str, ArticleRow]:
    rows = session.execute(_rows(batch_id).where(BatchArticle.key.in_(list(digests))))
    return {row.key: row for row in (_row(*found) for found in rows)}


def _last_number(session: Session, batch_id: int) -> int:
    number = select(func.max(BatchArticle.number)).where(BatchArticle.batch_id == batch_id)
    return session.scalar(number) or 0
