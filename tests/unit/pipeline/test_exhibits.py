"""The evidence of a consensus run."""

import asyncio
from typing import Any, cast

from tests.builders import make_claim
from tests.unit.pipeline.fakes import passage

from veridic.domain.evidence import Channel, Found
from veridic.domain.search import ChannelSearch, Gathered
from veridic.evidence.gathering import Gatherer
from veridic.pipeline.exhibits import Exhibits
from veridic.pipeline.steps import InMemorySteps

FOUND = (Found(passage("Canberra is the capital of Australia.")),)


class FakeGatherer:
    """Finds the same for all; notes how many searches are under way, and never comes back on a `stuck` question."""

    names = ("desk",)

    def __init__(self, stuck: str = "", searches: tuple[ChannelSearch, ...] = ()) -> None:
        self.asked: list[str] = []
        self.under_way = self.most = 0
        self._stuck = stuck
        self._searches = searches

    async def gather(self, question: str, **_: Any) -> Gathered:
        self.asked.append(question)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await (asyncio.Event().wait() if question == self._stuck else asyncio.sleep(0))
        self.under_way -= 1
        return Gathered(question=question, found=FOUND, searches=self._searches)


def exhibits(gatherer: FakeGatherer) -> Exhibits:
    return Exhibits(cast("Gatherer", gatherer), passages=12, seconds=60)


CLAIMS = [make_claim(number=n + 1, text=f"Claim number {n} is made here.") for n in range(100)]


def test_a_text_of_many_claims_is_searched_for_a_few_at_a_time() -> None:
    desk = FakeGatherer()
    evidence = exhibits(desk)
    asyncio.run(evidence.gather_all(CLAIMS, InMemorySteps(), seconds=60))
    assert desk.most == 8
    assert len(desk.asked) == 100
    assert [one.number for one in evidence.all()] == [1]


def test_a_search_that_does_not_end_costs_only_what_it_would_have_found() -> None:
    evidence = exhibits(FakeGatherer(stuck="Claim number 1 is made here."))
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
    evidence = exhibits(FakeGatherer(searches=searches))
    asyncio.run(evidence.gather_all(CLAIMS[:3], InMemorySteps(), seconds=60))
    assert [(failure.stage, failure.message) for failure in evidence.failures] == [
        ("search channel", "Exa is down.")
    ]
