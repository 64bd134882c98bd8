"""The models are values: frozen, strict about their fields, unchanged by a JSON round trip."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from tests.builders import (
    make_cited,
    make_claim,
    make_decision,
    make_document,
    make_evidence,
    make_gathered,
    make_report,
    make_source,
    make_validation,
    sample_report,
)

from veridic.domain.base import Frozen
from veridic.domain.claim import VERIFICATION_OF, Framing, FramingKind, VerificationType
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Correction, CorrectionType
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import TIER_SCORES, Quality, Tier
from veridic.domain.report import Report, collect_sources
from veridic.domain.validation import Account, Citation
from veridic.domain.verdicts import Verdict

VALUES: list[BaseModel] = [
    make_document(),
    make_source(),
    make_evidence(),
    make_claim(),
    make_decision(),
    make_gathered(),
    make_validation(),
    make_report(),
    Event(name=EventName.CHECK_STARTED),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_models_are_frozen(value: BaseModel) -> None:
    name = next(iter(type(value).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(value, name, None)
    assert isinstance(value, Frozen)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_unknown_field_is_rejected(value: BaseModel) -> None:
    fields: dict[str, Any] = dict(value) | {"surprise": 1}
    with pytest.raises(ValidationError, match="surprise"):
        type(value).model_validate(fields)


def test_report_json_round_trip() -> None:
    report = sample_report()
    assert Report.model_validate_json(report.model_dump_json()) == report


@pytest.mark.parametrize("score", [-1, 101])
def test_score_out_of_range_is_rejected(score: int) -> None:
    with pytest.raises(ValidationError, match="credibility_score"):
        make_report(credibility_score=score)


def test_counts_have_only_verdicts_that_occurred() -> None:
    verdicts = (Verdict.REFUTED, Verdict.SUPPORTED, Verdict.REFUTED)
    report = make_report([make_decision(verdict=verdict) for verdict in verdicts])
    assert report.counts() == {Verdict.SUPPORTED: 1, Verdict.REFUTED: 2}
    assert make_report([]).counts() == {}


def test_sources_are_listed_once_in_reading_order() -> None:
    factbook, handbook = make_source(), make_source("Handbook", url=None, path="handbook.txt")
    again = factbook.model_copy(update={"title": "The same page under another title"})
    first = make_decision(evidence=[make_evidence(source=handbook), make_evidence(source=factbook)])
    second = make_decision(evidence=[make_evidence(source=again)])
    assert collect_sources((first, second)) == (handbook, factbook)
    assert collect_sources((make_decision(evidence=[]),)) == ()


def test_sources_cited_elsewhere_follow_the_quoted_ones() -> None:
    pages = [make_source(str(number), url=f"https://a.example/{number}") for number in range(7)]
    account = Account(
        summary=(make_cited("One.", pages[3], pages[0]),),
        key_findings=(make_cited("Two.", pages[4]),),
        contradictions=(make_cited("Three.", pages[5]),),
        citations=(Citation(source=pages[2], relevance="It says so."),),
    )
    correction = Correction(
        type=CorrectionType.REPLACE, original="a", corrected="b", confidence=0.9, sources=(pages[1],)
    )
    validated = make_decision(evidence=[], correction=correction, validation=make_validation(account=account))
    quoted = make_decision(evidence=[make_evidence(source=pages[6])])

    listed = collect_sources((validated, quoted))

    assert [source.title for source in listed] == ["6", "1", "2", "3", "0", "4", "5"]


@pytest.mark.parametrize(
    ("url", "path", "location"),
    [
        ("https://www.a.example/x/?utm_source=y#z", "b.txt", "a.example/x"),
        (None, "b.txt", "b.txt"),
        (None, None, "Title"),
    ],
)
def test_source_location(url: str | None, path: str | None, location: str) -> None:
    assert make_source("Title", url=url, path=path).location == location


def test_quality_is_the_weighted_sum_of_four_factors() -> None:
    def score(**factors: float) -> float:
        none = dict.fromkeys(("authority", "recency", "relevance", "specificity"), 0.0)
        return Quality.model_validate(none | factors).score

    assert score(authority=1) == pytest.approx(0.3)
    assert score(recency=1) == pytest.approx(0.25)
    assert score(relevance=1) == pytest.approx(0.25)
    assert score(specificity=1) == pytest.approx(0.2)
    assert score(authority=1, recency=1, relevance=1, specificity=1) == pytest.approx(1)


def test_evidence_weight_is_quality_times_relevance() -> None:
    evidence = make_evidence(relevance=0.5)
    assert evidence.weight == pytest.approx(evidence.quality.score * 0.5)


def test_passage_date_takes_precedence_over_source_date() -> None:
    evidence = make_evidence(source=make_source(published="2025-03-01"))
    assert evidence.date == PartialDate(2025, 3, 1)
    of_2023 = evidence.passage.model_copy(update={"date": PartialDate(2023)})
    assert evidence.model_copy(update={"passage": of_2023}).date == PartialDate(2023)


def test_every_tier_has_a_score() -> None:
    assert set(TIER_SCORES) == set(Tier)
    assert all(0 <= score <= 1 for score in TIER_SCORES.values())


@pytest.mark.parametrize(
    ("kind", "verification", "verifiable"),
    [
        (FramingKind.DIRECT_FACTUAL, VerificationType.STANDARD, True),
        (FramingKind.HEARSAY, VerificationType.TWO_STEP, True),
        (FramingKind.PLAUSIBLE_DENIABILITY, VerificationType.EXTRACT_UNDERLYING, True),
        (FramingKind.PRIVATE_DATA, VerificationType.UNVERIFIABLE, False),
    ],
)
def test_verification_type_of_each_framing(
    kind: FramingKind, verification: VerificationType, verifiable: bool
) -> None:
    framing = Framing(kind=kind)
    assert (framing.verification_type, framing.verifiable) == (verification, verifiable)
    assert set(VERIFICATION_OF) == set(FramingKind)


def test_event_has_a_timestamp() -> None:
    event = Event(name=EventName.CLAIM_STARTED, data={"claim_id": "claim_1"})
    assert event.at.tzinfo is not None
