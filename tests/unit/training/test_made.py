"""The rows we make for training: their labels must follow from how they were made."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training import made
from training.mix import batches
from training.rows import NEI, REFUTED, SUPPORTED, Row, is_held_out


def row(claim: str, evidence: str, label: str = SUPPORTED) -> Row:
    return Row(claim, (evidence,), label, "test")


def test_number_changed_on_one_side_refutes() -> None:
    found = list(
        made.contrast(row("The tower has 40 rooms.", "It has 40 rooms and a bell."), random.Random(1))
    )
    assert [new.label for new in found] == [REFUTED, REFUTED, SUPPORTED]
    (claim, *_), (_, evidence, *_), both = found
    assert "40" not in claim and "40" not in evidence[0]
    assert both.claim == claim and both.evidence == evidence


def test_a_denial_turns_a_label_round_and_back() -> None:
    (denied,) = made.negation(row("The mill was sold.", "They sold the mill."), random.Random(1))
    assert denied.label == REFUTED and (" not " in denied.claim or " never " in denied.claim)
    (affirmed,) = made.negation(
        row("The mill was not sold.", "They sold the mill.", REFUTED), random.Random(1)
    )
    assert affirmed.label == SUPPORTED and affirmed.claim == "The mill was sold."


def test_a_comparison_turned_round_is_wrong() -> None:
    (new,) = made.turned_comparison(row("Lund is larger than Berg.", "..."))
    assert (new.claim, new.label) == ("Berg is larger than Lund.", REFUTED)


def test_half_of_the_evidence_leaves_two_claims_open() -> None:
    one, two = row("Anna Lund paints.", "Anna Lund paints."), row("Anna Lund sings.", "She sang at home.")
    labels = [(new.evidence, new.label) for new in made.two_claims(one, two)]
    assert labels == [(("Anna Lund paints.", "She sang at home."), SUPPORTED), (("Anna Lund paints.",), NEI)]


def test_half_of_long_evidence_decides_neither_claim() -> None:
    one, two = row("Anna Lund paints.", "Anna Lund paints."), row("Anna Lund sings.", "She sang at home.")
    around = [row("Carl Berg sold a mill.", "The mill was sold."), one, two]
    both, single, half = made.in_long_evidence(one, two, around, random.Random(1))
    assert [each.label for each in (both, single, half)] == [SUPPORTED, SUPPORTED, NEI]
    assert set(both.evidence) == {"Anna Lund paints.", "She sang at home.", "The mill was sold."}
    assert set(single.evidence) == set(half.evidence) == {"Anna Lund paints.", "The mill was sold."}


def test_unrelated_evidence_on_the_subject_is_neutral() -> None:
    rows = [row("Anna Lund paints.", "Anna Lund paints."), row("Anna Lund sings.", "She sang at home.")]
    assert {new.label for new in made.other_evidence(rows, random.Random(1))} == {NEI}


@pytest.mark.parametrize("seed", range(30))
def test_order_in_time_follows_from_the_years(seed: int) -> None:
    (new,) = made.in_time(random.Random(seed))
    assert new.label in (SUPPORTED, REFUTED, NEI)
    assert (new.evidence[0].count(" in ") >= 2 or "In " in new.evidence[0]) or new.label == NEI


@given(
    st.text(max_size=200), st.text(max_size=300), st.sampled_from((SUPPORTED, REFUTED, NEI)), st.integers()
)
def test_any_text_makes_valid_rows_or_none(claim: str, evidence: str, label: str, seed: int) -> None:
    rng, given_row = random.Random(seed), row(claim, evidence, label)
    found = [
        new for make in (made.contrast, made.negation, made.without_detail) for new in make(given_row, rng)
    ]
    found += [*made.opposite(given_row), *made.turned_comparison(given_row)]
    for new in found:
        assert new.label in (SUPPORTED, REFUTED, NEI)
        assert (new.claim, new.evidence) != (claim, (evidence,))


@given(st.lists(st.integers(min_value=1, max_value=192), max_size=300), st.integers(1, 32))
def test_every_row_is_trained_on_once_a_run(lengths: list[int], size: int) -> None:
    planned = [i for batch in batches(list(enumerate(lengths)), size, random.Random(1)) for i in batch]
    assert sorted(planned) == list(range(len(lengths)))


def test_held_out_claims_depend_on_words_alone() -> None:
    assert is_held_out(row("a claim", "x")) == is_held_out(row("a claim", "y", REFUTED))
