"""Dates that depend on the day of writing; here a Wednesday in June."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.relative_dates import with_dates_resolved

WEDNESDAY = date(2024, 6, 12)
JANUARY = date(2024, 1, 10)


def resolved(text: str, written: date = WEDNESDAY) -> str:
    return with_dates_resolved(text, written)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The shop closed yesterday.", "The shop closed yesterday (11 June 2024)."),
        ("Today the shop closed.", "Today (12 June 2024) the shop closed."),
        ("The shop closes tomorrow.", "The shop closes tomorrow (13 June 2024)."),
        ("Sales fell last year.", "Sales fell last year (2023)."),
        ("Sales fell this year.", "Sales fell this year (2024)."),
        ("The park opens next year.", "The park opens next year (2025)."),
        ("Sales fell last month.", "Sales fell last month (May 2024)."),
        ("The park opens next month.", "The park opens next month (July 2024)."),
        ("Sales fell last summer.", "Sales fell last summer (2023)."),
        ("The park opens next autumn.", "The park opens next autumn (2024)."),
    ],
)
def test_a_relative_date_is_resolved(text: str, expected: str) -> None:
    assert resolved(text) == expected


def test_the_turn_of_the_year_is_respected() -> None:
    assert resolved("Sales fell last month.", JANUARY) == "Sales fell last month (December 2023)."
    assert resolved("The park opens next month.", date(2024, 12, 3)).endswith("(January 2025).")
    assert resolved("It closed yesterday.", date(2024, 3, 1)) == "It closed yesterday (29 February 2024)."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The council met on Tuesday.", "The council met on Tuesday (11 June 2024)."),
        ("The council met on Wednesday.", "The council met on Wednesday (12 June 2024)."),
        ("The council will meet on Tuesday.", "The council will meet on Tuesday (18 June 2024)."),
        ("The museum opens on Friday.", "The museum opens on Friday (14 June 2024)."),
        ("The council did not meet on Friday.", "The council did not meet on Friday (7 June 2024)."),
        ("The council met last Wednesday.", "The council met last Wednesday (5 June 2024)."),
        ("The council meets next Wednesday.", "The council meets next Wednesday (19 June 2024)."),
        (
            "The plan that was made last Friday will fail.",
            "The plan that was made last Friday (7 June 2024) will fail.",
        ),
    ],
)
def test_the_verb_s_tense_places_a_weekday(text: str, expected: str) -> None:
    assert resolved(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The shop closed in May.", "The shop closed in May 2024."),
        ("The shop closed in November.", "The shop closed in November 2023."),
        ("The shop will close in November.", "The shop will close in November 2024."),
        ("The shop will close in May.", "The shop will close in May 2025."),
        ("The law takes effect in September.", "The law takes effect in September 2024."),
        ("It has been closed since May.", "It has been closed since May 2024."),
        ("The plan made last May will fail.", "The plan made last May 2024 will fail."),
        ("The floods of March are the worst.", "The floods of March 2024 are the worst."),
        ("It was closed until September.", "It was closed until September 2024."),
        ("The shop closed on 5 May.", "The shop closed on 5 May 2024."),
        ("The shop closed on November 5.", "The shop closed on November 5 2023."),
        ("The shop will close on 5 May.", "The shop will close on 5 May 2025."),
    ],
)
def test_a_month_or_day_gets_its_year(text: str, expected: str) -> None:
    assert resolved(text) == expected


def test_past_and_future_differ() -> None:
    assert resolved("Berg said on Tuesday that the bridge would reopen in July.") == (
        "Berg said on Tuesday (11 June 2024) that the bridge would reopen in July 2024."
    )


@pytest.mark.parametrize(
    "text",
    [
        "This may change.",
        "The troops may march in August 1914.",
        "USA Today reported it.",
        "Today's vote was close.",
        "Last year’s sales fell.",
        "The shop closed on 5 May 2020.",
        "The shop closed on May 5, 2020.",
        "In 1945 the war ended in May.",
        "Schools were closed from March to May 2020.",
        "The shop closed on 31 June.",
        "Room May 0 is closed.",
        "The council meets on Tuesdays.",
        "Sales fell last week.",
        "",
    ],
)
def test_clear_dates_and_other_words_stay(text: str) -> None:
    assert resolved(text) == text


def test_a_weekday_with_its_date_is_not_resolved() -> None:
    assert resolved("It closed on Tuesday, 5 March.") == "It closed on Tuesday, 5 March 2024."


ADDED = r"(?: \((?:\d{1,2} )?(?:[A-Z][a-z]+ )?\d{4}\)| \d{4})?"
WORDS = st.sampled_from(
    "Yesterday today tomorrow last this next on in since until by of early year month week summer winter Tuesday Sunday "
    "May March June may 0 5 31 2020 will was closes Berg said The , . ( ) 's مرحبا 🙂 é".split()
)
TEXTS = st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=100)


@given(TEXTS, st.dates(date(1900, 1, 1), date(2100, 12, 31)))
def test_only_years_and_brackets_are_added(text: str, written: date) -> None:
    author_s = "".join(f"{re.escape(character)}{ADDED}" for character in text)
    assert re.fullmatch(author_s, resolved(text, written))


@given(TEXTS, st.dates())
def test_any_day_and_text_are_accepted(text: str, written: date) -> None:
    assert len(resolved(text, written)) >= len(text)
