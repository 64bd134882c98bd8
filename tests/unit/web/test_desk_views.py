"""The words, forms, charts and addresses of the desk's pages."""

from datetime import UTC, datetime, timedelta

import pytest

from veridic.desk.published import RATINGS
from veridic.desk.records import ClaimTypeRecord, Rating
from veridic.desk.source_page import SourcePage
from veridic.desk.statistics import (
    Agreement,
    CalibrationRow,
    ClaimTypeStatistics,
    PersonStatistics,
    Statistics,
    TierStatistics,
)
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Tier
from veridic.reporting.wording import Tone
from veridic.web.desk_charts import calibration_points, charts_of
from veridic.web.desk_queue import QueueAddress
from veridic.web.desk_verdict_form import SourceRow, VerdictForm, parse_action, read_verdict
from veridic.web.desk_words import age_words, due_words, end_of, rating_sign, time_words

_NOW = datetime(2026, 11, 19, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("due", "words"),
    [
        (timedelta(hours=3), "due today"),
        (timedelta(hours=13), "due tomorrow"),
        (timedelta(days=5), "due on 24 November 2026"),
        (timedelta(minutes=-20), "overdue by 20 min"),
        (timedelta(hours=-30), "overdue by 30 h"),
        (timedelta(days=-9), "overdue by 9 days"),
    ],
)
def test_due_dates_are_said_as_people_say_them(due: timedelta, words: str) -> None:
    assert due_words(_NOW + due, _NOW) == words


def test_ages_and_times() -> None:
    assert age_words(None, _NOW) == ""
    assert age_words(_NOW + timedelta(seconds=5), _NOW) == "1 min", "a clock that is a little off"
    assert age_words(_NOW - timedelta(days=3), _NOW) == "3 days"
    assert [time_words(s) for s in (None, 40, 420, 7_500)] == ["not measured", "40 s", "7 min", "2 h 5 min"]


def test_a_date_field_means_the_end_of_its_day_and_keeps_a_time_that_was_set() -> None:
    set_before = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
    assert end_of("") is None
    assert end_of("2026-11-20", set_before) == set_before
    assert end_of("2026-11-21", set_before) == datetime(2026, 11, 21, 23, 59, tzinfo=UTC)
    for wrong in ("tomorrow", "2026-02-30", "0001-01-01", "9999-12-31"):
        with pytest.raises(ValueError, match=r"year|time data|day is out of range"):
            end_of(wrong)


def test_every_rating_has_a_sign_and_an_unknown_one_stands_as_it_is() -> None:
    signs = {rating: rating_sign(rating.value) for rating in Rating}
    assert {rating: sign.word for rating, sign in signs.items() if sign} == RATINGS
    assert len({sign.icon for sign in signs.values() if sign}) == len(Rating)
    odd = rating_sign("pants on fire")
    assert odd is not None
    assert (odd.word, odd.tone) == ("pants on fire", Tone.OPEN)
    assert rating_sign(None) is None


@pytest.mark.parametrize(
    ("action", "meaning"),
    [
        ("read-3", ("read", 3)),
        ("use-120", ("use", 120)),
        ("save-next", ("save-next", 0)),
        ("read-x", ("read-x", 0)),
        ("read-" + "9" * 40, ("read-" + "9" * 40, 0)),
    ],
)
def test_buttons_say_what_they_are_for(action: str, meaning: tuple[str, int]) -> None:
    assert parse_action(action) == meaning


def test_a_form_with_holes_is_read_all_the_same() -> None:
    form = read_verdict(
        {"version": ["x"], "source-url": ["a", "b"], "source-title": ["A"], "notes": ["1\r\n2"]}
    )
    assert (form.version, form.notes) == (0, "1\n2")
    assert [(row.url, row.title) for row in form.sources] == [("a", "A"), ("b", "")]
    assert read_verdict({}).sources == (SourceRow(),)
    assert len(read_verdict({"source-url": ["a"] * 500}).sources) == 100


