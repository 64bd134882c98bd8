"""The evidence of a consensus run: what was found for its claims, under numbers that checkers cite."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from threading import Lock

from veridic.domain.claim import Claim
from veridic.domain.consensus import NumberedPassage
from veridic.domain.errors import VeridicError
from veridic.domain.evidence import Found, Passage
from veridic.domain.report import Failure
from veridic.evidence.retrieval import Retriever, merge_found
from veridic.evidence.web import WebSearch
from veridic.pipeline.claim import SEARCH, Finder
from veridic.pipeline.steps import Steps
from veridic.pipeline.threads import in_thread

SHOWN_TO_MODELS = 5
"""Passages a claim that go into a prompt: the best few carry the facts, and every token is paid for."""
_SEARCHES_AT_ONCE = 8
"""Each takes a thread; a text may have hundreds of claims, and a server hundreds of runs."""


class Exhibits:
    """Searches several corpora as one, and gives every passage it finds a number for the whole run.

    To a judge's loop it is a corpus like any other. What was found once is not looked for again.
    """

    name = "the evidence of this run"

    def __init__(
        self, retrievers: Sequence[Retriever], *, passages: int, web: WebSearch | None = None
    ) -> None:
        self._web = web
        self._finders: list[Finder] = [*retrievers, *([web] if web else [])]
        self._passages = passages
        self._found: dict[str, list[Found]] = {}
        self._numbers: dict[str, int] = {}
        self._numbered: list[Passage] = []
        self._lock = Lock()
        self._problems: list[str] = []

    @property
    def corpora(self) -> tuple[str, ...]:
        return tuple(finder.name for finder in self._finders)

    @property
    def failures(self) -> list[Failure]:
        """What could not be searched, each once."""
        problems = [*self._problems, *(self._web.problems if self._web else ())]
        return [Failure(stage=SEARCH, message=problem) for problem in dict.fromkeys(problems)]

    async def gather(self, claims: Sequence[Claim], steps: Steps, *, seconds: float) -> None:
        """Find passages for all claims at once; numbers follow the order of the claims.

        After so many seconds it is done with what was found until then.
        """
        turns = asyncio.Semaphore(_SEARCHES_AT_ONCE)

        async def search(question: str) -> list[Found]:
            async with turns:
                return await steps.run(
                    f"evidence/{question}", partial(in_thread, partial(self._search, question))
                )

        searches = {question: asyncio.create_task(search(question)) for question in map(question_of, claims)}
        try:
            _, late = await asyncio.wait(searches.values(), timeout=seconds)
        finally:
            for task in searches.values():
                task.cancel()
        for question, task in searches.items():
            if task not in late:
                self._remember(question, task.result())
        if late:
            self._problems.append(
                f"The search for evidence on {len(late)} of {len(searches)} claims took longer than {seconds:g} seconds."
            )

    def find(self, claim_text: str, limit: int) -> list[Found]:
        """Passages for any question, most promising first."""
        with self._lock:
            known = self._found.get(claim_text)
        if known is None:
            known = self._remember(claim_text, self._search(claim_text))
        return known[:limit]

    def for_claims(self, claims: Sequence[Claim]) -> Mapping[str, tuple[NumberedPassage, ...]]:
        """By claim: the passages a language model is given to read."""
        return {
            claim.id: tuple(
                self._as_numbered(found.passage)
                for found in self._found.get(question_of(claim), [])[:SHOWN_TO_MODELS]
            )
            for claim in claims
        }

    def number(self, passage: Passage) -> int | None:
        return self._numbers.get(passage.id)

    def passage(self, number: int) -> Passage:
        return self._numbered[number - 1]

    def all(self) -> tuple[NumberedPassage, ...]:
        return tuple(map(self._as_numbered, self._numbered))

    def _search(self, question: str) -> list[Found]:
        results = []
        for finder in self._finders:
            try:
                results.append(finder.find(question, self._passages))
            except VeridicError as error:
                reason = str(error).rstrip(".")
                self._problems.append(f"The search of {finder.name} was left out: {reason}.")
        return merge_found(results, self._passages)

    def _remember(self, question: str, found: list[Found]) -> list[Found]:
        with self._lock:
            for one in found:
                if one.passage.id not in self._numbers:
                    self._numbered.append(one.passage)
                    self._numbers[one.passage.id] = len(self._numbered)
            return self._found.setdefault(question, found)

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
