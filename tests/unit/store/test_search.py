from datetime import UTC, datetime

import pytest
import time_machine
from tests.builders import make_document, sample_report

from veridic.domain.errors import NotFoundError
from veridic.domain.verdicts import Verdict
from veridic.store.runs import RunState, RunStore


@pytest.fixture
def ids(store: RunStore) -> dict[str, str]:
    report = sample_report()
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False):
        done = store.begin(report.document, mode="thorough", engine="embedded")
        store.complete(done, report)
        failed = store.begin(make_document("Nothing.", source="b.md"), mode="thorough", engine="embedded")
        store.fail(failed, "It broke.")
        asked = store.begin_consensus("Why is 100% of _it_ so?", engine="llm").run_id
    return {"done": done, "failed": failed, "asked": asked}


def found(store: RunStore, **filters: object) -> list[str]:
    return [run.id for run in store.search(limit=10, **filters)]  # type: ignore[arg-type]


def test_search_by_state(store: RunStore, ids: dict[str, str]) -> None:
    assert found(store, state=RunState.COMPLETED) == [ids["done"]]
    assert found(store, state=RunState.FAILED) == [ids["failed"]]
    assert found(store, state=RunState.INTERRUPTED) == [ids["asked"]]
    assert {state for state in RunState if state.has_ended} == {RunState.COMPLETED, RunState.FAILED}


def test_search_by_mode_and_verdict(store: RunStore, ids: dict[str, str]) -> None:
    assert found(store, mode="consensus") == [ids["asked"]]
    assert found(store, verdicts=(Verdict.PARTIAL,)) == [ids["done"]]
    assert found(store, verdicts=(Verdict.SUPPORTED, Verdict.REFUTED)) == []
    assert found(store, mode="consensus", verdicts=(Verdict.PARTIAL,)) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("australia", ["done"]),
        ("B.MD", ["failed"]),
        ("nothing.", ["failed"]),
        ("100% of _it_", ["asked"]),
        ("100_", []),
        ("' OR 1=1 --", []),
        ("\udcff\udcff", []),
        ("", ["asked", "failed", "done"]),
    ],
)
def test_search_by_text(store: RunStore, ids: dict[str, str], text: str, names: list[str]) -> None:
    assert found(store, text=text) == [ids[name] for name in names]


def test_paging_lists_every_run_once(store: RunStore, ids: dict[str, str]) -> None:
    # All were created in the same second.
    pages, last = [], None
    while page := store.search(limit=1, before=last):
        pages += page
        last = page[-1].id
    assert [run.id for run in pages] == [ids["asked"], ids["failed"], ids["done"]]
    with pytest.raises(NotFoundError):
        store.search(before="FC-1999-000001")


def test_summary_of_one_run(store: RunStore, ids: dict[str, str]) -> None:
    summary = store.summary(ids["asked"])
    assert (summary.title, summary.question) == ("Why is 100% of _it_ so?", "Why is 100% of _it_ so?")
    assert (summary.source, summary.mode, summary.engine) == ("question", "consensus", "llm")
    assert summary.conversation_id is not None
    assert store.summary(ids["done"]).conversation_id is None
    with pytest.raises(NotFoundError, match="did you mean"):
        store.summary(ids["done"].lower())


def test_a_long_description_is_cut_to_a_title(store: RunStore) -> None:
    begun = store.begin_consensus("word \n" * 100_000, make_document(), engine="llm")
    title = store.summary(begun.run_id).title
    assert title is not None
    assert len(title) == 100
    assert title.endswith("word…")
