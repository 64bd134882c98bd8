"""The parser of all stages: it accepts any text and loses nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.errors import DamagedModelError
from veridic.text import english
from veridic.text.english import LONGEST, parse, parse_all
from veridic.text.sentences import split_sentences

AWKWARD = {
    "empty": "",
    "white space": " \n\t ",
    "right to left": "قال الوزير إن البطالة ارتفعت إلى 9٪.",
    "overrides": "\u202eturned round\u202c",
    "emoji": "🙂 " * 200,
    "markup": "<b>The Nile</b> is [long](http://x.example/y) & **wide**.",
    "controls": "\x00\x01\ufeff\ufffe",
    "combining": "e\u0301" * 500,
    "long word": "a" * LONGEST,
    "brackets": "(" * 2000,
    "half a character": "half a \ud83d character",
}


@given(st.text(max_size=300))
def test_no_character_is_lost(text: str) -> None:
    assert parse(text).text == text


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_text_keeps_its_offsets(text: str) -> None:
    assert len(parse(text).text) == len(text)


def test_sentences_are_the_same_as_in_other_stages() -> None:
    text = "Dr. No came at 5 p.m. on Jan. 5. (It rained.) He left!\n\nNobody saw approx. 3 of them"
    assert [sentence.start_char for sentence in parse(text).sents] == [
        start for start, _ in split_sentences(text)
    ]


def test_a_semicolon_ends_a_sentence() -> None:
    assert [sentence.text for sentence in parse("Exports rose; imports fell.").sents] == [
        "Exports rose;",
        "imports fell.",
    ]


def test_many_texts_keep_their_order() -> None:
    texts = ["Oslo is in Norway.", "", "Lima is in Peru.", "Oslo is in Norway."]
    assert [doc.text for doc in parse_all(texts)] == texts


def test_a_very_long_text_is_cut() -> None:
    assert len(parse("a b " * LONGEST).text) == LONGEST


def test_a_missing_parser_is_reported_with_a_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english, "_pipeline", english._pipeline.__wrapped__)
    monkeypatch.setattr(english, "find_spec", lambda _name: None)
    with pytest.raises(DamagedModelError, match="missing: install"):
        parse("Nobody has parsed this yet, and nobody can.")


def test_a_damaged_parser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english, "_pipeline", english._pipeline.__wrapped__)
    monkeypatch.setattr(english, "_SHA256", "0" * 64)
    with pytest.raises(DamagedModelError, match="Install Veridic again"):
        parse("Nobody has parsed this yet, and nobody should.")
