"""The interfaces of summary and thorough mode: listers, observers and readers, and what they return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

from veridic.domain.claim import Claim, Extraction
from veridic.domain.decision import Judgement, TemporalAnalysis
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Channel, Source
from veridic.domain.modes import Mode
from veridic.domain.search import ChannelSearch, Gathered
from veridic.domain.validation import Account, CitedSentence
from veridic.domain.verdicts import Verdict
from veridic.engine.event_stream import Emit
from veridic.engine.steps import Steps
from veridic.evidence.gathering import Gatherer

Queries = Mapping[Channel, str]


@dataclass(frozen=True)
class ListedClaims:
    """The claims to check, the omissions, and the search queries, if the lister wrote any."""

    extraction: Extraction
    queries: Mapping[str, Queries] = field(default_factory=dict)
    """By claim id; for a claim without queries, its own words are searched for."""

    def narrowed(self, extraction: Extraction) -> "ListedClaims":
        """Return the same with fewer claims, whose ids and spans may have changed."""
        queries = {claim.text: self.queries.get(claim.id) for claim in self.extraction.claims}
        kept = {claim.id: queries[claim.text] for claim in extraction.claims}
        return ListedClaims(extraction, {key: value for key, value in kept.items() if value is not None})


class Reading(NamedTuple):
    """A reader's judgement of a claim."""

    judgement: Judgement
    account: Account | None = None
    """In the reader's own words; None if it is to be derived from the evidence."""
    temporal: TemporalAnalysis | None = None
    """None if it is to be derived from the evidence."""


class ArticleVerdict(NamedTuple):
    """A reader's verdict on the whole document."""

    verdict: Verdict
    credibility_score: int | None
    """None if the reader gives none."""
    summary: tuple[CitedSentence, ...]
    """The sentences whose citations hold."""


class ReadTogether(NamedTuple):
    """Readings of several claims that were read together, by the same evidence."""

    readings: Mapping[str, Reading]
    """By claim id; claims that the reader came to no result on are missing."""
    article: ArticleVerdict | None = None
    said: Mapping[str, Reading] = MappingProxyType({})
    """By claim id, for reported speech: whether it was said, if the reader answered that."""


class Lister(Protocol):
    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        """List at most `most` claims, the most important ones, in the order of the text; omissions say why they were left out.

        In summary mode, list the main statements of the text.
        """
        ...


class Reader(Protocol):
    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        """Judge `question`, the claim or its underlying claim, by the evidence alone.

        `stage` is the name that a model's calls are recorded under. Raises `VeridicError` if there is no result.
        """
        ...


class HearsayReading(NamedTuple):
    """Readings of both questions of hearsay."""

    said: Reading
    so: Reading | None
    """None if what was said states no fact."""


@runtime_checkable
class ReadsHearsay(Reader, Protocol):
    """A reader that answers both questions of hearsay from the same evidence."""

    async def read_hearsay(self, claim: Claim, gathered: Gathered, *, stage: str) -> HearsayReading:
        """Judge whether it was said, and whether it is so; raises like `Reader.read`."""
        ...


class Observer(Protocol):
    async def gather(
        self, question: str, *, claim_id: str | None, queries: Queries | None, emit: Emit
    ) -> Gathered:
        """Gather the evidence for a question; emits an event for each search, and one with all the evidence at the end."""
        ...


class EndedSearch(NamedTuple):
    """A search as it ended, with the sources found."""

    search: ChannelSearch
    sources: tuple[Source, ...]


class GatheredStep(NamedTuple):
    """The result of gathering evidence, with all that its events need."""

    gathered: Gathered
    searches: tuple[EndedSearch, ...]


class SearchingObserver:
    def __init__(self, gatherer: Gatherer, steps: Steps, *, seconds: float) -> None:
        """`seconds` limits each search."""
        self._gatherer = gatherer
        self._steps = steps
        self._seconds = seconds

    async def gather(
        self, question: str, *, claim_id: str | None, queries: Queries | None, emit: Emit
    ) -> Gathered:
        """See `Observer.gather`."""

        ended: list[EndedSearch] = []

        def on_search(search: ChannelSearch, sources: Sequence[Source]) -> None:
            ended.append(EndedSearch(search, tuple(sources)))
            emit(search_completed(claim_id, search, sources))

        async def search() -> GatheredStep:
            gathered = await self._gatherer.gather(
                question, queries=queries, seconds=self._seconds, on_search=on_search
            )
            return GatheredStep(gathered, tuple(ended))

        gathered, searches = await self._steps.run(f"evidence/{question}", search, GatheredStep)
        if not ended:  # the step was saved before an interruption, perhaps without its events
            for one in searches:
                emit(search_completed(claim_id, one.search, one.sources))
        emit(Event(name=EventName.EVIDENCE_GATHERED, data={"claim_id": claim_id, "gathered": gathered}))
        return gathered


class SharedObserver:
    """Returns the same evidence for every question."""

    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered

    async def gather(
        self,
        question: str,  # noqa: ARG002
        *,
        claim_id: str | None,  # noqa: ARG002
        queries: Queries | None,  # noqa: ARG002
        emit: Emit,  # noqa: ARG002
    ) -> Gathered:
        """See `Observer.gather`; the events were emitted when the evidence was gathered."""
        return self._gathered


def search_completed(claim_id: str | None, search: ChannelSearch, sources: Sequence[Source]) -> Event:
    """Return the event for one channel's answer; without a `claim_id`, the search is for all claims."""
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
