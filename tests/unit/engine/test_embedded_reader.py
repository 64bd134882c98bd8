"""The embedded reader: a verdict if it is sure enough, else the claim stays undecided."""

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim, make_evidence
from tests.unit.engine.fakes import (
    OPTIONS,
    FakeJudge,
    FakeObserver,
    decision_of,
    passage,
    run_loop,
)

from veridic.domain.claim import Framing, FramingKind
from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Passage, Stance
from veridic.domain.verdicts import Verdict
from veridic.engine.embedded_reader import settled
from veridic.judging.base import Belief, ClaimReading

CLAIM = make_claim("The capital of Australia is Canberra.")
FOR, AGAINST, BESIDE = (
    passage("Canberra is the capital."),
    passage("Sydney is the capital."),
    passage("Kangaroos are many."),
)
S, C, N = Stance.SUPPORTING, Stance.CONTRADICTING, Stance.CONTEXTUAL
CHANCE = st.floats(0, 1)


def judged(stance: Stance, probability: float, relevance: float = 0.9) -> Evidence:
    evidence = make_evidence(f"It is {relevance}.", stance=stance, relevance=relevance)
    changes = {"probability": probability, "reason": "As the judge put it."}
    return evidence.model_copy(update={"assessment": evidence.assessment.model_copy(update=changes)})


@st.composite
def beliefs(draw: st.DrawFn) -> Belief:
    supported = draw(CHANCE)
    refuted = draw(st.floats(0, 1 - supported))
    return Belief(supported, refuted, 1 - supported - refuted)


EVIDENCE = st.lists(st.builds(judged, st.sampled_from(Stance), CHANCE, CHANCE), max_size=5).map(tuple)


@given(EVIDENCE, beliefs(), st.floats(0.5, 1))
def test_no_stance_below_the_threshold(
    evidence: tuple[Evidence, ...], belief: Belief, threshold: float
) -> None:
    """Except the stance opposite to the settled one."""
    sure = {S: belief.supported, C: belief.refuted}
    found = settled(evidence, belief, threshold)
    assert [e.passage for e in found] == [e.passage for e in evidence]
    for before, after in zip(evidence, found, strict=True):
        if after.stance is not N:
            other = C if after.stance is S else S
            alone = before.assessment.probability if before.stance is after.stance else 0.0
            assert max(sure[after.stance], alone, sure[other]) >= threshold
            if sure[other] < threshold:
                assert after.assessment.probability >= threshold - 0.0001


@given(EVIDENCE, beliefs(), st.floats(0.51, 1))
def test_a_believed_side_has_a_citation(
    evidence: tuple[Evidence, ...], belief: Belief, threshold: float
) -> None:
    found = {e.stance for e in settled(evidence, belief, threshold)}
    for side, chance in ((S, belief.supported), (C, belief.refuted)):
        if chance >= threshold:
            assert side in found or N not in found


def test_one_sure_source_does_not_outvote_the_whole() -> None:
    (found,) = settled((judged(S, 0.95),), Belief(0.6, 0.2, 0.2), 0.85)
    assert found.stance is N


def test_two_sure_sources_that_disagree_are_kept() -> None:
    found = settled((judged(S, 0.95), judged(C, 0.9)), Belief(0.5, 0.4, 0.1), 0.85)
    assert [e.stance for e in found] == [S, C]


def test_a_source_against_the_whole_is_kept() -> None:
    found = settled((judged(S, 0.95), judged(C, 0.65)), Belief(0.9, 0.05, 0.05), 0.85)
    assert [e.stance for e in found] == [S, C]


def test_a_verdict_is_no_surer_than_all_evidence() -> None:
    found = settled((judged(S, 0.99), judged(S, 0.95)), Belief(0.88, 0.1, 0.02), 0.85)
    assert [e.assessment.probability for e in found] == [0.88, 0.88]


