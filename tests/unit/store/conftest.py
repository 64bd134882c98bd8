import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from veridic.store import maintenance
from veridic.store.runs import RunStore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "veridic.db"


@pytest.fixture
def url(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture
def store(url: str) -> Iterator[RunStore]:
    with RunStore(url) as opened:
        yield opened


@pytest.fixture
def sql(url: str, file: Path) -> Iterator[sqlite3.Connection]:
    """The way a user of the database sees it: sqlite3, nothing of ours in between."""
    maintenance.upgrade(url)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys=ON")
        yield connection


@pytest.fixture
def desk(sql: sqlite3.Connection) -> sqlite3.Connection:
    """A small desk: two fact checks, a claim of each framing, one verification with one source."""
    sql.executescript(
        """
        INSERT INTO users (id, username) VALUES (10, 'editor'), (11, 'checker');
        INSERT INTO assignments (id, title) VALUES ('A-1', 'Crime figures');
        INSERT INTO fact_checks (id, assignment_id, content, status, created_by, assigned_to) VALUES
          ('FC-2025-001', 'A-1', 'According to FBI statistics, crime has decreased by 15%. My sources tell me ...',
           'in_progress', 10, 11),
          ('FC-2025-002', NULL, 'People are saying the election was rigged. An official said turnout fell.',
           'pending', 10, NULL);
        INSERT INTO extracted_claims
          (id, fact_check_id, claim_text, claim_type, sentence_index, verifiable, verification_type,
           confidence_score, private_data_detected, status, priority, created_at) VALUES
          (1, 'FC-2025-001', 'My sources tell me it is worse', 'private_data', 1, 0, 'unverifiable',
           0.8, 1, 'flagged', 'low', '2025-10-02 12:00:01'),
          (2, 'FC-2025-001', 'According to FBI statistics, crime has decreased by 15%', 'direct_factual', 0, 1,
           'standard', 0.95, 0, 'verified', 'high', '2025-10-02 12:00:00'),
          (3, 'FC-2025-002', 'People are saying the election was rigged', 'plausible_deniability', 0, 1,
           'extract-underlying-claim', 0.9, 0, 'pending', 'high', '2025-10-02 13:00:01'),
          (4, 'FC-2025-002', 'An official said turnout fell', 'hearsay', 1, 1,
           'two-step', 0.7, 0, 'pending', 'medium', '2025-10-02 13:00:00');
        INSERT INTO claim_verifications
          (id, claim_id, verification_status, rating, verification_notes, verified_by, verified_at,
           time_spent_seconds) VALUES
          (1, 2, 'verified_true', 'true', 'Confirmed via FBI UCR data', 11, '2025-10-02 12:30:00', 420);
        INSERT INTO verification_sources
          (id, verification_id, url, domain, title, credibility_tier, credibility_score, supports_claim,
           relevance_score, excerpt) VALUES
          (1, 1, 'https://ucr.fbi.gov/crime-in-the-u.s/2024/preliminary', 'fbi.gov',
           'FBI Uniform Crime Report 2024 Preliminary Data', 'federal_government', 1.0, 1, 0.95,
           'Crime decreased 15.2% in District 12...');
        """
    )
    return sql
