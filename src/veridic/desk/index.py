"""The desk's index: the words of checks and claims, and the totals of the statistics.

Triggers note each check that has changed; `update` reads the noted checks anew. Whoever searches or counts calls it
first, so that what they see is never behind what was saved.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    cast,
    delete,
    false,
    func,
    insert,
    literal_column,
    select,
)
from sqlalchemy import table as table_clause
from sqlalchemy import text as text_clause
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.orm import Session

from veridic.desk import tallies
from veridic.desk.reading import TITLE
from veridic.store.desk_index import ChangedCheck, IndexedCheck, IndexedClaim
from veridic.store.desk_tables import DeskCheck
from veridic.store.runs import RunStore
from veridic.store.tables import ClaimVerification, ExtractedClaim, FactCheck, Run
from veridic.text.words import content_stems

_AT_ONCE = 200
"""Checks that are read in one transaction: writers may have to wait for it."""
_MANY = 1_000
"""Of so many checks at once, PostgreSQL's planner has to be told."""
_READ_CHARACTERS = 100_000
"""Of a text: PostgreSQL takes no more than a megabyte of words."""
_WORD = re.compile(r"[^\W_]+")
_LONGEST_WORD = 100
_MAX_QUERY, _MAX_QUERY_WORDS = 2_000, 20
"""Of a search, characters and words that count: SQLite refuses long queries."""
_UPDATE_LOCK = 0x6465736B
"""An arbitrary number that other programs on the server are unlikely to lock."""
_ROWID: ColumnElement[int] = literal_column("rowid", Integer)


def update(store: RunStore) -> None:
    """Read all checks anew that have changed since the last call."""
    read = 0
    while _is_behind(store):
        read_now = store.write(_update_some)
        if not read_now:
            # What is left is being changed at this moment; it is read the next time.
            break
        read += read_now
    if read >= _MANY:
        store.write(_count_words)


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared: no case, no accents, no punctuation, each once."""
    folded = text.casefold()
    if not folded.isascii():
        decomposed = unicodedata.normalize("NFKD", folded)
        letters = "".join(character for character in decomposed if not unicodedata.combining(character))
        # Composed again: Korean syllables would take three times the space.
        folded = unicodedata.normalize("NFC", letters)
    return list(dict.fromkeys(word[:_LONGEST_WORD] for word in _WORD.findall(folded)))


def stems_of(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, as claims are compared by them."""
    return words_of(" ".join(sorted(content_stems(text[:_READ_CHARACTERS]))))


def checks_with(session: Session, text: str) -> ColumnElement[bool]:
    """Return the condition for checks with words that begin like each word of `text`, in their text, title or id."""
    words = words_of(text[:_MAX_QUERY])[:_MAX_QUERY_WORDS]
    if not words:
        return false()
    if _is_server(session):
        wanted = cast(" & ".join(f"'{word}':*" for word in words), TSQUERY)
        found = select(IndexedCheck.fact_check_id).where(IndexedCheck.words.op("@@")(wanted))
    else:
        numbers = _rows_with(IndexedCheck, " AND ".join(f'"{word}"*' for word in words))
        found = select(IndexedCheck.fact_check_id).where(IndexedCheck.number.in_(numbers))
    return FactCheck.id.in_(found)


def newest_claims_with(session: Session, stem: str, limit: int) -> Sequence[int]:
    """Return claims with a verdict that have this stem, newest first."""
    query: Select[Any]
    if _is_server(session):
        has_stem = IndexedClaim.words.op("@@")(cast(f"'{stem}'", TSQUERY))
        query = select(IndexedClaim.claim_id).where(has_stem).order_by(IndexedClaim.claim_id.desc())
    else:
        query = _rows_with(IndexedClaim, f'"{stem}"').order_by(_ROWID.desc())
    return session.scalars(query.limit(limit)).all()


def _rows_with(table: type[IndexedCheck | IndexedClaim], query: str) -> Select[Any]:
    """Select the rows that SQLite's index of words has for a query."""
    index = f"{table.__tablename__}_words"
    return select(_ROWID).select_from(table_clause(index)).where(literal_column(index).op("MATCH")(query))


def _is_server(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"


def _is_behind(store: RunStore) -> bool:
    with store.read() as session:
        return session.scalar(select(ChangedCheck.fact_check_id).limit(1)) is not None


def _count_words(session: Session) -> None:
    """Let PostgreSQL count which words are common, rather than wait until it does so by itself."""
    if _is_server(session):
        for table in (IndexedCheck, IndexedClaim):
            session.execute(text_clause(f"ANALYZE {table.__tablename__}"))


def _update_some(session: Session) -> int:
    """Read some checks anew; return how many."""
    if _is_server(session):
        # One at a time: two could add the same change to the totals.
        session.execute(select(func.pg_advisory_xact_lock(_UPDATE_LOCK)))
    changed = session.scalars(
        select(ChangedCheck.fact_check_id)
        .order_by(ChangedCheck.fact_check_id)
        .limit(_AT_ONCE)
        # Checks that somebody is changing right now are noted anew when they are done.
        .with_for_update(skip_locked=True)
    ).all()
    if changed:
        session.execute(delete(ChangedCheck).where(ChangedCheck.fact_check_id.in_(changed)))
        _index_claims(session, changed)
        _index_checks(session, changed)
    return len(changed)


def _index_claims(session: Session, check_ids: Sequence[str]) -> None:
    """Index the claims that have a rating."""
    session.execute(delete(IndexedClaim).where(IndexedClaim.fact_check_id.in_(check_ids)))
    rated = select(ClaimVerification.claim_id).where(
        ClaimVerification.claim_id == ExtractedClaim.id, ClaimVerification.rating.is_not(None)
    )
    claims = session.execute(
        select(ExtractedClaim.id, ExtractedClaim.fact_check_id, ExtractedClaim.claim_text).where(
            ExtractedClaim.fact_check_id.in_(check_ids), rated.exists()
        )
    )
    rows = [
        {"claim_id": claim_id, "fact_check_id": check_id, "words": " ".join(stems_of(text))}
        for claim_id, check_id, text in claims
    ]
    if rows:
        session.execute(insert(IndexedClaim), rows)


def _index_checks(session: Session, check_ids: Sequence[str]) -> None:
    """Index the words of checks, and bring the totals up to date."""
    of_checks = IndexedCheck.fact_check_id.in_(check_ids)
    before: dict[str, tallies.Tally] = dict(
        session.execute(select(IndexedCheck.fact_check_id, IndexedCheck.tally).where(of_checks)).all()
    )
    session.execute(delete(IndexedCheck).where(of_checks))
    found = session.execute(
        select(FactCheck.id, TITLE, func.substr(FactCheck.content, 1, _READ_CHARACTERS))
        .outerjoin(DeskCheck, DeskCheck.fact_check_id == FactCheck.id)
        .outerjoin(Run, Run.fact_check_id == FactCheck.id)
        .where(FactCheck.id.in_(check_ids))
    )
    after = tallies.count(session, check_ids)
    rows = [
        {
            "fact_check_id": check_id,
            "words": " ".join(words_of(f"{check_id} {title or ''} {content}")),
            "tally": after.get(check_id, {}),
        }
        for check_id, title, content in found
    ]
    if rows:
        session.execute(insert(IndexedCheck), rows)
    tallies.apply(session, [(before.get(check_id, {}), after.get(check_id, {})) for check_id in check_ids])
