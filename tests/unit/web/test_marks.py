"""Splitting the text at claims, and verdict signs."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.consensus import ConsensusVerdict
from veridic.domain.verdicts import Verdict
from veridic.reporting.wording import Tone
from veridic.web.marks import ClaimMark, UncheckedMark, canonical_sign, consensus_sign, split_text

_MARKS = st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=8).map(
    lambda spans: [ClaimMark(number, span, None) for number, span in enumerate(spans, 1)]
)


@given(st.text(max_size=30), _MARKS)
def test_the_joined_pieces_are_the_text(text: str, marks: list[ClaimMark]) -> None:
    assert "".join(piece.text for piece in split_text(text, marks)) == text


@given(st.text(max_size=30), _MARKS)
def test_every_claim_in_the_text_is_marked_once(text: str, marks: list[ClaimMark]) -> None:
    ends = [mark for piece in split_text(text, marks) for mark in piece.ends]
    numbered = [mark.number for mark in ends if isinstance(mark, ClaimMark)]

    inside = [mark.number for mark in marks if 0 <= mark.span[0] < mark.span[1] <= len(text)]
    assert sorted(numbered) == inside


def test_a_nested_claim_has_its_own_pieces() -> None:
    outer, inner = ClaimMark(1, (0, 10), None), ClaimMark(2, (4, 6), None)

    found = split_text("abcdefghij", [outer, inner])

    assert [(piece.text, piece.claim) for piece in found] == [
        ("abcd", outer),
        ("ef", inner),
        ("ghij", outer),
    ]
    assert [piece.ends for piece in found] == [(), (inner,), (outer,)]


def test_what_was_not_checked_is_marked_where_no_claim_is() -> None:
    claim, opinion = ClaimMark(1, (0, 3), None), UncheckedMark("a", (0, 6), "opinion")

    within, after = split_text("abcdef", [claim, opinion])

    assert (within.claim, within.unchecked, within.ends) == (claim, None, (claim,))
    assert (after.claim, after.unchecked, after.ends) == (None, opinion, (opinion,))


def test_claims_on_the_same_words_are_both_marked() -> None:
    first, second = ClaimMark(1, (0, 3), None), ClaimMark(2, (0, 3), None)

    (only,) = split_text("abc", [second, first])

    assert only.ends == (first, second)


def test_signs_use_the_words_of_their_scale() -> None:
    assert consensus_sign(ConsensusVerdict.DISPUTED).tone is Tone.BAD
    outdated = canonical_sign(Verdict.OUTDATED)
    assert (outdated.word, outdated.marker, outdated.tone) == (
        "Outdated",
        ConsensusVerdict.DISPUTED,
        Tone.CAUTION,
    )
