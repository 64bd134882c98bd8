from pathlib import Path

import pytest
from tests.postgres_server import PostgresServer

from veridic.config.settings import Settings


@pytest.fixture
def server(tmp_path: Path) -> Settings:
    """Settings with a database in a temporary folder."""
    return Settings(home=tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    """Settings with an empty database: a file, and one of a server."""
    if request.param == "sqlite":
        return Settings(home=tmp_path)
    server: PostgresServer = request.getfixturevalue("postgres")
    return Settings(home=tmp_path, database_url=server.create())
