import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_cited, make_claim, make_decision, make_report, make_source

from veridic.domain.validation import CitedSentence
from veridic.reporting.numbering import Numbering, SourceNumbers, marks

SOURCES = [make_source(str(number), url=f"https://a.example/{number}") for number in range(1, 13)]
NUMBERS = SourceNumbers(SOURCES)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Rates rose to 5.5%.", "Rates rose to 5.5% [1][3]."),
        ("Rates rose to 5.5%", "Rates rose to 5.5% [1][3]"),
        ("Did they?!", "Did they [1][3]?!"),
        ("And so on ...", "And so on [1][3]..."),
        ("He said “it fell.”", "He said “it fell.” [1][3]"),
        ("税率上升。", "税率上升 [1][3]。"),
        ("هل ارتفعت؟", "هل ارتفعت [1][3]؟"),
        ("  Spaces around.  ", "Spaces around [1][3]."),
        ("It is the capital.[7]", "It is the capital.(7) [1][3]"),
        ("...", "[1][3]..."),
    ],
)
def test_marks_precede_the_closing_punctuation(text: str, written: str) -> None:
    sentence = make_cited(text, SOURCES[2], SOURCES[0], SOURCES[2])

    assert NUMBERS.cited([sentence]).strip() == written


def test_sentence_without_sources_has_no_marks() -> None:
    unlisted = make_source("Elsewhere", url="https://elsewhere.example")

    assert NUMBERS.cited([make_cited("It is so."), make_cited("And so.", unlisted)]) == "It is so. And so."
    assert NUMBERS.cited([]) == ""


_SENTENCES = st.lists(
    st.builds(
        lambda text, places: make_cited(text, *(SOURCES[place] for place in places)),
        st.text("ab [1]7.!?…。 “”\n؟", max_size=30) | st.text(max_size=30),
        st.lists(st.integers(0, len(SOURCES) - 1), max_size=4),
    ),
    max_size=4,
)


@given(_SENTENCES)
def test_every_mark_is_a_citation(sentences: list[CitedSentence]) -> None:
    written = NUMBERS.cited(sentences)
    wanted = [number for one in sentences for number in NUMBERS.sources(one.sources)]

    assert [int(number) for number in re.findall(r"\[(\d+)\]", written)] == wanted
    without = re.sub(r"\[\d+\]", "", written)
    original = "".join(re.sub(r"\[(\d+)\]", r"(\1)", one.text) for one in sentences)
    assert "".join(without.split()) == "".join(original.split())


@given(st.sets(st.integers(0, len(SOURCES) - 1)))
def test_numbers_are_positions_in_the_source_list(places: set[int]) -> None:
    assert NUMBERS.sources(SOURCES[place] for place in places) == tuple(sorted(place + 1 for place in places))


def test_marks_have_no_space_between() -> None:
    assert marks((1, 4)) == "[1][4]"
    assert marks(()) == ""


def test_claim_numbers_come_from_their_ids() -> None:
    third, seventh = make_decision(make_claim(number=3)), make_decision(make_claim(number=7))

    assert Numbering(make_report([third, seventh])).claims == (3, 7)
    assert Numbering(make_report([third, third])).claims == (1, 2)
