"""Comparing values in documents with literals in code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.verify.facts.literals import literal, same_value

TIMES = {
    "ms": 1,
    "s": 1000,
    "seconds": 1000,
    "min": 60_000,
    "minutes": 60_000,
    "hours": 3_600_000,
    "days": 86_400_000,
}


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("30s", "30"),
        ("30 seconds", "30_000"),
        ("1MB", "1048576"),
        ("1 MB", "1_000_000"),
        ("64 KB", "64 * 1024"),
        ("10,000", "10000"),
        ("16", "0x10"),
        ("1e6", "1_000_000"),
        ("10 seconds", "10 * 1000"),
        ("1 hour", "60 * 60"),
        ("1h30m", "90 * 60"),
        ("5s", "Duration::from_secs(5)"),
        ("250ms", "Duration.ofMillis(250)"),
        ("30 minutes", "MINUTES.toMillis(30)"),
        ("3 seconds", "timedelta(seconds=3)"),
        ("30s", "30 * time.Second"),
        ("1048576", "1 << 20"),
        ("five", "5"),
        ("50%", "0.5"),
        ("2.0", "2"),
        ("100", "100_u64"),
        ("on", "true"),
        ("disabled", "False"),
        ("none", "None"),
        ("null", '""'),
        ("empty", "[]"),
        ("info", "Level.INFO"),
        ("utf8", '"utf-8"'),
        ("name", '"name".to_string()'),
        ("5", "Some(5)"),
        ("~/.config/tool", "$HOME/.config/tool"),
        ("a, b", "{'b', 'a'}"),
        ("[1, 2]", "(1, 2)"),
    ],
)
def test_same_value_in_another_notation(document: str, code: str) -> None:
    assert same_value(document, code) is True


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("80", "8080"),
        ("30", "60"),
        ("30 seconds", "45"),
        ("6s", "Duration::from_secs(5)"),
        ("20s", "30 * time.Second"),
        ("100ms", "1 * time.Second"),
        ("off", "True"),
        ("yes", "no"),
        ("none", "30"),
        ("Level.DEBUG", "Level.INFO"),
        ("left", '"right"'),
        ('["a", "b"]', '["a", "c"]'),
        ("-1", "1"),
        ("0", "5"),
        ("~/.config/tool", "~/.local/tool"),
    ],
)
def test_different_values(document: str, code: str) -> None:
    assert same_value(document, code) is False


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("30", "30000"),
        ("1", "60"),
        ("auto", "true"),
        ("true", "1"),
        ("30", "None"),
        ("10", "-1"),
        ("debug", "Level.INFO"),
        ("8080", "localhost:8080"),
        ("localhost:8080", ":8080"),
        ("127.0.0.1", "localhost"),
        ("the current folder", '"."'),
        ('["a", "b"]', '["b", "a"]'),
        ("10 MB", "10 * time.Second"),
        ("x" * 1000, "y"),
        ("config.yml", "./settings/config.yml"),
    ],
)
def test_values_that_cannot_be_compared(document: str, code: str) -> None:
    assert same_value(document, code) is None


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("5", "5"),
        ("-5", "-5"),
        ("'a'", "a"),
        ('r#"a"#', "a"),
        ("None", "None"),
        ("Some(3)", "3"),
        ("30 * time.Second", "30 * time.Second"),
        ("['a', 2]", "['a', 2]"),
        ("{}", "{}"),
        ('f"x"', None),
        ("`a${x}`", None),
        ('"a" + "b"', None),
        ("compute()", None),
        ("NAME", None),
        ("x + 1", None),
        ("[a]", None),
        ("", None),
    ],
)
def test_literal(source: str, value: str | None) -> None:
    assert literal(source) == value


@given(st.text(max_size=60))
def test_same_text_is_never_different(text: str) -> None:
    assert same_value(text, text) is not False
    plain = literal(text)
    assert plain is None or same_value(plain, text) is not False


@given(st.text(max_size=60), st.text(max_size=60))
def test_comparing_never_raises(document: str, code: str) -> None:
    assert same_value(document, code) in (True, False, None)


@given(st.integers(1, 10_000), st.sampled_from(sorted(TIMES)), st.sampled_from([1, 1000]))
def test_another_unit_of_time_is_never_different(number: int, unit: str, step: int) -> None:
    milliseconds = number * TIMES[unit]
    if milliseconds % step == 0:
        assert same_value(f"{number} {unit}", str(milliseconds // step)) is True
        assert same_value(str(number), str(milliseconds // step)) is not False


@given(
    st.integers(1, 10_000), st.sampled_from([("KB", 1), ("MB", 2), ("GB", 3)]), st.sampled_from([1000, 1024])
)
def test_another_unit_of_size_is_never_different(number: int, unit: tuple[str, int], base: int) -> None:
    word, power = unit
    assert same_value(f"{number}{word}", str(number * base**power)) is True


@given(st.integers(0, 10**9))
def test_notation_of_a_number_does_not_matter(number: int) -> None:
    for spelled in (f"{number:,}", f"{number:_}", hex(number), f"{number}.0", f'"{number}"'):
        assert same_value(spelled, str(number)) is True


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "9" * 200_000, "1*" * 150, "(" * 390, "1 h" * 130, "a." * 190, "9" * 399]
)
def test_hostile_values_are_compared(text: str) -> None:
    assert same_value(text, "5") in (False, None)
    assert literal(text) in (text, None)
