"""Dates in a model's answer are checked against those in the evidence."""

from datetime import date

import pytest

from veridic.check.model_judgement import KnownDates

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
def test_sentences_with_known_dates_stay(sentence: str) -> None:
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
def test_sentences_with_unknown_dates_are_left_out(sentence: str) -> None:
    assert KNOWN.sound_sentences(sentence) == ""