def test_a_page_fills_only_what_a_row_leaves_open() -> None:
    form = VerdictForm(version=1, sources=(SourceRow(url="https://a.example", title="Mine"),))
    page = SourcePage(
        url="https://a.example",
        title="Its own",
        domain="a.example",
        author=None,
        date_published=datetime(2025, 3, 1, tzinfo=UTC),
        published=PartialDate(2025, 3),
        notes="",
        credibility_tier=Tier.UNKNOWN,
        credibility_score=0.5,
    )
    row = form.with_page(0, page).sources[0]
    assert (row.title, row.domain, row.tier, row.published) == ("Mine", "a.example", "unknown", "2025-03")


def test_filters_stay_in_the_address() -> None:
    here = QueueAddress("mine", "a & b", "pending")
    assert here.address() == "/desk?view=mine&q=a+%26+b&status=pending"
    assert here.address(after="FC-1") == "/desk?view=mine&q=a+%26+b&status=pending&after=FC-1"
    assert here.with_view("all") == "/desk?q=a+%26+b"
    assert here.unfiltered == "/desk?view=mine"
    assert QueueAddress().address() == "/desk"


def _statistics() -> Statistics:
    kind = ClaimTypeStatistics(
        claim_type="hearsay",
        total_claims=4,
        pending=1,
        in_progress=0,
        verified=2,
        disputed=1,
        flagged=0,
        verifications_by_people=2,
        avg_verification_time=420.0,
        verifications_by_machine=1,
        avg_machine_time=2.0,
    )
    return Statistics(
        checks={"pending": 1, "completed": 3},
        claim_types=(kind,),
        tiers=(
            TierStatistics(
                credibility_tier="federal_government",
                source_count=4,
                avg_score=1.0,
                supporting=2,
                disputing=1,
            ),
        ),
        agreement=Agreement(
            claims=5,
            agreed=3,
            share_agreed=0.6,
            calibration=(
                CalibrationRow(
                    confidence_from=90,
                    confidence_to=100,
                    claims=5,
                    agreed=3,
                    share_agreed=0.6,
                    avg_confidence=95.0,
                ),
            ),
        ),
        people=(
            PersonStatistics(
                user_id=1,
                username="fay",
                display_name=None,
                assigned=4,
                overdue=1,
                completed=2,
                verifications=3,
                seconds_spent=600,
            ),
        ),
    )


def test_bars_add_up_and_every_figure_is_also_text() -> None:
    kinds = [
        ClaimTypeRecord(
            type_name="hearsay",
            verification_approach="two-step",
            description=None,
            requires_sources=True,
            typical_verification_time=600,
        )
    ]
    charts = {chart.title: chart for chart in charts_of(_statistics(), kinds)}

    claims = charts["Claims by type"].rows[0]
    assert [(part.start, part.width) for part in claims.bar] == [(0, 50), (50, 25), (75, 25)]
    assert claims.cells == ("4", "2", "1", "0", "0", "1")
    assert charts["Time per claim"].rows[0].cells == ("7 min", "10 min", "2", "2 s", "1")
    assert charts["Sources by credibility"].rows[0].cells == ("4", "2", "1", "1.00")
    assert [part.tone for part in charts["Load per person"].rows[0].bar] == [Tone.BAD, Tone.CAUTION]
    assert charts["Load per person"].rows[0].cells == ("4", "1", "2", "3", "10 min")
    for chart in charts.values():
        assert all(len(row.cells) == len(chart.columns) for row in chart.rows)


def test_a_point_below_the_line_is_a_machine_too_sure() -> None:
    (point,) = calibration_points(_statistics().agreement)
    assert (point.x, point.y) == (95.0, 40.0)
    assert point.label == "90 to 100% sure: people agreed on 3 of 5 claims"


def test_an_empty_desk_has_no_charts() -> None:
    empty = Statistics(
        checks={"pending": 0},
        claim_types=(),
        tiers=(),
        agreement=Agreement(claims=0, agreed=0, share_agreed=None, calibration=()),
        people=(),
    )
    assert charts_of(empty, []) == ()
