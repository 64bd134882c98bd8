"""Which of two events came first, from their dates."""

import pytest

from veridic.domain.evidence import Passage, Source, Stance
from veridic.judging.reading import Reader
from veridic.judging.rules import RulesJudge
from veridic.language.names import Aliases

JUDGE = RulesJudge(Reader(Aliases({})))
S, C, N = Stance.SUPPORTING, Stance.CONTRADICTING, Stance.CONTEXTUAL
TREATY = "The treaty entered into force in March 1869."
WAR = "The war ended in the autumn of 1871."


def stances(claim: str, *texts: str) -> list[Stance]:
    source = Source(title="A history", path="history.txt", channel="test")
    passages = [Passage(id=t, source=source, text=t, start=0, end=len(t)) for t in texts]
    return [found.stance for found in JUDGE.assess(claim, passages)]


@pytest.mark.parametrize(
    ("claim", "stance"),
    [
        ("The treaty entered into force before the war ended.", S),
        ("The treaty entered into force after the war ended.", C),
        ("The war ended after the treaty entered into force.", S),
        ("The war ended before the treaty entered into force.", C),
    ],
)
def test_two_dates_settle_the_order_in_one_passage_or_two(claim: str, stance: Stance) -> None:
    assert stances(claim, f"{TREATY} {WAR}") == [stance]
    assert stances(claim, TREATY, WAR) == [stance, stance]


@pytest.mark.parametrize(
    "texts",
    [
        (TREATY,),
        (TREATY, "The strike ended in 1871."),
        (TREATY, "The war ended in 1869."),
        (TREATY, "The war ended between 1871 and 1873, or in 1875."),
    ],
)
def test_one_date_or_dates_that_may_be_the_same_settle_nothing(texts: tuple[str, ...]) -> None:
    assert set(stances("The treaty entered into force before the war ended.", *texts)) == {N}
