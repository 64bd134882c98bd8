"""Figures against figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.finding import Outcome
from veridic.judging.quantities import compare_quantity, compatible
from veridic.language.numbers import Quantity, find_quantities


def _one(text: str) -> Quantity:
    (quantity,) = find_quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("claimed", "found", "outcome"),
    [
        ("about 4 million people", "3,972,004 people", Outcome.AGREE),
        ("about 4 million people", "2.1 million people", Outcome.DIFFER),
        ("27 million people", "27,490,921 people", Outcome.AGREE),
        ("2,228 metres", "2,228 m", Outcome.AGREE),
        ("2,282 metres", "2,228 metres", Outcome.DIFFER),
        ("22,841 feet", "6,962 metres", Outcome.AGREE),
        ("almost three million square miles", "7,741,220 square kilometres", Outcome.AGREE),
        ("more than 110 million people", "112,870,457 people", Outcome.AGREE),
        ("more than 120 million people", "112,870,457 people", Outcome.DIFFER),
        ("less than 50 percent", "47.2%", Outcome.AGREE),
        ("less than 40 percent", "47.2%", Outcome.DIFFER),
        ("just over 300 km", "310 km", Outcome.AGREE),
        ("between 3 and 5 million people", "4,100,000 people", Outcome.AGREE),
        ("between 3 and 5 million people", "6 million people", Outcome.DIFFER),
        ("ten countries", "10 countries", Outcome.AGREE),
        ("nine countries", "10 countries", Outcome.DIFFER),
        ("8,848 metres", "8,849 metres", Outcome.CLOSE),
        ("503 metres", "more than 500 metres", Outcome.AGREE),
        ("-15 m", "-15 m", Outcome.AGREE),
    ],
)
def test_a_claimed_figure_holds_or_not(claimed: str, found: str, outcome: Outcome) -> None:
    one, other = _one(claimed), _one(found)
    assert compatible(one, other)
    assert compare_quantity(one, other) is outcome


@pytest.mark.parametrize(
    ("claimed", "found"),
    [
        ("5 km", "5 kg"),
        ("$5", "€5"),
        ("340 paintings", "340 tickets"),
        ("62 percent", "62 metres"),
    ],
)
def test_unlike_things_are_not_compared(claimed: str, found: str) -> None:
    assert not compatible(_one(claimed), _one(found))


@given(st.integers(min_value=1, max_value=10**12))
def test_a_number_agrees_with_itself_and_not_with_its_double(number: int) -> None:
    one, double = _one(f"{number:,} km"), _one(f"{2 * number:,} km")
    assert compare_quantity(one, one) is Outcome.AGREE
    if number >= 10:
        assert compare_quantity(one, double) in (Outcome.DIFFER, Outcome.AGREE)
        assert (
            compare_quantity(_one(f"{number * 1000 + 1:,} km"), _one(f"{2 * (number * 1000 + 1):,} km"))
            is Outcome.DIFFER
        )


@given(st.floats(min_value=1000, max_value=1e9))
def test_rounding_to_two_digits_never_contradicts(value: float) -> None:
    rounded = float(f"{value:.1e}")
    assert compare_quantity(_one(f"about {rounded:,.0f} km"), _one(f"{value:,.0f} km")) is not Outcome.DIFFER
