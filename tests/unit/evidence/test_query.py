from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from veridic.evidence.index import QueryTerm
from veridic.evidence.query import FIGURE_WEIGHT, NAME_WEIGHT, PART_WEIGHT, make_questions


def words(terms: Sequence[QueryTerm]) -> set[str]:
    return {term.text for term in terms}


def test_names_and_figures_weigh_more_than_words() -> None:
    whole, *_ = make_questions("The population of Kenya was 53,000,000 people.")
    weights = {term.text: term.weight for term in whole}
    assert weights["Kenya"] == NAME_WEIGHT > weights["53,000,000"] == FIGURE_WEIGHT > weights["population"]
    assert "the" not in {text.lower() for text in weights}


def test_each_name_is_left_out_once() -> None:
    whole, *others = make_questions("The capital of Australia is Sydney.")
    assert words(whole) >= {"Australia", "Sydney", "capital"}
    assert ["Australia" in words(terms) for terms in others] == [False, True]
    assert ["Sydney" in words(terms) for terms in others] == [True, False]
    assert all("capital" in words(terms) for terms in others)


def test_only_name_stays_and_figures_are_left_out() -> None:
    whole, open_figures = make_questions("In 1990 Kenya had 24 million people.")
    assert words(whole) >= {"1990", "24", "Kenya"}
    assert "Kenya" in words(open_figures)
    assert not words(open_figures) & {"1990", "24", "million", "people"}


def test_number_word_is_also_searched_as_digits() -> None:
    whole, _ = make_questions("Germany borders nine countries.")
    (nine,) = [term for term in whole if term.text == "nine"]
    assert "9" in nine.others


def test_long_name_is_searched_whole_and_in_parts() -> None:
    whole, *_ = make_questions("The summit of Mount Kenya is icy.")
    weights = {term.text: term.weight for term in whole}
    assert weights["Mount Kenya"] == NAME_WEIGHT
    assert weights["Kenya"] == PART_WEIGHT
    assert weights["summit of Mount Kenya"] == PART_WEIGHT


def test_other_names_are_alternatives() -> None:
    def expand(text: str) -> list[tuple[str, ...]]:
        return [("UK", "United Kingdom", "Britain"), ("people live in", "population")]

    whole, *_ = make_questions("67 million people live in the UK.", expand)
    others = {term.text: term.others for term in whole}
    assert others["UK"] == ("United Kingdom", "Britain")
    assert others["people live in"] == ("population",)


@given(st.text(max_size=300))
def test_any_text_gives_queries_with_unique_terms(text: str) -> None:
    questions = make_questions(text)
    assert 1 <= len(questions) <= 6
    for terms in questions:
        assert len({term.text for term in terms}) == len(terms)
        assert [term.weight for term in terms] == sorted((term.weight for term in terms), reverse=True)
    assert all(questions[1:]), "only the whole may be empty"
