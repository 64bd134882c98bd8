"""Creating a run: its id, the text to check, and in consensus mode its conversation."""

from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import Table, insert, select, text, update
from sqlalchemy.orm import Session

from veridic.domain.base import Frozen
from veridic.domain.document import Document
from veridic.domain.errors import ConflictError, NotFoundError
from veridic.domain.modes import Mode
from veridic.store import audit, steps
from veridic.store.leases import Placement
from veridic.store.rows import FactCheckStatus
from veridic.store.tables import Conversation, FactCheck, Message, Run

# For inserts without loading objects. SQLAlchemy types `__table__` as `FromClause`; it is always a `Table`.
_FACT_CHECKS = cast("Table", FactCheck.__table__)
_MESSAGES = cast("Table", Message.__table__)
_RUNS = cast("Table", Run.__table__)
_CONVERSATIONS = cast("Table", Conversation.__table__)

QUESTION = "question"
"""The source of a run whose content a model generates."""
_MAX_TITLE_LENGTH = 100
_NEXT_NUMBER = text(
    "INSERT INTO id_counters (year, last_number) VALUES (:year, 1) "
    "ON CONFLICT (year) DO UPDATE SET last_number = id_counters.last_number + 1 RETURNING last_number"
)


class ConsensusRunIds(Frozen):
    """The ids of a run in consensus mode."""

    run_id: str
    conversation_id: str
    message_id: str


def begin(
    session: Session,
    document: Document,
    *,
    mode: str,
    engine: str,
    order_data: dict[str, Any] | None = None,
    placement: Placement = Placement(),  # noqa: B008  immutable
    check_id: str | None = None,
) -> str:
    """Save the text to check and what a resumed run needs of the order; return the run's id.

    `check_id` is a check from the desk, which has the text already.
    """
    return _insert_run(
        session,
        document.text,
        check_id,
        mode=mode,
        engine=engine,
        source=document.source,
        title=document.title,
        order_data=order_data,
        **placement.values(),
    )


def begin_consensus(
    session: Session,
    question: str,
    document: Document | None,
    *,
    engine: str,
    conversation_id: str,
    message_id: str,
    is_new: bool,
    order_data: dict[str, Any] | None = None,
    placement: Placement = Placement(),  # noqa: B008  immutable
    check_id: str | None = None,
) -> str:
    """Save the text to check, or the question to answer first; return the run's id.

    Raises `NotFoundError` if the conversation is not new and does not exist.
    """
    _open_conversation(session, conversation_id, is_new=is_new)
    given = question if document is None else document.text
    message = {"id": message_id, "conversation_id": conversation_id, "role": "user", "content": given}
    session.execute(insert(_MESSAGES), message)
    return _insert_run(
        session,
        "" if document is None else document.text,
        check_id,
        mode=Mode.CONSENSUS,
        engine=engine,
        source=QUESTION if document is None else document.source,
        title=(document and document.title) or _provisional_title(question),
        question=question or None,
        message_id=message_id,
        order_data=order_data,
        **placement.values(),
    )


def set_title(session: Session, run_id: str, title: str) -> None:
    """Set the title of a run and of its conversation."""
    conversation_id = (
        select(Message.conversation_id)
        .join(Run, Run.message_id == Message.id)
        .where(Run.fact_check_id == run_id)
        .scalar_subquery()
    )
    session.execute(update(_RUNS).where(_RUNS.c.fact_check_id == run_id).values(title=title))
    session.execute(update(_CONVERSATIONS).where(_CONVERSATIONS.c.id == conversation_id).values(title=title))


def _open_conversation(session: Session, conversation_id: str, *, is_new: bool) -> None:
    if is_new:
        session.execute(insert(_CONVERSATIONS), {"id": conversation_id, "mode": Mode.CONSENSUS})
        return
    found = session.get(Conversation, conversation_id)
    if found is None:
        raise NotFoundError(
            f"There is no conversation {conversation_id}; without an id, the check begins a new one."
        )
    found.updated_at = datetime.now(UTC)


def next_id(session: Session) -> str:
    """Return a new id for a check, such as `FC-2026-000001`; ids of deleted checks are not used again."""
    year = datetime.now(UTC).year
    number: int = session.execute(_NEXT_NUMBER, {"year": year}).scalar_one()
    return f"FC-{year}-{number:06d}"


def _insert_run(session: Session, content: str, check_id: str | None, **run: Any) -> str:
    now = datetime.now(UTC)
    steps.delete_of_ended(session)
    if check_id is None:
        run_id = next_id(session)
        status = FactCheckStatus.EXTRACTING_CLAIMS
        session.execute(
            insert(_FACT_CHECKS), {"id": run_id, "content": content, "status": status, "created_at": now}
        )
    else:
        run_id = check_id
        _refuse_second_run(session, check_id)
    session.execute(insert(_RUNS), run | {"fact_check_id": run_id, "created_at": now})
    begun = {name: run[name] for name in ("mode", "engine", "source", "title")}
    audit.record(session, None, "run_started", ("fact_check", run_id), fact_check_id=run_id, after=begun)
    return run_id


def _refuse_second_run(session: Session, check_id: str) -> None:
    # Held until the transaction ends, so that two people don't start two runs.
    if session.get(FactCheck, check_id, with_for_update=True) is None:
        raise NotFoundError(f"There is no check {check_id}.")
    if session.get(Run, check_id) is not None:
        raise ConflictError(
            f"The machine was asked about {check_id} before; its run can be resumed, or run again as a check of its own."
        )


def _provisional_title(question: str) -> str | None:
    """Return the beginning of the question as a title until there is one."""
    line = " ".join(question[: 2 * _MAX_TITLE_LENGTH].split())
    return (line if len(line) <= _MAX_TITLE_LENGTH else f"{line[: _MAX_TITLE_LENGTH - 1]}…") or None


def delete_message(session: Session, message_id: str) -> None:
    """Delete a message with its stages, and the conversation if it has no other message."""
    message = session.get_one(Message, message_id)
    conversation = session.get_one(Conversation, message.conversation_id)
    others = select(Message.id).where(Message.conversation_id == conversation.id, Message.id != message_id)
    session.delete(conversation if session.scalar(others.limit(1)) is None else message)
