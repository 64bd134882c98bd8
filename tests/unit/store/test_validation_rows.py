"""The rows of validated claims."""

from datetime import date
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable
from tests.builders import (
    make_account,
    make_claim,
    make_decision,
    make_report,
    make_source,
    make_validation,
    sample_report,
)
from tests.plain_sql import Sql

from veridic.domain.decision import Decision, TemporalAnalysis
from veridic.domain.evidence import Channel, Source, Stance, Tier
from veridic.domain.report import Report
from veridic.domain.usage import Usage
from veridic.domain.validation import Citation, SourceStance
from veridic.domain.verdicts import Verdict
from veridic.store.runs import RunStore
from veridic.store.tables import ValidationResult, ValidationSource

TEMPORAL = TemporalAnalysis(
    claim_timeframe="The present.",
    evidence_currency="The newest source is of 2026-11-01.",
    historical_context="It has been so since 1913.",
    temporal_verdict="It holds now as it did then.",
)
RESULT_COLUMNS = [
    ("id", "TEXT", 1), ("claim", "TEXT", 1), ("verdict", "TEXT", 1), ("confidence", "INTEGER", 1),
    ("claim_timeframe", "TEXT", 0), ("evidence_currency", "TEXT", 0), ("historical_context", "TEXT", 0),
    ("temporal_verdict", "TEXT", 0), ("created_at", "DATETIME", 0), ("evidence_latest_date", "DATETIME", 0),
    ("evidence_oldest_date", "DATETIME", 0), ("total_sources", "INTEGER", 0), ("sources_news", "INTEGER", 0),
    ("sources_research", "INTEGER", 0), ("sources_general", "INTEGER", 0), ("sources_historical", "INTEGER", 0),
    ("processing_time_ms", "INTEGER", 0), ("cost_usd", "NUMERIC(10, 4)", 0), ("fact_check_id", "TEXT", 0),
    ("claim_id", "INTEGER", 0),
]  # fmt: skip
SOURCE_COLUMNS = [
    ("id", "TEXT", 1), ("validation_id", "TEXT", 0), ("citation_id", "INTEGER", 0), ("title", "TEXT", 0),
    ("url", "TEXT", 0), ("source", "TEXT", 0), ("author", "TEXT", 0), ("published_date", "DATE", 0),
    ("query_type", "TEXT", 0), ("credibility", "TEXT", 0), ("relevance", "TEXT", 0),
]  # fmt: skip


def save(store: RunStore, report: Report) -> str:
    run_id = store.begin(report.document, mode=report.mode, engine=report.engine)
    store.complete(run_id, report)
    return run_id


def read(*sources: Source) -> list[SourceStance]:
    return [SourceStance(source=source, stance=Stance.SUPPORTING) for source in sources]


def validated(*sources: Source, cited: tuple[Source, ...] = (), **details: object) -> Decision:
    citations = (Citation(source=source, relevance=f"About {source.title}.") for source in cited or sources)
    account = make_account().model_copy(update={"citations": tuple(citations)})
    validation = make_validation(read(*sources), account=account, usage=Usage(cost_usd=0.01234567))
    return make_decision().model_copy(update={"validation": validation, **details})


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize(
    ("table", "columns"), [("validation_results", RESULT_COLUMNS), ("validation_sources", SOURCE_COLUMNS)]
)
def test_columns_are_as_documented(sql: Sql, table: str, columns: list[tuple[str, str, int]]) -> None:
    found = sql.execute(f"PRAGMA table_info({table})").fetchall()
    assert [(row["name"], row["type"], row["notnull"]) for row in found] == columns
    assert [row["name"] for row in found if row["pk"]] == ["id"]
    defaults = {row["name"]: row["dflt_value"] for row in found if row["dflt_value"] is not None}
    assert defaults == ({"created_at": "CURRENT_TIMESTAMP"} if table == "validation_results" else {})


