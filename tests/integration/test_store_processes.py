"""Several processes on one database, and processes that are killed while they write."""

from contextlib import ExitStack
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests import builders
from tests.plain_sql import plain_sql
from tests.postgres_server import PostgresServer
from tests.processes import started

from veridic.domain.report import Report
from veridic.store import maintenance
from veridic.store.runs import RunState, RunStore


def write(telling: Connection, url: str, runs: int) -> None:
    """Save runs, and say before each step what it is, so that whoever reads knows where to kill."""
    report = builders.sample_report()
    telling.send(("open", ""))
    with RunStore(url) as store:
        for _ in range(runs):
            telling.send(("begin", ""))
            run_id = store.begin(report.document, mode="thorough", engine="embedded")
            telling.send(("claims", run_id))
            store.claims_extracted(run_id, [decision.claim for decision in report.decisions])
            telling.send(("complete", run_id))
            store.complete(run_id, report)
            telling.send(("saved", run_id))


def saved_ids(said: list[tuple[str, str]]) -> list[str]:
    return [run_id for step, run_id in said if step == "saved"]


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_processes_that_start_together_never_share_or_skip_a_number(
    tmp_path: Path, postgres: PostgresServer, backend: str
) -> None:
    # The tables do not exist yet, so they also race to create them.
    url = f"sqlite:///{tmp_path / 'new' / 'veridic.db'}" if backend == "sqlite" else postgres.create()
    each, processes = 12, 4
    with ExitStack() as stack:
        writers = [stack.enter_context(started(write, url, each)) for _ in range(processes)]
        said = [writer.rest() for writer in writers]
        assert [writer.exit_code() for writer in writers] == [0] * processes
    ids = [run_id for one in said for run_id in saved_ids(one)]
    numbers = sorted(int(run_id.rsplit("-", 1)[1]) for run_id in ids)
    years = {run_id[:8] for run_id in ids}
    if len(years) == 1:  # else the year ended meanwhile, and the numbers began again
        assert numbers == list(range(1, each * processes + 1))
    assert len(set(ids)) == each * processes
    assert maintenance.check(url).problems == ()


def test_a_killed_writer_leaves_whole_steps_on_a_server(postgres: PostgresServer) -> None:
    url = postgres.create()
    promised = [run_id for moment in ("open", "claims", "complete") for run_id in kill_at(url, moment, 1)]
    with RunStore(url) as store:
        assert {run.claims for run in store.recent(1000)} <= {0, 7}
        assert all(store.get(run_id).id == run_id for run_id in promised)
    assert_no_half_saved_run(url)


@pytest.mark.parametrize("moment", ["open", "begin", "claims", "complete", "saved"])
def test_a_killed_writer_leaves_a_sound_database(tmp_path: Path, sample_report: Report, moment: str) -> None:
    file = tmp_path / "veridic.db"
    url = f"sqlite:///{file}"
    promised: list[str] = []
    for occurrence in range(1, 4):
        promised += kill_at(url, moment, 1 if moment == "open" else occurrence)
        if file.exists() and file.stat().st_size:
            assert maintenance.check(url).problems in ((), ("it has no Veridic tables",))
    with RunStore(url) as store:
        for run in store.recent(1000):
            assert run.state in (RunState.COMPLETED, RunState.UNFINISHED)
            assert run.claims in ((7,) if run.state is RunState.COMPLETED else (0, 7))
        for run_id in promised:
            assert store.get(run_id).id == run_id
        run_id = store.begin(sample_report.document, mode="thorough", engine="embedded")
        assert store.complete(run_id, sample_report) == store.get(run_id)
    assert_no_half_saved_run(url)


def kill_at(url: str, moment: str, occurrence: int) -> list[str]:
    """Kill a writer right after it said `moment` that many times; the ids it said were saved."""
    said: list[tuple[str, str]] = []
    with started(write, url, 1000) as writer:
        while sum(step == moment for step, _ in said) < occurrence:
            said.append(writer.told.recv())
        writer.kill()
        said += writer.rest()
    return saved_ids(said)


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
