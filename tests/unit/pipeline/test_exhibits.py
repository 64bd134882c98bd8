"""The evidence of a consensus run."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from tests.builders import make_claim
from tests.unit.pipeline.fakes import FakeRetriever, passage

from veridic.evidence.retrieval import Retriever
from veridic.pipeline import exhibits
from veridic.pipeline.steps import InMemorySteps


def test_a_text_of_many_claims_is_searched_for_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    active: list[int] = []
    most = 0

    async def counted(search: Callable[[], Any]) -> Any:
        nonlocal most
        active.append(1)
        most = max(most, len(active))
        await asyncio.sleep(0)
        active.pop()
        return search()

    monkeypatch.setattr(exhibits, "in_thread", counted)
    desk = FakeRetriever(passage("Canberra is the capital of Australia."))
    evidence = exhibits.Exhibits([cast("Retriever", desk)], passages=12)
    claims = [make_claim(text=f"Claim number {number} is made here.") for number in range(100)]
    asyncio.run(evidence.gather(claims, InMemorySteps(), seconds=60))
    assert most == 8
    assert len(desk.asked) == 100
    assert [one.number for one in evidence.all()] == [1]


def test_a_search_that_does_not_end_costs_only_what_it_would_have_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def stuck_at_the_second(search: Callable[[], Any]) -> Any:
        found = search()
        if desk.asked[-1] == "Claim number 1 is made here.":
            await asyncio.Event().wait()
        return found

    monkeypatch.setattr(exhibits, "in_thread", stuck_at_the_second)
    desk = FakeRetriever(passage("Canberra is the capital of Australia."))
    evidence = exhibits.Exhibits([cast("Retriever", desk)], passages=12)
    claims = [make_claim(number=n + 1, text=f"Claim number {n} is made here.") for n in range(3)]
    asyncio.run(evidence.gather(claims, InMemorySteps(), seconds=0.05))
    assert [len(given) for given in evidence.for_claims(claims).values()] == [1, 0, 1]
    assert [failure.message for failure in evidence.failures] == [
        "The search for evidence on 1 of 3 claims took longer than 0.05 seconds."
    ]
