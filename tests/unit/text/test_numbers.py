"""Quantities in English text, and what only looks like one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.numbers import UNITS, Bound, Quantity, find_quantities


def only(text: str) -> Quantity:
    (quantity,) = find_quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("3,972,004", 3_972_004, "count"),
        ("12 345 678", 12_345_678, "count"),
        ("12\u202f345", 12_345, "count"),
        ("3.14", 3.14, "count"),
        ("0", 0, "count"),
        ("4 million", 4e6, "count"),
        ("10M users", 10e6, "count"),
        ("10k", 10_000, "count"),
        ("2 lakh", 200_000, "count"),
        ("thirty-two", 32, "count"),
        ("Twenty one", 21, "count"),
        ("a hundred", 100, "count"),
        ("fourteen hundred", 1400, "count"),
        ("two hundred and fifty", 250, "count"),
        ("one hundred and twenty-three thousand four hundred and five", 123_405, "count"),
        ("five hundred million", 500e6, "count"),
        ("a dozen eggs", 12, "count"),
        ("two dozen", 24, "count"),
        ("half a dozen", 6, "count"),
        ("half a million", 500_000, "count"),
        ("two and a half million", 2.5e6, "count"),
        ("a million and a half", 1.5e6, "count"),
        ("5 and a half", 5.5, "count"),
        ("62 percent", 62, "percent"),
        ("ten per cent", 10, "percent"),
        ("0.5%", 0.5, "percent"),
        ("3 percentage points", 3, "percent"),
        ("seven out of ten", 70, "percent"),
        ("one in five", 20, "percent"),
        ("1 in every 4", 25, "percent"),
        ("half of the country", 50, "percent"),
        ("two-thirds of voters", 200 / 3, "percent"),
        ("three quarters of them", 75, "percent"),
        ("2,228m", 2228, "length"),
        ("-15 m", -15, "length"),
        ("minus 15 metres", -15, "length"),
        ("−40 m", -40, "length"),
        ("1.5 km", 1500, "length"),
        ("100 miles", 160_934.4, "length"),
        ("a six-foot wall", 1.8288, "length"),
        ("5m²", 5, "area"),
        ("1,500 km2", 1500e6, "area"),
        ("3.5 million sq km", 3.5e12, "area"),
        ("20 acres", 80_937.12, "area"),
        ("5 kg", 5, "mass"),
        ("three hours", 10_800, "time"),
        ("1500 people", 1500, "people"),
        ("5m people", 5e6, "people"),
        ("1500 MW", 1.5e9, "power"),
        ("US$5bn", 5e9, "money:USD"),
        ("$1.5 trillion", 1.5e12, "money:USD"),
        ("£3.2m", 3.2e6, "money:GBP"),
        ("A$5 million", 5e6, "money:AUD"),
        ("USD 5 million", 5e6, "money:USD"),
        ("EUR20", 20, "money:EUR"),
        ("5 million dollars", 5e6, "money:USD"),
        ("-$5", -5, "money:USD"),
    ],
)
def test_value_and_dimension(text: str, value: float, dimension: str) -> None:
    quantity = only(text)
    assert quantity.value == pytest.approx(value)
    assert quantity.dimension == dimension
    assert quantity.bound is Bound.EXACT


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("between 3 and 5 million", 3e6, 5e6),
        ("between three and five million", 3e6, 5e6),
        ("3 to 5 million", 3e6, 5e6),
        ("3–5 km", 3000, 5000),
        ("10-15 km", 10_000, 15_000),
        ("500,000 to 2 million", 500_000, 2e6),
        ("900 thousand to 1.2 million", 900_000, 1.2e6),
        ("from 5 to 3 million", 3e6, 5e6),
        ("$5-10 million", 5e6, 10e6),
        ("$5 million-$10 million", 5e6, 10e6),
        ("between 5% and 10%", 5, 10),
        ("-5 to 5 m", -5, 5),
    ],
)
def test_ranges(text: str, low: float, high: float) -> None:
    quantity = only(text)
    assert quantity.low == pytest.approx(low)
    assert quantity.high == pytest.approx(high)
    assert quantity.value == pytest.approx((low + high) / 2)


@pytest.mark.parametrize("text", ["five and six", "7 and 8", "3 million and 5 million", "10 km, 20 km"])
def test_a_list_is_not_a_range(text: str) -> None:
    assert len(find_quantities(text)) == 2


@pytest.mark.parametrize(
    ("text", "bound", "written"),
    [
        ("It has about 4 million", Bound.ABOUT, "about 4 million"),
        ("some 200 of them", Bound.ABOUT, "some 200"),
        ("~300 km", Bound.ABOUT, "~300"),
        ("more than 3 million", Bound.ABOVE, "more than 3 million"),
        ("at least 12", Bound.ABOVE, "at least 12"),
        ("It exceeds 40 m", Bound.ABOVE, "exceeds 40"),
        ("just over 12", Bound.JUST_ABOVE, "just over 12"),
        ("less than a million", Bound.BELOW, "less than a million"),
        ("up to 5 kg", Bound.BELOW, "up to 5"),
        ("nearly half of it", Bound.JUST_BELOW, "nearly half"),
        ("slightly under 10%", Bound.JUST_BELOW, "slightly under 10"),
        ("4,000 or more", Bound.ABOVE, "4,000"),
        ("exactly 5", Bound.EXACT, "5"),
    ],
)
def test_words_around_a_number(text: str, bound: Bound, written: str) -> None:
    quantity = only(text)
    assert quantity.bound is bound
    assert text[quantity.start : quantity.number[1]] == written


def test_number_and_unit_have_separate_spans() -> None:
    text = "The peak is about 2,228 metres high."
    quantity = only(text)
    assert text[slice(*quantity.span)] == "2,228 metres"
    assert text[slice(*quantity.number)] == "2,228"
    assert text[quantity.start :].startswith("about 2,228")


@pytest.mark.parametrize(
    ("text", "step"),
    [("3,972,004", 1), ("4 million", 1e6), ("4.0 million", 1e5), ("1,500", 100), ("15", 1), ("20", 1), ("3.50", 0.01)],
)  # fmt: skip
def test_the_last_written_digit(text: str, step: float) -> None:
    quantity = only(text)
    assert quantity.step == pytest.approx(step)
    assert quantity.low == pytest.approx(quantity.value - step / 2)
    assert quantity.high == pytest.approx(quantity.value + step / 2)


def test_counted_nouns() -> None:
    assert only("It has 50 federal states.").unit == only("50 federal state").unit
    assert only("It has 12 of them.").unit == ""


@pytest.mark.parametrize(
    "text",
    [
        "the 3rd time", "the twenty-first", "the THIRTY-SECOND", "the third", "first",  # ordinals
        "In 1999 it rained", "the 1990s", "July 4, 1776", "2024-05", "2024/25", "in 1939–45",  # dates
        "44 BC", "1000 BC", "AD 79", "the 20th century",
        "one of the largest", "One of them", "No one knows", "They love one another",  # pronouns
        "a house", "an hour", "half an idea",
        "version 1.2.3", "10.5.2020", "9/11", "1/3", "12,5 km", "4x", "3D", "2x4", "5G networks", "1e6", "A4",
        "COVID-19", "hundreds", "millions", "½",
    ],
)  # fmt: skip
def test_not_a_quantity(text: str) -> None:
    assert find_quantities(text) == []


def test_a_number_and_a_year_with_the_same_digits() -> None:
    text = "1500 people in 1500"
    assert text[slice(*only(text).span)] == "1500 people"


@pytest.mark.parametrize("text", ["It has 1500 islands.", "some 1800 villages", "at least 1200 ships"])
def test_a_count_that_could_be_a_year(text: str) -> None:
    assert only(text).dimension == "count"


def test_a_speed_is_not_a_length() -> None:
    assert only("100 km/h").dimension != "length"
    assert find_quantities("5 km/3 miles")[0].dimension == "length"


def test_equal_measures_in_different_units_overlap() -> None:
    metres, feet = find_quantities("2,228 metres (7,310 ft)")
    assert metres.low <= feet.high
    assert feet.low <= metres.high


_TEXT = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            [*"0123456789.,-–%$€/ ", "half", "a", "and", "million", "between", "to", "in", "out of", "one", "ninety", "km", "1999", "hundred", "BC", "\n", "٣", "²"]
        )
    ).map("".join),
    st.lists(st.sampled_from(["5", "and", "a", "half", "million", "between", "one", "of", "in", "ten", "thousand", "$3", "km", "to", "more than", *UNITS])).map(" ".join),
)  # fmt: skip


@given(_TEXT)
def test_any_text_gives_valid_quantities_in_order(text: str) -> None:
    end = 0
    for quantity in find_quantities(text):
        assert end <= quantity.span[0]
        assert quantity.start <= quantity.span[0] == quantity.number[0]
        assert quantity.number[0] < quantity.number[1] <= quantity.span[1] <= len(text)
        assert quantity.low <= quantity.value <= quantity.high
        assert math.isfinite(quantity.value)
        assert quantity.step >= 0
        end = quantity.span[1]


@given(st.integers(min_value=0, max_value=10**12))
def test_thousands_separators_change_nothing(number: int) -> None:
    assert only(f"exactly {number:,} km").value == only(f"exactly {number} km").value == number * 1000


@given(
    st.integers(min_value=1, max_value=999),
    st.sampled_from([("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12)]),
)
def test_magnitudes_multiply(number: int, magnitude: tuple[str, float]) -> None:
    word, factor = magnitude
    assert only(f"{number} {word} people").value == pytest.approx(number * factor)


@pytest.mark.parametrize(
    "text",
    [
        "1" * 200_000, "0." + "0" * 200_000, "1" * 5000 + " in 5", "5 in " + "1" * 5000, "1,111" * 20_000,
        "1999 " * 20_000, "5 and " * 20_000, "ninety " * 20_000, "between 5 and 6 " * 10_000, "one in five " * 10_000,
        "5" + " " * 100_000, "about " * 20_000 + "5", "$" * 100_000, "-" * 100_000, "half of " * 10_000,
    ],
    ids=lambda text: f"{text[:12]}… {len(text)}",
)  # fmt: skip
def test_long_hostile_input_takes_reasonable_time(text: str) -> None:
    """Quadratic time on one of these would take minutes."""
    assert all(math.isfinite(quantity.value) for quantity in find_quantities(text))
