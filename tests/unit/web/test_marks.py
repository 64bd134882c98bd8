"""The text under check, cut at its claims."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.consensus import ConsensusVerdict
from veridic.domain.verdicts import Verdict
from veridic.reporting.wording import Tone
from veridic.web.marks import Place, canonical_sign, consensus_sign, stretches

_PLACES = st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=8).map(
    lambda spans: [Place(number, span, None) for number, span in enumerate(spans, 1)]
)


@given(st.text(max_size=30), _PLACES)
def test_the_pieces_joined_are_the_text(text: str, places: list[Place]) -> None:
    assert "".join(stretch.text for stretch in stretches(text, places)) == text


@given(st.text(max_size=30), _PLACES)
def test_every_claim_inside_the_text_gets_its_number_once(text: str, places: list[Place]) -> None:
    numbered = [place.number for stretch in stretches(text, places) for place in stretch.ends]

    inside = [place.number for place in places if 0 <= place.span[0] < place.span[1] <= len(text)]
    assert sorted(numbered) == inside


def test_a_claim_within_a_claim_keeps_its_own_underline() -> None:
    outer, inner = Place(1, (0, 10), None), Place(2, (4, 6), None)

    found = stretches("abcdefghij", [outer, inner])

    assert [(stretch.text, stretch.claim) for stretch in found] == [
        ("abcd", outer),
        ("ef", inner),
        ("ghij", outer),
    ]
    assert [stretch.ends for stretch in found] == [(), (inner,), (outer,)]


def test_two_claims_on_the_same_words_are_both_numbered() -> None:
    first, second = Place(1, (0, 3), None), Place(2, (0, 3), None)

    (only,) = stretches("abc", [second, first])

    assert only.ends == (first, second)


def test_signs_speak_the_words_of_their_scale() -> None:
    assert consensus_sign(ConsensusVerdict.DISPUTED).tone is Tone.BAD
    outdated = canonical_sign(Verdict.OUTDATED)
    assert (outdated.word, outdated.marker, outdated.tone) == (
        "Outdated",
        ConsensusVerdict.DISPUTED,
        Tone.CAUTION,
    )
