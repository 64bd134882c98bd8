"""Summary mode: gathers evidence once, and reads it once, for all claims of a document."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from veridic.domain.claim import Claim, Extraction
from veridic.domain.errors import ModelError, VeridicError
from veridic.domain.evidence import Channel
from veridic.domain.search import Gathered
from veridic.engine.costs import VALIDATE
from veridic.engine.event_stream import Emit
from veridic.engine.readers import (
    ArticleVerdict,
    ListedClaims,
    Observer,
    Queries,
    Reader,
    Reading,
    ReadTogether,
    SharedObserver,
)


@runtime_checkable
class ReadsTogether(Reader, Protocol):
    """A reader that can judge several claims at once by the same evidence."""

    async def read_together(self, claims: Sequence[Claim], gathered: Gathered, *, stage: str) -> ReadTogether:
        """Return a reading for each claim, and a verdict on the document; raises `VeridicError` if there is no result at all."""
        ...


class Round(NamedTuple):
    observer: Observer
    reader: Reader

    async def article(self) -> ArticleVerdict | None:
        """Return the reader's verdict on the whole document, once its claims were read."""
        return await self.reader.article() if isinstance(self.reader, _BatchReader) else None


async def gather_once(listed: ListedClaims, observer: Observer, reader: Reader, emit: Emit) -> Round:
    """Search once for all claims; the returned observer and reader use that evidence for each of them."""
    claims = verifiable_claims(listed.extraction)
    if not claims:
        return Round(observer, reader)
    question = " ".join(claim.framing.underlying_claim or claim.text for claim in claims)
    gathered = await observer.gather(
        question, claim_id=None, queries=joined_queries(listed.queries, claims), emit=emit
    )
    if isinstance(reader, ReadsTogether):
        reader = _BatchReader(reader, claims, gathered)
    return Round(SharedObserver(gathered), reader)


def verifiable_claims(extraction: Extraction) -> tuple[Claim, ...]:
    """Return the claims to search for: those that don't rest on private data."""
    return tuple(claim for claim in extraction.claims if claim.framing.verifiable)


def joined_queries(queries: Mapping[str, Queries], claims: Sequence[Claim]) -> Queries | None:
    """Join the queries of all claims for each channel; None if there are none."""
    joined = {
        channel: " ".join(
            dict.fromkeys(q for claim in claims if (q := queries.get(claim.id, {}).get(channel)))
        )
        for channel in Channel
    }
    return {channel: query for channel, query in joined.items() if query} or None


class _BatchReader:
    """Reads all claims when the first of them is asked for."""

    def __init__(self, reader: "ReadsTogether", claims: Sequence[Claim], gathered: Gathered) -> None:
        self._reader = reader
        self._claims = claims
        self._gathered = gathered
        self._reading: asyncio.Task[ReadTogether] | None = None

    async def article(self) -> ArticleVerdict | None:
        """Return the verdict on the document; None if there is none. To be asked once claims were read."""
        try:
            return (await self._read_all()).article
        except VeridicError:
            return None  # the claims have failed with the same error

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        """See `Reader.read`."""
        if question != (claim.framing.underlying_claim or claim.text):
            return await self._read_attribution(claim, question, gathered, stage)
        readings = (await self._read_all()).readings
        if claim.id not in readings:
            raise ModelError("The language model gave no verdict on this statement, asked twice.")
        return readings[claim.id]

    async def _read_attribution(self, claim: Claim, question: str, gathered: Gathered, stage: str) -> Reading:
        """Use the common reading if it has the answer; if the reader left it out, ask separately."""
        said = (await self._read_all()).said
        return said.get(claim.id) or await self._reader.read(claim, question, gathered, stage=stage)

    async def _read_all(self) -> ReadTogether:
        if self._reading is None:
            reading = self._reader.read_together(self._claims, self._gathered, stage=VALIDATE)
            self._reading = asyncio.create_task(reading)
        return await self._reading
