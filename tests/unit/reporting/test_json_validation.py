"""The validation fields of the JSON report, compared with the specification of these modes."""

import json
from typing import Any

import pytest
from docs.report_schema import PATH, schema_text
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic import TypeAdapter
from tests.builders import (
    make_account,
    make_cited,
    make_claim,
    make_decision,
    make_report,
    make_search,
    make_source,
    make_validation,
)
from tests.unit.reporting.hostile import PAYLOADS, hostile_report

from veridic.domain.claim import Framing, FramingKind
from veridic.domain.evidence import Channel, Stance
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.validation import SourceConsensus, SourceStance
from veridic.domain.verdicts import Verdict
from veridic.reporting.json_report import to_json
from veridic.reporting.json_shapes import ReportJson


def test_validation_fields_match_the_specification(sample_report: Report) -> None:
    assert to_json(sample_report)["claims"][1]["validation"] == snapshot(
        {
            "verdict": "FALSE",
            "confidence": 93,
            "summary": "Australia has about 26.8 million inhabitants [1][4].",
            "key_findings": [
                "An estimate for 2024 is 26,768,598 [1].",
                "Projections reach 40 million after 2060 at the earliest [4]",
            ],
            "contradictions": [],
            "temporal_analysis": {
                "claim_timeframe": "",
                "evidence_currency": "",
                "historical_context": "",
                "temporal_verdict": "",
            },
            "sources": [
                {
                    "id": 1,
                    "title": "The World Factbook: Australia",
                    "url": "https://www.cia.gov/the-world-factbook/countries/australia/",
                    "source": "cia.gov",
                    "author": "",
                    "date": "2025-03-01",
                    "type": "general",
                    "relevance": "It speaks of the very thing.",
                    "credibility": "HIGH",
                },
                {
                    "id": 4,
                    "title": "Projections of population",
                    "url": "https://journal.example/projections",
                    "source": "journal.example",
                    "author": "",
                    "date": "2024-11",
                    "type": "research",
                    "relevance": "It speaks of the very thing.",
                    "credibility": "HIGH",
                },
            ],
            "claim": "Australia's population is about 40 million.",
            "risk_level": "HIGH",
            "category": "Demographics",
            "processing_time_ms": 840,
            "token_usage": {"input_tokens": 3100, "output_tokens": 420, "total_cost_usd": 0.0151},
            "num_sources": 3,
            "supporting_sources": 0,
            "contradicting_sources": 2,
            "neutral_sources": 1,
            "source_consensus": "STRONG_AGREEMENT",
            "search_summary": {"total_searches": 4, "successful_searches": 3, "total_results": 15},
            "searches": [
                {
                    "query_type": "news",
                    "query": "capital of Australia (current date: 2026-11-15)",
                    "num_results": 0,
                    "asked": ["exa"],
                    "published_from": None,
                    "published_to": "2026-11-15",
                    "problems": ["Exa gave no answer within 20 seconds."],
                },
                {
                    "query_type": "research",
                    "query": "capital of Australia (current date: 2026-11-15)",
                    "num_results": 5,
                    "asked": ["exa"],
                    "published_from": None,
                    "published_to": "2026-11-15",
                    "problems": [],
                },
                {
                    "query_type": "general",
                    "query": "capital of Australia (current date: 2026-11-15)",
                    "num_results": 5,
                    "asked": ["exa"],
                    "published_from": None,
                    "published_to": "2026-11-15",
                    "problems": [],
                },
                {
                    "query_type": "historical",
                    "query": "capital of Australia (current date: 2026-11-15)",
                    "num_results": 5,
                    "asked": ["exa"],
                    "published_from": None,
                    "published_to": "2026-11-15",
                    "problems": [],
                },
            ],
            "citations_removed": 1,
        }
    )


def test_report_totals(sample_report: Report) -> None:
    written = to_json(sample_report)

    assert {key: written[key] for key in list(written)[18:] if key != "claim_breakdown"} == snapshot(
        {
            "claims_analyzed": 7,
            "claims_true": 1,
            "claims_false": 1,
            "claims_misleading": 2,
            "claims_unverified": 3,
            "num_sources": 9,
            "cost_usd": 0.0151,
            "verdict_by_claims": None,
            "kept": None,
            "consensus": None,
        }
    )
    assert written["claim_breakdown"][:3] == snapshot(
        [
            {
                "claim": "The capital of Australia is Canberra.",
                "verdict": "TRUE",
                "confidence": 93,
                "sources_used": 1,
            },
            {
                "claim": "Australia's population is about 40 million.",
                "verdict": "FALSE",
                "confidence": 93,
                "sources_used": 3,
            },
            {
                "claim": "The café owner said that inflation doubled last year.",
                "verdict": "MISLEADING",
                "confidence": 60,
                "sources_used": 1,
            },
        ]
    )


def test_usage_by_stage(sample_report: Report) -> None:
    assert to_json(sample_report)["usage"] == snapshot(
        {
            "input_tokens": 3100,
            "output_tokens": 420,
            "calls": 1,
            "cost_usd": 0.0151,
            "searches": 4,
            "search_cost_usd": 0.01,
            "cost_is_estimate": False,
            "unpriced_calls": 0,
            "by_stage": [
                {
                    "stage": "extract",
                    "input_tokens": 0,
                    "output_tokens": 0,
                    "calls": 0,
                    "cost_usd": 0.0,
                    "searches": 0,
                },
                {
                    "stage": "validate",
                    "input_tokens": 3100,
                    "output_tokens": 420,
                    "calls": 1,
                    "cost_usd": 0.0151,
                    "searches": 4,
                },
            ],
        }
    )


