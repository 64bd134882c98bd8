"""What follows from dates and places in a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.excerpt import split_parts
from veridic.judging.finding import Outcome
from veridic.judging.reading import Reader, Reading
from veridic.judging.reckoning import is_listing, reckon
from veridic.language.names import Aliases

READER = Reader(Aliases({}))
AGREE, DIFFER = Outcome.AGREE, Outcome.DIFFER
LIFE = "Ada Norwell (26 June 1915 – 4 August 1996) was a potter."


def parts_of(evidence: str) -> list[Reading]:
    return [READER.read(part) for part in split_parts(evidence)]


def reckoned(claim: str, evidence: str) -> Outcome | None:
    return reckon(READER.read(claim), parts_of(evidence))


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Ada Norwell lived for more than six decades.", AGREE),
        ("Ada Norwell lived to be 81 years old.", AGREE),
        ("Ada Norwell lived for less than 70 years.", DIFFER),
        ("Ada Norwell was 65 when she died.", DIFFER),
        ("Ada Norwell died at the age of 81.", AGREE),
        ("Ada Norwell died before she was 90.", AGREE),
        ("Ada Norwell lived in Holm for 20 years.", None),
        ("Ada Norwell died young.", None),
    ],
)
def test_age_at_death_from_the_years_of_a_life(claim: str, outcome: Outcome | None) -> None:
    assert reckoned(claim, LIFE) is outcome
    assert reckoned(claim, f"{LIFE} Her brother Tom Norwell (1909–1950) was a miller.") is None


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("Ada Norwell died in 1996.", LIFE, AGREE),
        ("Ada Norwell died in the 1990's.", LIFE, AGREE),
        ("Ada Norwell passed away in 1955.", LIFE, DIFFER),
        ("Ada Norwell was born in 1996.", LIFE, DIFFER),
        ("Ada Norwell was born before 1920.", LIFE, AGREE),
        ("Tom Ash died in 1987.", "Tom Ash (born 9 February 1987) is a runner.", DIFFER),
        ("Tom Ash was born in 1987.", "Tom Ash ( born February 9 , 1987 ) is a runner .", AGREE),
        ("Tom Ash was born in May 1987.", "Tom Ash ( born February 9 , 1987 ) is a runner .", DIFFER),
        ("Tom Ash was born in the spring of 1987.", "Tom Ash (born 9 February 1987) is a runner.", None),
        ("Tom Ash moved in 1987.", "Tom Ash (born 9 February 1987) is a runner.", None),
        ("Tom Ash was not born in 1980.", "Tom Ash (born 9 February 1987) is a runner.", None),
    ],
)
def test_dates_of_birth_and_death_are_not_taken_for_each_other(
    claim: str, evidence: str, outcome: Outcome | None
) -> None:
    assert reckoned(claim, evidence) is outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("The reign lasted 12 years.", "He was king from 1816 to 1828.", AGREE),
        ("The reign lasted two decades.", "He was king from 1816 to 1828.", DIFFER),
        ("The bridge stood for 200 years.", "The bridge was built from 1816 to 1828.", None),
        ("The bridge took 200 years to build.", "The bridge was built from 1816 to 1828.", DIFFER),
        ("The works took nearly 12 years.", "They built from 1902 through 1913.", AGREE),
        ("The works took over 20 years.", "They built from 1902 until 1913.", DIFFER),
        ("The works took over 20 years.", "They built from 1902 until 1913 and go on to the present.", None),
        ("The works took over 20 years.", "They built for 11 years, from 1902 to 1913.", None),
        ("The works took over 20 years.", "They built from 1902 to 1913, then from 1930 to 1944.", None),
        ("The mason was 20 years old.", "They built from 1902 to 1913.", None),
    ],
)
def test_a_duration_from_its_first_and_last_year(claim: str, evidence: str, outcome: Outcome | None) -> None:
    assert reckoned(claim, evidence) is outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("The mill was built in the 1900's.", "The mill is of 1919.", AGREE),
        ("The mill was built in the 1800s.", "The mill is of 1919.", DIFFER),
        ("The mill was built in the 1900s.", "It is the last mill of the 19th century.", DIFFER),
        ("The mill was built before 1920.", "The mill is of 1919.", AGREE),
        ("The mill was built after 1920.", "The mill is of 1919.", DIFFER),
        ("The mill was built after 1920.", "The mill is of 1919 and was enlarged in 1950.", None),
        ("The mill was built in 1920.", "The mill is of 1919.", None),
        ("The mill was built in the early 1900s.", "The mill is of 1990.", None),
        ("Ann Lee carved in the 1990s.", "Ann Lee (born 31 December 1961) is a carver.", None),
        ("The mill closed in the 1980s.", "The mill. Founded: 1720. Rebuilt: 1850. Owner: none.", None),
    ],
)
def test_a_period_and_the_dates_in_it_or_out_of_it(
    claim: str, evidence: str, outcome: Outcome | None
) -> None:
    assert reckoned(claim, evidence) is outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("It is the second film of the series.", "It is the fourth instalment of the series.", DIFFER),
        ("The Osk were the third dynasty.", "The Osk were the 2nd imperial dynasty.", DIFFER),
        ("It is the second film of the series.", "It is the second film of the series.", None),
        ("It is the second film of the series.", "Her third album sold well.", None),
        ("It is the second film.", "It is the third film, after the first film.", None),
        ("Holm is the second largest city.", "Holm is the largest city.", DIFFER),
        ("Holm is the largest city.", "Holm is the smallest city.", DIFFER),
        ("Holm is the largest city.", "Holm has the largest harbour.", None),
        ("Holm is one of the largest cities.", "Holm is the third largest city.", None),
        (
            "Holm is the largest city in Norland.",
            "Holm is the second largest city in the Union of Osk.",
            None,
        ),
        ("Holm is the largest city in Norland.", "Holm is the second largest city in Norland.", DIFFER),
        ("Holm is the largest city in Norland.", "Holm is the second largest city, after Osk.", DIFFER),
    ],
)
def test_places_in_one_row_differ(claim: str, evidence: str, outcome: Outcome | None) -> None:
    assert reckoned(claim, evidence) is outcome


@given(years=st.integers(16, 110), born=st.integers(1700, 1900))
def test_the_age_that_two_years_give_agrees_and_one_far_off_differs(years: int, born: int) -> None:
    life = f"Ada Norwell ({born} – {born + years}) was a potter."
    assert reckoned(f"Ada Norwell lived for {years} years.", life) is AGREE
    assert reckoned(f"Ada Norwell lived for {years + 2} years.", life) is DIFFER
    assert reckoned(f"Ada Norwell lived for over {years - 1} years.", life) is AGREE


@given(st.text(max_size=200), st.text(max_size=300))
def test_any_text_can_be_reckoned_with(claim: str, evidence: str) -> None:
    assert reckoned(claim, evidence) in (AGREE, DIFFER, None)


def test_a_list_of_fields_and_a_table_are_listings_and_prose_is_none() -> None:
    assert is_listing(parts_of("Holm. Founded: 1700. Area: 5 km. Mayor: Ada Norwell."))
    assert is_listing(parts_of("name | year\nHolm | 1700\nVik | 1710"))
    assert not is_listing(parts_of("Holm was founded in 1700. It has one motto: never rest."))
    assert not is_listing([])


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Norwell was 30 when her mother died.",
        "Ada Norwell's father died when she was 12.",
        "Ada Norwell's second husband died in 1950.",
        "Ada Norwell's daughter was born in 1996.",
        "The law that Ada Norwell wanted passed in 1950.",
    ],
)
def test_the_life_of_another_is_not_compared_with_hers(claim: str) -> None:
    assert reckoned(claim, LIFE) is None


def test_nor_is_hers_with_that_of_another() -> None:
    assert reckoned("Ada Norwell died in 1950.", "Her husband died in 1950.") is None
