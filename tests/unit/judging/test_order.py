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


NEW = "The new bridge opened in 1974."


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("The old iron bridge was demolished in 1971.", S),
        ("In 1971, the old iron bridge was demolished.", S),
        ("The old iron bridge was torn down in 1971.", S),
        ("The demolition of the old iron bridge took place in 1971.", S),
        ("The old iron bridge was damaged by ice and demolished in 1976.", C),
        ("The old iron bridge was built in 1931.", N),
        ("The old iron bridge, built in 1931, was demolished.", N),
        ("Built in 1931, the old iron bridge was later demolished.", N),
        ("The old iron bridge (1931) was demolished.", N),
        ("The old iron bridge was demolished after a flood had damaged it in 1931.", N),
        ("The old iron bridge, opened in 1931, was widened.", N),
        ("Plans for the old iron bridge were drawn in 1931.", N),
        ("The old iron bridge was not demolished until 1990.", N),
    ],
)
def test_a_date_belongs_to_what_happened_then(text: str, stance: Stance) -> None:
    claim = "The old iron bridge was demolished before the new bridge opened."
    assert stances(claim, text, NEW) == [stance, stance]


@pytest.mark.parametrize(
    ("claim", "one", "another", "other"),
    [
        (
            "The king died before the queen returned.",
            "The king died in 1502.",
            "The king was crowned in 1480.",
            "The queen returned in 1511.",
        ),
        (
            "The ferry Aurora sank before the harbour wall was completed.",
            "The ferry Aurora sank in 1920.",
            "The ferry Aurora was launched in 1908.",
            "The harbour wall was finished in 1925.",
        ),
        (
            "The tram line was closed before the underground station was inaugurated.",
            "The tram line shut down in 1962.",
            "The tram line was electrified in 1911.",
            "The underground station opened in 1970.",
        ),
        (
            "The patent was granted before the company went bankrupt.",
            "The patent was granted in 1895.",
            "The patent was filed in 1892.",
            "The company went bankrupt in 1903.",
        ),
        (
            "The law came into force before the minister resigned.",
            "The law entered into force in May 2019.",
            "The law was drafted in 2012.",
            "The minister resigned in July 2020.",
        ),
        (
            "Construction of the dam began before the valley was evacuated.",
            "Construction of the dam began in 1955.",
            "Construction of the dam was approved in 1949.",
            "The valley was evacuated in 1957.",
        ),
        (
            "The signing of the treaty came after the siege of the city ended.",
            "The treaty was signed in 1748.",
            "The treaty was proposed in 1743.",
            "The siege of the city ended in 1746.",
        ),
    ],
)
def test_of_two_things_that_happened_to_it_only_the_claimed_one_counts(
    claim: str, one: str, another: str, other: str
) -> None:
    assert stances(claim, one, other) == [S, S]
    assert S not in stances(claim, another, other)
    assert stances(claim, f"{another} {one}", other) == [S, S]


@pytest.mark.parametrize("word", ["before", "after", "since", "until"])
def test_a_date_that_only_bounds_the_event_settles_nothing(word: str) -> None:
    assert S not in stances(
        "The treaty entered into force before the war ended.",
        f"The treaty was in force, having entered into force {word} 1869.",
        WAR,
    )
