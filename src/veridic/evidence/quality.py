"""How much a piece of evidence counts: authority, recency, relevance and specificity."""

from datetime import date

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Assessment, Passage, Quality

HALVING_YEARS = 5.0
"""Recency halves every five years: 1.0 today, 0.5 after five years, 0.25 after ten."""
UNKNOWN_RECENCY = 0.5
"""An undated source is treated like one five years old: neither fresh nor worthless."""

_DAYS_A_YEAR = 365.25


def rate_quality(passage: Passage, assessment: Assessment, as_of: date) -> Quality:
    """The four factors for a passage as a judge assessed it; `Quality.score` weighs them."""
    return Quality(
        authority=passage.source.credibility,
        recency=rate_recency(passage.date or passage.source.date, as_of),
        relevance=assessment.relevance,
        specificity=assessment.specificity,
    )


def rate_recency(evidence_date: PartialDate | None, as_of: date) -> float:
    """From 1.0 (as of that day) towards 0.0; a date of low precision counts from its last day."""
    if evidence_date is None:
        return UNKNOWN_RECENCY
    years = max(0, (as_of - evidence_date.last).days) / _DAYS_A_YEAR
    return float(0.5 ** (years / HALVING_YEARS))
