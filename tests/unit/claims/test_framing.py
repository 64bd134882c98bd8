"""The author's framing of a sentence: by its syntax, and by the trained model."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from veridic.claims import framing as framing_module
from veridic.claims.framing import KINDS, FramingWeights, detect_framing, detect_framings, framing_weights
from veridic.claims.sentence_models import Embed
from veridic.domain.claim import Framing, FramingKind, VerificationType
from veridic.providers.embedded.onnx_model import VECTOR

Learned = Callable[[FramingKind], Embed]


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> Learned:
    """A model that assigns every sentence to one kind."""
    weights = FramingWeights(10 * np.eye(len(KINDS), dtype=np.float32), np.zeros(len(KINDS), np.float32))
    monkeypatch.setattr(framing_module, "framing_weights", lambda: weights)

    def classify_all_as(kind: FramingKind) -> Embed:
        def embed(texts: Sequence[str]) -> NDArray[np.float32]:
            return np.tile(np.eye(len(KINDS), dtype=np.float32)[KINDS.index(kind)], (len(texts), 1))

        return embed

    return classify_all_as


def framed(sentence: str, embed: Embed) -> Framing:
    (framing,) = detect_framings([sentence], embed)
    return framing


@pytest.mark.parametrize(
    ("sentence", "speaker", "content"),
    [
        ('"Crime is down 15%," Smith told reporters.', "Smith", "Crime is down 15%"),
        ("“Crime is down 15%,” said Jane Doe.", "Jane Doe", "Crime is down 15%"),
        (
            "According to Mr Smith, the bridge was closed in 2010.",
            "Mr Smith",
            "The bridge was closed in 2010",
        ),
        ("The bridge is safe, according to Anna Berg.", "Anna Berg", "The bridge is safe"),
        ("Smith claimed unemployment rose to 9% in 2020.", "Smith", "Unemployment rose to 9% in 2020"),
        ("The bridge is unsafe, Anna Berg warned in May.", "Anna Berg", "The bridge is unsafe"),
        (
            "Jane Doe, the finance minister, insisted that inflation was low.",
            "Jane Doe, the finance minister",
            "Inflation was low",
        ),
        ("She said that the bridge is safe.", "She", "The bridge is safe"),
    ],
)
def test_hearsay_has_speaker_and_content(sentence: str, speaker: str, content: str) -> None:
    framing = detect_framing(sentence)
    assert framing.kind is FramingKind.HEARSAY
    assert framing.verification_type is VerificationType.TWO_STEP
    assert (framing.speaker, framing.underlying_claim) == (speaker, content)
    assert framing.hearsay_confidence > 0.5
    assert framing.patterns_matched


@pytest.mark.parametrize(
    ("sentence", "content"),
    [
        ("NATO says it has 32 members.", "NATO has 32 members"),
        ("Anna Berg, the mayor, said that she would resign in May.", "Anna Berg would resign in May"),
        ("Anna Berg said that there were 64 volunteers.", "There were 64 volunteers"),
    ],
)
def test_speaker_replaces_own_pronoun(sentence: str, content: str) -> None:
    assert detect_framing(sentence).underlying_claim == content


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna Berg denied that the bridge was closed.",
        "Anna Berg did not say that the bridge was closed.",
        "Anna Berg asked whether the bridge was closed.",
        "Anna Berg asked if the bridge was closed.",
        '"Was the bridge closed?" she asked.',
    ],
)
def test_denied_or_asked_content_is_not_underlying(sentence: str) -> None:
    framing = detect_framing(sentence)
    assert (framing.kind, framing.underlying_claim) == (FramingKind.HEARSAY, None)


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna Berg told Tom Hill that she would resign.",
        '"They will take the reform to court in May," said Anna Berg.',
        "“We sold 5,000 tickets,” said Anna Berg.",
    ],
)
def test_unresolved_content_has_no_underlying_claim(sentence: str) -> None:
    framing = detect_framing(sentence)
    assert (framing.kind, framing.speaker) == (FramingKind.HEARSAY, "Anna Berg")
    assert framing.underlying_claim is None


@pytest.mark.parametrize(
    ("sentence", "content"),
    [
        ('Anna Berg said the plan was "a farce".', 'The plan was "a farce"'),
        ("Anna Berg said the “old” bridge was closed.", "The “old” bridge was closed"),
        ("“The bridge is 'safe',” said Anna Berg.", "The bridge is 'safe'"),
    ],
)
def test_inner_quotation_marks_stay_balanced(sentence: str, content: str) -> None:
    assert detect_framing(sentence).underlying_claim == content


def test_uncheckable_quotation_has_no_underlying_claim(
    learned: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(framing_module, "checkable", lambda texts, _: ["2010" in text for text in texts])
    embed = learned(FramingKind.HEARSAY)
    contents = [
        framed(f"“{said},” said Anna Berg.", embed).underlying_claim
        for said in ("The bridge was closed in 2010", "The bridge is the soul of this town")
    ]
    assert contents == ["The bridge was closed in 2010", None]
    assert framed("Anna Berg said the bridge is a soul.", embed).underlying_claim == "The bridge is a soul"


@pytest.mark.parametrize(
    "sentence",
    [
        "A 2019 study found that coffee reduces the risk of stroke.",
        "According to the census, Chad has 20 million people.",
        "Paris is the capital of France.",
        "The report was added to the list.",
        "Macron announced a new plan.",
        "The figures reported last year were wrong.",
        "The treaty states that all members have a vote.",
        "The bridge was closed because its cables had rusted.",
    ],
)
def test_plain_statements_and_public_records_are_direct(sentence: str) -> None:
    assert detect_framing(sentence) == Framing()


def test_only_hearsay_is_found_without_model() -> None:
    sentences = ["People are saying the vote was rigged.", "Our internal polling shows that we lead."]
    assert detect_framings(sentences, None) == [Framing(), Framing()]


@pytest.mark.parametrize(
    ("sentence", "insinuated"),
    [
        ("People are saying the election was rigged.", "The election was rigged"),
        ("Many believe that the moon landing was faked.", "The moon landing was faked"),
        ("Some wonder whether the mayor took bribes.", "The mayor took bribes"),
        ("The CEO reportedly sold 5 million shares.", "The CEO reportedly sold 5 million shares"),
        ("The minister reportedly hardly pays tax.", "The minister reportedly hardly pays tax"),
        ("People say that if Ann wins, the plant will close.", "If Ann wins, the plant will close"),
    ],
)
def test_deniable_wording_has_underlying_claim(learned: Learned, sentence: str, insinuated: str) -> None:
    framing = framed(sentence, learned(FramingKind.PLAUSIBLE_DENIABILITY))
    assert framing.kind is FramingKind.PLAUSIBLE_DENIABILITY
    assert framing.verification_type is VerificationType.EXTRACT_UNDERLYING
    assert framing.underlying_claim == insinuated
    assert framing.deniability_score > 0.9
    assert framing.patterns_matched


def test_private_data_is_detected(learned: Learned) -> None:
    framing = framed("Our polling shows that we lead.", learned(FramingKind.PRIVATE_DATA))
    assert (framing.kind, framing.private_data_detected) == (FramingKind.PRIVATE_DATA, True)
    assert not framing.verifiable
    assert framing.patterns_matched


def test_model_detects_described_speakers(learned: Learned) -> None:
    framing = framed("The minister said that crime fell by 5%.", learned(FramingKind.HEARSAY))
    assert (framing.speaker, framing.underlying_claim) == ("The minister", "Crime fell by 5%")
    assert framing.hearsay_confidence > 0.9


def test_no_hearsay_without_speaker(learned: Learned) -> None:
    assert framed("Crime fell by 5%.", learned(FramingKind.HEARSAY)) == Framing()


def test_model_may_classify_report_as_direct(learned: Learned) -> None:
    framing = framed("The World Bank says that poverty fell.", learned(FramingKind.DIRECT_FACTUAL))
    assert framing == Framing()


def test_sentences_are_framed_separately(learned: Learned) -> None:
    hearsay, private = learned(FramingKind.HEARSAY), learned(FramingKind.PRIVATE_DATA)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.vstack([(private if "polling" in text else hearsay)([text]) for text in texts])

    sentences = ["Anna Berg said that crime fell.", "Our polling shows it.", "Tom Hill said that crime rose."]
    found = detect_framings(sentences, embed)
    assert [framing.speaker for framing in found] == ["Anna Berg", None, "Tom Hill"]
    assert [framing.private_data_detected for framing in found] == [False, True, False]


def test_no_sentences_are_not_embedded() -> None:
    def unused(texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(texts)

    assert detect_framings([], unused) == []


def test_weights_fit_model_vectors() -> None:
    weights = framing_weights()
    assert (weights.vectors.shape, weights.bias.shape) == ((VECTOR, len(KINDS)), (len(KINDS),))


@given(st.text(max_size=300))
def test_any_text_has_a_framing(text: str) -> None:
    framing = detect_framing(text)
    assert (framing.kind is FramingKind.HEARSAY) == (framing.speaker is not None)


@given(st.sampled_from(KINDS), st.text(max_size=200))
def test_any_text_can_have_any_kind(kind: FramingKind, text: str) -> None:
    weights = FramingWeights(10 * np.eye(len(KINDS), dtype=np.float32), np.zeros(len(KINDS), np.float32))
    row = np.eye(len(KINDS), dtype=np.float32)[[KINDS.index(kind)]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(framing_module, "framing_weights", lambda: weights)
        found = framed(text, lambda _texts: row)
    assert found.kind is kind or (kind is FramingKind.HEARSAY and found == Framing())
