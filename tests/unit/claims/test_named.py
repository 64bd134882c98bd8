"""Selecting which of an extractor's claims are checked: those the text makes, each once, up to a limit."""

import pytest
from tests.unit.consensus_examples import make_claim

from veridic.claims.locate import locate_claims
from veridic.claims.selection import MOST_CLAIMS, Named, settle_claims
from veridic.domain.claim import OmissionReason
from veridic.ingest.read import document_from_text

TEXT = (
    "The bridge was opened in 1931 by the mayor. It is the longest one in the country, and it carries trains."
)


def settle(*named: str, text: str = TEXT) -> Named:
    claims = [make_claim(number, claim) for number, claim in enumerate(named, 1)]
    return settle_claims(claims, document_from_text(text, source="text"))


def test_claims_of_text_are_kept_once_and_renumbered() -> None:
    found = settle(
        "The bridge was opened in 1931",
        "Bananas are radioactive",
        "The bridge was opened in 1931",
        "It carries trains",
    )
    assert [claim.id for claim in found.extracted] == ["claim_1", "claim_2"]
    assert [claim.id for claim in found.claims] == ["claim_1", "claim_2"]
    assert [claim.quote for claim in found.claims] == ["The bridge was opened in 1931", "it carries trains"]
    assert [(one.text, one.reason) for one in found.omissions] == [
        ("Bananas are radioactive", OmissionReason.NOT_IN_TEXT)
    ]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Der Vertrag wurde nach dem Krieg von der Regierung unterschrieben", TEXT),
        ("The bridge was opened in 1931", "这座桥于一九三一年由市长启用。"),
        ("The bridge was opened in 1931", "☃ ☃ ☃"),
    ],
)
def test_claim_in_other_language_is_kept(claim: str, text: str) -> None:
    found = settle(claim, text=text)
    assert [one.claim for one in found.extracted] == [claim]
    assert found.claims[0].quote == ""
    assert found.omissions == ()


def test_paraphrase_is_located() -> None:
    assert settle("In 1931 the mayor opened the bridge").omissions == ()


def test_known_places_are_kept() -> None:
    document = document_from_text(TEXT, source="text")
    named = [make_claim(1, "It carries trains"), make_claim(2, "The bridge was opened in 1931")]
    located = locate_claims(named, document)
    assert settle_claims(named, document, located).claims == located


def test_number_of_claims_is_limited() -> None:
    found = settle(*(f"{'x' * 1000} {number}" for number in range(20_000)), text="The bridge is long.")
    assert len(found.extracted) + len(found.omissions) <= 2 * MOST_CLAIMS
    assert found.over_the_limit == 20_000 - MOST_CLAIMS
    assert max(len(one.text) for one in found.omissions) < 600


def test_no_claims_give_nothing() -> None:
    assert settle() == Named((), ())
