from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.evidence import Passage, Source
from veridic.domain.urls import canonical_url
from veridic.evidence.duplicates import are_copies, group_copies

STORY = (
    "The central bank raised its main rate to 5% on Thursday, its third rise in a row, saying that "
    "prices were still rising too fast for households and firms alike."
)


def passage(text: str, url: str = "https://a.org/1") -> Passage:
    return Passage(
        id=text[:8], source=Source(title="t", channel="c", url=url), text=text, start=0, end=len(text)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The capital of X is A.", "The capital of Y is B."),
        ("Population in 2023: 5 million.", "Population in 2024: 6 million."),
        (
            "The population of Norway was 5,400,000 in 2023.",
            "The population of Norway was 5,500,000 in 2023.",
        ),
        ("Norway is a member of the European Union.", "Norway is not a member of the European Union."),
        ("The river flows north through the old town.", "The river flows south through the old town."),
        ("In the final played in June Iran beat Oman.", "In the final played in June Oman beat Iran."),
        ("The law was never passed by the upper house.", "The law was passed by the upper house."),
        ("Exports rose in every year of the decade.", "Exports fell in every year of the decade."),
        (STORY, STORY.replace("5%", "6%")),
        (STORY, "The tower was completed in 1889."),
    ],
)
def test_different_assertion_is_not_a_copy(one: str, other: str) -> None:
    assert not are_copies(one, other)
    assert not are_copies(other, one)


@pytest.mark.parametrize(
    "copy",
    [
        STORY,
        STORY.upper(),
        "  ".join(STORY.split(" ")),
        "LONDON (Reuters) - " + STORY,
        STORY.replace("still ", ""),
        STORY.replace("households", "families"),
        STORY.replace(" and firms alike", " and for firms"),
    ],
)
def test_reprint_is_a_copy(copy: str) -> None:
    assert are_copies(STORY, copy)
    assert are_copies(copy, STORY)


def test_copies_are_listed_with_first_passage() -> None:
    first, reprint = passage(STORY), passage("LONDON - " + STORY, "https://b.org/x")
    again = passage(STORY, "http://www.a.org/1/?utm_source=feed#top")
    other = passage("The tower was completed in 1889.")
    grouped = group_copies([first, other, reprint, again])
    assert [group.passage for group in grouped] == [first, other]
    assert grouped[0].copies == (reprint, again)
    assert [source.url for source in grouped[0].copied_in] == ["https://b.org/x"]


def test_two_facts_of_one_page_are_kept() -> None:
    facts = [passage("The capital of X is A."), passage("The capital of Y is B.")]
    assert [group.passage for group in group_copies(facts)] == facts


def test_similar_facts_stay_separate_and_copies_are_found() -> None:
    facts = [
        passage(f"The population of place number {n} is {n * 37} people as counted.") for n in range(2000)
    ]
    reprints = [passage(fact.text.upper(), "https://b.org") for fact in facts]
    grouped = group_copies([*facts, *reprints])
    assert len(grouped) == 2000
    assert all(len(group.copies) == 1 for group in grouped)


@given(st.lists(st.text(max_size=60), max_size=30))
def test_all_passages_are_kept_in_order(texts: list[str]) -> None:
    given_passages = [passage(text) for text in texts]
    grouped = group_copies(given_passages)
    assert sum(1 + len(group.copies) for group in grouped) == len(texts)
    leads = iter(given_passages)
    assert all(any(group.passage is candidate for candidate in leads) for group in grouped)


@given(st.text(max_size=200), st.text(max_size=200))
def test_copying_is_symmetric_and_reflexive(one: str, other: str) -> None:
    assert are_copies(one, one)
    assert are_copies(one, other) == are_copies(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.com/a", "https://www.example.com/a/"),
        ("https://example.com/a#part", "https://EXAMPLE.com:443/a?utm_source=x&fbclid=1"),
        ("https://example.com/?b=2&a=1", "https://example.com?a=1&b=2"),
    ],
)
def test_same_page_addresses(one: str, other: str) -> None:
    assert canonical_url(one) == canonical_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/?id=1", "https://example.com/?id=2"),
        ("https://example.com", "https://news.example.com"),
        ("https://example.com:8080/", "https://example.com/"),
    ],
)
def test_different_page_addresses(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


@given(st.text(max_size=50), st.text(max_size=50))
def test_tracking_parameters_are_ignored(path: str, mark: str) -> None:
    page = f"https://example.com/{quote(path)}"
    assert canonical_url(f"{page}?utm_campaign={quote(mark)}#{quote(mark)}") == canonical_url(page)


@given(st.text(max_size=100))
def test_any_text_has_a_canonical_form(text: str) -> None:
    assert isinstance(canonical_url(text), str)
    assert isinstance(canonical_url(f"http://{text}"), str)
