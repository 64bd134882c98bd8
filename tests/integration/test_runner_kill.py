"""Processes killed during a check, and those that go on with it."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.killed_checks import ORDER, command, enqueue, problems_of, settings_for, variables_for
from tests.llm_server import Request, ScriptedServer
from tests.postgres_server import PostgresServer
from tests.processes import KILLED, started

from veridic.domain.report import Report
from veridic.store.runs import RunState, RunStore

WORKER = ["worker", "--until-empty"]


def is_of(stage: str, request: Request) -> bool:
    return request.stage == stage


@pytest.fixture(scope="module")
def models() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script_consensus()
        yield server


@pytest.fixture(scope="module")
def undisturbed(models: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Report:
    tmp_path = tmp_path_factory.mktemp("undisturbed")
    url = f"sqlite:///{tmp_path / 'undisturbed.db'}"
    run_id = enqueue(settings_for(tmp_path, models.url, url))
    with started(command, WORKER, variables_for(tmp_path, models.url, url)) as worker:
        assert worker.exit_code() == 0
    with RunStore(url) as store:
        return store.get(run_id)


@pytest.mark.parametrize(
    ("backend", "stages"), [("sqlite", ["extract", "verify", "report"]), ("postgresql", ["verify"])]
)
def test_a_worker_goes_on_where_a_killed_one_was(
    models: ScriptedServer,
    undisturbed: Report,
    tmp_path: Path,
    postgres: PostgresServer,
    backend: str,
    stages: list[str],
) -> None:
    url = f"sqlite:///{tmp_path / 'veridic.db'}" if backend == "sqlite" else postgres.create()
    settings, variables = settings_for(tmp_path, models.url, url), variables_for(tmp_path, models.url, url)
    run_id = enqueue(settings)
    before = len(models.requests)
    for stage in stages:
        gate = models.hold(when=partial(is_of, stage))
        with started(command, WORKER, variables) as worker:
            gate.wait_for_request()
            worker.kill()
            assert worker.exit_code() == KILLED
        gate.release()
    with started(command, WORKER, variables) as last:
        assert last.exit_code() == 0

    assert problems_of(settings, run_id, models.requests[before:], undisturbed) == []


def test_a_killed_command_is_resumed_by_hand(
    models: ScriptedServer, undisturbed: Report, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'veridic.db'}"
    settings, variables = settings_for(tmp_path, models.url, url), variables_for(tmp_path, models.url, url)
    article = tmp_path / "article.txt"
    assert ORDER.document is not None
    article.write_text(ORDER.document.text)
    before = len(models.requests)
    gate = models.hold(when=lambda request: request.stage == "verify")
    with started(command, ["check", str(article), "--mode", "consensus"], variables) as check:
        gate.wait_for_request()
        check.kill()
        assert check.exit_code() == KILLED
    gate.release()
    with RunStore(url) as store:
        (killed,) = store.recent()
        assert not killed.state.has_ended
    with started(command, WORKER, variables) as worker:
        assert worker.exit_code() == 0
    with RunStore(url) as store:
        assert store.summary(killed.id).state is RunState.INTERRUPTED, "workers take runs of the queue only"
    with started(command, ["runs", "resume", killed.id], variables) as resumed:
        assert resumed.exit_code() == 0

    problems = problems_of(settings, killed.id, models.requests[before:], undisturbed)
    assert problems in ([], ["the report is another"]), "its question is another, so its title may be"
