"""The evidence of a consensus run."""

import asyncio

from tests.builders import make_claim
from tests.unit.engine.fakes import FakeGatherer, passage, run_evidence_of

from veridic.domain.evidence import Channel
from veridic.domain.search import ChannelSearch
from veridic.engine.steps import InMemorySteps

FOUND = passage("Canberra is the capital of Australia.")


CLAIMS = [make_claim(number=n + 1, text=f"Claim number {n} is made here.") for n in range(100)]


def test_concurrent_searches_are_limited() -> None:
    desk = FakeGatherer(FOUND)
    evidence = run_evidence_of(desk)
    asyncio.run(evidence.gather_all(CLAIMS, InMemorySteps(), seconds=60))
    assert desk.most == 8
    assert len(desk.asked) == 100
    assert [one.number for one in evidence.all()] == [1]


def test_a_hanging_search_does_not_affect_others() -> None:
    evidence = run_evidence_of(FakeGatherer(FOUND, stuck="Claim number 1 is made here."))
    asyncio.run(evidence.gather_all(CLAIMS[:3], InMemorySteps(), seconds=0.05))
    assert [len(given) for given in evidence.for_claims(CLAIMS[:3]).values()] == [1, 0, 1]
    assert [failure.message for failure in evidence.failures] == [
        "The search for evidence on 1 of 3 claims took longer than 0.05 seconds."
    ]


def test_a_channel_failing_for_every_claim_is_named_once() -> None:
    searches = tuple(
        ChannelSearch(channel=channel, query="?", asked=("exa",), problems=problems)
        for channel, problems in ((Channel.NEWS, ("Exa is down.",)), (Channel.GENERAL, ()))
    )
    evidence = run_evidence_of(FakeGatherer(FOUND, searches=searches))
    asyncio.run(evidence.gather_all(CLAIMS[:3], InMemorySteps(), seconds=60))
    assert [(failure.stage, failure.message) for failure in evidence.failures] == [
        ("search channel", "Exa is down.")
    ]


def test_little_evidence_goes_whole_to_every_claim() -> None:
    second = passage("It is a city.").model_copy(update={"id": "second", "start": 100, "end": 113})
    evidence = run_evidence_of(FakeGatherer(FOUND, rest=(second,)))
    asyncio.run(evidence.gather_all(CLAIMS[:2], InMemorySteps(), seconds=60))
    for given in evidence.for_claims(CLAIMS[:2]).values():
        assert [(one.number, one.text) for one in given] == [(1, FOUND.text), (2, "It is a city.")]


def test_much_evidence_is_limited_to_the_best() -> None:
    long = passage("It is a city. " * 800).model_copy(update={"id": "second"})
    evidence = run_evidence_of(FakeGatherer(FOUND, rest=(long,)))
    asyncio.run(evidence.gather_all(CLAIMS[:1], InMemorySteps(), seconds=60))
    assert [one.text for one in evidence.for_claims(CLAIMS[:1])["claim_1"]] == [FOUND.text]
