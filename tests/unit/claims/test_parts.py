from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.selection import parts_of


def test_short_text_is_one_part() -> None:
    assert parts_of("One.\n\nTwo.", 100) == ["One.\n\nTwo."]
    assert parts_of("", 100) == [""]


def test_paragraphs_are_not_split() -> None:
    text = "First paragraph.\n\nSecond one.\n \nThird one is here."
    assert parts_of(text, 32) == ["First paragraph.\n\nSecond one.\n \n", "Third one is here."]


def test_long_paragraph_is_split_between_sentences() -> None:
    assert parts_of("It rained. It snowed. It thawed.", 25) == ["It rained. It snowed. ", "It thawed."]


def test_overlong_sentence_is_split_anywhere() -> None:
    assert [len(part) for part in parts_of("x" * 25, 10)] == [10, 10, 5]


@given(st.text(st.sampled_from("ab.  \n\t\u05d0é🦘")), st.integers(1, 20))
def test_parts_are_complete_and_short_enough(text: str, longest: int) -> None:
    parts = parts_of(text, longest)
    assert "".join(parts) == text
    assert all(len(part) <= longest for part in parts)
    assert text == "" or all(parts)
