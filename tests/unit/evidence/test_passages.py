from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.document import Block, BlockKind, Document
from veridic.evidence.passages import (
    PASSAGE_CHARACTERS,
    PASSAGE_SENTENCES,
    SENTENCE_CHARACTERS,
    PassageDraft,
    split_passages,
)
from veridic.text.sentences import split_sentences


def document(*parts: tuple[BlockKind, str], between: str = "\n\n") -> Document:
    text, blocks = "", []
    for kind, words in parts:
        blocks.append(Block(kind=kind, runs=((len(text), len(text) + len(words)),)))
        text += words + between
    return Document(text=text, source="x", blocks=tuple(blocks))


def split(*parts: tuple[BlockKind, str], between: str = "\n\n") -> list[PassageDraft]:
    return list(split_passages(document(*parts, between=between)))


P, H, LI, TD, CODE = (
    BlockKind.PARAGRAPH,
    BlockKind.HEADING,
    BlockKind.LIST_ITEM,
    BlockKind.TABLE_CELL,
    BlockKind.CODE,
)


def test_short_paragraph_is_one_passage_with_heading() -> None:
    (passage,) = split((H, "Economy"), (P, "Growth was slow. Prices rose."))
    assert passage == PassageDraft("Growth was slow. Prices rose.", 9, 38, "Economy")


def test_passages_do_not_cross_paragraphs_or_headings() -> None:
    found = split((P, "One."), (H, "Second"), (P, "Two."), (P, "Three."))
    assert [(p.text, p.heading) for p in found] == [("One.", None), ("Two.", "Second"), ("Three.", "Second")]


def test_long_paragraph_is_split_between_sentences() -> None:
    sentence = "The committee met on Monday and agreed on the plan for the coming year. "
    found = split((P, sentence * 11))
    assert [p.text.count("The committee") for p in found] == [4, 4, 3]


def test_long_sentence_is_kept_up_to_limit() -> None:
    long = "word " * 200 + "end."
    assert [p.text for p in split((P, long))] == [long]
    endless = split((P, "word " * 2000))
    assert all(len(p.text) <= SENTENCE_CHARACTERS for p in endless)
    assert " ".join(p.text for p in endless) == ("word " * 2000).strip()
    assert all(len(p.text) <= SENTENCE_CHARACTERS for p in split((P, "x" * 9000)))


def test_markup_is_in_span_but_not_text() -> None:
    text = "The **old** [tower](http://x.y) stands."
    block = Block(kind=P, runs=((0, 4), (6, 9), (11, 12), (13, 18), (31, len(text))))
    (passage,) = split_passages(Document(text=text, source="x", blocks=(block,)))
    assert passage.text == "The old tower stands."
    assert (passage.start, passage.end) == (0, len(text))


def test_code_and_wordless_blocks_are_skipped() -> None:
    assert split((CODE, "x = 1"), (P, "* * *"), (P, "   ")) == []


def test_list_fragments_join_their_lead_in() -> None:
    (passage,) = split((P, "Members are:"), (LI, "Norway"), (LI, "Iceland"))
    assert passage.text == "Members are: Norway; Iceland"


def test_list_sentences_are_separate_passages() -> None:
    found = split((LI, "Norway joined in 1949."), (LI, "Sweden joined in 2024."))
    assert [p.text for p in found] == ["Norway joined in 1949.", "Sweden joined in 2024."]


def test_table_row_includes_headings() -> None:
    text = "| Country | Capital |\n|---|---|\n| Australia | Canberra |\n| Chile | |\n"
    cells = ["Country", "Capital", "Australia", "Canberra", "Chile"]
    blocks = [Block(kind=TD, runs=((text.index(c), text.index(c) + len(c)),)) for c in cells]
    found = list(split_passages(Document(text=text, source="x", blocks=tuple(blocks))))
    assert [p.text for p in found] == ["Country: Australia; Capital: Canberra", "Chile"]
    assert text[found[0].start : found[0].end] == "Australia | Canberra"


def test_table_without_rows_is_joined_by_cell() -> None:
    (passage,) = split((TD, "Country"), (TD, "Capital"), (TD, "Chile"), (TD, "Santiago"))
    assert passage.text == "Country; Capital; Chile; Santiago"


def test_text_without_blocks_is_split_into_paragraphs() -> None:
    found = list(split_passages(Document(text="First one.\r\n\r\nSecond\none.\n \n\n", source="x")))
    assert [p.text for p in found] == ["First one.", "Second one."]


KINDS = st.sampled_from(list(BlockKind))
WORDS = st.text(alphabet=st.sampled_from("aé\u0301🇳🇴א .!?:\n\t\u2028x9,"), max_size=80) | st.text(
    max_size=200
)


@given(st.lists(st.tuples(KINDS, WORDS), max_size=12), st.sampled_from(["\n\n", " | ", ""]))
def test_passage_spans_are_exact(parts: list[tuple[BlockKind, str]], between: str) -> None:
    source = document(*parts, between=between)
    found = list(split_passages(source))
    assert [p.start for p in found] == sorted(p.start for p in found) or any(k is LI for k, _ in parts)
    for passage in found:
        assert 0 <= passage.start < passage.end <= len(source.text)
        stretch = source.text[passage.start : passage.end]
        assert not stretch[0].isspace() and not stretch[-1].isspace()
        assert passage.text and passage.text == " ".join(passage.text.split())


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_paragraphs_are_kept_verbatim_within_limits(paragraphs: list[str]) -> None:
    source = document(*((P, words) for words in paragraphs))
    found = list(split_passages(source))
    for passage in found:
        assert passage.text == " ".join(source.text[passage.start : passage.end].split())
        assert len(split_sentences(source.text[passage.start : passage.end])) <= PASSAGE_SENTENCES
    kept = "".join(character for p in found for character in p.text if character.isalnum())
    assert kept == "".join(character for words in paragraphs for character in words if character.isalnum())
    assert all(len(p.text) <= PASSAGE_CHARACTERS for p in found)
