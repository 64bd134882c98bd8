"""What metrics say of the whole site, on SQLite and PostgreSQL."""

from sqlalchemy.orm import Session
from tests.builders import make_document, make_report

from veridic.domain.usage import Expense, ModelCall
from veridic.store import new_runs, steps, workers
from veridic.store.leases import Placement
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunState, RunStore
from veridic.store.site_counts import CallCount, SiteCounts, count_site
from veridic.store.steps import ProviderLimits
from veridic.store.workers import Worker


def begin(store: RunStore, placement: Placement, mode: str = "thorough") -> str:
    return store.write(
        lambda session: new_runs.begin(
            session, make_document(), mode=mode, engine="embedded", placement=placement
        )
    )


def counted(store: RunStore) -> SiteCounts:
    with store.read() as session:
        return count_site(session)


def test_runs_are_counted_by_mode_and_state(store: RunStore) -> None:
    assert counted(store) == SiteCounts({}, {}, (), 0.0, 0, 0)
    begin(store, Placement(is_queued=True))
    begin(store, Placement("a process"))
    begin(store, Placement(), "summary")
    store.fail(begin(store, Placement()), "It broke.")
    store.complete(begin(store, Placement()), make_report())
    counts = counted(store)
    assert counts.runs == {
        ("thorough", RunState.QUEUED): 1,
        ("thorough", RunState.RUNNING): 1,
        ("summary", RunState.INTERRUPTED): 1,
        ("thorough", RunState.FAILED): 1,
        ("thorough", RunState.COMPLETED): 1,
    }
    assert set(counts.oldest_seconds) == {RunState.QUEUED, RunState.RUNNING}


def test_calls_costs_retries_and_workers_are_counted(store: RunStore) -> None:
    run_id = begin(store, Placement("a process"))
    answered = ModelCall(stage="validate", model="openai/o3", cost_usd=0.5)
    failed = answered.model_copy(update={"error": "It broke off.", "cost_usd": None})
    unknown = failed.model_copy(update={"model": "made/up"})
    usage = {"search_cost_usd": 0.25}
    store.add(run_id, RunUpdate(calls=[answered, answered, failed, unknown], usage=usage))

    def work(session: Session) -> None:
        steps.repeat(session, run_id, "key", "model", Expense(provider="one"), ProviderLimits())
        workers.seen(session, Worker("a process", None, {}))

    store.write(work)
    counts = counted(store)
    assert set(counts.calls) == {
        CallCount("openai/o3", is_answered=True, calls=2, cost_usd=1.0),
        CallCount("openai/o3", is_answered=False, calls=1, cost_usd=0.0),
        CallCount("other", is_answered=False, calls=1, cost_usd=0.0),
    }
    assert (counts.search_cost_usd, counts.retries, counts.workers) == (0.25, 1, 1)
