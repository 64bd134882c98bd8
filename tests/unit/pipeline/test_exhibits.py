"""The evidence of a consensus run."""

import asyncio

from tests.builders import make_claim
from tests.unit.pipeline.fakes import FakeGatherer, exhibits_of, passage

from veridic.domain.evidence import Channel
from veridic.domain.search import ChannelSearch
from veridic.pipeline.steps import InMemorySteps

FOUND = passage("Canberra is the capital of Australia.")


CLAIMS = [make_claim(number=n + 1, text=f"Claim number {n} is made here.") for n in range(100)]


def test_a_text_of_many_claims_is_searched_for_a_few_at_a_time() -> None:
    desk = FakeGatherer(FOUND)
    evidence = exhibits_of(desk)
    asyncio.run(evidence.gather_all(CLAIMS, InMemorySteps(), seconds=60))
    assert desk.most == 8
    assert len(desk.asked) == 100
    assert [one.number for one in evidence.all()] == [1]


def test_a_search_that_does_not_end_costs_only_what_it_would_have_found() -> None:
    evidence = exhibits_of(FakeGatherer(FOUND, stuck="Claim number 1 is made here."))
    asyncio.run(evidence.gather_all(CLAIMS[:3], InMemorySteps(), seconds=0.05))
    assert [len(given) for given in evidence.for_claims(CLAIMS[:3]).values()] == [1, 0, 1]
    assert [failure.message for failure in evidence.failures] == [
        "The search for evidence on 1 of 3 claims took longer than 0.05 seconds."
    ]


def test_a_channel_that_failed_for_every_claim_is_named_once() -> None:
    searches = tuple(
        ChannelSearch(channel=channel, query="?", asked=("exa",), problems=problems)
        for channel, problems in ((Channel.NEWS, ("Exa is down.",)), (Channel.GENERAL, ()))
    )
    evidence = exhibits_of(FakeGatherer(FOUND, searches=searches))
    asyncio.run(evidence.gather_all(CLAIMS[:3], InMemorySteps(), seconds=60))
    assert [(failure.stage, failure.message) for failure in evidence.failures] == [
        ("search channel", "Exa is down.")
    ]


def test_where_there_is_little_every_claim_is_given_all_of_it_in_order() -> None:
    second = passage("It is a city.").model_copy(update={"id": "second", "start": 100, "end": 113})
    evidence = exhibits_of(FakeGatherer(FOUND, rest=(second,)))
    asyncio.run(evidence.gather_all(CLAIMS[:2], InMemorySteps(), seconds=60))
    for given in evidence.for_claims(CLAIMS[:2]).values():
        assert [(one.number, one.text) for one in given] == [(1, FOUND.text), (2, "It is a city.")]


def test_where_there_is_much_a_claim_is_given_the_best_of_what_was_found_for_it() -> None:
    long = passage("It is a city. " * 800).model_copy(update={"id": "second"})
    evidence = exhibits_of(FakeGatherer(FOUND, rest=(long,)))
    asyncio.run(evidence.gather_all(CLAIMS[:1], InMemorySteps(), seconds=60))
    assert [one.text for one in evidence.for_claims(CLAIMS[:1])["claim_1"]] == [FOUND.text]
