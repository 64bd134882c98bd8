"""Cleaning words for search engines and from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.providers.search.words import clean, cut, one_line, plain_words, site_operators, without_markup


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('site:evil.example "exact" -word +more', "site evil.example exact word more"),
        ("!g !!wiki :fr query", "g wiki fr query"),
        ("(a OR b) AND NOT c|d", "a or b and not c d"),
        ("at 12:30 it was -5 degrees", "at 12:30 it was 5 degrees"),
        ("see https://example.org/x", "see https example.org x"),
        ("well-known U.S. figure of 3.5%", "well-known U.S. figure of 3.5%"),
        ("«Größe» שלום", "Größe שלום"),
    ],
)
def test_engine_commands_are_removed(text: str, plain: str) -> None:
    assert plain_words(text) == plain


@given(st.text())
def test_plain_words_never_start_a_command(text: str) -> None:
    for word in plain_words(text).split():
        assert word[0] not in "!-+:@"
        assert word not in {"OR", "AND", "NOT"}
        assert not set(word) & set('"()|*~')


@given(st.text())
def test_clean_text_is_storable_and_printable(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert "\r" not in cleaned
    assert clean(cleaned) == cleaned


@given(st.text(), st.integers(1, 50), st.integers(1, 10))
def test_cut_returns_short_prefix(text: str, characters: int, words: int) -> None:
    line = one_line(text)
    shorter = cut(line, characters, words)
    assert line.startswith(shorter)
    assert len(shorter) <= characters
    assert len(shorter.split(" ")) <= words


def test_highlight_tags_are_removed() -> None:
    assert without_markup("<strong>5</strong> &lt; 6 <span class='x'>& 7</span> <5>") == "5 < 6 & 7 <5>"


def test_site_operators() -> None:
    assert site_operators(("a.org", "b.org"), ("c.org",)) == "(site:a.org OR site:b.org) -site:c.org"
    assert site_operators(("a.org",), ()) == "site:a.org"
    assert site_operators((), ()) == ""
