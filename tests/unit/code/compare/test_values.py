"""A document's words and the code's literal: equal, different, or not comparable."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veridic.code.compare.literals import Amount, Items, Name, Nothing, Text, Truth, read_source
from veridic.code.compare.units import unit_of_comment, unit_of_name
from veridic.code.compare.values import Match, same_value

EQUAL, DIFFERENT, UNKNOWN = Match.EQUAL, Match.DIFFERENT, Match.UNKNOWN


@pytest.mark.parametrize(
    ("words", "source", "expected"),
    [
        # numbers and their spellings
        ("30", "30", EQUAL), ("30", "30.0", EQUAL), ("30", "60", DIFFERENT), ("1,000", "1_000", EQUAL),
        ("1000", "10 ** 3", EQUAL), ("1e3", "1000", EQUAL), ("0.5", ".5", EQUAL), ("50%", "0.5", EQUAL),
        ("50%", "0.6", DIFFERENT), ("-1", "-1", EQUAL), ("-1", "1", DIFFERENT), ("three", "3", EQUAL),
        ("three", "4", DIFFERENT), ("3 attempts", "3", EQUAL), ("3 attempts", "5", DIFFERENT),
        ("0o644", "0o644", EQUAL), ("255", "0xFF", EQUAL), ("30", "30u64", EQUAL), ("30", "30L", EQUAL),
        ("about 100", "96", UNKNOWN), ("about 100", "300", DIFFERENT),
        # time
        ("30 seconds", "30", EQUAL), ("30 seconds", "timedelta(seconds=30)", EQUAL), ("30s", "30_000", EQUAL),
        ("30 seconds", "60", DIFFERENT), ("5 minutes", "300", EQUAL), ("5 minutes", "5 * 60 * 1000", EQUAL),
        ("5 minutes", "600", DIFFERENT), ("5 minutes", "datetime.timedelta(minutes=5)", EQUAL),
        ("5 minutes", "timedelta(hours=5)", DIFFERENT), ("30", "timedelta(seconds=30)", EQUAL),
        ("30", "timedelta(seconds=45)", DIFFERENT), ("500 ms", "0.5", EQUAL), ("10 s", "10 * time.Second", EQUAL),
        ("10 s", "20 * time.Second", DIFFERENT), ("10 s", "Duration::from_secs(10)", EQUAL),
        ("10 s", "Duration.ofMillis(10)", DIFFERENT), ("1 day", "86400", EQUAL),
        # sizes
        ("10 MB", "10 * 1024 * 1024", EQUAL), ("10 MB", "10_000_000", EQUAL), ("10 MB", "20_000_000", DIFFERENT),
        ("10 MiB", "10 << 20", EQUAL), ("64 KB", "65536", EQUAL), ("10 MB", "timedelta(seconds=10)", UNKNOWN),
        # strings
        ("json", "'json'", EQUAL), ("json", '"yaml"', DIFFERENT), ("JSON", "'json'", EQUAL),
        ("`json`", '"json".to_string()', EQUAL), ("utf-8", "'utf-8'", EQUAL), ("utf-8", "'latin-1'", DIFFERENT),
        ("the current directory", "'.'", UNKNOWN), ("stdout", "'-'", UNKNOWN), ("English", "'en'", UNKNOWN),
        ("German", "'de'", UNKNOWN), ("~/.cache/app", "'~/.cache/app/'", EQUAL), ("./out", "Path('out')", EQUAL),
        ("out", "Path('dist')", DIFFERENT), ("30", "'30'", EQUAL), ("30", "'60'", DIFFERENT),
        ("10 MB", "'10MB'", EQUAL), ("true", "'true'", EQUAL), ("true", "'false'", DIFFERENT),
        ("8080", "'auto'", DIFFERENT), ("127.0.0.1", "'127.0.0.1'", EQUAL), ("127.0.0.1", "'0.0.0.0'", DIFFERENT),
        # truth and nothing
        ("true", "True", EQUAL), ("yes", "True", EQUAL), ("enabled", "false", DIFFERENT), ("off", "False", EQUAL),
        ("True", "False", DIFFERENT), ("None", "None", EQUAL), ("not set", "null", EQUAL), ("unset", "''", EQUAL),
        ("None", "30", DIFFERENT), ("30", "None", UNKNOWN), ("disabled", "None", EQUAL), ("disabled", "0", EQUAL),
        ("empty", "[]", EQUAL), ("an empty list", "[]", EQUAL), ("1", "True", EQUAL), ("yes", "30", UNKNOWN),
        # collections
        ("a, b and c", "('a', 'b', 'c')", EQUAL), ("a, b", "['b', 'a']", EQUAL), ("[1, 2]", "(1, 2)", EQUAL),
        ("['a', 'b']", "['a', 'c']", DIFFERENT), ("[1, 2]", "[1, 2, 3]", DIFFERENT), ("{'a': 1}", "{'a': 1}", EQUAL),
        ("{'a': 1}", "{'a': 2}", DIFFERENT), ("8080", "[8080]", EQUAL),
        # names and what is computed
        ("INFO", "Level.INFO", EQUAL), ("info", "logging.INFO", EQUAL), ("Level.DEBUG", "Level.INFO", DIFFERENT),
        ("debug", "Level.INFO", UNKNOWN), ("30", "DEFAULT", UNKNOWN), ("30", "os.cpu_count() * 2", UNKNOWN),
        ("30", "30 if WINDOWS else 60", UNKNOWN), ("x", "f'{y}'", UNKNOWN), ("30", None, UNKNOWN),
        ("30", "", UNKNOWN), ("", "30", UNKNOWN), ("2", "9**9**9**9", UNKNOWN), ("1", "1/0", UNKNOWN),
        ("x", "__import__('os')", UNKNOWN),
    ],
)  # fmt: skip
def test_words_against_source(words: str, source: str | None, expected: Match) -> None:
    assert same_value(words, source) is expected


@pytest.mark.parametrize(
    ("words", "source", "name", "expected"),
    [
        ("30 seconds", "30", "timeout_seconds", EQUAL),
        ("30 seconds", "30", "timeout_ms", DIFFERENT),
        ("30 seconds", "30000", "timeoutMs", EQUAL),
        ("5 minutes", "300", "TTL_SECONDS", EQUAL),
        ("10 MB", "10", "max_size_mb", EQUAL),
        ("10 MB", "10", "max_size_kb", DIFFERENT),
        ("30 seconds", "30", "min", EQUAL),
    ],
)
def test_a_name_that_says_its_unit_counts(words: str, source: str, name: str, expected: Match) -> None:
    assert same_value(words, source, unit=unit_of_name(name)) is expected


def test_a_comment_that_says_the_unit_counts() -> None:
    assert (
        same_value("30 seconds", "30", unit=unit_of_comment("timeout = 30  # in milliseconds")) is DIFFERENT
    )
    assert unit_of_comment("timeout = 30  # seconds, not minutes") == ()


def test_words_shown_as_code_are_no_description() -> None:
    assert same_value("stdout", "'-'", is_code=True) is DIFFERENT


def test_names_are_followed_where_they_lead_to_one_value() -> None:
    values = {"DEFAULT": "OTHER", "OTHER": "60", "LOOP": "LOOP"}
    assert same_value("30", "DEFAULT", resolve=values.get) is DIFFERENT
    assert same_value("60", "DEFAULT", resolve=values.get) is EQUAL
    assert same_value("60", "LOOP", resolve=values.get) is UNKNOWN


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("'a' 'b'", Text("ab")),
        ("'a' + 'b'", Text("ab")),
        (r"'\n'", Text("\n")),
        (r"r'\n'", Text("\\n")),
        ("Some(3)", Amount(Fraction(3))),
        ("-2 ** 2", Amount(Fraction(-4))),
        ("2 * (3 + 4)", Amount(Fraction(14))),
        ("()", Items(())),
        ("nil", Nothing()),
        ("!true", None),
        ("a.b", Name("a.b")),
        ("Truth", Name("Truth")),
        ("true;", Truth(True)),
        ("(" * 500 + "1" + ")" * 500, None),
        ("[" * 900, None),
        ("'\u202ejson'", Text("\u202ejson")),
        ("b'x'", None),
    ],
)
def test_literals(source: str, value: object) -> None:
    assert read_source(source) == value


@given(st.text(max_size=60), st.text(max_size=60))
@example("0" * 500, "9" * 2000)
@example("\x00", "(" * 2000)
def test_never_raises(words: str, source: str) -> None:
    assert same_value(words, source) in Match


NUMBERS = st.integers(-(10**12), 10**12)


@given(NUMBERS)
def test_a_number_is_never_different_from_itself_in_any_style(number: int) -> None:
    styles = [str(number), f"{number:,}", f"{number:_}", f"{number}.0", f"`{number}`", f"{number} items"]
    for words in styles:
        for source in (
            str(number),
            f"{number:_}",
            f"{number}.0",
            f"'{number}'",
            f"({number})",
            f"{number} * 1",
        ):
            assert same_value(words, source) is EQUAL


UNIT_STYLES = st.sampled_from(
    [("{} seconds", "timedelta(seconds={})"), ("{}s", "{}"), ("{} minutes", "{} * 60"), ("{} min", "{} * 60_000"),
     ("{} MB", "{} * 1024 * 1024"), ("{} MB", "{}_000_000"), ("{} KiB", "{} << 10"), ("{}h", "timedelta(hours={})"),
     ("{} ms", "Duration::from_millis({})"), ("{}%", "{} / 100"), ("{} hours", "{} * time.Hour")]
)  # fmt: skip


@given(st.integers(1, 10**6), UNIT_STYLES)
def test_a_quantity_is_never_different_from_itself_in_any_style(number: int, style: tuple[str, str]) -> None:
    words, source = style
    assert same_value(words.format(number), source.format(number)) is EQUAL


@given(st.text(st.characters(codec="utf-8", exclude_characters="\\'\"`\n\r"), max_size=40))
def test_a_text_is_never_different_from_itself_in_any_style(text: str) -> None:
    for words in (text, f"`{text}`", f'"{text}"', f"'{text}'", f"  {text} "):
        for source in (f"'{text}'", f'"{text}"', f'String::from("{text}")'):
            assert same_value(words, source) is not DIFFERENT
