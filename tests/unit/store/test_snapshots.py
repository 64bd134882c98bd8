"""Saved evidence is read back unchanged, or refused if it is damaged."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import make_document, make_found, make_gathered, make_report, make_search, make_source
from tests.plain_sql import Sql

from veridic.domain.errors import NotFoundError, StorageError
from veridic.domain.evidence import Channel
from veridic.domain.search import Gathered
from veridic.store import maintenance
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunStore

HOSTILE_TEXTS = (
    "",
    "\x00",
    "\ud800 half",
    "\u202eright to left",
    "'); DROP TABLE runs; --",
    "café 🦘\r\n",
    '{"a": 1}',
)

texts = st.text(st.characters())
gathered_evidence = st.builds(
    make_gathered,
    texts,
    found=st.lists(
        st.builds(
            make_found,
            texts,
            source=st.builds(
                make_source,
                texts,
                published=st.sampled_from([None, "2021", "2021-05", "2021-05-03"]),
                channel=st.sampled_from(list(Channel)),
            ),
            score=st.floats(allow_nan=False),
            copies=st.lists(st.builds(make_source, texts), max_size=2).map(tuple),
        ),
        max_size=3,
    ),
)


@pytest.fixture
def run_id(store: RunStore) -> str:
    return store.begin(make_document(), mode="thorough", engine="embedded")


def test_each_question_has_a_row(store: RunStore, sql: Sql, run_id: str) -> None:
    evidence = [make_gathered("Is it so?"), make_gathered("Was it said?", found=[])]
    store.add(run_id, RunUpdate(evidence=evidence))
    rows = sql.execute("SELECT * FROM evidence_snapshots ORDER BY id").fetchall()
    assert [(row["fact_check_id"], row["question"]) for row in rows] == [
        (run_id, "Is it so?"),
        (run_id, "Was it said?"),
    ]
    for row, gathered in zip(rows, evidence, strict=True):
        assert row["digest"] == sha256(row["content"].encode()).hexdigest()
        assert Gathered.model_validate(json.loads(row["content"])) == gathered
        assert row["created_at"]
    assert store.evidence(run_id) == {gathered.question: gathered for gathered in evidence}


def test_the_same_evidence_has_the_same_digest(store: RunStore, sql: Sql, run_id: str) -> None:
    store.add(run_id, RunUpdate(evidence=[make_gathered()]))
    store.add(run_id, RunUpdate(evidence=[make_gathered()]))
    assert len({row[0] for row in sql.execute("SELECT digest FROM evidence_snapshots")}) == 1


@given(gathered_evidence)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_evidence_is_read_back_unchanged(store: RunStore, gathered: Gathered) -> None:
    run_id = store.begin(make_document(), mode="thorough", engine="embedded")
    store.add(run_id, RunUpdate(evidence=[gathered]))
    assert store.evidence(run_id) == {gathered.question: gathered}


def test_hostile_and_huge_texts(store: RunStore, url: str, run_id: str) -> None:
    evidence = [
        make_gathered(text, found=[make_found(text, source=make_source(text))], searches=[make_search(query=text)])
        for text in (*HOSTILE_TEXTS, "x" * 3_000_000)
    ]  # fmt: skip
    store.add(run_id, RunUpdate(evidence=evidence))
    assert list(store.evidence(run_id).values()) == evidence
    assert maintenance.check(url).problems == ()


def test_a_repeated_question_has_its_latest_evidence(store: RunStore, run_id: str) -> None:
    first, second = make_gathered(found=[]), make_gathered()
    store.add(run_id, RunUpdate(evidence=[first, second]))
    assert store.evidence(run_id) == {second.question: second}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE evidence_snapshots SET content = replace(content, 'Canberra', 'Sydney')",
        "UPDATE evidence_snapshots SET content = content || ' '",
        "UPDATE evidence_snapshots SET content = ''",
        "UPDATE evidence_snapshots SET digest = 'none'",
    ],
)
def test_changed_evidence_is_refused(store: RunStore, sql: Sql, url: str, run_id: str, damage: str) -> None:
    store.add(run_id, RunUpdate(evidence=[make_gathered()]))
    sql.execute(damage)
    with pytest.raises(StorageError, match="is damaged") as caught:
        store.evidence(run_id)
    assert run_id in str(caught.value)
    (problem,) = maintenance.check(url).problems
    assert run_id in problem
    assert "not what was saved" in problem


def test_evidence_changed_to_bytes_is_refused(
    store: RunStore, sql: Sql, url: str, file: Path, run_id: str
) -> None:
    """Only SQLite allows bytes in a text column."""
    store.add(run_id, RunUpdate(evidence=[make_gathered()]))
    sql.execute("UPDATE evidence_snapshots SET content = x'00ff'")
    with pytest.raises(StorageError, match="is damaged"):
        store.evidence(run_id)
    assert "not what was saved" in maintenance.check(url).problems[0]


def test_evidence_of_another_version_gives_an_error(store: RunStore, sql: Sql, run_id: str) -> None:
    store.add(run_id, RunUpdate(evidence=[make_gathered()]))
    content = '{"mood":"good"}'
    digest = sha256(content.encode()).hexdigest()
    sql.execute("UPDATE evidence_snapshots SET content = ?, digest = ?", (content, digest))
    with pytest.raises(StorageError, match="another version"):
        store.evidence(run_id)


def test_a_long_question_is_cut_in_errors(store: RunStore, sql: Sql, run_id: str) -> None:
    store.add(run_id, RunUpdate(evidence=[make_gathered("word " * 10_000)]))
    sql.execute("UPDATE evidence_snapshots SET digest = ''")
    with pytest.raises(StorageError) as caught:
        store.evidence(run_id)
    assert len(str(caught.value)) < 500


def test_runs_without_evidence(store: RunStore, run_id: str) -> None:
    assert store.evidence(run_id) == {}
    with pytest.raises(NotFoundError, match="FC-1999-000001"):
        store.evidence("FC-1999-000001")
    with pytest.raises(NotFoundError, match="FC-1999-000001"):
        store.order_data("FC-1999-000001")


def test_adding_evidence_to_a_deleted_run_is_an_error(store: RunStore, run_id: str) -> None:
    store.delete(run_id)
    with pytest.raises(StorageError, match="no longer"):
        store.add(run_id, RunUpdate(evidence=[make_gathered()]))


def test_deleting_a_run_deletes_only_its_evidence(store: RunStore, sql: Sql, run_id: str) -> None:
    other = store.begin(make_document(), mode="thorough", engine="embedded")
    for each_id in (run_id, other):
        store.add(each_id, RunUpdate(evidence=[make_gathered()]))
        store.complete(each_id, make_report())
    store.delete(run_id)
    tables = ("evidence_snapshots", "validation_results")
    found = [sql.execute(f"SELECT fact_check_id FROM {table}").fetchall() for table in tables]
    assert [[row[0] for row in rows] for rows in found] == [[other], [other]]


def test_order_data_is_read_back(store: RunStore) -> None:
    order_data = {"order": {"threshold": 0.7, "against": ["caf\udce9/", "🦘"]}, "settings": {}}
    run_id = store.begin(make_document(), mode="summary", engine="auto", order_data=order_data)
    assert store.order_data(run_id) == order_data
    assert store.order_data(store.begin(make_document(), mode="thorough", engine="auto")) is None
