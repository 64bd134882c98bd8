"""Summary mode: one round of evidence, and one reading, for all claims of a document."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from veridic.domain.claim import Claim, Extraction
from veridic.domain.evidence import Channel
from veridic.domain.search import Gathered
from veridic.pipeline.costs import VALIDATE
from veridic.pipeline.observing import Observer, SharedObserver
from veridic.pipeline.readers import ListedClaims, Queries, Reader, Reading
from veridic.pipeline.telling import Tell


@runtime_checkable
class ReadsTogether(Reader, Protocol):
    """A reader that can judge several claims by the same evidence in one go."""

    async def read_together(
        self, claims: Sequence[Claim], gathered: Gathered, *, stage: str
    ) -> Mapping[str, Reading]:
        """By claim id, one for each claim."""
        ...


class Round(NamedTuple):
    observer: Observer
    reader: Reader


async def one_round(listed: ListedClaims, observer: Observer, reader: Reader, tell: Tell) -> Round:
    """Search once for all claims; whoever checks one of them from here on finds the same evidence."""
    claims = searched_for(listed.extraction)
    if not claims:
        return Round(observer, reader)
    question = " ".join(claim.framing.underlying_claim or claim.text for claim in claims)
    gathered = await observer.gather(
        question, claim_id=None, queries=joined_queries(listed.queries, claims), tell=tell
    )
    if isinstance(reader, ReadsTogether):
        reader = _OneReading(reader, claims)
    return Round(SharedObserver(gathered), reader)


def searched_for(extraction: Extraction) -> tuple[Claim, ...]:
    """The claims that a round of evidence is for: what rests on private data needs none."""
    return tuple(claim for claim in extraction.claims if claim.framing.verifiable)


def joined_queries(queries: Mapping[str, Queries], claims: Sequence[Claim]) -> Queries | None:
    """For each channel what is asked for any of the claims; None where nobody wrote queries."""
    joined = {
        channel: " ".join(
            dict.fromkeys(q for claim in claims if (q := queries.get(claim.id, {}).get(channel)))
        )
        for channel in Channel
    }
    return {channel: query for channel, query in joined.items() if query} or None


class _OneReading:
    """Has all claims read when the first of them is asked about."""

    def __init__(self, reader: "ReadsTogether", claims: Sequence[Claim]) -> None:
        self._reader = reader
        self._claims = claims
        self._readings: asyncio.Task[Mapping[str, Reading]] | None = None

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        """See `Reader.read`."""
        if question != (claim.framing.underlying_claim or claim.text):
            return await self._reader.read(claim, question, gathered, stage=stage)  # whether it was said
        if self._readings is None:
            self._readings = asyncio.create_task(
                self._reader.read_together(self._claims, gathered, stage=VALIDATE)
            )
        return (await self._readings)[claim.id]
