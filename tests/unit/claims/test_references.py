"""Resolving pronouns and bare surnames in claims."""

import pytest

from veridic.claims.extract import extract_claims
from veridic.domain.document import Block, BlockKind, Document


def last_claim(text: str) -> str:
    return extract_claims(Document(text=text, source="-")).claims[-1].text


def under_heading(heading: str, text: str) -> str:
    whole = f"{heading}\n\n{text}"
    start = len(whole) - len(text)
    blocks = (
        Block(kind=BlockKind.HEADING, runs=((0, len(heading)),)),
        Block(kind=BlockKind.PARAGRAPH, runs=((start, len(whole)),)),
    )
    return extract_claims(Document(text=whole, source="-", blocks=blocks)).claims[-1].text


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "The Eiffel Tower stands in Paris. It was completed in 1889.",
            "The Eiffel Tower was completed in 1889",
        ),
        ("The Nile is a river in Africa. In 1970, it was dammed.", "In 1970, the Nile was dammed"),
        ("Marie Curie was born in Warsaw. She won two Nobel Prizes.", "Marie Curie won two Nobel Prizes"),
        ("Finland and Sweden joined NATO. They share a border.", "Finland and Sweden share a border"),
        ("Anna Berg joined in 2015, and she left in 2020.", "Anna Berg left in 2020"),
        ("The law passed: it bans the sale of fireworks.", "The law bans the sale of fireworks"),
        (
            "Tom Hill resigned in May, and Anna Berg took over. She left in 2020.",
            "Anna Berg left in 2020",
        ),
        ("The board met in May. It met Anna Berg. She left in 2020.", "Anna Berg left in 2020"),
    ],
)
def test_pronoun_is_replaced_by_name(text: str, claim: str) -> None:
    assert last_claim(text) == claim


def test_pronoun_may_precede_name() -> None:
    text = "Although she lost in May, Anna Berg stayed on."
    claims = extract_claims(Document(text=text, source="-")).claims
    assert [claim.text for claim in claims] == ["Anna Berg lost in May", "Anna Berg stayed on"]
    assert claims[0].quote == "Although she lost in May"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Australia is in Oceania. Its capital is Canberra.", "Australia’s capital is Canberra"),
        (
            "The United States has 50 states. Its capital is Washington.",
            "The United States’ capital is Washington",
        ),
        ("Anna Berg runs the harbour. Her father built it.", "Anna Berg’s father built it"),
    ],
)
def test_possessive_is_replaced_by_name(text: str, claim: str) -> None:
    assert last_claim(text) == claim


def test_surname_becomes_full_name() -> None:
    assert last_claim("Jane Doe leads the council. Doe was elected in 2019.") == (
        "Jane Doe was elected in 2019"
    )


def test_shared_surname_is_kept() -> None:
    assert last_claim("Anna Berg and Tom Berg met in May. Berg left in 2020.") == "Berg left in 2020"


@pytest.mark.parametrize(
    "unclear",
    [
        "Tom Hill hired Anna Berg. She left in 2020.",
        "Marie Curie was born in Warsaw. They moved to Paris.",
        "Finland and Sweden joined NATO. It has 32 members.",
        "The Nile is long. It is clear that he won.",
        "The Nile is long. It was in 1970 that the dam was built.",
        "The Nile is long. It is estimated that 5,000 people fled.",
        "She left in 2020.",
    ],
)
def test_ambiguous_pronoun_is_kept(unclear: str) -> None:
    claim = extract_claims(Document(text=unclear, source="-")).claims[-1]
    assert claim.text == claim.quote


def test_earlier_pronoun_decides_later_ones() -> None:
    text = "Anna Berg founded the firm. She hired Tom Hill in 2010. She left in 2012. He left in 2013."
    assert [claim.text for claim in extract_claims(Document(text=text, source="-")).claims][2:] == [
        "Anna Berg left in 2012",
        "Tom Hill left in 2013",
    ]


def test_heading_names_section_subject() -> None:
    assert under_heading("Brazil", "Its capital is Brasília.") == "Brazil’s capital is Brasília"
    assert under_heading("Anna Berg", "She was elected in 2019.") == "Anna Berg was elected in 2019"


def test_full_names_come_from_heading() -> None:
    assert under_heading("Jane Doe wins the election", "Doe was elected in 2019.") == (
        "Jane Doe was elected in 2019"
    )


def test_new_section_forgets_earlier_names() -> None:
    text = "The ferry carries 300 people.\n\nHistory\n\nIt was founded in 1900."
    heading = text.index("History")
    blocks = (
        Block(kind=BlockKind.PARAGRAPH, runs=((0, heading),)),
        Block(kind=BlockKind.HEADING, runs=((heading, heading + 7),)),
        Block(kind=BlockKind.PARAGRAPH, runs=((heading + 9, len(text)),)),
    )
    claims = extract_claims(Document(text=text, source="-", blocks=blocks)).claims
    assert claims[-1].text == "It was founded in 1900"


def test_overlong_subject_is_not_used() -> None:
    long = "The new bridge over the river between the old town and the harbour in the far north of Oslo"
    assert "far north" not in last_claim(f"{long} is closed. It opened in 1990.")
