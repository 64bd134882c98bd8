import json
from datetime import UTC, datetime

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import make_claim, make_decision, make_document, make_report
from tests.plain_sql import Sql

from veridic.domain.errors import NotFoundError, StorageError
from veridic.domain.report import Failure, Report
from veridic.domain.verdicts import Verdict
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunState, RunStore

FULL_DISK = {
    True: "CREATE TRIGGER full_disk BEFORE UPDATE OF report ON runs BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    False: """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'disk full'; END$$;
        CREATE TRIGGER full_disk BEFORE UPDATE OF report ON runs EXECUTE FUNCTION refuse();
    """,
}
"""True is SQLite, False PostgreSQL."""


def save(store: RunStore, report: Report) -> Report:
    run_id = store.begin(report.document, mode=report.mode, engine=report.engine)
    store.add(run_id, RunUpdate(claims=[decision.claim for decision in report.decisions]))
    return store.complete(run_id, report)


def test_a_saved_report_is_read_back_unchanged(store: RunStore, sample_report: Report) -> None:
    saved = save(store, sample_report)
    assert saved.id is not None
    assert saved == sample_report.model_copy(update={"id": saved.id})
    assert store.get(saved.id) == saved


@given(text=st.text(st.characters(), min_size=1), title=st.none() | st.text(st.characters()))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_can_be_saved(store: RunStore, text: str, title: str | None) -> None:
    document = make_document(text, source=text, title=title)
    claim = make_claim(text, document=document)
    saved = save(store, make_report([make_decision(claim, rationale=text)], document=document))
    assert saved.id is not None
    assert store.get(saved.id) == saved
    assert store.recent(1)[0].claims == 1


def test_ids_are_numbered_by_year(store: RunStore) -> None:
    document = make_document()
    with time_machine.travel(datetime(2026, 12, 31, 23, 59, tzinfo=UTC), tick=False):
        assert store.begin(document, mode="thorough", engine="embedded") == "FC-2026-000001"
        assert store.begin(document, mode="thorough", engine="embedded") == "FC-2026-000002"
    with time_machine.travel(datetime(2027, 1, 1, tzinfo=UTC), tick=False):
        assert store.begin(document, mode="thorough", engine="embedded") == "FC-2027-000001"


def test_ids_of_deleted_runs_are_not_reused(store: RunStore) -> None:
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False):
        first = store.begin(make_document(), mode="thorough", engine="embedded")
        store.delete(first)
        assert store.begin(make_document(), mode="thorough", engine="embedded") == "FC-2026-000002"


def test_the_status_follows_each_step(store: RunStore, sql: Sql, sample_report: Report) -> None:
    def status() -> str:
        return str(sql.execute("SELECT status FROM fact_checks").fetchone()[0])

    run_id = store.begin(sample_report.document, mode="thorough", engine="embedded")
    assert status() == "extracting_claims"
    store.add(run_id, RunUpdate(claims=[decision.claim for decision in sample_report.decisions]))
    assert status() == "in_progress"
    claim = sql.execute("SELECT * FROM extracted_claims WHERE claim_type = 'hearsay'").fetchone()
    content = sql.execute("SELECT content FROM fact_checks").fetchone()[0]
    assert content[claim["span_start"] : claim["span_end"]].startswith("The café owner said")
    assert (claim["verification_type"], claim["hearsay_confidence"]) == ("two-step", 0.9)
    assert json.loads(claim["patterns_matched"]) == ["said that"]
    store.complete(run_id, sample_report)
    assert status() == "completed"


def test_a_completed_fact_check_has_a_summary(store: RunStore, sql: Sql, sample_report: Report) -> None:
    save(store, sample_report)
    row = sql.execute("SELECT * FROM fact_checks").fetchone()
    assert len(json.loads(row["claims_to_verify"])) == 6
    assert json.loads(row["verified_claims"]) == ["The capital of Australia is Canberra."]
    assert "Australia's population is about 40 million." in json.loads(row["disputed_claims"])
    assert json.loads(row["sources"]) == [source.reference for source in sample_report.sources]
    assert row["overall_rating"] == "mixed"
    assert row["completed_at"] >= row["created_at"]
    # Same format as CURRENT_TIMESTAMP, so that times can be compared.
    assert len(row["completed_at"]) == len("2026-11-15 12:00:00")


def test_claims_not_saved_before_are_saved_with_the_report(
    store: RunStore, sql: Sql, sample_report: Report
) -> None:
    run_id = store.begin(sample_report.document, mode="claim", engine="embedded")
    store.complete(run_id, sample_report)
    assert sql.execute("SELECT count(*) FROM extracted_claims").fetchone()[0] == 7
    assert sql.execute("SELECT count(*) FROM claim_verifications").fetchone()[0] == 7


def test_a_claim_whose_check_failed_stays_pending(store: RunStore, sql: Sql) -> None:
    decided, failed = make_claim(), make_claim("Its population is about 40 million.", number=2)
    report = make_report(
        [make_decision(decided)],
        errors=(Failure(stage="evidence", message="It broke.", claim_id="claim_2"),),
    )
    run_id = store.begin(report.document, mode="thorough", engine="embedded")
    store.add(run_id, RunUpdate(claims=[decided, failed]))
    store.complete(run_id, report)
    assert [row[0] for row in sql.execute("SELECT status FROM extracted_claims ORDER BY id")] == [
        "verified",
        "pending",
    ]
    assert tuple(sql.execute("SELECT status, completed_at FROM fact_checks").fetchone()) == (
        "in_progress",
        None,
    )
    assert store.get(run_id).errors == report.errors


def test_a_failed_run_has_its_error(store: RunStore, sql: Sql) -> None:
    run_id = store.begin(make_document(), mode="thorough", engine="embedded")
    store.add(run_id, RunUpdate(claims=[make_claim()]))
    store.fail(run_id, "The corpus desk can't be read.")
    summary = store.recent()[0]
    assert (summary.state, summary.error) == (RunState.FAILED, "The corpus desk can't be read.")
    assert sql.execute("SELECT status FROM fact_checks").fetchone()[0] == "pending"
    assert sql.execute("SELECT status FROM extracted_claims").fetchone()[0] == "pending"
    with pytest.raises(NotFoundError, match="The corpus desk can't be read"):
        store.get(run_id)


def test_an_interrupted_run_is_listed_and_has_no_report(store: RunStore) -> None:
    run_id = store.begin(make_document(), mode="thorough", engine="embedded")
    assert store.recent()[0].state is RunState.INTERRUPTED
    with pytest.raises(NotFoundError, match="interrupted"):
        store.get(run_id)


def test_the_newest_runs_come_first(store: RunStore, sample_report: Report) -> None:
    saved = [save(store, sample_report) for _ in range(3)]
    listed = store.recent(2)
    assert [run.id for run in listed] == [saved[2].id, saved[1].id]
    newest = listed[0]
    assert (newest.title, newest.source) == ("Notes on Australia 🦘", "article.md")
    assert (newest.verdict, newest.credibility_score, newest.claims) == (Verdict.PARTIAL, 48, 7)
    assert (newest.state, newest.mode, newest.engine) == (
        RunState.COMPLETED,
        "thorough",
        sample_report.engine,
    )


def test_unknown_ids_suggest_similar_ones(store: RunStore) -> None:
    run_id = store.begin(make_document(), mode="thorough", engine="embedded")
    for similar in (run_id.lower(), run_id.replace("000001", "1"), run_id[:-1] + "2"):
        with pytest.raises(NotFoundError, match=f"did you mean {run_id}"):
            store.get(similar)
    for other in ("nonsense", "", "'; DROP TABLE runs; --", "\udcff"):
        with pytest.raises(NotFoundError, match="veridic runs list"):
            store.get(other)
    with pytest.raises(NotFoundError):
        store.delete("FC-1999-000001")


def test_deleting_a_run_deletes_all_its_rows(store: RunStore, sql: Sql, sample_report: Report) -> None:
    saved = save(store, sample_report)
    assert saved.id is not None
    store.delete(saved.id)
    for table in ("fact_checks", "extracted_claims", "claim_verifications", "verification_sources", "runs"):
        assert sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


def test_writing_to_a_deleted_run_is_an_error(store: RunStore, sample_report: Report) -> None:
    # A StorageError, so that the caller knows that only saving failed.
    run_id = store.begin(sample_report.document, mode="thorough", engine="embedded")
    store.delete(run_id)
    with pytest.raises(StorageError, match="no longer"):
        store.add(run_id, RunUpdate(claims=[make_claim()]))
    with pytest.raises(StorageError, match="no longer"):
        store.complete(run_id, sample_report)
    with pytest.raises(StorageError, match="no longer"):
        store.fail(run_id, "It broke.")


@pytest.mark.usefixtures("changes_tables")
def test_completing_is_all_or_nothing(store: RunStore, sql: Sql, sample_report: Report) -> None:
    run_id = store.begin(sample_report.document, mode="thorough", engine="embedded")
    sql.run(FULL_DISK[sql.is_sqlite])
    with pytest.raises(StorageError, match="disk full"):
        store.complete(run_id, sample_report)
    assert sql.execute("SELECT count(*) FROM extracted_claims").fetchone()[0] == 0
    assert sql.execute("SELECT status FROM fact_checks").fetchone()[0] == "extracting_claims"
    sql.execute("DROP TRIGGER full_disk" + (" ON runs" if not sql.is_sqlite else ""))
    assert store.complete(run_id, sample_report).id == run_id


def test_readers_do_not_wait_for_writers(store: RunStore, sql: Sql) -> None:
    store.begin(make_document(), mode="thorough", engine="embedded")
    sql.run("BEGIN IMMEDIATE" if sql.is_sqlite else "BEGIN; LOCK TABLE runs IN EXCLUSIVE MODE")
    assert len(store.recent()) == 1
    sql.execute("ROLLBACK")


def test_a_store_must_be_entered(url: str) -> None:
    with pytest.raises(RuntimeError, match="with"):
        RunStore(url).recent()


def test_thousands_of_claims_can_be_saved(store: RunStore) -> None:
    decisions = [make_decision(make_claim(number=n, text=f"Claim {n}.")) for n in range(1, 2001)]
    saved = save(store, make_report(decisions))
    assert saved.id is not None
    assert store.recent(1)[0].claims == 2000
    assert store.get(saved.id) == saved


def test_a_report_of_another_version_gives_an_error(store: RunStore, sql: Sql, sample_report: Report) -> None:
    saved = save(store, sample_report)
    assert saved.id is not None
    sql.execute("UPDATE runs SET report = replace(report, '{', '{\"mood\": \"good\", ')")
    with pytest.raises(StorageError, match="another version"):
        store.get(saved.id)
