"""The charts of the desk's statistics: tables with bars, and the machine's confidence against people's verdicts.

Every figure that a bar shows stands beside it as text. Does no I/O.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from veridic.desk.records import ClaimTypeRecord
from veridic.desk.statistics import (
    Agreement,
    ClaimTypeStatistics,
    PersonStatistics,
    Statistics,
    TierStatistics,
)
from veridic.reporting.wording import Tone, count
from veridic.web.desk_words import state_tone, state_words, tier_words, time_words

_CLAIM_STATES = ("verified", "disputed", "flagged", "in_progress", "pending")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar, in percent of its full width."""

    start: float
    width: float
    tone: Tone


@dataclass(frozen=True, slots=True)
class ChartRow:
    label: str
    bar: tuple[Segment, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A table whose rows have a bar."""

    title: str
    section: str
    """Of the CSV table."""
    columns: tuple[str, ...]
    """Of the cells after the bar."""
    rows: tuple[ChartRow, ...]
    legend: tuple[tuple[str, Tone], ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """Confidence and how often people agreed, both in percent, in a drawing of 100 by 100."""

    x: float
    y: float
    radius: float
    label: str


def charts_of(statistics: Statistics, kinds: Iterable[ClaimTypeRecord]) -> tuple[Chart, ...]:
    """Return the charts that have something to show."""
    typical = {kind.type_name: kind.typical_verification_time for kind in kinds}
    charts = (
        _checks(statistics.checks),
        _claims(statistics.claim_types),
        _times(statistics.claim_types, typical),
        _tiers(statistics.tiers),
        _people(statistics.people),
    )
    return tuple(chart for chart in charts if chart.rows)


def calibration_points(agreement: Agreement) -> tuple[Point, ...]:
    """Return a point for each range of the machine's confidence; bigger ones stand for more claims."""
    most = max((row.claims for row in agreement.calibration), default=1)
    return tuple(
        Point(
            x=row.avg_confidence,
            y=100 - 100 * row.share_agreed,
            radius=1.5 + 2.5 * (row.claims / most) ** 0.5,
            label=f"{row.confidence_from} to {row.confidence_to}% sure: "
            f"people agreed on {row.agreed} of {count(row.claims, 'claim')}",
        )
        for row in agreement.calibration
    )


def _segments(values: Iterable[tuple[float, Tone]], most: float) -> tuple[Segment, ...]:
    segments, start = [], 0.0
    for value, tone in values:
        width = round(100 * value / most, 2) if most else 0.0
        if width:
            segments.append(Segment(start, width, tone))
        start += width
    return tuple(segments)


def _checks(by_state: Mapping[str, int]) -> Chart:
    most = max(by_state.values(), default=0)
    rows = (
        ChartRow(state_words(state), _segments([(number, state_tone(state))], most), (str(number),))
        for state, number in by_state.items()
        if most
    )
    return Chart("Checks by state", "checks", ("Checks",), tuple(rows))


def _claims(types: Iterable[ClaimTypeStatistics]) -> Chart:
    types = tuple(types)
    most = max((kind.total_claims for kind in types), default=0)
    rows = (
        ChartRow(
            _kind_words(kind.claim_type),
            _segments(
                (
                    (kind.verified, Tone.GOOD),
                    (kind.disputed + kind.flagged, Tone.BAD),
                    (kind.in_progress + kind.pending, Tone.OPEN),
                ),
                most,
            ),
            (str(kind.total_claims), *(str(getattr(kind, state)) for state in _CLAIM_STATES)),
        )
        for kind in types
    )
    return Chart(
        "Claims by type",
        "claim_types",
        ("Claims", *map(state_words, _CLAIM_STATES)),
        tuple(rows),
        legend=(("Verified", Tone.GOOD), ("Disputed or flagged", Tone.BAD), ("Open", Tone.OPEN)),
    )


def _times(types: Iterable[ClaimTypeStatistics], typical: Mapping[str, int | None]) -> Chart:
    measured = tuple(kind for kind in types if kind.verifications_by_people)
    most = max((kind.avg_verification_time or 0 for kind in measured), default=0)
    rows = (
        ChartRow(
            _kind_words(kind.claim_type),
            _segments([(kind.avg_verification_time or 0, Tone.CAUTION)], most),
            (
                time_words(kind.avg_verification_time),
                time_words(typical.get(kind.claim_type or "")),
                str(kind.verifications_by_people),
                time_words(kind.avg_machine_time),
                str(kind.verifications_by_machine),
            ),
        )
        for kind in measured
    )
    columns = ("By people", "Typical", "Verdicts by people", "By the machine", "Verdicts by the machine")
    return Chart("Time per claim", "claim_types", columns, tuple(rows))


def _tiers(tiers: Iterable[TierStatistics]) -> Chart:
    tiers = tuple(tiers)
    most = max((tier.source_count for tier in tiers), default=0)
    rows = (
        ChartRow(
            tier_words(tier.credibility_tier) or "No tier",
            _segments(
                (
                    (tier.supporting, Tone.GOOD),
                    (tier.disputing, Tone.BAD),
                    (tier.source_count - tier.supporting - tier.disputing, Tone.OPEN),
                ),
                most,
            ),
            (
                str(tier.source_count),
                str(tier.supporting),
                str(tier.disputing),
                "" if tier.avg_score is None else f"{tier.avg_score:.2f}",
            ),
        )
        for tier in tiers
    )
    return Chart(
        "Sources by credibility",
        "tiers",
        ("Sources", "Supporting", "Disputing", "Average score"),
        tuple(rows),
        legend=(("Supporting", Tone.GOOD), ("Disputing", Tone.BAD), ("Context", Tone.OPEN)),
    )


def _people(people: Iterable[PersonStatistics]) -> Chart:
    people = tuple(people)
    most = max((person.assigned for person in people), default=0)
    rows = (
        ChartRow(
            person.display_name or person.username,
            _segments(((person.overdue, Tone.BAD), (person.assigned - person.overdue, Tone.CAUTION)), most),
            (
                str(person.assigned),
                str(person.overdue),
                str(person.completed),
                str(person.verifications),
                time_words(person.seconds_spent),
            ),
        )
        for person in people
    )
    columns = ("Open checks", "Overdue", "Completed", "Claims verified", "Time measured")
    return Chart(
        "Load per person",
        "people",
        columns,
        tuple(rows),
        legend=(("Overdue", Tone.BAD), ("Open", Tone.CAUTION)),
    )


def _kind_words(kind: str | None) -> str:
    return state_words(kind) if kind else "No type"
