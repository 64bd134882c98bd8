"""Citations of checkers are read, by the same rule as in thorough mode."""

from collections.abc import Collection, Mapping, Sequence

from tests.unit.consensus_examples import make_claim, make_verification
from tests.unit.engine.fakes import passage

from veridic.consensus.model_roles import NONE_SAYS_SO, NOT_READ, with_citations_read
from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict
from veridic.domain.evidence import Passage
from veridic.engine.judges import source_judge
from veridic.judging.base import Belief, SourceJudge

VERIFIED, DISPUTED, UNVERIFIABLE = ConsensusVerdict
CLAIM = make_claim(1, "The Marlow bridge reopened to cars in May 2024")
SAYS_SO = passage("In May 2024 the Marlow bridge reopened to cars.", "2024")
DENIES = passage("The Marlow bridge did not reopen to cars in May 2024.", "2024")
ELSEWHERE = passage("Bananas grow fast in warm weather.", "2024")
PASSAGES = {1: SAYS_SO, 2: DENIES, 3: ELSEWHERE}


def read(
    said: ClaimVerification, judge: SourceJudge | None = None, *, is_time_left: bool = True
) -> ClaimVerification:
    (found,) = with_citations_read(
        [said],
        {CLAIM.id: CLAIM},
        {CLAIM.id: PASSAGES},
        judge or source_judge(),
        is_time_left=lambda: is_time_left,
    )
    return found


class Believing:
    """Has the same belief in every source."""

    def __init__(self, belief: Belief) -> None:
        self._belief = belief

    def believe_sources(
        self, claim: str, passages: Sequence[Passage], context: str, *, among: Collection[str]
    ) -> Mapping[str, Belief]:
        return dict.fromkeys(among, self._belief)


def test_an_opposite_or_unrelated_passage_is_removed_and_named() -> None:
    found = read(make_verification(evidence="It did [1][2], as all say [3].", citations=(1, 2, 3)))
    assert (found.verdict, found.citations, found.confidence) == (VERIFIED, (1,), Confidence.HIGH)
    assert found.evidence.startswith("It did [1], as all say.")
    assert f"“{DENIES.source.title}” was cited as supporting and is taken out" in found.evidence
    assert "it reads as saying the opposite" in found.evidence
    assert f"“{ELSEWHERE.source.title}” was cited as supporting" in found.evidence
    assert "it reads as being on something else" in found.evidence


def test_a_verdict_without_citations_is_unverifiable_with_reason() -> None:
    found = read(make_verification(evidence="It did [2].", citations=(2,)))
    assert (found.verdict, found.citations, found.confidence) == (UNVERIFIABLE, (), Confidence.LOW)
    assert found.evidence.startswith(NONE_SAYS_SO)
    assert DENIES.source.title in found.evidence
    against = make_verification(DISPUTED, evidence="No [1].", correction="Never [1].", citations=(1,))
    bears_it_out = Believing(Belief(0.95, 0.03, 0.02))
    assert (read(against, bears_it_out).verdict, read(against, bears_it_out).correction) == (
        UNVERIFIABLE,
        None,
    )


def test_a_disputed_verdict_may_cite_both_sides() -> None:
    found = read(make_verification(DISPUTED, evidence="[1] says so, [2] denies it.", citations=(1, 2)))
    assert (found.verdict, found.citations) == (DISPUTED, (1, 2))
    assert "taken out" not in found.evidence


def test_an_unsure_reader_keeps_the_verdict_and_shows_doubt() -> None:
    found = read(make_verification(citations=(1,)), Believing(Belief(0.05, 0.2, 0.75)))
    assert (found.verdict, found.citations) == (VERIFIED, (1,))
    assert found.evidence == f"Well documented. Whether “{SAYS_SO.source.title}” says so is in doubt."


def test_undecided_or_uncited_verdicts_are_not_changed() -> None:
    against_all = Believing(Belief(0.0, 0.0, 1.0))
    for said in (make_verification(UNVERIFIABLE, citations=(1, 2)), make_verification(citations=())):
        assert read(said, against_all) == said


def test_unread_citations_stay_with_a_note() -> None:
    found = read(make_verification(citations=(2,)), Believing(Belief(0.0, 1.0, 0.0)), is_time_left=False)
    assert (found.verdict, found.citations) == (VERIFIED, (2,))
    assert found.evidence.endswith(NOT_READ)


def test_a_source_that_states_its_own_reason_stays_in_doubt() -> None:
    bananas = "Bananas grow fast in warm weather [3]."
    found = read(make_verification(evidence=f"It did [1]. {bananas}", citations=(1, 3)))
    assert (found.verdict, found.citations) == (VERIFIED, (1, 3))
    assert f"Whether “{ELSEWHERE.source.title}” says so is in doubt." in found.evidence
