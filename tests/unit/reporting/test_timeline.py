from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import AS_OF, make_account, make_source, make_validation

from veridic.domain.evidence import Stance
from veridic.domain.validation import SourceStance, Validation
from veridic.reporting.timeline import WIDTH, Dot, Timeline, timeline

_DATES = st.none() | st.dates(date(1, 1, 1), AS_OF).map(str) | st.integers(1, 2026).map("{:04d}".format)


def _read(*said: tuple[Stance, str | None]) -> Validation:
    sources = [
        SourceStance(source=make_source(f"Page {n}", url=f"https://a.example/{n}", published=when), stance=stance)
        for n, (stance, when) in enumerate(said)
    ]  # fmt: skip
    return make_validation(sources, account=make_account(summary=[], key_findings=[]))


def _drawn(*said: tuple[Stance, str | None]) -> Timeline:
    line = timeline(_read(*said), AS_OF)
    assert line is not None
    return line


@given(st.lists(st.tuples(st.sampled_from(Stance), _DATES), max_size=30))
def test_every_dated_source_has_a_dot_inside_the_picture(said: list[tuple[Stance, str | None]]) -> None:
    line = timeline(_read(*said), AS_OF)
    dated = [stance for stance, when in said if when]

    if line is None:
        assert len(dated) < 2
        return
    assert [dot.stance for dot in line.dots] == dated
    assert all(0 < dot.x < WIDTH and 0 < dot.y < line.height for dot in line.dots)
    assert len({(dot.x, dot.y) for dot in line.dots}) == len(dated)
    assert all(_on_its_side(dot, line) for dot in line.dots)


def _on_its_side(dot: Dot, line: Timeline) -> bool:
    match dot.stance:
        case Stance.SUPPORTING:
            return dot.y < line.line
        case Stance.CONTRADICTING:
            return dot.y > line.line
        case _:
            return dot.y == line.line


@given(st.lists(st.dates(date(1900, 1, 1), AS_OF), min_size=2, max_size=12))
def test_time_runs_from_left_to_right(days: list[date]) -> None:
    line = _drawn(*((Stance.SUPPORTING, str(day)) for day in sorted(days)))

    places = [dot.x for dot in line.dots]
    assert places == sorted(places)
    years = [(x, year) for x, year in line.years]
    assert [year for _, year in sorted(years)] == sorted(year for _, year in years)
    assert all(abs(a - b) >= 50 for a, _ in years for b, _ in years if a != b)


def test_an_old_paper_leaves_last_month_s_news_some_room() -> None:
    line = _drawn(
        (Stance.CONTEXTUAL, "1985-03-12"),
        (Stance.SUPPORTING, "2026-10-15"),
        (Stance.SUPPORTING, "2026-11-15"),
    )
    old, month, today = line.dots

    assert old.x < WIDTH * 0.05
    assert today.x > WIDTH * 0.95
    assert today.x - month.x > 15


def test_it_is_told_in_words_too() -> None:
    line = _drawn((Stance.SUPPORTING, "2025-03"), (Stance.CONTRADICTING, "2024"), (Stance.CONTEXTUAL, None))

    assert line.description == "Supports: 2025-03. Contradicts: 2024. 1 source without a date."
    assert [dot.label for dot in line.dots] == ["Supports: Page 0, March 2025", "Contradicts: Page 1, 2024"]


def test_one_date_is_no_line() -> None:
    assert timeline(_read((Stance.SUPPORTING, "2025"), (Stance.SUPPORTING, None)), AS_OF) is None
