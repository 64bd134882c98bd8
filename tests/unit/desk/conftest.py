from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import make_document, sample_report
from tests.desk_people import PEOPLE
from tests.plain_sql import Sql, plain_sql
from tests.postgres_server import PostgresServer

from veridic.desk.desk import Desk
from veridic.store import maintenance
from veridic.store.runs import RunStore


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests marked by the fixture `backend` on SQLite and PostgreSQL, the others on SQLite."""
    if "backend" in metafunc.fixturenames:
        backends = ["sqlite", "postgresql"] if "on_each_database" in metafunc.fixturenames else ["sqlite"]
        metafunc.parametrize("backend", backends)


@pytest.fixture
def on_each_database() -> None:
    """For tests of what the databases do differently: locks, triggers, SQL of their own."""


@pytest.fixture(scope="session")
def template(postgres: PostgresServer) -> str:
    url = postgres.create()
    maintenance.upgrade(url)
    return url.rpartition("/")[2]


@pytest.fixture
def url(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'veridic.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.create(request.getfixturevalue("template"))


@pytest.fixture
def store(url: str) -> Iterator[RunStore]:
    with RunStore(url) as opened:
        with plain_sql(url) as sql:
            for name, (number, role) in PEOPLE.items():
                sql.execute(
                    "INSERT INTO users (id, username, role) VALUES (?, ?, ?)", (number, name, role.value)
                )
        yield opened


@pytest.fixture
def sql(url: str, store: RunStore) -> Iterator[Sql]:
    with plain_sql(url) as opened:
        yield opened


@pytest.fixture
def desk(store: RunStore) -> Desk:
    return Desk(store)


@pytest.fixture
def machine_check(store: RunStore) -> str:
    """A check that the machine has completed."""
    run_id = store.begin(make_document(title="Notes"), mode="thorough", engine="embedded")
    store.complete(run_id, sample_report())
    return run_id