def test_no_evidence_settles_nothing() -> None:
    assert settled((), Belief(0.9, 0.0, 0.1), 0.85) == ()


def test_without_a_leaning_the_strongest_passage_is_cited() -> None:
    found = settled((judged(N, 0.9, 0.2), judged(N, 0.9, 0.6)), Belief(0.0, 0.9, 0.1), 0.85)
    assert [e.stance for e in found] == [N, C]
    assert found[1].assessment.reason == "The source says otherwise."


def test_losing_the_stance_changes_the_reason() -> None:
    (lost,) = settled((judged(S, 0.7),), Belief(0.7, 0.1, 0.2), 0.85)
    assert (lost.stance, lost.assessment.reason) == (N, "It is close, but does not settle the claim.")
    (kept,) = settled((judged(S, 0.9),), Belief(0.9, 0.0, 0.1), 0.85)
    assert (kept.stance, kept.assessment.reason) == (S, "As the judge put it.")


def decided(judge: FakeJudge, *passages: Passage, threshold: float = 0.85) -> Decision:
    options = OPTIONS._replace(threshold=threshold)
    return decision_of(run_loop(CLAIM, FakeObserver(*passages), judge=judge, options=options))


def test_a_claim_below_the_threshold_is_undecided() -> None:
    judge = FakeJudge({(CLAIM.text, FOR.text): S}, probability=0.7)
    unsure = decided(judge, FOR, BESIDE)
    assert (unsure.verdict, unsure.confidence) == (Verdict.UNVERIFIABLE, 0.0)
    assert {e.stance for e in unsure.evidence} == {N}
    enough = decided(judge, FOR, BESIDE, threshold=0.65)
    assert (enough.verdict, enough.confidence) == (Verdict.SUPPORTED, 0.7)


def test_an_undecided_claim_shows_three_passages() -> None:
    found = [passage(f"Kangaroo number {n} jumps.") for n in range(5)]
    assert len(decided(FakeJudge({}), *found).evidence) == 3


def test_two_sure_sides_are_both_shown() -> None:
    judge = FakeJudge({(CLAIM.text, FOR.text): S, (CLAIM.text, AGAINST.text): C})
    both = decided(judge, FOR, AGAINST)
    assert both.verdict is Verdict.CONTESTED
    assert {e.passage for e in both.evidence} == {FOR, AGAINST}


def test_later_evidence_does_not_influence_the_rest() -> None:
    tomorrow = passage("Canberra is the capital, as of tomorrow.", "2026-11-16")
    found = decided(FakeJudge({(CLAIM.text, tomorrow.text): S}), tomorrow, BESIDE)
    assert (found.verdict, found.passages_read) == (Verdict.UNVERIFIABLE, 1)


SAID = "Inflation doubled last year."
HEARSAY = make_claim(
    "The café owner said that inflation doubled last year.",
    framing=Framing(kind=FramingKind.HEARSAY, speaker="The café owner", underlying_claim=SAID),
)


def test_attribution_does_not_influence_the_content() -> None:
    spoken = passage("Inflation doubled last year, the owner of the café said.")
    judge = FakeJudge({(HEARSAY.text, spoken.text): S, (SAID, spoken.text): S})
    found = decision_of(run_loop(HEARSAY, FakeObserver(spoken, BESIDE), judge=judge))
    assert [part.verdict for part in found.parts] == [Verdict.SUPPORTED, Verdict.UNVERIFIABLE]


def test_the_sentence_around_a_claim_is_read() -> None:
    told: list[str] = []

    class Listening(FakeJudge):
        def read(self, claim: str, passages: object, context: str = "") -> ClaimReading:
            told.append(context)
            return super().read(claim, passages, context)  # type: ignore[arg-type]

    claim = CLAIM.model_copy(update={"context": "By law, the capital of Australia is Canberra."})
    run_loop(claim, FakeObserver(FOR), judge=Listening({(CLAIM.text, FOR.text): S}))
    assert told == [claim.context]
