"""Words with exact offsets, and their stems."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.words import find_words, stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("''’’ -- … _", []),
        ("Don't stop.", ["Don't", "stop"]),
        ("Australia's and Laos’ borders", ["Australia", "and", "Laos", "borders"]),
        ("a well-known e-mail", ["a", "well-known", "e-mail"]),
        ("O'Neill’s U.S. office", ["O'Neill", "U.S", "office"]),
        ("3.5 of 3,972", ["3.5", "of", "3", "972"]),
        ("snake_case", ["snake", "case"]),
        ("Москва 東京 القاهرة", ["Москва", "東京", "القاهرة"]),
        ("👩‍👩‍👧 family", ["family"]),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert [word.text for word in find_words(text)] == words


def test_a_separate_accent_stays_in_its_word() -> None:
    decomposed = unicodedata.normalize("NFD", "Bogotá déjà vu")
    assert [word.text for word in find_words(decomposed)] == decomposed.split()


@given(st.text())
def test_words_are_at_their_offsets_in_order(text: str) -> None:
    end = 0
    for word in find_words(text):
        assert word.text == text[word.start : word.end] != ""
        assert end <= word.start
        end = word.end


@pytest.mark.parametrize(
    ("one", "other"),
    [("borders", "bordering"), ("Borders", "border"), ("languages", "language"), ("don’t", "don't")],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_different_words_have_different_stems() -> None:
    assert len({stem(word) for word in ("capital", "border", "river", "import", "export")}) == 5


@pytest.mark.parametrize("text", ["a" * 200_000, "a-" * 100_000, "'" * 200_000, "e" + "\u0301" * 200_000])
def test_one_very_long_word(text: str) -> None:
    assert sum(word.end - word.start for word in find_words(text)) <= len(text)


def test_stems_are_the_same_in_many_threads() -> None:
    words = [
        f"{start}{end}"
        for start in ("nation", "relat", "happi", "gener")
        for end in ("s", "ally", "ness", "ing", "edly", "ization")
    ]
    alone = [stem.__wrapped__(word) for word in words]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda _: [stem.__wrapped__(word) for word in words], range(64)))
    assert together == [alone] * 64
