"""The audit trail keeps what happened, whoever tries to change it."""

from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session
from tests.builders import make_document, sample_report

from veridic.domain.errors import ConflictError, StorageError
from veridic.store import audit
from veridic.store.desk_tables import Publication
from veridic.store.runs import RunStore

# A database of their own: what the trail and publications keep can't be cleaned away for the next test.
pytestmark = pytest.mark.usefixtures("changes_tables")


_FORGED = "(id, username, action, subject_type, subject_id) VALUES (1, 'x', 'forged', 'test', '1')"
_ON_BOTH = (
    "UPDATE audit_events SET username = 'x'",
    "DELETE FROM audit_events",
    f"INSERT INTO audit_events {_FORGED} ON CONFLICT (id) DO UPDATE SET username = 'x'",
)
_ON_ONE = {
    "sqlite": (
        f"INSERT OR REPLACE INTO audit_events {_FORGED}",
        f"REPLACE INTO audit_events {_FORGED}",
        f"REPLACE INTO audit_events {_FORGED.replace('id,', 'rowid,', 1)}",
        f"INSERT INTO audit_events {_FORGED.replace('(1,', '(-1,')}",
        "UPDATE OR REPLACE audit_events SET id = 2",
    ),
    "postgresql": (
        "TRUNCATE audit_events",
        "MERGE INTO audit_events AS old USING (SELECT 1 AS id) AS new ON old.id = new.id "
        "WHEN MATCHED THEN UPDATE SET username = 'x'",
    ),
}


def test_the_database_refuses_to_change_the_trail(url: str, backend: str) -> None:
    with RunStore(url) as store:
        store.write(lambda session: audit.record(session, None, "tried", ("test", 1)))
        for change in map(text, (*_ON_BOTH, *_ON_ONE[backend])):
            with pytest.raises(StorageError, match="audit trail can't be changed"):
                store.write(partial(Session.execute, statement=change))
        store.write(lambda session: audit.record(session, None, "went on", ("test", 1)))
        with store.read() as session:
            assert [entry.action for entry in audit.entries(session)] == ["went on", "tried"]


def test_deleting_a_check_leaves_a_trace(url: str) -> None:
    with RunStore(url) as store:
        run_id = store.begin(make_document("A text."), mode="thorough", engine="embedded")
        store.delete(run_id)
        with store.read() as session:
            deleted, started = audit.entries(session, fact_check_id=run_id)
    assert (deleted.username, deleted.action, deleted.subject_id) == ("local", "deleted", run_id)
    assert (started.username, started.action) == ("machine", "run_started")


def test_what_the_machine_does_is_in_the_trail(url: str) -> None:
    report = sample_report()
    with RunStore(url) as store:
        done = store.begin(report.document, mode="thorough", engine="embedded")
        store.complete(done, report)
        failed = store.begin(report.document, mode="summary", engine="llm")
        store.fail(failed, "The provider did not answer.")
        with store.read() as session:
            entries = [
                (entry.username, entry.action, entry.fact_check_id, entry.after or {})
                for entry in reversed(audit.entries(session))
                if entry.fact_check_id in (done, failed)
            ]
    assert [entry[:3] for entry in entries] == [
        ("machine", "run_started", done),
        ("machine", "run_completed", done),
        ("machine", "run_started", failed),
        ("machine", "run_failed", failed),
    ]
    assert entries[0][3] == {
        "mode": "thorough", "engine": "embedded", "source": "article.md", "title": report.document.title,
    }  # fmt: skip
    assert entries[1][3]["status"] == "completed"
    assert sum(entries[1][3]["ratings"].values()) == len(report.decisions)
    assert entries[3][3] == {"status": "pending", "error": "The provider did not answer."}


def test_a_published_check_cannot_be_deleted(url: str) -> None:
    with RunStore(url) as store:
        run_id = store.begin(make_document("A text."), mode="thorough", engine="embedded")

        def publish(session: Session) -> None:
            session.add(Publication(fact_check_id=run_id, number=1, kind="published", content={}))

        store.write(publish)
        with pytest.raises(ConflictError, match="retract"):
            store.delete(run_id)
        assert store.summary(run_id).id == run_id
