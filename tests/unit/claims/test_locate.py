"""Locating extracted claims in the text, so that their quotes are what the text says there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.consensus_examples import make_claim

from veridic.claims.locate import locate_claims
from veridic.domain.claim import Claim, ClaimType, FramingKind, Priority, Risk
from veridic.domain.consensus import ExtractedClaim
from veridic.domain.document import Block, BlockKind, Document
from veridic.ingest.read import document_from_text

TEXT = (
    "The Internet began with ARPANET in 1969. The first message was “LO” —\r\nthen the system crashed.\r\n\r\n"
    "Unlike the plan, the tower opened in 1889. A century later, the tower opened in 1889 again, they joke."
)


def locate(claim: str, context: str = "", text: str = TEXT) -> Claim:
    document = document_from_text(text, source="text")
    (located,) = locate_claims([make_claim(1, claim, context=context or claim)], document)
    assert located.quote == text[slice(*located.span)]
    return located


@pytest.mark.parametrize(
    ("claim", "quote", "sentence"),
    [
        ("The Internet began with ARPANET in 1969.", "The Internet began with ARPANET in 1969.", 0),
        ("the internet  began with ARPANET in 1969", "The Internet began with ARPANET in 1969", 0),
        (
            'The first message was "LO" - then the system crashed.',
            "The first message was “LO” —\r\nthen the system crashed",
            1,
        ),
        ("the first message was **“LO”**", "The first message was “LO”", 1),
        ("the tower opened in 1889", "the tower opened in 1889", 2),
        ("ARPANET, in 1969, was how the Internet began", "The Internet began with ARPANET in 1969.", 0),
    ],
)
def test_claim_is_found_by_words_or_similarity(claim: str, quote: str, sentence: int) -> None:
    located = locate(claim)
    assert (located.quote, located.sentence_index) == (quote, sentence)


def test_context_decides_between_two_places() -> None:
    located = locate(
        "the tower opened in 1889", "A century later, the tower opened in 1889 again, they joke."
    )
    assert located.span[0] == TEXT.rindex("the tower opened")
    assert located.sentence_index == 3


def test_paraphrase_is_placed_at_its_context() -> None:
    context = "The first message was 'LO' - then the system crashed."
    assert locate("Only two letters got through", context.replace("'", '"')).quote.startswith(
        "The first message"
    )


@pytest.mark.parametrize("claim", ["Bananas contain potassium", "", "   ", "香蕉含有钾"])
def test_unrelated_claim_has_no_place(claim: str) -> None:
    located = locate(claim)
    assert (located.span, located.quote, located.sentence_index) == ((0, 0), "", 0)


def test_small_words_alone_do_not_match() -> None:
    document = document_from_text("The unemployment rate is 3.5 percent.", source="text")
    (located,) = locate_claims([make_claim(1, "The moon is made of green cheese.")], document)
    assert located.quote == ""


def test_markup_between_words_is_ignored() -> None:
    text = "# Title\n\nThe **Eiffel** [Tower](https://example.org) opened."
    start = text.index("The")
    runs = [(start, start + 4), (text.index("Eiffel"), text.index("Eiffel") + 6), (text.index(" [") , text.index(" [") + 1),
            (text.index("Tower"), text.index("Tower") + 5), (text.index(" opened"), len(text))]  # fmt: skip
    document = Document(
        text=text,
        source="x.md",
        blocks=(
            Block(kind=BlockKind.HEADING, runs=((2, 7),)),
            Block(kind=BlockKind.PARAGRAPH, runs=tuple(runs)),
        ),
    )
    in_text, in_heading = locate_claims(
        [make_claim(1, "the eiffel tower opened"), make_claim(2, "title")], document
    )
    assert in_text.quote == "The **Eiffel** [Tower](https://example.org) opened"
    assert in_heading.quote == "Title"


def test_rules_describe_claim_and_keep_type() -> None:
    extracted = ExtractedClaim(
        id="claim_7", claim="Smith said that inflation rose 5% in 2020", context="c", type=ClaimType.CAUSAL
    )
    (located,) = locate_claims([extracted], document_from_text(TEXT, source="text"))
    assert located.id == "claim_7"
    assert located.text == extracted.claim
    assert located.context == "c"
    assert located.type is ClaimType.CAUSAL
    assert located.framing.kind is FramingKind.HEARSAY
    assert located.risk is Risk.HIGH
    assert located.category == "Economy"
    assert located.priority is Priority.HIGH


@given(st.text(max_size=200), st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), max_size=4))
def test_never_raises(text: str, claims: list[tuple[str, str]]) -> None:
    document = Document(text=text, source="text")
    extracted = [make_claim(n, claim, context=context) for n, (claim, context) in enumerate(claims, 1)]
    for claim, located in zip(extracted, locate_claims(extracted, document), strict=True):
        start, end = located.span
        assert 0 <= start <= end <= len(text)
        assert located.quote == text[start:end]
        if claim.claim.strip() and claim.claim.strip() in text:
            # If it shares its place with another claim, marks at its ends may belong to that one.
            assert list(filter(str.isalnum, located.quote)) == list(filter(str.isalnum, claim.claim))


@given(
    st.lists(
        st.sampled_from("Rome fell in 476. | Ada wrote code! | “Yes”, she said. | Καλημέρα. ".split("|")),
        min_size=1,
        max_size=8,
    ),
    st.data(),
)
def test_exact_words_are_found(pieces: list[str], data: st.DataObject) -> None:
    text = " ".join(pieces)
    start = data.draw(st.integers(0, len(text) - 2))
    words = text[start : data.draw(st.integers(start + 2, len(text)))]
    if words.strip():
        assert locate(words, text=text).quote == words.strip()


def test_long_text_with_many_claims() -> None:
    sentences = [
        f"In {1000 + n} the town of Aville{n} had {n * 37} people and {n} mills." for n in range(900)
    ]
    text = " ".join(sentences)
    assert len(text) > 50_000
    claims = [
        make_claim(n, f"Aville{n} counted {n * 37} people in the year {1000 + n}") for n in range(1, 201)
    ]
    located = locate_claims(claims, document_from_text(text, source="text"))
    assert [claim.sentence_index for claim in located] == list(range(1, 201))
