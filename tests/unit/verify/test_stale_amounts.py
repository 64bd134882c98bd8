"""Amounts in code, and how documents write them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.verify.quantities import computed, read_number, unit_beside
from veridic.verify.source_text import TokenKind, tokens_of
from veridic.verify.spellings import spellings


def first_number(text: str) -> tuple[list, int]:  # type: ignore[type-arg]
    tokens = list(tokens_of(text))
    return tokens, next(place for place, token in enumerate(tokens) if token.kind is TokenKind.NUMBER)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("wait(10 * 1000)", 10_000),
        ("size = 1 << 20", 1_048_576),
        ("DAY = 60 * 60 * 24", 86_400),
        ("limit = 2 ** 10", 1_024),
        ("a = (2 + 3) * 4", 20),
        ("a = 7", None),
        ("a = 1 / 0", None),
        ("a = 9 ** 9 ** 9 ** 9", None),
    ],
)
def test_constant_arithmetic_is_computed(code: str, value: int | None) -> None:
    assert computed(*first_number(code)) == value


@pytest.mark.parametrize(
    ("code", "unit"),
    [
        ("Duration::from_secs(30)", "s"),
        ("timeout = 30 * time.Second", "s"),
        ("timedelta(weeks=1)", "week"),
        ("MINUTES.toMillis(2)", "min"),
        ("KEEP_DAYS = 14", "day"),
        ("every = 30s", "s"),
        ("count = 3", None),
    ],
)
def test_names_beside_a_number_show_its_unit(code: str, unit: str | None) -> None:
    assert unit_beside(*first_number(code)) == unit


@pytest.mark.parametrize(
    ("text", "value"), [("10_000L", 10_000), ("0x1F", 31), ("5e-3", Fraction(1, 200)), ("1e999", None)]
)
def test_literals_are_read_as_numbers(text: str, value: Fraction | None) -> None:
    read = read_number(text)
    assert (read[0] if read else None) == value


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("1", "week", "It looks once a week."),
        ("1", "week", "It looks weekly."),
        ("30", "min", "for half an hour"),
        ("2", "min", "for 120 seconds"),
        ("30", "min", "Default: 1800000"),
        ("5e-3", "s", "faster than 5 ms"),
        ("0.9", None, "down to 90% of it"),
        ("0.5", None, "half of it"),
        ("0.2", None, "every N/5 runs"),
        ("-1", None, "(default -1)"),
        ("50th", None, 'the key "50th"'),
    ],
)
def test_amounts_match_other_spellings(value: str, unit: str | None, text: str) -> None:
    found = spellings(value, TokenKind.NUMBER, unit)
    assert any(spelling.pattern.search(text) for spelling in found)


def test_other_amounts_do_not_match() -> None:
    for text in ("for 3 hours", "30 hours", "95% of it", "default 1"):
        assert not any(one.pattern.search(text) for one in spellings("2", TokenKind.NUMBER, "min")), text


@given(st.text(alphabet="0123456789()+-*/<e_xL. ", max_size=60), st.integers(0, 60))
def test_any_arithmetic_can_be_evaluated(text: str, place: int) -> None:
    tokens = list(tokens_of(text))
    if place < len(tokens):
        value = computed(tokens, place)
        assert value is None or abs(value) <= 10**15


@given(
    st.sampled_from([TokenKind.NUMBER, TokenKind.TEXT, TokenKind.NAME]),
    st.text(max_size=30),
    st.text(max_size=60),
)
def test_every_match_contains_the_core(kind: TokenKind, value: str, text: str) -> None:
    for spelling in spellings(value, kind):
        for match in spelling.pattern.finditer(f"{text} {value} {value.lower()} {text}"):
            assert spelling.core in match[0].replace("\u0130", "i").lower()
