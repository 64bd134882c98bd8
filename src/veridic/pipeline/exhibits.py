"""The evidence of a consensus run: what was found for its claims, under numbers that checkers cite."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from veridic.domain.claim import Claim
from veridic.domain.consensus import NumberedPassage
from veridic.domain.evidence import Passage
from veridic.domain.report import Failure
from veridic.domain.search import Gathered
from veridic.evidence.gathering import Gatherer
from veridic.pipeline.failures import CHANNEL, SEARCH
from veridic.pipeline.readers import Queries
from veridic.pipeline.shown import ROOM, by_date
from veridic.pipeline.steps import Steps
from veridic.pipeline.telling import Tell

SHOWN_TO_MODELS = 5
"""Passages a claim that go into a prompt: the best few carry the facts, and every token is paid for."""
_SEARCHES_AT_ONCE = 8
"""Each takes a thread; a text may have hundreds of claims, and a server hundreds of runs."""


class Exhibits:
    """Gathers evidence, and gives every passage it finds a number for the whole run.

    What was found once is not looked for again.
    """

    def __init__(self, gatherer: Gatherer, *, passages: int, seconds: float) -> None:
        """At most so many `passages` are kept for a question; a search may take so many `seconds`."""
        self._gatherer = gatherer
        self._passages = passages
        self._seconds = seconds
        self._gathered: dict[str, Gathered] = {}
        self._numbers: dict[str, int] = {}
        self._numbered: list[Passage] = []
        self._late: list[str] = []
        self._whole: tuple[NumberedPassage, ...] = ()
        """All there is, where it is little."""

    @property
    def corpora(self) -> tuple[str, ...]:
        return self._gatherer.names

    @property
    def failures(self) -> list[Failure]:
        """What could not be searched, each once."""
        failed: dict[str, Failure] = {}
        for gathered in self._gathered.values():
            stage = CHANNEL if gathered.was_answered else SEARCH
            failed |= {problem: Failure(stage=stage, message=problem) for problem in gathered.problems}
        return [*failed.values(), *(Failure(stage=SEARCH, message=late) for late in self._late)]

    async def gather_all(self, claims: Sequence[Claim], steps: Steps, *, seconds: float) -> None:
        """Find passages for all claims at once; numbers follow the order of the claims.

        After so many seconds it is done with what was found until then.
        """
        turns = asyncio.Semaphore(_SEARCHES_AT_ONCE)

        async def search(question: str) -> Gathered:
            async with turns:
                return await steps.run(f"evidence/{question}", partial(self._search, question))

        searches = {question: asyncio.create_task(search(question)) for question in map(question_of, claims)}
        try:
            _, late = await asyncio.wait(searches.values(), timeout=seconds)
        finally:
            for task in searches.values():
                task.cancel()
        gathered = [task.result() for task in searches.values() if task not in late]
        self._read_whole(gathered)
        for one in gathered:
            self._remember(one)
        if late:
            self._late.append(
                f"The search for evidence on {len(late)} of {len(searches)} claims took longer than {seconds:g} seconds."
            )

    async def gather(
        self,
        question: str,
        *,
        claim_id: str | None,  # noqa: ARG002
        queries: Queries | None,  # noqa: ARG002
        tell: Tell,  # noqa: ARG002
    ) -> Gathered:
        """See `Observer.gather`; clients of a consensus run are not told of searches."""
        if question not in self._gathered:
            self._remember(await self._search(question))
        return self._gathered[question]

    def for_claims(self, claims: Sequence[Claim]) -> Mapping[str, tuple[NumberedPassage, ...]]:
        """By claim: the passages a language model is given to read."""
        return {claim.id: self._shown(question_of(claim)) for claim in claims}

    def number(self, passage: Passage) -> int | None:
        return self._numbers.get(passage.id)

    def passage(self, number: int) -> Passage:
        return self._numbered[number - 1]

    def all(self) -> tuple[NumberedPassage, ...]:
        return tuple(map(self._as_numbered, self._numbered))

    async def _search(self, question: str) -> Gathered:
        gathered = await self._gatherer.gather(question, seconds=self._seconds)
        return gathered.model_copy(update={"found": gathered.found[: self._passages]})

    def _read_whole(self, gathered: Sequence[Gathered]) -> None:
        """Where all there is has room in a prompt, models are given all of it, source by source and in order."""
        found = {one.passage.id: one.passage for each in gathered for one in each.found}
        everything = found | {passage.id: passage for each in gathered for passage in each.rest}
        if sum(len(passage.text) for passage in everything.values()) <= ROOM:
            in_order = sorted(everything.values(), key=lambda p: (*by_date(p), p.start))
            self._number(in_order)
            self._whole = tuple(map(self._as_numbered, in_order))

    def _number(self, passages: Iterable[Passage]) -> None:
        for passage in passages:
            if passage.id not in self._numbers:
                self._numbered.append(passage)
                self._numbers[passage.id] = len(self._numbered)

    def _remember(self, gathered: Gathered) -> None:
        self._number(one.passage for one in gathered.found)
        self._gathered.setdefault(gathered.question, gathered)

    def _shown(self, question: str) -> tuple[NumberedPassage, ...]:
        gathered = self._gathered.get(question)
        if gathered is None:
            return ()
        return self._whole or tuple(
            self._as_numbered(one.passage) for one in gathered.found[:SHOWN_TO_MODELS]
        )

    def _as_numbered(self, passage: Passage) -> NumberedPassage:
        dated = passage.date or passage.source.date
        return NumberedPassage(
            number=self._numbers[passage.id],
            title=passage.source.title,
            reference=passage.source.reference,
            date=str(dated) if dated else None,
            text=passage.text,
        )


def question_of(claim: Claim) -> str:
    """What evidence is looked for: of hearsay and insinuation, what is said to be so."""
    return claim.framing.underlying_claim or claim.text
