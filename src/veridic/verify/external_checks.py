"""Checks that run or ask something: links, examples, databases, endpoints, the git history.

Nothing is run or asked unless the order allows it, and the modules for it are imported only then.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from veridic.config.settings import Settings
from veridic.domain.code import AgentVerdict, DocClaim
from veridic.providers.fetch.base import Answer
from veridic.verify.evidence.examples import Example, check_example
from veridic.verify.evidence.history import check_commits
from veridic.verify.evidence.links import check_links
from veridic.verify.evidence.removed_names import check_removed_names
from veridic.verify.history import History
from veridic.verify.order import VerifyOrder
from veridic.verify.rules.context import Context
from veridic.verify.verifier import by_claim


class AllowedChecks:
    """Runs the checks outside the repository's files that an order allows."""

    def __init__(
        self,
        order: VerifyOrder,
        settings: Settings,
        context: Context,
        *,
        history: History | None,
        examples: Mapping[str, Example],
        stale: Mapping[str, AgentVerdict],
    ) -> None:
        """`examples` are the ones to run; `stale` has the verdicts on claims that a change made false, by claim id."""
        self._order = order
        self._settings = settings
        self._context = context
        self._history = history
        self._examples = examples
        self._stale = stale

    def verdicts(self, claims: Sequence[DocClaim]) -> dict[str, list[AgentVerdict]]:
        """The verdicts of all checks, by claim id."""
        return by_claim(self._each(claims))

    def _each(self, claims: Sequence[DocClaim]) -> Iterator[tuple[str, AgentVerdict]]:
        if self._history is not None:
            yield from check_commits(claims, self._history).items()
            yield from check_removed_names(claims, self._context, self._history)
        if self._order.check_links:
            yield from asyncio.run(check_links(claims, self._ask_status)).items()
        yield from ((claim.id, self._stale[claim.id]) for claim in claims if claim.id in self._stale)
        yield from self._run_examples(claims)
        yield from self._ask_databases(claims)
        if self._order.apis:
            yield from asyncio.run(self._ask_endpoints(claims))

    async def _ask_status(self, address: str) -> Answer:
        from veridic.providers.fetch.http import HttpFetcher

        return await asyncio.to_thread(partial(HttpFetcher(self._settings).status, address))

    def _run_examples(self, claims: Sequence[DocClaim]) -> Iterator[tuple[str, AgentVerdict]]:
        is_confined = not self._settings.unconfined_tests
        for claim in claims:
            if example := self._examples.get(claim.id):
                yield claim.id, check_example(example, self._order.root, is_confined=is_confined)

    def _ask_databases(self, claims: Sequence[DocClaim]) -> Iterator[tuple[str, AgentVerdict]]:
        if not self._order.databases:
            return
        from veridic.verify.evidence.database import LiveDatabase

        with ExitStack() as opened:
            databases = [opened.enter_context(LiveDatabase(url)) for url in self._order.databases]
            for claim in claims:
                for database in databases:
                    if verdict := database.check(claim):
                        yield claim.id, verdict

    async def _ask_endpoints(self, claims: Sequence[DocClaim]) -> list[tuple[str, AgentVerdict]]:
        from veridic.verify.evidence.api import LiveApi

        api = LiveApi(self._order.apis, self._settings)
        answers = [(claim.id, await api.check(claim)) for claim in claims]
        return [(claim_id, verdict) for claim_id, verdict in answers if verdict is not None]
