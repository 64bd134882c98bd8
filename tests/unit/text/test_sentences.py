import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.sentences import split_sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Ms. Smith went to the U.S. on Jan. 5.", "She met Dr. No.", "It was No. 5."],
        ["It weighs approx. 3.5 kg, e.g. more than before.", "That is much."],
        ["Mr. J. R. Smith came at 5 p.m.", "He left at 6 p.m. on Monday."],
        ["The U.S. Senate voted.", "He moved to the U.S.", "In 1990 he died."],
        ["Apple Inc. reported a loss.", "He works at Apple Inc.", "The firm grew."],
        ['"He left."', "Then (it rained.)", 'He said "Go!" and left.'],
        ['"Crime is down 15%," Smith told reporters.', "“Really?” he asked.", "Yes!"],
        ["Well... maybe.", "Wait!", "Why?", "No."],
        ["Cited text.[1][2]", "Next one.[3]"],
        ["Lake Superior covers 82,000 sq. km.", "It is large."],
        ["St. Louis and Mt. Everest are places.", "J. K. Rowling is a writer.", "I am I."],
        ["Yahoo! was founded in 1994.", "It was sold."],
        ["Growth was 2.5 percent in Q1.", "2024 was better."],
        ["Const. Mary Brown saw it.", "Det. Insp. Alan Park and Cllr. Joe Ray did not.", "He lives in Kent."],
    ],
)
def test_sentences_are_split(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


def test_empty_lines_end_sentences_and_line_breaks_do_not() -> None:
    assert split("A title without an end\r\n\r\nThe text goes\r\non here.\n \nLast") == [
        "A title without an end",
        "The text goes\r\non here.",
        "Last",
    ]


def test_scripts_without_spaces_and_other_marks() -> None:
    assert split("北京是首都。上海很大！नमस्ते दुनिया। दूसरा वाक्य।") == [
        "北京是首都。",
        "上海很大！",
        "नमस्ते दुनिया।",
        "दूसरा वाक्य।",
    ]


def test_offsets_count_code_points() -> None:
    text = "  🙂 e\u0301tude ended. \u202bשלום.\u202c Next  "
    assert split(text)[0] == "🙂 e\u0301tude ended."


@pytest.mark.parametrize(
    "text",
    [
        "." * 200_000 + "a",
        '."' * 100_000 + "a",
        "." + "[1]" * 100_000 + "a",
        "\n " * 200_000,
        "॥" * 200_000 + "a",
    ],
)
def test_long_runs_of_marks_take_linear_time(text: str) -> None:
    assert len(split_sentences(text)) <= 1


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" .!?\n\r\"'()[]1aA。…"))))
def test_only_white_space_is_lost(text: str) -> None:
    position = 0
    for start, end in split_sentences(text):
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()
