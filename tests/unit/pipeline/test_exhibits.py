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
    asyncio.run(evidence.gather(claims, InMemorySteps()))
    assert most == 8
    assert len(desk.asked) == 100
    assert [one.number for one in evidence.all()] == [1]
