"""A claim beside its passages: what is shared, and what differs."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.evidence import Detail, Difference
from veridic.reporting.comparing import Kind, Pieces, compare, replaced_details, shared_words

_FIGURE = Difference(kind=Detail.FIGURE, in_claim="120 metres", in_passage="330 metres")


def _said(pieces: Pieces, kind: Kind) -> list[str]:
    return [piece.text for piece in pieces if piece.kind is kind]


def test_what_differs_is_marked_on_both_sides() -> None:
    claim, (passage,) = compare(
        "The Eiffel Tower is 120 metres tall.", [("The Eiffel Tower is 330 metres tall.", [_FIGURE])], 1
    )

    assert _said(claim, Kind.DIFFERS) == ["120 metres"]
    assert _said(passage, Kind.DIFFERS) == ["330 metres"]
    assert _said(claim, Kind.SHARED) == _said(passage, Kind.SHARED) == ["Eiffel", "Tower", "tall"]


def test_claim_is_compared_only_with_shown_passages() -> None:
    claim, passages = compare(
        "It is 120 metres tall.", [("It is 120 metres.", []), ("Another is 330 metres.", [_FIGURE])], 1
    )

    assert _said(claim, Kind.DIFFERS) == []
    assert _said(passages[1], Kind.DIFFERS) == ["330 metres"]


def test_a_detail_is_marked_as_whole_words_only() -> None:
    _, (passage,) = compare(
        "It is not so.",
        [("Nothing is not noted.", [Difference(kind=Detail.NEGATION, in_claim="", in_passage="not")])],
        1,
    )

    assert [piece.text for piece in passage if piece.kind is Kind.DIFFERS] == ["not"]
    assert passage[0].text == "Nothing is "


def test_the_words_that_a_correction_replaces_differ() -> None:
    (detail,) = replaced_details("Its capital is Sydney", "Its capital is Canberra.")

    assert (detail.in_claim, detail.in_passage) == ("Sydney", "Canberra")
    assert (
        replaced_details("It rained for two days in May", "No source of the time says a word about that.")
        == ()
    )


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3), st.text(max_size=5))
def test_the_pieces_joined_are_the_text(claim: str, passages: list[str], detail: str) -> None:
    difference = Difference(kind=Detail.NAME, in_claim=detail, in_passage=detail)

    compared = compare(claim, [(passage, [difference]) for passage in passages], 2)

    assert "".join(piece.text for piece in compared.claim) == claim
    assert ["".join(piece.text for piece in pieces) for pieces in compared.passages] == passages


def test_the_share_of_words_that_a_passage_has() -> None:
    assert shared_words("Visits rose by 6 percent", "Visits fell by 6 percent") == 0.75
    assert shared_words("a b c", "a b c") == 0.0
