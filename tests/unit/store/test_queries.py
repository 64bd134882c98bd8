"""The documented queries, verbatim."""

import re
from pathlib import Path

import pytest
from tests.builders import sample_report
from tests.plain_sql import BROKEN_REFERENCE, Sql

from veridic.store.progress import RunUpdate
from veridic.store.runs import RunStore

FACT_CHECK_WITH_CLAIMS = """
SELECT
  fc.*,
  ec.id as claim_id,
  ec.claim_text,
  ec.claim_type,
  ec.status as claim_status,
  cv.rating,
  cv.verification_status
FROM fact_checks fc
LEFT JOIN extracted_claims ec ON fc.id = ec.fact_check_id
LEFT JOIN claim_verifications cv ON ec.id = cv.claim_id
WHERE fc.id = ?
ORDER BY ec.sentence_index;
"""

PENDING_CLAIMS = """
SELECT
  ec.*,
  fc.content as source_content,
  fc.created_by as fact_check_creator
FROM extracted_claims ec
JOIN fact_checks fc ON ec.fact_check_id = fc.id
WHERE ec.status = 'pending'
  AND ec.verifiable = 1
ORDER BY ec.priority DESC, ec.created_at ASC;
"""

STATISTICS = """
SELECT
  claim_type,
  COUNT(*) as total_claims,
  SUM(CASE WHEN status = 'verified' THEN 1 ELSE 0 END) as verified,
  AVG(CASE
    WHEN cv.time_spent_seconds IS NOT NULL
    THEN cv.time_spent_seconds
  END) as avg_verification_time
FROM extracted_claims ec
LEFT JOIN claim_verifications cv ON ec.id = cv.claim_id
GROUP BY claim_type;
"""

SOURCES_BY_TIER = """
SELECT
  credibility_tier,
  COUNT(*) as source_count,
  AVG(credibility_score) as avg_score,
  SUM(CASE WHEN supports_claim = 1 THEN 1 ELSE 0 END) as supporting,
  SUM(CASE WHEN supports_claim = 0 THEN 1 ELSE 0 END) as disputing
FROM verification_sources
GROUP BY credibility_tier
ORDER BY avg_score DESC;
"""


def for_database(query: str, sql: Sql) -> str:
    """Return the query for the database: PostgreSQL can't compare booleans with numbers."""
    if sql.is_sqlite:
        return query
    return re.sub(r"(verifiable|supports_claim) = ([01])", lambda m: f"{m[1]} = {bool(int(m[2]))}", query)


def test_a_fact_check_with_its_claims(desk: Sql) -> None:
    rows = desk.execute(FACT_CHECK_WITH_CLAIMS, ("FC-2025-001",)).fetchall()
    assert [(r["id"], r["claim_id"], r["claim_type"], r["claim_status"], r["rating"]) for r in rows] == [
        ("FC-2025-001", 2, "direct_factual", "verified", "true"),
        ("FC-2025-001", 1, "private_data", "flagged", None),
    ]
    assert [r["verification_status"] for r in rows] == ["verified_true", None]


def test_pending_claims(desk: Sql) -> None:
    rows = desk.execute(for_database(PENDING_CLAIMS, desk)).fetchall()
    # Priorities are words, so DESC is alphabetical: medium, low, high.
    assert [(r["id"], r["priority"], r["fact_check_creator"]) for r in rows] == [
        (4, "medium", 10),
        (3, "high", 10),
    ]
    assert rows[0]["source_content"].startswith("People are saying")


def test_statistics(desk: Sql) -> None:
    rows = {r["claim_type"]: tuple(r)[1:] for r in desk.execute(STATISTICS)}
    assert rows == {
        "direct_factual": (1, 1, 420.0),
        "hearsay": (1, 0, None),
        "plausible_deniability": (1, 0, None),
        "private_data": (1, 0, None),
    }


