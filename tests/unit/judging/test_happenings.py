"""What a text says has happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.happenings import find_happenings


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("The bridge, built in 1931, was demolished", ["#build", "#demolish"]),
        ("It was torpedoed off the coast", ["torpedo"]),
        ("She began, they have begun", ["#begin", "#begin"]),
        ("The river froze and has frozen since", ["freeze", "freeze"]),
        ("The signing took place", ["#sign"]),
        ("The United Nations needed a hundred acres of the sacred hill", ["need"]),
        ("A tall bridge of iron", []),
        ("", []),
    ],
)
def test_happenings_by_verb_or_by_noun(text: str, keys: list[str]) -> None:
    assert [happening.key for happening in find_happenings(text)] == keys


@given(st.text(max_size=300))
def test_any_text_is_read_and_every_happening_has_its_place(text: str) -> None:
    places = [happening.span for happening in find_happenings(text)]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