def test_column_types_on_postgresql() -> None:
    def written(table: type[ValidationResult | ValidationSource]) -> str:
        return str(CreateTable(table.__table__).compile(dialect=postgresql.dialect()))  # type: ignore[arg-type, no-untyped-call]

    result, source = written(ValidationResult), written(ValidationSource)
    assert "id UUID NOT NULL" in result
    assert "created_at TIMESTAMP WITHOUT TIME ZONE DEFAULT CURRENT_TIMESTAMP" in result
    assert "cost_usd NUMERIC(10, 4)" in result
    assert "validation_id UUID" in source
    assert "published_date DATE" in source


def test_every_field_of_a_result(store: RunStore, sql: Sql) -> None:
    sources = (
        make_source("A", url="https://a.example", published="2026-11-01", channel=Channel.NEWS),
        make_source("B", url="https://b.example", published="1985", channel=Channel.HISTORICAL),
        make_source("C", url="https://c.example", published=None, channel=Channel.GENERAL),
        make_source("D", url="https://d.example", published="2024-05", channel=Channel.NEWS),
    )
    run_id = save(store, make_report([validated(*sources, temporal=TEMPORAL, confidence=0.926)]))
    row = dict(sql.execute("SELECT * FROM validation_results").fetchone())
    claim_id = sql.execute("SELECT id FROM extracted_claims").fetchone()[0]
    assert UUID(row["id"]).version == 4
    del row["id"]
    assert row.pop("created_at") == sql.execute("SELECT completed_at FROM fact_checks").fetchone()[0]
    assert row == {
        "claim": "The capital of Australia is Canberra.",
        "verdict": "TRUE",
        "confidence": 93,
        **TEMPORAL.model_dump(),
        "evidence_latest_date": "2026-11-01 00:00:00",
        "evidence_oldest_date": "1985-01-01 00:00:00",
        "total_sources": 4,
        "sources_news": 2,
        "sources_research": 0,
        "sources_general": 1,
        "sources_historical": 1,
        "processing_time_ms": 840,
        "cost_usd": 0.0123,
        "fact_check_id": run_id,
        "claim_id": claim_id,
    }


def test_every_field_of_a_source(store: RunStore, sql: Sql) -> None:
    first = make_source("First", url="https://first.example")
    study = make_source(
        "Study",
        url="https://journal.example/1",
        domain="journal.example",
        published="2021",
        channel=Channel.RESEARCH,
        tier=Tier.RESEARCH_INSTITUTIONS,
    ).model_copy(update={"author": "Smith, J."})
    handbook = make_source(
        "Handbook", url=None, path="sources/handbook.txt", domain=None, published=None,
        channel=Channel.GENERAL, tier=Tier.UNKNOWN,
    ).model_copy(update={"found_in": "desk"})  # fmt: skip
    report = make_report([validated(first, study, handbook, cited=(handbook, study))])
    report = report.model_copy(update={"sources": (first, study, handbook)})
    save(store, report)
    rows = [dict(row) for row in sql.execute("SELECT * FROM validation_sources ORDER BY citation_id DESC")]
    result_id = sql.execute("SELECT id FROM validation_results").fetchone()[0]
    assert len({UUID(row.pop("id")) for row in rows}) == 2
    assert {row.pop("validation_id") for row in rows} == {result_id}
    assert rows == [
        {
            "citation_id": 3,
            "title": "Handbook",
            "url": "sources/handbook.txt",
            "source": "desk",
            "author": None,
            "published_date": None,
            "query_type": "general",
            "credibility": "MEDIUM",
            "relevance": "About Handbook.",
        },
        {
            "citation_id": 2,
            "title": "Study",
            "url": "https://journal.example/1",
            "source": "journal.example",
            "author": "Smith, J.",
            "published_date": "2021-01-01",
            "query_type": "research",
            "credibility": "HIGH",
            "relevance": "About Study.",
        },
    ]


