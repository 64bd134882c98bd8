import json

import pytest
from tests.builders import make_claim, make_decision, make_document, make_report
from tests.unit.reporting.hostile import PAYLOADS, hostile_report

from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.reporting.claimreview import to_claimreview


@pytest.mark.parametrize(
    ("verdict", "rating"),
    [
        (Verdict.SUPPORTED, 5),
        (Verdict.MOSTLY_SUPPORTED, 4),
        (Verdict.PARTIAL, 3),
        (Verdict.CONTESTED, 3),
        (Verdict.MISLEADING, 2),
        (Verdict.OUTDATED, 2),
        (Verdict.REFUTED, 1),
    ],
)
def test_ratings_run_from_1_false_to_5_true(verdict: Verdict, rating: int) -> None:
    [review] = to_claimreview(make_report([make_decision(verdict=verdict)]))["@graph"]

    assert review["reviewRating"]["ratingValue"] == rating
    assert (review["reviewRating"]["worstRating"], review["reviewRating"]["bestRating"]) == (1, 5)


@pytest.mark.parametrize("verdict", [Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS])
def test_undecided_claims_are_left_out(verdict: Verdict) -> None:
    assert to_claimreview(make_report([make_decision(verdict=verdict)]))["@graph"] == []


def test_review_has_claim_speaker_appearance_and_sources(sample_report: Report) -> None:
    written = to_claimreview(sample_report)
    reviews = written["@graph"]

    assert written["@context"] == "https://schema.org"
    assert len(reviews) == 5
    assert reviews[1]["claimReviewed"] == "Australia's population is about 40 million."
    assert reviews[1]["itemReviewed"]["text"] == "Its population is about 40 million."
    assert reviews[2]["itemReviewed"]["author"] == {"@type": "Person", "name": "The café owner"}
    assert reviews[0]["citation"][0]["url"].startswith("https://www.cia.gov/")
    assert "url" not in reviews[2]["citation"][0]


def test_checked_page_is_linked() -> None:
    document = make_document(title="A page").model_copy(update={"url": "https://a.example/page"})
    report = make_report([make_decision(make_claim())], document=document)

    [review] = to_claimreview(report)["@graph"]

    assert review["itemReviewed"]["appearance"] == {
        "@type": "CreativeWork",
        "name": "A page",
        "url": "https://a.example/page",
    }


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_addresses_are_dropped(payload: str) -> None:
    written = json.dumps(to_claimreview(hostile_report(payload)), ensure_ascii=False)

    written.encode()
    assert "javascript:window" not in written
