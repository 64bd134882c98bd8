"""The evidence of a consensus run: the passages found for its claims, with the numbers that checkers cite."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from veridic.domain.claim import Claim
from veridic.domain.consensus import NumberedPassage
from veridic.domain.evidence import Passage
from veridic.domain.report import Failure
from veridic.domain.search import Gathered
from veridic.engine.costs import CHANNEL, SEARCH
from veridic.engine.event_stream import Emit
from veridic.engine.prompt_evidence import ROOM, by_date
from veridic.engine.readers import Queries
from veridic.engine.steps import Steps
from veridic.evidence.gathering import Gatherer

PASSAGES_IN_PROMPT = 5
"""Passages of a claim that go into a prompt: the best few carry the facts, and every token costs money."""
_SEARCHES_AT_ONCE = 8
"""Each takes a thread; a text may have hundreds of claims, and a server hundreds of runs."""


class RunEvidence:
    """Gathers evidence, and numbers every passage for the whole run.

    The same question is not searched for twice.
    """

    def __init__(self, gatherer: Gatherer, *, passages: int, seconds: float) -> None:
        """Keeps at most `passages` for a question; `seconds` limits each search."""
        self._gatherer = gatherer
        self._passages = passages
        self._seconds = seconds
        self._gathered: dict[str, Gathered] = {}
        self._numbers: dict[str, int] = {}
        self._numbered: list[Passage] = []
        self._late: list[str] = []
        self._whole: tuple[NumberedPassage, ...] = ()
        """All passages, if they fit into a prompt."""

    @property
    def corpora(self) -> tuple[str, ...]:
        return self._gatherer.names

    @property
    def failures(self) -> list[Failure]:
        """What could not be searched, each failure once."""
        failed: dict[str, Failure] = {}
        for gathered in self._gathered.values():
            stage = CHANNEL if gathered.was_answered else SEARCH
            failed |= {problem: Failure(stage=stage, message=problem) for problem in gathered.problems}
        return [*failed.values(), *(Failure(stage=SEARCH, message=late) for late in self._late)]

    async def gather_all(self, claims: Sequence[Claim], steps: Steps, *, seconds: float) -> None:
        """Find passages for all claims at once, and number them in the order of the claims.

        After `seconds`, it stops and keeps what was found until then.
        """
        turns = asyncio.Semaphore(_SEARCHES_AT_ONCE)

        async def search(question: str) -> Gathered:
            async with turns:
                return await steps.run(f"evidence/{question}", partial(self._search, question), Gathered)

        searches = {question: asyncio.create_task(search(question)) for question in map(question_of, claims)}
        try:
            _, late = await asyncio.wait(searches.values(), timeout=seconds)
        finally:
            for task in searches.values():
                task.cancel()
        gathered = [task.result() for task in searches.values() if task not in late]
        self._use_all_if_small(gathered)
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
        emit: Emit,  # noqa: ARG002
    ) -> Gathered:
        """See `Observer.gather`; a consensus run emits no events for searches."""
        if question not in self._gathered:
            self._remember(await self._search(question))
        return self._gathered[question]

    def for_claims(self, claims: Sequence[Claim]) -> Mapping[str, tuple[NumberedPassage, ...]]:
        """Return the passages that go into a model's prompt, by claim."""
        return {claim.id: self._in_prompt(question_of(claim)) for claim in claims}

    def number(self, passage: Passage) -> int | None:
        return self._numbers.get(passage.id)

    def passage(self, number: int) -> Passage:
        return self._numbered[number - 1]

    def all(self) -> tuple[NumberedPassage, ...]:
        return tuple(map(self._as_numbered, self._numbered))

    async def _search(self, question: str) -> Gathered:
        gathered = await self._gatherer.gather(question, seconds=self._seconds)
        return gathered.model_copy(update={"found": gathered.found[: self._passages]})

    def _use_all_if_small(self, gathered: Sequence[Gathered]) -> None:
        """If everything fits into a prompt, give models all of it, source by source and in order."""
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

    def _in_prompt(self, question: str) -> tuple[NumberedPassage, ...]:
        gathered = self._gathered.get(question)
        if gathered is None:
            return ()
        return self._whole or tuple(
            self._as_numbered(one.passage) for one in gathered.found[:PASSAGES_IN_PROMPT]
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
    """Return what to search for: the underlying claim of hearsay and insinuation, else the claim."""
    return claim.framing.underlying_claim or claim.text
