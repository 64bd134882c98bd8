"""Summary mode: one round of evidence, and one reading, for all claims of a document."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from veridic.domain.claim import Claim, Extraction
from veridic.domain.errors import ModelError
from veridic.domain.evidence import Channel
from veridic.domain.search import Gathered
from veridic.pipeline.costs import VALIDATE
from veridic.pipeline.observing import Observer, SharedObserver
from veridic.pipeline.readers import ArticleVerdict, ListedClaims, Queries, Reader, Reading, ReadTogether
from veridic.pipeline.telling import Tell


@runtime_checkable
class ReadsTogether(Reader, Protocol):
    """A reader that can judge several claims by the same evidence in one go."""

    async def read_together(self, claims: Sequence[Claim], gathered: Gathered, *, stage: str) -> ReadTogether:
        """A reading for each claim, and a verdict on the document; `VeridicError` where it came to nothing at all."""
        ...


class Round(NamedTuple):
    observer: Observer
    reader: Reader

    def article(self) -> ArticleVerdict | None:
        """What the reader made of the whole document, once its claims were read."""
        return self.reader.article if isinstance(self.reader, _OneReading) else None


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
        self._reading: asyncio.Task[ReadTogether] | None = None

    @property
    def article(self) -> ArticleVerdict | None:
        """None as long as nothing was read, and where the reader said nothing of it."""
        done = self._reading
        is_read = done is not None and done.done() and not done.cancelled() and done.exception() is None
        return done.result().article if done is not None and is_read else None

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        """See `Reader.read`."""
        if question != (claim.framing.underlying_claim or claim.text):
            return await self._whether_said(claim, question, gathered, stage)
        if self._reading is None:
            self._reading = asyncio.create_task(
                self._reader.read_together(self._claims, gathered, stage=VALIDATE)
            )
        readings = (await self._reading).readings
        if claim.id not in readings:
            raise ModelError("The language model gave no verdict on this statement, asked twice.")
        return readings[claim.id]

    async def _whether_said(self, claim: Claim, question: str, gathered: Gathered, stage: str) -> Reading:
        """Out of the one reading where it is there; after a resumed run's first half, or where the reader left it out, it is asked by itself."""
        said = (await self._reading).said if self._reading is not None else {}
        return said.get(claim.id) or await self._reader.read(claim, question, gathered, stage=stage)
