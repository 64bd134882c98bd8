"""Search and statistics of the desk: indexes of words, totals, and triggers that note which checks have changed.

Also, until when an extraction may take before it counts as dead.

A later migration that makes one of the tables anew on SQLite (a batch operation) has to make its triggers anew.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"

_WORDS = sa.Text().with_variant(postgresql.TSVECTOR(), "postgresql")

_OF_CHECK = "SELECT {row}.id"
_BY_COLUMN = "SELECT {row}.fact_check_id"
_OF_VERIFICATION = "SELECT fact_check_id FROM extracted_claims WHERE id = {row}.claim_id"
_OF_SOURCE = (
    "SELECT c.fact_check_id FROM claim_verifications v JOIN extracted_claims c ON c.id = v.claim_id "
    "WHERE v.id = {row}.verification_id"
)
# By table: how to find the check of a row, and the columns whose change counts.
_WATCHED = {
    "fact_checks": (_OF_CHECK, "content, completed_by"),
    "desk_checks": (_BY_COLUMN, "title"),
    "runs": (_BY_COLUMN, "title"),
    "extracted_claims": (_BY_COLUMN, "claim_text, claim_type, status"),
    "claim_verifications": (
        _OF_VERIFICATION,
        "rating, verification_method, verified_by, time_spent_seconds",
    ),
    "verification_sources": (_OF_SOURCE, "credibility_tier, credibility_score, supports_claim"),
    "validation_results": (_OF_VERIFICATION, "confidence"),
}


def upgrade() -> None:
    op.add_column("desk_checks", sa.Column("extracting_until", sa.DateTime()))
    op.create_table("desk_changes", _text("fact_check_id", primary_key=True))
    op.create_table(
        "check_index",
        sa.Column("number", sa.Integer(), primary_key=True, nullable=True),
        _text("fact_check_id", unique=True),
        sa.Column("words", _WORDS, nullable=False),
        sa.Column("tally", sa.JSON(), nullable=False),
    )
    op.create_table(
        "claim_index",
        sa.Column("claim_id", sa.Integer(), primary_key=True, autoincrement=False, nullable=False),
        _text("fact_check_id"),
        sa.Column("words", _WORDS, nullable=False),
    )
    op.create_index("idx_claim_index_check", "claim_index", ["fact_check_id"])
    op.create_table(
        "desk_totals",
        _text("key", primary_key=True),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("number", "measured", "total")),
    )
    if op.get_bind().dialect.name == "sqlite":
        _index_words_in_file("check_index", "number")
        _index_words_in_file("claim_index", "claim_id")
        _watch_file()
    else:
        for table in ("check_index", "claim_index"):
            # Without the list of pending entries, which every search would read from one end to the other.
            options: dict[str, Any] = {"postgresql_using": "gin", "postgresql_with": {"fastupdate": "off"}}
            op.create_index(f"idx_{table}_words", table, ["words"], **options)
        _watch_server()
    op.execute("INSERT INTO desk_changes (fact_check_id) SELECT id FROM fact_checks")


def _text(name: str, *, primary_key: bool = False, unique: bool | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, primary_key=primary_key, unique=unique)


def _index_words_in_file(table: str, key: str) -> None:
    """Make a virtual table over the words of `table`, and triggers that keep it so."""
    index = f"{table}_words"
    # The words are folded already, so that bytes outside of ASCII are letters.
    op.execute(
        f"CREATE VIRTUAL TABLE {index} USING fts5("
        f"words, content='{table}', content_rowid='{key}', detail=none, tokenize='ascii')"
    )
    forget = f"INSERT INTO {index} ({index}, rowid, words) VALUES ('delete', old.{key}, old.words);"  # noqa: S608  names of this file
    learn = f"INSERT INTO {index} (rowid, words) VALUES (new.{key}, new.words);"  # noqa: S608
    for event, action in (("insert", learn), ("delete", forget), ("update", forget + learn)):
        op.execute(f"CREATE TRIGGER {index}_{event} AFTER {event.upper()} ON {table} BEGIN {action} END")


def _watch_file() -> None:
    for table, (check, columns) in _WATCHED.items():
        for event in ("INSERT", f"UPDATE OF {columns}", "DELETE"):
            row = "old" if event == "DELETE" else "new"
            name = f"{table}_{event.split()[0].lower()}_noted"
            # `WHERE true`, or SQLite takes `ON CONFLICT` for a join.
            changed = f"SELECT * FROM ({check.format(row=row)}) WHERE true ON CONFLICT DO NOTHING"  # noqa: S608
            note = f"INSERT INTO desk_changes (fact_check_id) {changed};"
            op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {note} END")


def _watch_server() -> None:
    for table, (check, columns) in _WATCHED.items():
        body = "IF TG_OP = 'DELETE' THEN {} ELSE {} END IF; RETURN NULL;".format(
            *(
                # Locks the row without changing it: nobody reads the check anew before this transaction has ended.
                f"INSERT INTO desk_changes (fact_check_id) {check.format(row=row)} ON CONFLICT (fact_check_id) "
                "DO UPDATE SET fact_check_id = excluded.fact_check_id WHERE false;"
                for row in ("old", "new")
            )
        )
        op.execute(
            f"CREATE FUNCTION note_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_noted AFTER INSERT OR UPDATE OF {columns} OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION note_{table}()"
        )
