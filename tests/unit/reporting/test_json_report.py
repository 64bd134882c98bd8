import json

import pytest
from tests.builders import make_document, make_report
from tests.unit.reporting.article import article_report
from tests.unit.reporting.hostile import PAYLOADS, UNPAIRED, hostile_report

from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, words
from veridic.reporting.json_report import to_json

_TOP = (
    "id mode engine as_of document verdict credibility_score summary claims sources counts errors usage "
    "processing_time_ms left_out language corpora models claims_analyzed claims_true claims_false claims_misleading "
    "claims_unverified num_sources claim_breakdown cost_usd verdict_by_claims kept consensus"
).split()
_CLAIM = (
    "id text span sentence_index type framing risk category verdict confidence rationale citations correction "
    "temporal_analysis evidence"
).split()
_SOURCE = "id title url path domain author date channel tier credibility found_in source type credibility_level digest"
_USAGE = "input_tokens output_tokens calls cost_usd searches search_cost_usd cost_is_estimate unpriced_calls by_stage"


def test_keys_are_in_the_documented_order(sample_report: Report) -> None:
    written = to_json(sample_report)

    assert list(written) == _TOP
    assert list(written["document"]) == ["title", "source", "published", "characters"]
    assert list(written["usage"]) == _USAGE.split()
    for claim in written["claims"]:
        assert list(claim)[: len(_CLAIM)] == _CLAIM
        for evidence in claim["evidence"]:
            assert list(evidence)[:5] == ["source", "stance", "quote", "relevance", "quality"]


def test_evidence_has_differences(sample_report: Report) -> None:
    claims = to_json(sample_report)["claims"]

    assert claims[0]["evidence"][0]["differences"] == []
    assert claims[1]["evidence"][0]["differences"] == [
        {"kind": "figure", "in_claim": "40 million", "in_passage": "26,768,598"}
    ]


def test_output_is_deterministic_json(sample_report: Report) -> None:
    written = to_json(sample_report)

    assert json.loads(json.dumps(written, allow_nan=False)) == written
    assert json.dumps(to_json(sample_report)) == json.dumps(written)


def test_spans_match_the_author_s_words() -> None:
    report = article_report()

    for claim in to_json(report)["claims"]:
        start, end = claim["span"]
        assert report.document.text[start:end] == claim["quote"]


def test_citations_and_corrections_refer_to_listed_sources(sample_report: Report) -> None:
    written = to_json(sample_report)
    ids = {source["id"] for source in written["sources"]}

    assert ids == set(range(1, len(written["sources"]) + 1))
    for claim in written["claims"]:
        assert set(claim["citations"]) <= ids
        assert {evidence["source"] for evidence in claim["evidence"]} <= ids
    refuted = written["claims"][1]
    assert refuted["correction"] == {
        "type": "replace",
        "original": "Its population is about 40 million.",
        "corrected": "Its population is about 26.8 million.",
        "confidence": 0.9,
        "sources": [1],
        "note": None,
    }


def test_source_has_an_address_or_path(sample_report: Report) -> None:
    first, second, *_ = to_json(sample_report)["sources"]

    assert list(first) == _SOURCE.split()
    assert (first["url"], first["path"]) == (
        "https://www.cia.gov/the-world-factbook/countries/australia/",
        None,
    )
    assert (first["channel"], first["type"], first["found_in"]) == ("general", "general", "reference")
    assert (first["source"], first["credibility"], first["credibility_level"]) == ("cia.gov", 1.0, "HIGH")
    assert (second["url"], second["path"]) == (None, "sources/handbook.txt")
    assert (second["date"], second["source"]) == ("2024", "desk")


def test_framing_has_its_details(sample_report: Report) -> None:
    hearsay = to_json(sample_report)["claims"][2]

    assert hearsay["framing"] == "hearsay"
    assert hearsay["verification_type"] == "two-step"
    assert hearsay["speaker"] == "The café owner"
    assert hearsay["underlying_claim"] == "Inflation doubled last year."
    assert [part["verdict"] for part in hearsay["parts"]] == ["UNVERIFIABLE", "PARTIAL"]


@pytest.mark.parametrize("verdict", list(Verdict))
def test_document_verdict_is_on_the_validation_scale(verdict: Verdict) -> None:
    assert to_json(make_report(verdict=verdict))["verdict"] in words(Scale.VALIDATION)


def test_extracted_text_is_included() -> None:
    document = make_document().model_copy(update={"text_is_source": False})
    written = to_json(make_report(document=document))

    assert written["document"]["text"] == document.text
    assert written["document"]["characters"] == len(document.text)


def test_report_without_claims() -> None:
    written = to_json(make_report([], credibility_score=None, verdict=Verdict.UNVERIFIABLE))

    assert written["claims"] == written["sources"] == []
    assert written["counts"] == {}
    assert written["credibility_score"] is None


@pytest.mark.parametrize("payload", PAYLOADS)
def test_outside_text_is_unchanged(payload: str) -> None:
    written = to_json(hostile_report(payload))

    json.dumps(written, ensure_ascii=False).encode()
    if payload is not UNPAIRED:
        assert written["claims"][0]["quote"] == payload


def test_unpaired_surrogate_is_replaced_in_place() -> None:
    assert to_json(hostile_report("a\ud83d\ude00b"))["summary"] == "a\ufffd\ufffdb"
