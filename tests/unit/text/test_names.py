"""Names in a text, and the different names of one thing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.names import Aliases, find_names, fold


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", []),
        ("nothing here", []),
        ("The Bank of England raised rates.", ["Bank of England"]),
        ("Australia's Mount Kosciuszko", ["Australia", "Mount Kosciuszko"]),
        ("Rio de Janeiro’s Christ the Redeemer", ["Rio de Janeiro", "Christ the Redeemer"]),
        ("Emmanuel Macron met Olaf Scholz.", ["Emmanuel Macron", "Olaf Scholz"]),
        ("John F. Kennedy won.", ["John F. Kennedy"]),
        ("from St. Louis", ["St. Louis"]),
        ("He left. Berlin is big.", ["Berlin"]),
        ("New York, London and Paris", ["New York", "London", "Paris"]),
        ("Cote d'Ivoire and al-Qaeda", ["Cote d'Ivoire", "al-Qaeda"]),
        ("O'Brien, Smith-Jones", ["O'Brien", "Smith-Jones"]),
        ("However, on Monday in March", []),
        ("The US and the UK", ["US", "UK"]),
        ("“Paris” (France)", ["Paris", "France"]),
        ("École de Paris, Москва, İstanbul", ["École de Paris", "Москва", "İstanbul"]),
    ],
)
def test_names_of_a_text(text: str, names: list[str]) -> None:
    assert [name.text for name in find_names(text)] == names


@pytest.mark.parametrize(
    ("text", "initial"),
    [("Paris is big.", True), ("  “Paris” is", True), ("It ended. Paris won", True), ("In the end Paris won", False)],
)  # fmt: skip
def test_a_name_that_opens_a_sentence(text: str, initial: bool) -> None:
    assert [name.initial for name in find_names(text)] == [initial]


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(["Bank", "of", "the", ". ", "'s ", " ", "A", "é", "-"])).map("".join))
)  # fmt: skip
def test_any_text_gives_names_at_their_positions(text: str) -> None:
    end = 0
    for name in find_names(text):
        assert text[slice(*name.span)] == name.text != ""
        assert end <= name.span[0]
        end = name.span[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("São Tomé", "Sao Tome"),
        ("N'Djamena", "N’Djamena"),
        ("U.S.A.", "USA"),
        ("Côte d’Ivoire", unicodedata.normalize("NFD", "Cote d'Ivoire")),
        ("STRASSE", "Straße"),
        ("Guinea-Bissau", "guinea bissau"),
    ],
)
def test_spellings_that_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.fixture(scope="module")
def aliases() -> Aliases:
    return Aliases(
        {
            "United Kingdom": ["UK", "Britain", "British"],
            "United States": ["US", "USA", "America"],
            "Guinea": [],
            "Guinea-Bissau": ["Bissau-Guinean"],
            "Nepal": ["Nepali"],
            "Côte d'Ivoire": ["Ivory Coast"],
        }
    )


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Britain and the UK", ["united kingdom", "united kingdom"]),
        ("Guinea-Bissau borders Guinea.", ["guinea bissau", "guinea"]),
        ("The Nepalis live there.", ["nepal"]),
        ("They told us; Us too.", []),
        ("in the US", ["united states"]),
        ("Cote d’Ivoire", ["cote divoire"]),
        ("the united states", []),
        ("The UNITED STATES", ["united states"]),
        ("Ivory towers", []),
        ("", []),
    ],
)
def test_known_things_are_found_by_any_name(aliases: Aliases, text: str, keys: list[str]) -> None:
    assert [mention.key for mention in aliases.find(text)] == keys


def test_a_mention_has_an_exact_span(aliases: Aliases) -> None:
    text = "🎉 The Ivory Coast’s cocoa"
    (mention,) = aliases.find(text)
    assert text[slice(*mention.span)] == "Ivory Coast"


def test_expansion_lists_the_text_s_own_name_first(aliases: Aliases) -> None:
    (kingdom, states) = aliases.expand("Britain, the UK and America")
    assert kingdom == ("Britain", "United Kingdom", "UK", "British")
    assert states[0] == "America"


@given(st.text())
def test_aliases_accept_any_text(text: str) -> None:
    known = Aliases({"Chad": ["Tchad"], "": [""]})
    for mention in known.find(text + " Chad"):
        assert mention.span[0] < mention.span[1] <= len(text) + 5


def test_without_names_nothing_is_found() -> None:
    assert Aliases({}).find("Chad") == []


@pytest.mark.parametrize(
    "text", ["Aaa " * 50_000, "Bank " + "of " * 50_000, "A." * 50_000, "1 " * 50_000 + "Paris " * 50_000, "Aa, " * 50_000]
)  # fmt: skip
def test_long_hostile_input_takes_reasonable_time(text: str) -> None:
    """Quadratic time on one of these would take minutes."""
    assert sum(len(name.text) for name in find_names(text)) <= len(text)
