"""A model's claim is checked only if the text says it; checkable sentences without a claim are listed as omissions."""

from datetime import date

import pytest
from tests.unit.consensus_examples import make_claim

from veridic.claims.locate import locate_claims
from veridic.domain.claim import Claim, OmissionReason
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.engine.judges import proofreader
from veridic.engine.proofreading import Proofreader, unlisted
from veridic.ingest.read import document_from_text

TOWER = (
    "The Eiffel Tower stands on the Champ de Mars in Paris. It was completed in 1925 for a world's fair. "
    "About seven million people visit it every year."
)
READER = proofreader()


def claims_of(*listed: tuple[str, str], text: str = TOWER) -> tuple[tuple[Claim, ...], Document]:
    """Claims with the context that a model gives for them, at their spans."""
    document = document_from_text(text, source="text")
    named = [make_claim(number, claim, context=context) for number, (claim, context) in enumerate(listed, 1)]
    return locate_claims(named, document), document


def said(*listed: tuple[str, str], text: str = TOWER) -> list[tuple[str, str]]:
    claims, document = claims_of(*listed, text=text)
    return [(claim.text, claim.quote) for claim in READER.said(claims, document)]


@pytest.mark.parametrize("context", [TOWER, "the", "The Eiffel Tower stands on the Champ de Mars in Paris."])
def test_a_claim_no_sentence_says_is_dropped(context: str) -> None:
    assert said(("The Eiffel Tower is the tallest building in Paris.", context)) == []


def test_a_claim_with_a_different_figure_is_dropped() -> None:
    assert said(("The Eiffel Tower was completed in 1889.", "It was completed in 1925")) == []


def test_a_paraphrase_is_kept_at_its_sentence() -> None:
    sentence = "It was completed in 1925 for a world's fair."
    claim = "The Eiffel Tower was completed in 1925."
    assert said((claim, sentence)) == [(claim, sentence)]
    assert said((claim, TOWER)) == [(claim, sentence)], "not the whole text"


def test_a_misplaced_claim_is_moved_to_its_sentence() -> None:
    claim = "Each year around seven million people visit the Eiffel Tower."
    assert said((claim, "the")) == [(claim, "About seven million people visit it every year.")]
    ((moved,), document) = claims_of((claim, "the"))
    (moved,) = READER.said([moved], document)
    assert (moved.sentence_index, moved.context) == (2, "About seven million people visit it every year.")


def test_two_claims_moved_to_one_sentence_get_own_spans() -> None:
    text = "Oslo has a port. Norway's parliament sits in Oslo and the national theatre opened there in 1899."
    first, second = said(
        ("The parliament of Norway sits in Oslo.", text),
        ("The national theatre opened in 1899.", text),
        text=text,
    )
    assert first[1] != second[1]
    assert "parliament" in first[1]
    assert "theatre" in second[1]


def test_word_for_word_claims_are_not_read() -> None:
    def must_not_be_called() -> None:
        raise AssertionError("the model was called")

    own = "it was completed in 1925  for a world's fair"
    claims, document = claims_of((own, "the"))
    proofreader_without_model = Proofreader(must_not_be_called, lambda _: must_not_be_called())  # type: ignore[arg-type,return-value]
    assert proofreader_without_model.said(claims, document) == claims


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The tower was closed in 2020.", "It is not true that the tower was closed in 2020."),
        (
            "it paid bribes to officials in 2018",
            "The company denied that it paid bribes to officials in 2018.",
        ),
        ("The vaccine causes autism.", "There is no evidence that the vaccine causes autism."),
        ("The bank failed in 2020.", "Nobody believes that the bank failed in 2020."),
    ],
)
def test_words_of_a_sentence_that_denies_them_are_dropped(claim: str, sentence: str) -> None:
    assert said((claim, claim), text=f"The town is known for this. {sentence}") == []
    claims, document = claims_of((claim, claim), text=f"The town is known for this. {sentence}")
    assert READER.stood_for(claims, document) == ()
    assert said((claim, claim), text=f"{sentence} {claim.rstrip('.').capitalize()}.") != []


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("the bank failed in 2020", "Although the bank failed in 2020, no customer lost money."),
        ("The branches closed in 2021", "The bank did not fail, but the branches closed in 2021."),
        ("It has 12 arches", "The bridge was never finished, although it has 12 arches."),
    ],
)
def test_words_of_a_sentence_that_says_them_are_kept(claim: str, sentence: str) -> None:
    assert [text for text, _ in said((claim, claim), text=sentence)] == [claim]


def test_title_and_date_may_complete_a_claim() -> None:
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
def test_other_languages_are_kept_unchecked(claim: str, text: str) -> None:
    assert [one for one, _ in said((claim, text), text=text)] == [claim]


def test_main_statements_must_be_supported_by_the_text() -> None:
    claims, document = claims_of(
        ("The Eiffel Tower, finished in 1925, draws millions of visitors a year.", "the"),
        ("The Eiffel Tower collapsed in a storm.", "the"),
    )
    assert [claim.id for claim in READER.stood_for(claims, document)] == ["claim_1"]


def test_checkable_sentences_without_a_claim_are_omissions() -> None:
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