def test_sources_by_tier(desk: Sql) -> None:
    assert [tuple(row) for row in desk.execute(for_database(SOURCES_BY_TIER, desk))] == [
        ("federal_government", 1, 1.0, 1, 0)
    ]


def test_the_page_s_queries_work_on_both_databases(desk: Sql) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "database.md").read_text(encoding="utf-8")
    pending, tiers = re.findall(r"```sql\n(SELECT .*?;)\n```", page, re.DOTALL)
    rows = desk.execute(pending).fetchall()
    assert [(row["id"], row["priority"]) for row in rows] == [(3, "high"), (4, "medium")]
    assert [tuple(row) for row in desk.execute(tiers)] == [("federal_government", 1, 1.0, 1, 0)]


def test_the_queries_on_a_saved_run(store: RunStore, sql: Sql) -> None:
    report = sample_report()
    run_id = store.begin(report.document, mode="thorough", engine="embedded")
    store.add(run_id, RunUpdate(claims=[decision.claim for decision in report.decisions]))
    # Six of the seven are verifiable; one rests on private data.
    assert len(sql.execute(for_database(PENDING_CLAIMS, sql)).fetchall()) == 6

    store.complete(run_id, report)

    rows = sql.execute(FACT_CHECK_WITH_CLAIMS, (run_id,)).fetchall()
    assert [(r["claim_status"], r["rating"], r["verification_status"]) for r in rows] == [
        ("verified", "true", "verified_true"),
        ("verified", "false", "verified_false"),
        ("disputed", "mixed", "verified_mixed"),
        ("flagged", "unverifiable", "unverifiable"),
        ("flagged", "unverifiable", "unverifiable"),
        ("verified", "mostly_false", "verified_mostly_false"),
        ("disputed", "mixed", "verified_mixed"),
    ]
    assert sql.execute(for_database(PENDING_CLAIMS, sql)).fetchall() == []
    assert {r["claim_type"]: tuple(r)[1:] for r in sql.execute(STATISTICS)} == {
        "direct_factual": (4, 3, 3.0),
        "hearsay": (1, 0, 3.0),
        "plausible_deniability": (1, 0, 3.0),
        "private_data": (1, 0, 3.0),
    }
    assert [tuple(row) for row in sql.execute(for_database(SOURCES_BY_TIER, sql))] == [
        ("federal_government", 4, 1.0, 2, 2),
        ("regional_news", 1, 0.65, 1, 0),
        ("unknown", 4, 0.5, 1, 2),
    ]


def test_deletes_cascade_down_to_the_sources(desk: Sql) -> None:
    desk.execute("DELETE FROM fact_checks WHERE id = 'FC-2025-001'")
    assert [row[0] for row in desk.execute("SELECT id FROM extracted_claims ORDER BY id")] == [3, 4]
    assert desk.execute("SELECT count(*) FROM claim_verifications").fetchone()[0] == 0
    assert desk.execute("SELECT count(*) FROM verification_sources").fetchone()[0] == 0
    assert desk.execute("SELECT count(*) FROM users").fetchone()[0] == 2


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO extracted_claims (fact_check_id, claim_text) VALUES ('FC-1999-000001', 'x')",
        "INSERT INTO claim_verifications (claim_id) VALUES (99)",
        "INSERT INTO verification_sources (verification_id, url) VALUES (99, 'https://a.example')",
        "UPDATE fact_checks SET assigned_to = 99",
        "UPDATE fact_checks SET created_by = 99",
        "UPDATE fact_checks SET completed_by = 99",
        "UPDATE fact_checks SET assignment_id = 'A-99'",
        "UPDATE fact_checks SET source_assignment_id = 'A-99'",
        "UPDATE claim_verifications SET verified_by = 99",
        "DELETE FROM users WHERE id = 11",
        "DELETE FROM assignments",
    ],
)
def test_foreign_keys_are_enforced(desk: Sql, statement: str) -> None:
    with pytest.raises(BROKEN_REFERENCE, match=r"(?i)foreign key"):
        desk.execute(statement)