@given(
    st.lists(st.sampled_from([*Channel, "", "reference", "\ud800"]), max_size=30),
    st.sampled_from(Verdict),
    st.floats(0, 1),
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_counts_by_channel_add_up(
    store: RunStore, sql: Sql, channels: list[str], verdict: Verdict, confidence: float
) -> None:
    sources = [
        make_source(f"S{number}", url=f"https://s.example/{number}", channel=channel)
        for number, channel in enumerate(channels)
    ]
    run_id = save(store, make_report([validated(*sources, verdict=verdict, confidence=confidence)]))
    row = sql.execute("SELECT * FROM validation_results WHERE fact_check_id = ?", (run_id,)).fetchone()
    assert row["total_sources"] == len(channels)
    assert row["total_sources"] == sum(row[f"sources_{channel}"] for channel in Channel)
    assert row["sources_news"] == channels.count("news")
    assert row["verdict"] in ("TRUE", "FALSE", "MISLEADING", "UNVERIFIABLE")
    assert 0 <= row["confidence"] <= 100
    assert isinstance(row["confidence"], int)


def test_a_claim_without_evidence_has_a_result(store: RunStore, sql: Sql) -> None:
    save(store, make_report([make_decision(verdict=Verdict.UNVERIFIABLE, evidence=[], confidence=0.0)]))
    row = sql.execute("SELECT * FROM validation_results").fetchone()
    assert (row["verdict"], row["confidence"], row["total_sources"]) == ("UNVERIFIABLE", 0, 0)
    assert (row["evidence_latest_date"], row["evidence_oldest_date"], row["claim_timeframe"]) == (None,) * 3
    assert sql.execute("SELECT count(*) FROM validation_sources").fetchone()[0] == 0


def test_results_join_claims_and_verifications(store: RunStore, sql: Sql) -> None:
    save(store, sample_report())
    pairs = sql.execute(
        "SELECT extracted_claims.claim_text, validation_results.claim FROM validation_results"
        " JOIN extracted_claims ON extracted_claims.id = validation_results.claim_id"
        " JOIN claim_verifications ON claim_verifications.claim_id = extracted_claims.id"
    ).fetchall()
    assert len(pairs) == 7
    assert all(text == claim for text, claim in pairs)


def test_sources_can_be_queried_by_date(store: RunStore, sql: Sql) -> None:
    sources = [
        make_source(title, url=f"https://{title}.example", published=published)
        for title, published in [("old", "1985-03-12"), ("new", "2026-11-01"), ("undated", None)]
    ]
    save(store, make_report([validated(*sources)]))
    found = sql.execute(
        "SELECT title FROM validation_sources WHERE published_date >= ? ORDER BY published_date DESC",
        (date(2020, 1, 1).isoformat(),),
    )
    assert [row[0] for row in found] == ["new"]


def test_consensus_mode_writes_no_results(store: RunStore, sql: Sql) -> None:
    begun = store.begin_consensus("Is it so?", engine="auto")
    store.complete(
        begun.run_id, make_report([validated(make_source())]).model_copy(update={"mode": "consensus"})
    )
    assert sql.execute("SELECT count(*) FROM validation_results").fetchone()[0] == 0


def test_deleting_a_run_or_a_claim_deletes_its_validation(store: RunStore, sql: Sql) -> None:
    def left() -> tuple[int, int]:
        tables = ("validation_results", "validation_sources")
        results, sources = (sql.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables)
        return results, sources

    one, two = make_claim(number=1), make_claim("Its population is about 40 million.", number=2)
    decisions = [validated(make_source()).model_copy(update={"claim": claim}) for claim in (one, two)]
    run_id = save(store, make_report(decisions))
    assert left() == (2, 2)
    sql.execute("DELETE FROM extracted_claims WHERE claim_text = ?", (two.text,))
    assert left() == (1, 1)
    store.delete(run_id)
    assert left() == (0, 0)
