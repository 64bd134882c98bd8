"""Several processes on one database, and writers that are killed."""

import os
from contextlib import ExitStack
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests import builders
from tests.plain_sql import plain_sql
from tests.postgres_server import PostgresServer
from tests.processes import started

from veridic.config.settings import Settings
from veridic.domain.modes import EngineChoice
from veridic.domain.report import Report
from veridic.domain.usage import Expense
from veridic.engine.order import CheckOrder
from veridic.runtime.recording import Recorder
from veridic.runtime.writer import Writer
from veridic.store import maintenance
from veridic.store.leases import Placement
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunState, RunStore
from veridic.store.steps import ProviderLimits

CALLS_PER_MINUTE = 5


def write(connection: Connection, url: str, runs: int) -> None:
    """Save runs; send the name of each step before it, so that the test knows when to kill."""
    report = builders.sample_report()
    connection.send(("open", ""))
    with RunStore(url) as store:
        for _ in range(runs):
            connection.send(("begin", ""))
            run_id = store.begin(report.document, mode="thorough", engine="embedded")
            connection.send(("claims", run_id))
            store.add(run_id, RunUpdate(claims=[decision.claim for decision in report.decisions]))
            connection.send(("complete", run_id))
            store.complete(run_id, report)
            connection.send(("saved", run_id))


def call_a_provider(connection: Connection, url: str, times: int) -> None:
    """Begin calls, as long as the settings of this process allow them; send how many were."""
    os.environ["VERIDIC_PROVIDER_CALLS_PER_MINUTE"] = str(CALLS_PER_MINUTE)
    settings = Settings(database_url=url)
    limits = ProviderLimits(settings.provider_max_concurrency, settings.provider_calls_per_minute)
    order = CheckOrder(document=builders.make_document(), engine=EngineChoice.EMBEDDED)
    with RunStore(url) as store, Writer(store) as writer:
        recorder = Recorder(writer, order, settings, placement=Placement(str(os.getpid())))
        recorder.begin().result()
        calls = range(times)
        begun = [recorder.begin_step(f"step {n}", "model", Expense(provider="one"), limits) for n in calls]
        connection.send(sum(one.result() for one in begun))


def saved_ids(steps: list[tuple[str, str]]) -> list[str]:
    return [run_id for step, run_id in steps if step == "saved"]


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_concurrent_processes_get_unique_consecutive_numbers(
    tmp_path: Path, postgres: PostgresServer, backend: str
) -> None:
    # The tables do not exist yet, so they also race to create them.
    url = f"sqlite:///{tmp_path / 'new' / 'veridic.db'}" if backend == "sqlite" else postgres.create()
    each, processes = 12, 4
    with ExitStack() as stack:
        writers = [stack.enter_context(started(write, url, each)) for _ in range(processes)]
        steps = [writer.rest() for writer in writers]
        assert [writer.exit_code() for writer in writers] == [0] * processes
    ids = [run_id for sent in steps for run_id in saved_ids(sent)]
    numbers = sorted(int(run_id.rsplit("-", 1)[1]) for run_id in ids)
    years = {run_id[:8] for run_id in ids}
    if len(years) == 1:  # numbers start again in a new year
        assert numbers == list(range(1, each * processes + 1))
    assert len(set(ids)) == each * processes
    assert maintenance.check(url).problems == ()


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_the_calls_per_minute_hold_over_all_processes(
    tmp_path: Path, postgres: PostgresServer, backend: str
) -> None:
    url = f"sqlite:///{tmp_path / 'veridic.db'}" if backend == "sqlite" else postgres.create()
    maintenance.upgrade(url)
    with ExitStack() as stack:
        processes = [stack.enter_context(started(call_a_provider, url, CALLS_PER_MINUTE)) for _ in range(2)]
        begun = [number for process in processes for number in process.rest()]
        assert [process.exit_code() for process in processes] == [0, 0]
    assert sum(begun) == CALLS_PER_MINUTE


def test_a_killed_writer_leaves_whole_steps_on_postgresql(postgres: PostgresServer) -> None:
    url = postgres.create()
    saved = [run_id for step_name in ("open", "claims", "complete") for run_id in kill_at(url, step_name, 1)]
    with RunStore(url) as store:
        assert {run.claims for run in store.recent(1000)} <= {0, 7}
        assert all(store.get(run_id).id == run_id for run_id in saved)
    assert_no_half_saved_run(url)


@pytest.mark.parametrize("step_name", ["open", "begin", "claims", "complete", "saved"])
def test_a_killed_writer_leaves_a_sound_sqlite_database(
    tmp_path: Path, sample_report: Report, step_name: str
) -> None:
    file = tmp_path / "veridic.db"
    url = f"sqlite:///{file}"
    saved: list[str] = []
    for occurrence in range(1, 4):
        saved += kill_at(url, step_name, 1 if step_name == "open" else occurrence)
        if file.exists() and file.stat().st_size:
            assert maintenance.check(url).problems in ((), ("it has no Veridic tables",))
    with RunStore(url) as store:
        for run in store.recent(1000):
            assert run.state in (RunState.COMPLETED, RunState.INTERRUPTED)
            assert run.claims in ((7,) if run.state is RunState.COMPLETED else (0, 7))
        for run_id in saved:
            assert store.get(run_id).id == run_id
        run_id = store.begin(sample_report.document, mode="thorough", engine="embedded")
        assert store.complete(run_id, sample_report) == store.get(run_id)
    assert_no_half_saved_run(url)


def kill_at(url: str, step_name: str, occurrence: int) -> list[str]:
    """Kill a writer after it has sent `step_name` `occurrence` times; return the ids it reported as saved."""
    steps: list[tuple[str, str]] = []
    with started(write, url, 1000) as writer:
        while sum(step == step_name for step, _ in steps) < occurrence:
            steps.append(writer.told.recv())
        writer.kill()
        steps += writer.rest()
    return saved_ids(steps)


def assert_no_half_saved_run(url: str) -> None:
    with plain_sql(url) as sql:
        half = sql.execute(
            """
            SELECT r.fact_check_id FROM runs r JOIN fact_checks f ON f.id = r.fact_check_id
            LEFT JOIN extracted_claims c ON c.fact_check_id = f.id
            LEFT JOIN claim_verifications v ON v.claim_id = c.id
            WHERE (r.report IS NULL) != (f.status != 'completed') OR (r.report IS NULL) != (v.id IS NULL)
            """
        ).fetchall()
        year = datetime.now(UTC).year
        runs, last = sql.execute(
            "SELECT (SELECT count(*) FROM runs), (SELECT sum(last_number) FROM id_counters WHERE year <= ?)",
            (year,),
        ).fetchone()
    assert half == []
    assert runs == last