def _validated(stances: list[Stance], *, number: int = 1, verdict: Verdict = Verdict.SUPPORTED) -> Any:
    pages = [make_source(str(n), url=f"https://a.example/{n}") for n in range(len(stances))]
    read = [SourceStance(source=page, stance=stance) for page, stance in zip(pages, stances, strict=True)]
    account = make_account(*pages[:10]) if pages else make_account(summary=[], key_findings=[])
    return make_decision(
        make_claim(number=number), verdict, validation=make_validation(read, account=account)
    )


@given(st.lists(st.sampled_from(Stance), max_size=30))
def test_stance_counts_add_up_to_the_sources_read(stances: list[Stance]) -> None:
    validation = to_json(make_report([_validated(stances)]))["claims"][0]["validation"]

    counts = [validation[f"{stance}_sources"] for stance in ("supporting", "contradicting", "neutral")]
    assert sum(counts) == validation["num_sources"] == len(stances)


@given(st.lists(st.sampled_from(Verdict), max_size=12))
def test_verdict_counts_add_up_to_the_claims(verdicts: list[Verdict]) -> None:
    written = to_json(make_report([make_decision(verdict=verdict) for verdict in verdicts]))

    kinds = [written[f"claims_{kind}"] for kind in ("true", "false", "misleading", "unverified")]
    assert sum(kinds) == written["claims_analyzed"] == len(written["claim_breakdown"]) == len(verdicts)


def test_shared_sources_count_once_only_in_summary_mode() -> None:
    pool = [Stance.SUPPORTING] * 20 + [Stance.CONTEXTUAL] * 5
    thorough = make_report([_validated(pool), _validated(pool, number=2)])
    summary = thorough.model_copy(update={"mode": Mode.SUMMARY})

    assert to_json(thorough)["num_sources"] == 50
    assert to_json(summary)["num_sources"] == 25
    assert [claim["sources_used"] for claim in to_json(summary)["claim_breakdown"]] == [25, 25]


def test_failed_search_is_listed() -> None:
    searches = [
        make_search(Channel.NEWS, asked=("exa",), results=0, problems=("Exa refused the key.",)),
        *(make_search(channel, results=3) for channel in list(Channel)[1:]),
    ]
    validation = to_json(make_report([make_decision(validation=make_validation(searches=searches))]))["claims"][0]["validation"]  # fmt: skip

    assert validation["search_summary"] == {"total_searches": 4, "successful_searches": 3, "total_results": 9}
    assert [search["query_type"] for search in validation["searches"]] == list(Channel)
    assert validation["searches"][0]["problems"] == ["Exa refused the key."]


def test_source_ids_are_the_report_s_numbers(sample_report: Report) -> None:
    written = to_json(sample_report)
    listed = {source["id"]: source for source in written["sources"]}

    for claim in written["claims"]:
        for source in (claim["validation"] or {"sources": []})["sources"]:
            assert source["title"] == listed[source["id"]]["title"]


def test_private_claim_has_an_empty_validation(sample_report: Report) -> None:
    private = make_claim(framing=Framing(kind=FramingKind.PRIVATE_DATA, private_data_detected=True))
    decision = make_decision(
        private, Verdict.UNVERIFIABLE, evidence=[], rationale="It rests on private data."
    )
    validation = to_json(make_report([decision]))["claims"][0]["validation"]

    assert validation["summary"] == "It rests on private data."
    assert validation["source_consensus"] == SourceConsensus.INSUFFICIENT_DATA
    assert validation["num_sources"] == validation["search_summary"]["total_searches"] == 0
    assert set(validation["temporal_analysis"].values()) == {""}


def test_consensus_mode_has_null_validation() -> None:
    assert to_json(make_report([make_decision()]))["claims"][0]["validation"] is None


def test_every_sentence_has_its_marks() -> None:
    page, other = make_source(), make_source("Other", url="https://other.example")
    account = make_account(
        page, other, contradictions=[make_cited("One says Sydney, one Canberra.", page, other)]
    )
    validation = to_json(make_report([make_decision(validation=make_validation(account=account))]))["claims"][0]["validation"]  # fmt: skip

    assert validation["summary"] == "The sources name Canberra [1][2]."
    assert validation["key_findings"] == ["The capital has been Canberra since 1913 [1][2]."]
    assert validation["contradictions"] == ["One says Sydney, one Canberra [1][2]."]


def test_documented_schema_is_current() -> None:
    assert PATH.read_text(encoding="utf-8") == schema_text(), "`make docs` writes it again"


@pytest.mark.parametrize("payload", [*PAYLOADS, "x"])
def test_field_types_never_vary(payload: str, sample_report: Report) -> None:
    reports = [sample_report, hostile_report(payload), make_report(), make_report([], credibility_score=None)]
    for report in reports:
        text = json.dumps(to_json(report))
        TypeAdapter(ReportJson).validate_json(text, strict=True, extra="forbid")
