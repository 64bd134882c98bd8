"""Exact comparisons of a claim and a passage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_difference

from veridic.domain.evidence import Detail
from veridic.judging.comparison import compare, names_any

WORDS = "no not never 3 4 12 1,000 $4 million 5 percent in May 2019 1950 metres members Anna Berlin . ; \ud800".split()
WILD = st.text(max_size=150) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The bridge is 412 metres long.", "It measures 0.412 km."),
        ("It had about 40 million visitors.", "Some 41 million visitors came."),
        ("The town has 1.3 million inhabitants.", "It has 1,295,000 inhabitants."),
        ("More than 300 members voted.", "312 members voted."),
        ("Fewer than 30 people came.", "12 people came."),
        ("Half of the members left.", "50 percent of the members left."),
        ("Between 5 and 7 people died.", "Seven people died."),
        ("The mill opened in 2019.", "It opened on 12 March 2019."),
    ],
)
def test_paraphrases_agree(claim: str, passage: str) -> None:
    found = compare(claim, passage)
    assert (found.agree, found.missing, found.differences) == (1, 0, ())


@pytest.mark.parametrize(
    ("claim", "passage", "in_claim", "in_passage"),
    [
        ("The council spent $4 million.", "It spent $3 million on the roof.", "$4 million", "$3 million"),
        ("Three people died.", "Four people died.", "Three people", "Four people"),
        ("Prices fell by 12 percent.", "Prices fell by 9 percent.", "12 percent", "9 percent"),
        ("The club has 40 members.", "It spent $60 on its 75 members.", "40", "75"),
        ("The bridge is 412 metres long.", "It is 12 m wide and 300 m long.", "412 metres", "300 m"),
    ],
)
def test_another_figure_of_the_same_kind_differs(
    claim: str, passage: str, in_claim: str, in_passage: str
) -> None:
    found = compare(claim, passage)
    assert found.differences == (make_difference(in_claim, in_passage),)
    assert (found.agree, found.missing) == (0, 0)
    assert (len(found.differing(Detail.FIGURE)), found.differing(Detail.DATE)) == (1, [])


def test_the_nearest_of_several_dates_is_named() -> None:
    found = compare("The mill opened in 2019.", "Planned in 1950, it opened in 2016.")
    assert found.differences == (make_difference("2019", "2016", Detail.DATE),)


@pytest.mark.parametrize("passage", ["The club spent $60 on 12 boats.", "It has members.", ""])
def test_figures_of_other_kinds_do_not_differ(passage: str) -> None:
    found = compare("The club has 40 members.", passage)
    assert (found.missing, found.differences) == (1, ())


def test_an_absent_date_is_missing() -> None:
    found = compare("The mill opened in 2019.", "It opened long ago.")
    assert (found.missing, found.differences) == (1, ())


@pytest.mark.parametrize(
    ("claim", "passage", "in_claim", "in_passage"),
    [
        ("The council approved the plan.", "The council did not approve the plan.", "", "not"),
        ("No member voted for it.", "Ten members voted for it.", "No", ""),
    ],
)
def test_a_negation_on_one_side_differs(claim: str, passage: str, in_claim: str, in_passage: str) -> None:
    assert compare(claim, passage).differences == (make_difference(in_claim, in_passage, Detail.NEGATION),)


@pytest.mark.parametrize("person", ["Angela Merkel", "Anna\ud800 Berg"])
def test_another_person_differs(person: str) -> None:
    found = compare(f"{person} resigned on Monday.", "Carl Lund resigned on Monday.")
    assert found.differences == (make_difference(person, "Carl Lund", Detail.NAME),)


def test_a_named_person_does_not_differ() -> None:
    assert compare("Angela Merkel resigned.", "Merkel resigned, Emmanuel Macron said.").differences == ()


def test_two_negations_do_not_differ() -> None:
    assert compare("The mayor did not resign.", "She has not left office.").differences == ()


def test_the_share_of_names_found() -> None:
    claim = "Angela Merkel met Emmanuel Macron in Berlin."
    shares = [
        compare(claim, text).names_found for text in ("In BERLIN, Merkel met Macron.", "Merkel left.", "")
    ]
    assert shares == [1.0, pytest.approx(1 / 3), 0.0]
    assert compare("The roof is wide.", "Berlin is large.").names_found == 1.0


@pytest.mark.parametrize(
    ("claim", "text", "does"),
    [
        ("Emmanuel Macron resigned.", "MACRON left office.", True),
        ("Emmanuel Macron's office burned.", "Macron left.", True),
        ("Emmanuel Macron met Angela Merkel.", "Merkel stayed at home.", True),
        ("Emmanuel Macron resigned.", "Angela Merkel resigned.", False),
        ("Prices fell.", "It rained.", True),
    ],
)
def test_a_text_with_any_name_is_about_the_claim(claim: str, text: str, does: bool) -> None:
    assert names_any(claim, text) is does


@given(WILD, WILD)
def test_any_text_is_compared_word_for_word(claim: str, passage: str) -> None:
    found = compare(claim, passage)
    assert 0 <= found.names_found <= 1
    for one in found.differences:
        assert one.in_claim in claim
        assert one.in_passage in passage
        assert one.in_claim or one.in_passage


@given(WILD)
def test_a_text_never_differs_from_itself(text: str) -> None:
    found = compare(text, text)
    assert (found.differences, found.missing) == ((), 0)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The club has 500 members.", "The club has 1,500 members."),
        ("Prices rose 2.5 percent.", "Prices rose 12.5 percent."),
    ],
)
def test_a_figure_inside_another_is_not_the_same(claim: str, passage: str) -> None:
    found = compare(claim, passage)
    assert (found.agree, len(found.differing(Detail.FIGURE))) == (0, 1)


def test_a_bound_allows_a_figure_within_it() -> None:
    found = compare("In all, 90 people came.", "More than 80 people came.")
    assert (found.agree, found.missing, found.differences) == (0, 1, ())


def test_before_a_year_overlaps_an_earlier_date() -> None:
    assert not compare("It opened before 2020.", "It opened in 2018.").differing(Detail.DATE)


@pytest.mark.parametrize(
    ("claim", "passage", "there"),
    [
        ("The US signed the treaty.", "Because of rain, Brazil plays Chile.", False),
        ("Robert Li resigned.", "Politics: Mary Brown resigned.", False),
        ("Robert Li resigned.", "Mr Li resigned.", True),
        ("Australia signed it.", "The Australian government signed it.", True),
        ("The mayor of Harwick is Edna Marsh.", "Tobias Lund is the mayor of Harwick.", True),
    ],
)
def test_names_are_whole_words(claim: str, passage: str, there: bool) -> None:
    assert names_any(claim, passage) is there
