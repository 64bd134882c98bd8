"""Omitting what the trained model finds nothing to check in, with weights chosen here instead of the package's."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from veridic.claims import framing as framing_module
from veridic.claims import sentence_models as checkable_module
from veridic.claims.extract import extract_claims
from veridic.claims.framing import KINDS, FramingWeights
from veridic.claims.sentence_models import CheckableWeights, checkable, checkable_weights, worth_weights
from veridic.domain.claim import FramingKind, OmissionReason
from veridic.domain.document import Document
from veridic.providers.embedded.onnx_model import VECTOR

COLOUR, SPEECH = 0, 1
"""The elements of the fake vectors that mark colour and reported speech."""


@pytest.fixture(autouse=True)
def _chosen_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = np.zeros(VECTOR, np.float32)
    vector[COLOUR] = -2
    monkeypatch.setattr(checkable_module, "checkable_weights", lambda: CheckableWeights(vector, 1.0))
    kinds = np.zeros((VECTOR, len(KINDS)), np.float32)
    kinds[SPEECH, KINDS.index(FramingKind.HEARSAY)] = 20
    bias = np.array([10 * (kind is FramingKind.DIRECT_FACTUAL) for kind in KINDS], np.float32)
    monkeypatch.setattr(framing_module, "framing_weights", lambda: FramingWeights(kinds, bias))


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    vectors = np.zeros((len(texts), VECTOR), np.float32)
    vectors[:, COLOUR] = ["lovely" in text for text in texts]
    vectors[:, SPEECH] = ["said" in text for text in texts]
    return vectors


def test_each_text_is_classified() -> None:
    assert checkable(["It was a lovely day", "Exports rose", "A lovely tune"], embed) == [False, True, False]


def test_no_texts_are_not_embedded() -> None:
    def unused(texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(texts)

    assert checkable([], unused) == []


def test_colour_is_omitted_with_span() -> None:
    text = "Exports rose by 5%. It was a lovely day. Imports fell by 3%."
    extraction = extract_claims(Document(text=text, source="-"), embed)
    assert [claim.text for claim in extraction.claims] == ["Exports rose by 5%", "Imports fell by 3%"]
    assert [claim.id for claim in extraction.claims] == ["claim_1", "claim_2"]
    (omission,) = extraction.omissions
    assert omission.reason is OmissionReason.OPINION
    assert text[slice(*omission.span)] == omission.text == "It was a lovely day"


def test_only_colour_clause_is_omitted() -> None:
    text = "Martin Oakes, a lovely singer, won the seat in 2019."
    extraction = extract_claims(Document(text=text, source="-"), embed)
    assert [claim.text for claim in extraction.claims] == ["Martin Oakes won the seat in 2019"]
    assert [omission.text for omission in extraction.omissions] == ["Martin Oakes is a lovely singer"]


def test_reported_speech_is_kept_even_if_colour() -> None:
    text = "Anna Berg said that the town is lovely."
    (claim,) = extract_claims(Document(text=text, source="-"), embed).claims
    assert (claim.framing.kind, claim.framing.speaker) == (FramingKind.HEARSAY, "Anna Berg")


def test_colour_stays_without_model() -> None:
    assert len(extract_claims(Document(text="It was a lovely day.", source="-")).claims) == 1


def test_model_sets_worth_of_claims() -> None:
    document = Document(text="Exports rose by 5%. Anna Berg met him there.", source="-")

    def keen(texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors with high check-worthiness, large enough to outweigh the words."""
        direction = worth_weights().vector.copy()
        direction[[COLOUR, SPEECH]] = 0
        return np.array([(1e4 if "Exports" in text else -1e4) * direction for text in texts], np.float32)

    first, second = extract_claims(document, keen).claims
    assert (first.check_worthiness, second.check_worthiness) == (1.0, 0.0)
    assert first.priority.value != "low" == second.priority.value


def test_weights_fit_model_vectors() -> None:
    assert checkable_weights().vector.shape == (VECTOR,)
