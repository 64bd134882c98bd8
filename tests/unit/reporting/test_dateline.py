"""The time line of sources."""

import re
from datetime import date, timedelta
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.reporting.hostile import PAYLOADS

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Stance
from veridic.reporting.dateline import DatedPoint, dateline, point_label, symbol

_AS_OF = date(2026, 11, 16)


def _point(day: str, stance: Stance | None = Stance.SUPPORTING, label: str = "A source") -> DatedPoint:
    return DatedPoint(PartialDate.parse(day), stance, label, "#source-1")


def _drawn(*points: DatedPoint) -> str:
    return str(dateline(points, as_of=_AS_OF, name="Sources by date"))


def _places(svg: str) -> list[tuple[float, int]]:
    return [(float(at), int(y)) for at, y in re.findall(r'<svg x="([\d.]+)%" y="(\d+)"', svg)]


def test_newer_sources_are_further_right() -> None:
    drawn = _drawn(_point("1985-03-12"), _point("2026-11-01"), _point("2024-08-20"))

    places = [at for at, _ in _places(drawn)]
    assert places == sorted(places, reverse=True)  # the newest comes first in tab order
    assert places[0] > 90
    assert places[-1] < 10


def test_recent_and_old_dates_both_have_room() -> None:
    month, year, decades = (
        at for at, _ in _places(_drawn(*map(_point, ("2026-10-16", "2025-11-16", "1986"))))
    )

    assert month - year > 5
    assert year - decades > 50


def test_shapes_never_overlap() -> None:
    places = _places(_drawn(*[_point("2024")] * 40, *[_point("2026-11-16")] * 40))

    assert len(places) == 80
    for number, (at, height) in enumerate(places):
        assert 0 < at < 100
        assert not any(abs(at - other) < 4.4 and height == level for other, level in places[:number])


def test_stance_is_shown_by_shape_and_word() -> None:
    stances = (*Stance, None)
    assert len({re.sub(r'class="[^"]*"', "", symbol(stance)) for stance in stances}) == len(stances)

    drawn = _drawn(
        _point(
            "2024-05-03", Stance.CONTRADICTING, point_label("It is", PartialDate(2024, 5), "contradicts", 3)
        )
    )
    assert 'class="bad"' in drawn
    assert 'aria-label="[3] It is, May 2024: contradicts"' in drawn


def test_no_points_give_no_drawing() -> None:
    assert _drawn() == ""


def test_current_year_ends_at_the_as_of_day() -> None:
    assert all(at <= 100 for at, _ in _places(_drawn(_point("2026"), _point("2030-01-01"))))


def test_outside_text_is_escaped() -> None:
    drawn = _drawn(*(_point("2024", label=payload) for payload in PAYLOADS))

    root = ElementTree.fromstring(drawn)
    assert {element.tag for element in root.iter()} <= {
        "svg", "line", "text", "a", "title", "circle", "path", "rect",
    }  # fmt: skip
    assert "style=" not in drawn


@given(
    st.lists(st.dates(date(1, 1, 1), date(2100, 1, 1)), min_size=1, max_size=30),
    st.dates(date(1900, 1, 1), date(2100, 1, 1)),
)
def test_any_dates_can_be_drawn(days: list[date], as_of: date) -> None:
    points = [DatedPoint(PartialDate.of(day), None, "x", "#x") for day in days]

    drawn = str(dateline(points, as_of=as_of, name="x"))

    assert len(_places(drawn)) == len(days)
    ticks = [float(at) for at in re.findall(r'<text x="([\d.]+)%"', drawn)]
    assert ticks == sorted(ticks, reverse=True)
    assert ticks


def test_recent_dates_have_month_labels() -> None:
    recent = [_point((_AS_OF - timedelta(days=days)).isoformat()) for days in (3, 200, 400)]

    labels = re.findall(r">([^<>]+)</text>", _drawn(*recent))

    assert labels[0] == "16 Nov 2026"
    assert re.fullmatch(r"[A-Z][a-z]{2} 202[56]", labels[1])


def test_points_without_links_make_one_image() -> None:
    picture = _drawn(_point("2024")._replace(href=""), _point("2025")._replace(href=""))

    assert 'role="img"' in picture
    assert "<a " not in picture
    assert picture.count("<title>A source</title>") == 2
    assert 'role="group"' in _drawn(_point("2024"))
