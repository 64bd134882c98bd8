"""A claim that a model lists is checked only if the text says it; what the text says and no claim covers is named."""

from datetime import date

import pytest
from tests.unit.consensus_examples import make_claim

from veridic.claims.locate import locate_claims
from veridic.domain.claim import Claim, OmissionReason
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.ingest.read import document_from_text
from veridic.pipeline.judges import proofreader
from veridic.pipeline.proofreading import Proofreader, unlisted

TOWER = (
    "The Eiffel Tower stands on the Champ de Mars in Paris. It was completed in 1925 for a world's fair. "
    "About seven million people visit it every year."
)
READER = proofreader()


def claims_of(*listed: tuple[str, str], text: str = TOWER) -> tuple[tuple[Claim, ...], Document]:
    """Claims with the context that a model gives for them, at their places."""
    document = document_from_text(text, source="text")
    named = [make_claim(number, claim, context=context) for number, (claim, context) in enumerate(listed, 1)]
    return locate_claims(named, document), document


def said(*listed: tuple[str, str], text: str = TOWER) -> list[tuple[str, str]]:
    claims, document = claims_of(*listed, text=text)
    return [(claim.text, claim.quote) for claim in READER.said(claims, document)]


@pytest.mark.parametrize("context", [TOWER, "the", "The Eiffel Tower stands on the Champ de Mars in Paris."])
def test_what_no_sentence_says_is_not_the_author_s_wherever_it_was_placed(context: str) -> None:
    assert said(("The Eiffel Tower is the tallest building in Paris.", context)) == []


def test_another_figure_than_the_sentence_has_is_not_the_author_s() -> None:
    assert said(("The Eiffel Tower was completed in 1889.", "It was completed in 1925")) == []


def test_a_claim_in_other_words_is_kept_at_the_sentence_that_says_it() -> None:
    sentence = "It was completed in 1925 for a world's fair."
    claim = "The Eiffel Tower was completed in 1925."
    assert said((claim, sentence)) == [(claim, sentence)]
    assert said((claim, TOWER)) == [(claim, sentence)], "not the whole text"


def test_a_claim_whose_context_says_nothing_is_moved_to_what_says_it() -> None:
    claim = "Each year around seven million people visit the Eiffel Tower."
    assert said((claim, "the")) == [(claim, "About seven million people visit it every year.")]
    ((moved,), document) = claims_of((claim, "the"))
    (moved,) = READER.said([moved], document)
    assert (moved.sentence_index, moved.context) == (2, "About seven million people visit it every year.")


def test_two_claims_that_are_moved_to_one_sentence_have_their_own_places() -> None:
    text = "Oslo has a port. Norway's parliament sits in Oslo and the national theatre opened there in 1899."
    first, second = said(
        ("The parliament of Norway sits in Oslo.", text),
        ("The national theatre opened in 1899.", text),
        text=text,
    )
    assert first[1] != second[1]
    assert "parliament" in first[1]
    assert "theatre" in second[1]


def test_the_author_s_own_words_need_no_reader() -> None:
    def nobody() -> None:
        raise AssertionError("nobody is asked")

    own = "it was completed in 1925  for a world's fair"
    claims, document = claims_of((own, "the"))
    unread = Proofreader(nobody, lambda _: nobody())  # type: ignore[arg-type,return-value]
    assert unread.said(claims, document) == claims


def test_what_the_title_and_the_date_fill_in_is_the_author_s() -> None:
    document = Document(
        text="The council met late. It voted on Thursday to close the library.",
        source="-",
        title="Marlow council closes library",
        published=PartialDate.of(date(2024, 3, 15)),
    )
    claim = make_claim(1, "Marlow's council voted to close the library.", context=document.text)
    (kept,) = READER.said(locate_claims([claim], document), document)
    assert kept.quote == "It voted on Thursday to close the library."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Der Eiffelturm ist das höchste Gebäude der Stadt Paris", TOWER),
        (
            "The tower is the tallest building in Paris.",
            "Der Eiffelturm steht in Paris. Er wurde im Jahr 1925 für eine Ausstellung gebaut.",
        ),
    ],
)
def test_what_is_not_english_is_given_the_benefit_of_the_doubt(claim: str, text: str) -> None:
    assert [one for one, _ in said((claim, text), text=text)] == [claim]


def test_what_a_text_stands_for_needs_no_sentence_of_its_own_but_must_be_borne_out() -> None:
    claims, document = claims_of(
        ("The Eiffel Tower, finished in 1925, draws millions of visitors a year.", "the"),
        ("The Eiffel Tower collapsed in a storm.", "the"),
    )
    assert [claim.id for claim in READER.stood_for(claims, document)] == ["claim_1"]


def test_sentences_with_something_to_check_that_no_claim_covers_are_named() -> None:
    claims, document = claims_of(("The Eiffel Tower was completed in 1925.", "It was completed in 1925"))
    found = unlisted(READER.checkable(document), claims)
    assert [(one.text, one.reason) for one in found] == [
        ("The Eiffel Tower stands on the Champ de Mars in Paris.", OmissionReason.NOT_LISTED),
        ("About seven million people visit it every year.", OmissionReason.NOT_LISTED),
    ]
    assert [document.text[slice(*one.span)] for one in found] == [one.text for one in found]


def test_questions_and_opinions_need_not_be_listed() -> None:
    document = document_from_text(
        "Who would have thought it? The evening was lovely, and the mood was warm. Click here.", source="text"
    )
    assert unlisted(READER.checkable(document), ()) == ()
