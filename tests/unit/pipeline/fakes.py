"""A judge that knows its answers, a retriever that knows its passages, and the loop run with them."""

import asyncio
import threading
from collections.abc import Sequence
from datetime import date
from typing import Any, cast
from urllib.parse import quote

from tests.builders import make_source

from veridic.domain.claim import Claim
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Decision
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Assessment, Found, Passage, Stance
from veridic.evidence.retrieval import Retriever
from veridic.pipeline.claim import ClaimLoop, LoopOptions
from veridic.pipeline.steps import InMemorySteps

AS_OF = date(2026, 11, 15)
OPTIONS = LoopOptions(as_of=AS_OF, claim_date=AS_OF)


def passage(text: str, when: str | None = "2026") -> Passage:
    """A passage that stands at an address of its own."""
    source = make_source(text, url=f"https://example.org/{quote(text)}", published=when)
    return Passage(
        id=text,
        source=source,
        text=text,
        start=0,
        end=len(text),
        date=PartialDate.parse(when) if when else None,
    )


class FakeRetriever:
    """Finds the same passages for whatever is asked, and remembers what was."""

    def __init__(
        self, *passages: Passage, name: str = "desk", blocked: threading.Event | None = None
    ) -> None:
        self.name = name
        self.asked: list[str] = []
        self._passages = passages
        self._blocked = blocked

    def find(self, claim_text: str, limit: int) -> list[Found]:
        self.asked.append(claim_text)
        if self._blocked is not None:
            self._blocked.wait()
        return [Found(found) for found in self._passages[:limit]]


class FakeJudge:
    """Takes a stance by the passage's text, where the claim has one for it; otherwise context."""

    name = "fake"

    def __init__(self, stances: dict[tuple[str, str], Stance], **details: Any) -> None:
        self.asked: list[str] = []
        self._stances = stances
        self._details = details

    def assess(self, claim: str, passages: Sequence[Passage]) -> list[Assessment]:
        self.asked.append(claim)
        return [self._assess(claim, passage) for passage in passages]

    def _assess(self, claim: str, passage: Passage) -> Assessment:
        stance = self._stances.get((claim, passage.text), Stance.CONTEXTUAL)
        fields = {
            "stance": stance,
            "probability": 0.9,
            "quote": passage.text,
            "reason": f"It is {stance}.",
            "relevance": 1.0,
            "specificity": 1.0,
        }
        return Assessment.model_validate(fields | self._details)


def run_loop(
    claim: Claim,
    *retrievers: FakeRetriever,
    judge: FakeJudge,
    options: LoopOptions = OPTIONS,
    release: threading.Event | None = None,
) -> list[Event]:
    """Every event of the loop. `release` is set once they are all there, so that blocked threads end."""

    async def follow() -> list[Event]:
        loop = ClaimLoop(
            retrievers=cast("list[Retriever]", list(retrievers)),
            judge=judge,
            steps=InMemorySteps(),
            options=options,
        )
        events = [event async for event in loop.check(claim)]
        if release is not None:
            release.set()
        return events

    return asyncio.run(follow())


def decision_of(events: list[Event]) -> Decision:
    assert events[-1].name is EventName.CLAIM_DECIDED
    decided = events[-1].data["decision"]
    assert isinstance(decided, Decision)
    return decided
