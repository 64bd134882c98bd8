"""Of the claims an extractor named, those the text makes are checked, each once, and no more than a run can bear."""

import pytest
from tests.unit.consensus_examples import make_claim

from veridic.claims.locate import locate_claims
from veridic.claims.named import MOST_CLAIMS, Named, settle_claims
from veridic.domain.claim import OmissionReason
from veridic.ingest.read import document_from_text

TEXT = (
    "The bridge was opened in 1931 by the mayor. It is the longest one in the country, and it carries trains."
)


def settle(*named: str, text: str = TEXT) -> Named:
    claims = [make_claim(number, claim) for number, claim in enumerate(named, 1)]
    return settle_claims(claims, document_from_text(text, source="text"))


def test_what_the_text_says_is_kept_each_once_and_numbered_without_a_gap() -> None:
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
def test_a_claim_in_another_language_may_be_a_translation(claim: str, text: str) -> None:
    found = settle(claim, text=text)
    assert [one.claim for one in found.extracted] == [claim]
    assert found.claims[0].quote == ""
    assert found.omissions == ()


def test_a_paraphrase_has_its_place() -> None:
    assert settle("In 1931 the mayor opened the bridge").omissions == ()


def test_places_that_the_extractor_knows_are_kept() -> None:
    document = document_from_text(TEXT, source="text")
    named = [make_claim(1, "It carries trains"), make_claim(2, "The bridge was opened in 1931")]
    located = locate_claims(named, document)
    assert settle_claims(named, document, located).claims == located


def test_no_extractor_can_make_a_run_explode() -> None:
    found = settle(*(f"{'x' * 1000} {number}" for number in range(20_000)), text="The bridge is long.")
    assert len(found.extracted) + len(found.omissions) <= 2 * MOST_CLAIMS
    assert found.over_the_limit == 20_000 - MOST_CLAIMS
    assert max(len(one.text) for one in found.omissions) < 600


def test_nothing_named_is_nothing_to_check() -> None:
    assert settle() == Named((), ())
