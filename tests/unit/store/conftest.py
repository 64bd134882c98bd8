from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.plain_sql import Sql, plain_sql
from tests.postgres_server import PostgresServer

from veridic.store import maintenance
from veridic.store.runs import RunStore

EMPTY = """
    DELETE FROM fact_checks; DELETE FROM conversations; DELETE FROM assignments; DELETE FROM users;
    DELETE FROM id_counters; DELETE FROM code_findings; DELETE FROM batches;
    SELECT setval(pg_get_serial_sequence(name, 'id'), 1, false)
      FROM unnest(ARRAY['extracted_claims', 'claim_verifications', 'verification_sources']) AS name;
"""
"""Deletes what tests leave in a database; other rows are deleted by cascade."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every database test on SQLite and PostgreSQL, unless it uses the SQLite file."""
    if "backend" in metafunc.fixturenames:
        backends = ["sqlite"] if "file" in metafunc.fixturenames else ["sqlite", "postgresql"]
        metafunc.parametrize("backend", backends)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "veridic.db"


@pytest.fixture
def new_url(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """An empty database."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'veridic.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.create()


@pytest.fixture(scope="session")
def template(postgres: PostgresServer) -> str:
    """A PostgreSQL database with the tables; copying it is faster than creating them."""
    url = postgres.create()
    maintenance.upgrade(url)
    return url.rpartition("/")[2]


@pytest.fixture(scope="session")
def shared(postgres: PostgresServer, template: str) -> str:
    return postgres.create(template)


@pytest.fixture
def changes_tables() -> None:
    """For tests that change tables, not only rows, and need their own database."""


@pytest.fixture
def url(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A database for runs: a file that does not exist yet, or a PostgreSQL database with the tables."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'veridic.db'}"
    if "changes_tables" in request.fixturenames:
        server: PostgresServer = request.getfixturevalue("postgres")
        return server.create(request.getfixturevalue("template"))
    shared: str = request.getfixturevalue("shared")
    with plain_sql(shared) as sql:
        sql.run(EMPTY)
    return shared


@pytest.fixture
def store(url: str) -> Iterator[RunStore]:
    with RunStore(url) as opened:
        yield opened


@pytest.fixture
def sql(url: str) -> Iterator[Sql]:
    maintenance.upgrade(url)
    with plain_sql(url) as opened:
        yield opened


@pytest.fixture
def desk(sql: Sql) -> Sql:
    """Sample rows: two fact checks, a claim of each framing, one verification with one source."""
    sql.run(
        """
        INSERT INTO users (id, username) VALUES (10, 'editor'), (11, 'checker');
        INSERT INTO assignments (id, title) VALUES ('A-1', 'Crime figures');
        INSERT INTO fact_checks (id, assignment_id, content, status, created_by, assigned_to) VALUES
          ('FC-2025-001', 'A-1', 'According to FBI statistics, crime has decreased by 15%. My sources tell me ...',
           'in_progress', 10, 11),
          ('FC-2025-002', NULL, 'People are saying the election was rigged. An official said turnout fell.',
           'pending', 10, NULL);
        INSERT INTO extracted_claims
          (fact_check_id, claim_text, claim_type, sentence_index, verifiable, verification_type,
           confidence_score, private_data_detected, status, priority, created_at) VALUES
          ('FC-2025-001', 'My sources tell me it is worse', 'private_data', 1, false, 'unverifiable',
           0.8, true, 'flagged', 'low', '2025-10-02 12:00:01'),
          ('FC-2025-001', 'According to FBI statistics, crime has decreased by 15%', 'direct_factual', 0, true,
           'standard', 0.95, false, 'verified', 'high', '2025-10-02 12:00:00'),
          ('FC-2025-002', 'People are saying the election was rigged', 'plausible_deniability', 0, true,
           'extract-underlying-claim', 0.9, false, 'pending', 'high', '2025-10-02 13:00:01'),
          ('FC-2025-002', 'An official said turnout fell', 'hearsay', 1, true,
           'two-step', 0.7, false, 'pending', 'medium', '2025-10-02 13:00:00');
        INSERT INTO claim_verifications
          (claim_id, verification_status, rating, verification_notes, verified_by, verified_at,
           time_spent_seconds) VALUES
          (2, 'verified_true', 'true', 'Confirmed via FBI UCR data', 11, '2025-10-02 12:30:00', 420);
        INSERT INTO verification_sources
          (verification_id, url, domain, title, credibility_tier, credibility_score, supports_claim,
           relevance_score, excerpt) VALUES
          (1, 'https://ucr.fbi.gov/crime-in-the-u.s/2024/preliminary', 'fbi.gov',
           'FBI Uniform Crime Report 2024 Preliminary Data', 'federal_government', 1.0, true, 0.95,
           'Crime decreased 15.2% in District 12...');
        """
    )
    return sql
