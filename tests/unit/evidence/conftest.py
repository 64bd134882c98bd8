from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer


@pytest.fixture(params=["files", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    """Somewhere to keep corpora, of each kind that there is."""
    if request.param == "files":
        yield tmp_path / "corpora"
    else:
        yield from _database(request.getfixturevalue("postgres"))


@pytest.fixture(scope="module", params=["files", "postgres"])
def module_place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path | str]:
    """Like `place`, and shared by the tests of a module."""
    if request.param == "files":
        yield tmp_path_factory.mktemp("corpora")
    else:
        yield from _database(request.getfixturevalue("postgres"))


@pytest.fixture
def database(postgres: "PostgresServer") -> Iterator[str]:
    """A database to keep corpora in."""
    yield from _database(postgres)


def _database(postgres: "PostgresServer") -> Iterator[str]:
    from veridic.evidence.postgres import close_connections

    url = postgres.create()
    yield url
    close_connections(url)
