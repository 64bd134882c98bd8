"""Mapping a block's plain text back to the document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.document import Block, BlockKind, Span


@st.composite
def texts_and_blocks(draw: st.DrawFn) -> tuple[str, Block]:
    """A text and a block with runs in it: in order, separate, none empty."""
    text = draw(st.text(min_size=1, max_size=60))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), min_size=2)))
    runs: tuple[Span, ...] = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return text, Block(kind=BlockKind.PARAGRAPH, runs=runs)


def test_plain_text_has_no_markup() -> None:
    text = "The **Eiffel Tower** is tall."
    block = Block(kind=BlockKind.PARAGRAPH, runs=((0, 4), (6, 18), (20, 29)))
    plain = block.plain(text)
    assert plain == "The Eiffel Tower is tall."
    start = plain.index("Tower is")
    assert text[slice(*block.place(start, start + len("Tower is")))] == "Tower** is"
    assert text[slice(*block.place(0, len(plain)))] == text


@given(texts_and_blocks())
def test_every_character_maps_to_its_offset(case: tuple[str, Block]) -> None:
    text, block = case
    plain = block.plain(text)
    for position, character in enumerate(plain):
        start, end = block.place(position, position + 1)
        assert (text[start:end], end - start) == (character, 1)


@given(texts_and_blocks(), st.data())
def test_span_keeps_its_first_and_last_character(case: tuple[str, Block], data: st.DataObject) -> None:
    text, block = case
    plain = block.plain(text)
    start = data.draw(st.integers(0, len(plain) - 1))
    end = data.draw(st.integers(start + 1, len(plain)))
    first, last = block.place(start, end)
    assert 0 <= first < last <= len(text)
    assert (text[first], text[last - 1]) == (plain[start], plain[end - 1])
    assert last - first >= end - start
    if any(run[0] <= first and last <= run[1] for run in block.runs):
        assert text[first:last] == plain[start:end]


@given(texts_and_blocks())
def test_offset_outside_the_block_raises(case: tuple[str, Block]) -> None:
    text, block = case
    with pytest.raises(IndexError, match="outside the block"):
        block.place(0, len(block.plain(text)) + 1)
