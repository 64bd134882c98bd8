"""`veridic check` in summary and thorough mode as a user runs it, with a web and a model that real servers script."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from tests.command import run_veridic
from tests.newsroom import ARTICLE, CLAIMS, WRONG, Newsroom

CHANNELS = {"news": 5, "research": 10, "general": 5, "historical": 5}


@pytest.fixture
def outside() -> Iterator[Newsroom]:
    with Newsroom() as running:
        yield running


def check(outside: Newsroom, home: Path, *arguments: str | Path, **variables: str) -> "CompletedProcess[str]":
    environment: dict[str, Any] = {**outside.environment, "VALIDATION_STAGGER_SECONDS": "0", **variables}
    return run_veridic("check", "-", *arguments, home=home, stdin=ARTICLE, **environment)


def report_of(done: "CompletedProcess[str]") -> Any:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def thorough(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Newsroom() as running:
        return report_of(check(running, tmp_path_factory.mktemp("home"), "--format", "json"))


def test_a_thorough_check_reads_25_sources_for_every_claim(thorough: Any) -> None:
    report = thorough
    assert (report["mode"], report["engine"], report["corpora"]) == ("thorough", "llm", ["exa"])
    assert report["models"] == {"extractor": "scripted", "validator": "scripted"}
    assert [claim["text"] for claim in report["claims"]] == list(CLAIMS)
    wrong = [claim["text"] for claim in report["claims"] if claim["verdict"] == "REFUTED"]
    assert len(wrong) == 1
    assert WRONG in wrong[0]
    counts = [report[f"claims_{kind}"] for kind in ("analyzed", "true", "false", "misleading", "unverified")]
    assert counts == [10, 9, 1, 0, 0]
    assert report["num_sources"] == 250
    assert [entry["sources_used"] for entry in report["claim_breakdown"]] == [25] * 10
    assert report["cost_usd"] == pytest.approx(0.1), "four Exa searches a claim at 0.0025"
    assert report["usage"]["searches"] == 40
    stages = {stage["stage"]: stage for stage in report["usage"]["by_stage"]}
    assert stages["extract"]["calls"] == 1
    assert stages["validate"]["calls"] == 10
    total = sum(stage["input_tokens"] for stage in stages.values())
    assert total == report["usage"]["input_tokens"]


def test_a_validation_has_the_fields_that_clients_know(thorough: Any) -> None:
    numbers = {source["id"] for source in thorough["sources"]}
    for claim in thorough["claims"]:
        validation = claim["validation"]
        assert validation["verdict"] in ("TRUE", "FALSE", "MISLEADING", "UNVERIFIABLE")
        assert 0 <= validation["confidence"] <= 100
        assert isinstance(validation["confidence"], int)
        assert set(validation["temporal_analysis"]) == {
            "claim_timeframe", "evidence_currency", "historical_context", "temporal_verdict",
        }  # fmt: skip
        assert all(isinstance(text, str) and text for text in validation["temporal_analysis"].values())
        sides = [validation[f"{side}_sources"] for side in ("supporting", "contradicting", "neutral")]
        assert sum(sides) == validation["num_sources"] == 25
        assert validation["source_consensus"] == "STRONG_AGREEMENT"
        assert validation["search_summary"] == {
            "total_searches": 4, "successful_searches": 4, "total_results": 25,
        }  # fmt: skip
        assert {s["query_type"]: s["num_results"] for s in validation["searches"]} == CHANNELS
        assert 8 <= len(validation["sources"]) <= 10
        for source in validation["sources"]:
            assert set(source) == {
                "id", "title", "url", "source", "author", "date", "type", "relevance", "credibility",
            }  # fmt: skip
            assert source["id"] in numbers
            assert source["type"] in CHANNELS
            assert source["credibility"] in ("HIGH", "MEDIUM", "LOW")
        cited = [validation["summary"], *validation["key_findings"]]
        assert all("[" in sentence for sentence in cited)
        assert validation["token_usage"]["input_tokens"] > 0
        assert validation["processing_time_ms"] >= 0


def test_searches_keep_their_dates_and_domains(outside: Newsroom, tmp_path: Path) -> None:
    report = report_of(
        check(outside, tmp_path, "--as-of", "2026-10-01", "--mode", "summary", "--format", "json")
    )
    dates = [source["date"] for source in report["sources"]]
    assert dates
    assert max(dates) <= "2026-10-01", "nothing from after the day of the check is evidence"
    asked = [request.body for request in outside.search.requests]
    assert len(asked) == 4
    assert all(body["query"].endswith("(current date: 2026-10-01)") for body in asked)
    assert all(body["endPublishedDate"].startswith("2026-10-01") for body in asked)
    starts = {body["numResults"]: body.get("startPublishedDate", "")[:10] for body in asked}
    assert starts[10] == "2024-10-01"
    first_days = sorted(body.get("startPublishedDate", "")[:10] for body in asked)
    assert first_days == ["", "2024-10-01", "2024-10-01", "2026-09-01"]
    assert [("includeDomains" in body) for body in asked].count(True) == 3


def test_a_summary_is_one_search_round_and_two_calls(outside: Newsroom, tmp_path: Path) -> None:
    report = report_of(check(outside, tmp_path, "--mode", "summary", "--format", "json"))
    assert report["mode"] == "summary"
    assert len(outside.search.requests) == 4
    assert len(outside.models.requests) == 2
    assert 1 <= report["claims_analyzed"] <= 2
    assert (report["verdict"], report["num_sources"]) == ("TRUE", 25)
    assert re.search(r"\[\d+\]", report["summary"])
    assert report["credibility_score"] >= 90


def test_failing_channel_is_named(outside: Newsroom, tmp_path: Path) -> None:
    outside.search.answer(
        when=lambda request: request.body.get("category") == "news", status=403, error="no credit"
    )
    report = report_of(check(outside, tmp_path, "--format", "json"))
    assert report["claims_true"] == 9
    for claim in report["claims"]:
        assert claim["validation"]["search_summary"]["successful_searches"] == 3
    (error,) = report["errors"]
    assert error["stage"] == "search channel"
    assert error["message"].startswith(
        "The news search of exa was left out: Exa does not let you search (403"
    )


def test_misfit_answer_is_requested_again_without_invented_citations(
    outside: Newsroom, tmp_path: Path
) -> None:
    outside.models.answer(
        text="I think it is fine.", when=lambda request: "Claim: The ferries" in request.user, times=1
    )
    bad = {
        "verdict": "TRUE", "confidence": 90, "summary": "It was reopened by a king in 1066 [1][77].",
        "key_findings": ["The harbour of Brindle was reopened on 4 May 2026 [1]."], "supporting_sources": [1, 99],
        "contradicting_sources": [], "contradictions": [], "sources": [{"id": 1, "relevance": "r"}],
    }  # fmt: skip
    outside.models.answer(text=json.dumps(bad), when=lambda request: "Claim: The harbour" in request.user)
    report = report_of(check(outside, tmp_path, "--format", "json"))
    validation = report["claims"][0]["validation"]
    assert validation["citations_removed"] >= 2
    written = json.dumps(validation, ensure_ascii=False)
    assert "1066" not in written
    assert "[77]" not in written
    assert report["claims_analyzed"] == 10
    assert len(outside.models.requests) == 12
    again = [r.user for r in outside.models.requests if "could not be used" in r.user]
    assert len(again) == 1


def test_cost_limit_stops_early_with_partial_report(outside: Newsroom, tmp_path: Path) -> None:
    done = check(outside, tmp_path, "--max-cost", "0.045", "--format", "json")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert 0 < report["claims_analyzed"] < 10
    assert report["cost_usd"] <= 0.045
    assert {error["stage"] for error in report["errors"]} == {"budget"}


def test_an_estimate_asks_nobody(outside: Newsroom, tmp_path: Path) -> None:
    done = check(outside, tmp_path, "--estimate")
    assert done.returncode == 0
    assert done.stdout.startswith("About $0.")
    assert "searches" in done.stdout
    assert (outside.search.requests, outside.models.requests) == ([], [])


CHANGED = [
    ("Anna Cole opens the fair", "reuters.com", "2021-06-01", "Anna Cole is the mayor of Brindle."),
    ("Who runs Brindle", "britannica.com", "2020-03-01", "The mayor of Brindle is Anna Cole."),
    ("A new mayor", "apnews.com", "2022-05-01", "Tom Hale is the mayor of Brindle."),
]


@pytest.mark.parametrize(
    ("as_of", "verdicts"), [("2021-07-01", ["SUPPORTED"]), ("2022-06-01", ["OUTDATED", "UNVERIFIABLE"])]
)
def test_changed_fact_is_supported_only_before(as_of: str, verdicts: list[str], tmp_path: Path) -> None:
    """Whether it is seen to be out of date is the network's matter; that the loop says so is tested with a fake one."""
    corpus = tmp_path / "corpus.jsonl"
    rows = [
        {"title": title, "url": f"https://{domain}/{day}", "domain": domain, "date": day, "text": text}
        for title, domain, day, text in CHANGED
    ]
    corpus.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = run_veridic(
        "check", "-", "--against", corpus, "--as-of", as_of, "--format", "json",
        home=tmp_path, stdin="Anna Cole is the mayor of Brindle.",
    )  # fmt: skip
    report = report_of(done)
    (claim,) = report["claims"]
    assert claim["verdict"] in verdicts
    assert report["as_of"] == claim["as_of"] == as_of
    assert all(source["date"] <= as_of for source in report["sources"])
    if claim["verdict"] == "OUTDATED":
        assert "since 2022-05-01" in claim["temporal_analysis"]["temporal_verdict"]
    assert {source["channel"] for source in report["sources"]} <= set(CHANNELS)


def test_the_future_can_t_be_checked_yet(tmp_path: Path) -> None:
    done = run_veridic("check", "-", "--as-of", "2999-01-01", home=tmp_path, stdin="Paris is in France.")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "veridic: --as-of can't be in the future, but 2999-01-01 is.\n"
