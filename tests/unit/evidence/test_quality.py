from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Assessment, Passage, Source, Stance
from veridic.evidence.credibility import UNKNOWN_RECENCY, rate_quality, rate_recency

TODAY = date(2026, 11, 15)
DAYS = st.dates(date(1500, 1, 1), date(2200, 1, 1))


def test_quality_combines_four_factors() -> None:
    source = Source(title="t", channel="c", credibility=1.0, date=PartialDate(2026, 11, 15))
    passage = Passage(id="1", source=source, text="x", start=0, end=1)
    assessment = Assessment(
        stance=Stance.SUPPORTING, probability=0.9, quote="x", reason="r", relevance=0.8, specificity=0.5
    )
    quality = rate_quality(passage, assessment, TODAY)
    assert (quality.authority, quality.recency, quality.relevance, quality.specificity) == (
        1.0,
        1.0,
        0.8,
        0.5,
    )
    assert quality.score == pytest.approx(0.3 + 0.25 + 0.25 * 0.8 + 0.2 * 0.5)


def test_passage_date_takes_precedence_over_source_date() -> None:
    source = Source(title="t", channel="c", date=PartialDate(2026))
    passage = Passage(id="1", source=source, text="x", start=0, end=1, date=PartialDate(2001, 11, 15))
    assessment = Assessment(
        stance=Stance.SUPPORTING, probability=1, quote="x", reason="r", relevance=1, specificity=1
    )
    assert rate_quality(passage, assessment, TODAY).recency == pytest.approx(0.5**5, rel=0.01)


def test_recency_halves_every_five_years() -> None:
    assert rate_recency(PartialDate(2021, 11, 15), TODAY) == pytest.approx(0.5, abs=0.001)
    assert rate_recency(PartialDate(2016, 11, 15), TODAY) == pytest.approx(0.25, abs=0.001)
    assert rate_recency(PartialDate(2026), TODAY) == 1.0
    assert rate_recency(None, TODAY) == UNKNOWN_RECENCY


@given(DAYS, DAYS, DAYS)
def test_newer_is_never_less_recent(one: date, other: date, as_of: date) -> None:
    older, newer = sorted((one, other))
    low, high = (rate_recency(PartialDate.of(day), as_of) for day in (older, newer))
    assert 0.0 <= low <= high <= 1.0
