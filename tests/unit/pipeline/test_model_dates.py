"""Dates that a model writes are held against those that were read."""

from datetime import date

import pytest

from veridic.pipeline.model_dates import KnownDates

AS_OF = date(2026, 11, 16)
KNOWN = KnownDates.of(["It opened on 4 May 2026.", "It was planned in 1985.", "As of 2026-10-12."], (), AS_OF)


@pytest.mark.parametrize(
    "sentence",
    [
        "It opened in May 2026.",
        "The newest source is from 2026-10-12, just 5 weeks ago.",
        "The newest source is from 2026-10-12, about a month ago.",
        "It opened on 4 May 2026, six months ago.",
        "Planned in 1985, four decades ago, it opened in 2026.",
        "The plan of 1985 is 41 years old.",
    ],
)
def test_what_rests_on_a_date_that_was_read_stays(sentence: str) -> None:
    assert KNOWN.sound_sentences(sentence) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "It is highly current.",
        "It opened in June 2026.",
        "It opened on 4 May 2026, just five weeks ago.",
        "The newest source is from 2026-10-12, a day ago.",
        "The plan of 1985 is a decade old.",
        "It opened a year ago.",
        "",
    ],
)
def test_what_does_not_is_left_out(sentence: str) -> None:
    assert KNOWN.sound_sentences(sentence) == ""
