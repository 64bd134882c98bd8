"""Agreement between sources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_source
from tests.unit.decision.weighed import contextual, contradicting, supporting

from veridic.decision.source_consensus import source_consensus, source_stances
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.validation import SourceConsensus, SourceStance

STRONG, MODERATE, SPLIT, NONE, INSUFFICIENT = SourceConsensus


def stances(pro: int, con: int, neutral: int) -> list[SourceStance]:
    listed = [Stance.SUPPORTING] * pro + [Stance.CONTRADICTING] * con + [Stance.CONTEXTUAL] * neutral
    return [
        SourceStance(source=make_source(url=f"https://{n}.example"), stance=stance)
        for n, stance in enumerate(listed)
    ]


@pytest.mark.parametrize(
    ("pro", "con", "neutral", "consensus"),
    [
        (0, 0, 0, INSUFFICIENT),
        (0, 0, 25, INSUFFICIENT),
        (1, 0, 24, INSUFFICIENT),
        (2, 0, 23, STRONG),
        (0, 2, 0, STRONG),
        (4, 1, 0, STRONG),  # 80%
        (1, 4, 20, STRONG),
        (7, 2, 0, MODERATE),  # 78%
        (3, 2, 0, MODERATE),  # 60%
        (2, 3, 15, MODERATE),  # a quarter of all take a side
        (3, 2, 16, NONE),  # less than a quarter, and they disagree
        (1, 1, 7, NONE),
        (1, 1, 6, SPLIT),
        (1, 1, 0, SPLIT),
        (5, 4, 0, SPLIT),
        (4, 5, 3, SPLIT),
    ],
)
def test_consensus_by_counts(pro: int, con: int, neutral: int, consensus: SourceConsensus) -> None:
    assert source_consensus(stances(pro, con, neutral)) is consensus


def test_source_takes_the_side_with_more_weight() -> None:
    evidence = [
        supporting(0.9, name="a"),
        contradicting(0.4, name="a"),
        contradicting(0.4, name="a"),
        contradicting(0.5, name="b"),
        supporting(0.5, name="b"),
        contextual(name="c"),
        contradicting(name="d"),
        contextual(name="d"),
        supporting(0.0, name="e"),
    ]
    found = [(one.source.title, one.stance) for one in source_stances(evidence)]
    assert found == [
        ("a", Stance.SUPPORTING),
        ("b", Stance.CONTEXTUAL),
        ("c", Stance.CONTEXTUAL),
        ("d", Stance.CONTRADICTING),
        ("e", Stance.CONTEXTUAL),
    ]


def test_same_page_counts_as_one_source() -> None:
    one = supporting(name="a")
    source = one.source.model_copy(update={"url": "https://a.example/#top"})
    other = one.model_copy(update={"passage": one.passage.model_copy(update={"source": source})})
    assert len(source_stances([one, other])) == 1


EVIDENCE = st.lists(
    st.builds(
        lambda make, quality, name: make(quality, name=name),
        st.sampled_from([supporting, contradicting, contextual]),
        st.floats(0, 1),
        st.sampled_from("abcdefgh"),
    ),
    max_size=12,
)


@given(EVIDENCE)
def test_every_source_counts_once_in_any_order(evidence: list[Evidence]) -> None:
    found = source_stances(evidence)
    assert {one.source.title for one in found} == {e.source.title for e in evidence}
    assert len(found) == len({e.source.title for e in evidence})
    backwards = source_stances(evidence[::-1])
    assert {one.source.title: one.stance for one in found} == {
        one.source.title: one.stance for one in backwards
    }
    assert source_consensus(found) is source_consensus(backwards)


@given(EVIDENCE)
def test_rule_is_symmetric(evidence: list[Evidence]) -> None:
    swap = {Stance.SUPPORTING: Stance.CONTRADICTING, Stance.CONTRADICTING: Stance.SUPPORTING}
    found = source_stances(evidence)
    mirrored = [one.model_copy(update={"stance": swap.get(one.stance, one.stance)}) for one in found]
    assert source_consensus(found) is source_consensus(mirrored)
