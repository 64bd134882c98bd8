"""Evidence for a question: searched for, or shared by all questions of a run."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Source
from veridic.domain.search import ChannelSearch, Gathered
from veridic.evidence.gathering import Gatherer
from veridic.pipeline.readers import Queries
from veridic.pipeline.steps import Steps
from veridic.pipeline.telling import Tell


class Observer(Protocol):
    async def gather(
        self, question: str, *, claim_id: str | None, queries: Queries | None, tell: Tell
    ) -> Gathered:
        """The evidence for a question; each search is told of as it comes in, and what was gathered at the end."""
        ...


class SearchingObserver:
    def __init__(self, gatherer: Gatherer, steps: Steps, *, seconds: float) -> None:
        """A search may take so many `seconds`."""
        self._gatherer = gatherer
        self._steps = steps
        self._seconds = seconds

    async def gather(
        self, question: str, *, claim_id: str | None, queries: Queries | None, tell: Tell
    ) -> Gathered:
        """See `Observer.gather`."""

        def on_search(search: ChannelSearch, sources: Sequence[Source]) -> None:
            tell(search_completed(claim_id, search, sources))

        search = partial(
            self._gatherer.gather, question, queries=queries, seconds=self._seconds, on_search=on_search
        )
        gathered = await self._steps.run(f"evidence/{question}", search)
        tell(Event(name=EventName.EVIDENCE_GATHERED, data={"claim_id": claim_id, "gathered": gathered}))
        return gathered


class SharedObserver:
    """One round of evidence, for whatever is asked."""

    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered

    async def gather(
        self,
        question: str,  # noqa: ARG002
        *,
        claim_id: str | None,  # noqa: ARG002
        queries: Queries | None,  # noqa: ARG002
        tell: Tell,  # noqa: ARG002
    ) -> Gathered:
        """See `Observer.gather`; it was told of when it was searched for."""
        return self._gathered


def search_completed(claim_id: str | None, search: ChannelSearch, sources: Sequence[Source]) -> Event:
    """What clients are told of one channel's answer; without a claim, the search is for all of them."""
    data = {
        "claim_id": claim_id,
        **search.model_dump(mode="json", exclude={"billed"}),
        "succeeded": search.succeeded,
        "sources": [
            {
                "title": source.title,
                "url": source.url,
                "domain": source.domain,
                "date": str(source.date) if source.date else None,
            }
            for source in sources
        ],
    }
    return Event(name=EventName.SEARCH_COMPLETED, data=data)
