"""Dates in English text, and their intervals."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.dates import DateMention, find_dates


def only(text: str) -> DateMention:
    (mention,) = find_dates(text)
    return mention


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024-05-03", "2024-05-03", "2024-05-03"),
        ("2024-05", "2024-05-01", "2024-05-31"),
        ("4 July 1776", "1776-07-04", "1776-07-04"),
        ("4th of July, 1776", "1776-07-04", "1776-07-04"),
        ("July 4th, 1776", "1776-07-04", "1776-07-04"),
        ("Jan. 26, 1788", "1788-01-26", "1788-01-26"),
        ("Sept. 2001", "2001-09-01", "2001-09-30"),
        ("February of 2024", "2024-02-01", "2024-02-29"),
        ("1889", "1889-01-01", "1889-12-31"),
        ("July 4 , 1776", "1776-07-04", "1776-07-04"),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("the 1990's", "1990-01-01", "1999-12-31"),
        ("the 1800s", "1800-01-01", "1899-12-31"),
        ("the 2000s", "2000-01-01", "2009-12-31"),
        ("1902 through 1917", "1902-01-01", "1917-12-31"),
        ("1939–45", "1939-01-01", "1945-12-31"),
        ("2024/25", "2024-01-01", "2025-12-31"),
        ("from 1990 to 2000", "1990-01-01", "2000-12-31"),
        ("between 1914 and 1918", "1914-01-01", "1918-12-31"),
        ("the 20th century", "1901-01-01", "2000-12-31"),
        ("the twenty-first century", "2001-01-01", "2100-12-31"),
        ("the first century", "0001-01-01", "0100-12-31"),
        ("In 2010 Tony Blair wrote", "2010-01-01", "2010-12-31"),
        ("its 2015 exports", "2015-01-01", "2015-12-31"),
        ("about 1500", "1500-01-01", "1500-12-31"),
        ("in 2010 and 12 people", "2010-01-01", "2010-12-31"),
    ],
)
def test_intervals(text: str, first: str, last: str) -> None:
    mention = only(text)
    assert (mention.first, mention.last) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "31 February 2020", "February 30, 2020", "2020-02-30",
        "", "3000", "room 101", "$2000", "1,999", "1500 metres", "2000 people", "1500MW", "1984 kg", "1200%",
        "It has 1500 islands", "1000 BC", "5th century BC", "the 99th century", "1999a", "45", "0.1999",
    ],
)  # fmt: skip
def test_not_a_date(text: str) -> None:
    assert find_dates(text) == []


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("in 1999", "in"),
        ("before 1999", "before"),
        ("prior to May 1999", "before"),
        ("by the 1990s", "by"),
        ("until 4 May 1999", "until"),
        ("after 1999", "after"),
        ("since the 20th century", "since"),
        ("from 1999", "since"),
        ("nearby 1999", "in"),
    ],
)
def test_the_word_before_a_date(text: str, relation: str) -> None:
    assert only(text).relation == relation


def test_several_dates_in_reading_order() -> None:
    text = "Begun in 1887, opened on 31 March 1889, repainted in the 1960s."
    assert [mention.text for mention in find_dates(text)] == ["1887", "31 March 1889", "1960s"]


def test_dates_that_share_a_day_overlap() -> None:
    year, month, other = (only(text) for text in ("1889", "31 March 1889", "April 1889"))
    assert year.overlaps(month)
    assert month.overlaps(year)
    assert not month.overlaps(other)


@given(
    st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(["1999", "2024", "-", "–", "05", "31", " ", "May", "February", "of", "th", "s", "century", "0", "from", "to", "BC", ",", "٣"])
        ).map("".join),
    )
)  # fmt: skip
def test_any_text_gives_valid_dates(text: str) -> None:
    end = 0
    for mention in find_dates(text):
        assert end <= mention.span[0] < mention.span[1] <= len(text)
        assert text[slice(*mention.span)] == mention.text
        assert mention.first <= mention.last
        end = mention.span[1]


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(2099, 12, 31)))
def test_every_day_is_read_in_every_format(day: date) -> None:
    written = (
        day.isoformat(),
        f"{day.day} {day:%B} {day.year}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
    )
    for text in written:
        mention = only(f"It opened on {text}.")
        assert mention[1:3] == (day, day)
        assert mention.text == text


@pytest.mark.parametrize(
    "text", ["1999 " * 20_000, "May " * 20_000, "1" + " " * 200_000, "from " * 20_000, "1" * 200_000]
)
def test_long_hostile_input_takes_reasonable_time(text: str) -> None:
    """Quadratic time on one of these would take minutes."""
    assert len(find_dates(text)) == (20_000 if text.startswith("1999") else 0)
