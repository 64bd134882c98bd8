"""A batch from its command to its results: opens it, works on it with helpers, writes the results, and watches its input."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from veridic.batch.budget import BatchBudget
from veridic.batch.helpers import cores, helpers
from veridic.batch.inputs import BatchInput, open_input
from veridic.batch.plan import BatchPlan
from veridic.batch.results import row_of, writer_for
from veridic.batch.run import BatchRun, Clock, Progress, Width
from veridic.config.settings import Settings
from veridic.domain.claim import Priority
from veridic.domain.errors import InputError, ProviderError, UsageError
from veridic.domain.verdicts import Verdict
from veridic.runtime.leases import is_dead, new_owner
from veridic.runtime.runner import Runner
from veridic.store import batches
from veridic.store.batches import BatchSummary, Totals
from veridic.store.leases import RENEW_SECONDS
from veridic.store.runs import RunStore

SETTLED_SECONDS = 2.0
"""How long a file of a watched folder has not been written to before it is read."""
_ARTICLES_PER_HELPER = 10
"""For fewer, the start of another process takes longer than it saves."""
_EMBEDDED_AT_ONCE = 2
"""Articles that a process reads at once: while one waits for the database, the other is read."""
_MODELS_AT_ONCE = 8
_RESULTS_SECONDS = 10.0
"""How often the results are written on the way."""
_RESULTS_SHARE = 20
"""And at most this share of the time is spent on that."""


class RealClock:
    """See `Clock`."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Manner(NamedTuple):
    """How a batch is worked on; unlike its plan, this may differ each time."""

    workers: int | None = None
    """Processes; None for as many as help."""
    at_once: int | None = None
    """Articles checked at once, over all processes."""
    every_seconds: float | None = None
    """How often the input is looked at again; None to end once all its articles are checked."""
    retry_failed: bool = False
    priority: Priority = Priority.LOW
    """Of the checks that are started, among all that wait."""


class Ended(NamedTuple):
    """How far a batch has come."""

    batch: BatchSummary
    totals: Totals
    copies: int
    flagged: int | None
    """Articles that were looked at twice; None without triage."""
    is_out_of_money: bool
    verdicts: frozenset[Verdict]
    """All that occurred."""


def open_batch(store: RunStore, source: str, output: Path, plan: BatchPlan) -> BatchSummary:
    """Return the batch that writes to `output`; a new one if there is none.

    Raises `UsageError` if that file belongs to another batch, or to none.
    """
    path = str(output.absolute())
    with store.read() as session:
        known = batches.find_by_output(session, path)
        batch = batches.find(session, known) if known is not None else None
    if batch is None:
        if output.exists():
            raise UsageError(
                f"{output} exists and is not the result of a batch; name another file for --output."
            )
        data = plan.model_dump(mode="json")
        new = store.write(partial(batches.create, source=source, output=path, plan=data))
        with store.read() as session:
            return batches.find(session, new)
    before = BatchPlan.model_validate(batch.plan)
    if (batch.source, before) != (source, plan.model_copy(update={"max_cost_usd": before.max_cost_usd})):
        raise UsageError(
            f"{output} has the results of batch {batch.id}, which was started with other articles or options; name another "
            f"file for --output, or go on with that one: --resume {batch.id}."
        )
    return limited(store, batch, plan.max_cost_usd)


def limited(store: RunStore, batch: BatchSummary, max_cost_usd: float | None) -> BatchSummary:
    """Return a batch with another limit of cost, which is saved; None leaves it as it is."""
    if max_cost_usd is None:
        return batch
    plan = batch.plan | {"max_cost_usd": max_cost_usd}
    store.write(partial(batches.set_plan, batch_id=batch.id, plan=plan))
    return batch.model_copy(update={"plan": plan})


class BatchSession:
    """Works on one batch in this process and its helpers."""

    def __init__(
        self,
        batch: BatchSummary,
        manner: Manner,
        settings: Settings,
        *,
        clock: Clock | None = None,
        articles: BatchInput | None = None,
        make_runner: Callable[[Settings, str], Runner] = lambda settings, origin: Runner(
            settings, origin=origin
        ),
        on_progress: Callable[[Progress], None] = lambda _: None,
        on_trouble: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`on_trouble` is told what went wrong with an input that will be looked at again. The others are seams for tests."""
        self._batch = batch
        self._manner = manner
        self._settings = settings
        self._plan = BatchPlan.model_validate(batch.plan)
        self._clock = clock or RealClock()
        self._output = Path(batch.output)
        self._write_rows = writer_for(self._output)
        self._articles = articles or self._open_input()
        self._make_runner = make_runner
        self._on_progress = on_progress
        self._on_trouble = on_trouble
        self._owner = new_owner()
        self._origin = batches.origin_of(batch.id)
        self._results_due = self._clock.now() + _RESULTS_SECONDS
        self._is_reading = self._plan.uses_embedded_engine(settings)

    async def run(self) -> Ended:
        """Work until every article has ended, or without end if the input is watched.

        Being cancelled leaves the batch so that it can go on. Raises `VeridicError`.
        """
        total = await asyncio.to_thread(self._articles.count)
        workers = self._workers(total)
        at_once = self._manner.at_once or (
            workers * _EMBEDDED_AT_ONCE if self._is_reading else _MODELS_AT_ONCE
        )
        each = -(-at_once // workers)
        settings = self._settings.model_copy(update={"max_concurrent_checks": each})
        budget = BatchBudget(self._plan.max_cost_usd)
        async with self._make_runner(settings, self._origin) as runner:
            await self._take(runner)
            is_finished = False
            try:
                with helpers(workers - 1, settings, self._origin):
                    await self._work(runner, Width(at_once, 2 * at_once), budget)
                is_finished = not budget.is_exhausted
            finally:
                await runner.stop()
                await asyncio.to_thread(self._leave, runner.store, is_finished=is_finished)
            return await asyncio.to_thread(self._ended, runner.store, budget)

    async def _take(self, runner: Runner) -> None:
        take = partial(batches.take, batch_id=self._batch.id, owner=self._owner, is_dead=is_dead)
        await asyncio.to_thread(runner.store.write, take)
        if self._manner.retry_failed:
            await asyncio.to_thread(
                runner.store.write, partial(batches.waiting_again, batch_id=self._batch.id)
            )

    async def _work(self, runner: Runner, width: Width, budget: BatchBudget) -> None:
        run = BatchRun(
            self._batch.id,
            self._plan,
            self._articles,
            runner,
            self._settings,
            owner=self._owner,
            width=width,
            priority=self._manner.priority,
            budget=budget,
            clock=self._clock,
            on_progress=partial(self._progressed, runner),
        )
        await run.work()
        while self._manner.every_seconds is not None:
            await asyncio.to_thread(self._write_results, runner.store)
            await self._wait(runner, self._manner.every_seconds)
            try:
                await run.work()
            except (InputError, ProviderError) as error:  # the feed or the folder may be back the next time
                self._on_trouble(str(error))

    async def _wait(self, runner: Runner, seconds: float) -> None:
        """Wait for the next look at the input, and keep the batch meanwhile."""
        until = self._clock.now() + seconds
        renew = partial(batches.renew, batch_id=self._batch.id, owner=self._owner)
        while (left := until - self._clock.now()) > 0:
            await self._clock.sleep(min(left, RENEW_SECONDS))
            await asyncio.to_thread(runner.store.write, renew)

    async def _progressed(self, runner: Runner, progress: Progress) -> None:
        self._on_progress(progress)
        if self._clock.now() >= self._results_due:
            await asyncio.to_thread(self._write_results, runner.store)

    def _write_results(self, store: RunStore) -> None:
        started = self._clock.now()
        with store.read() as session:
            self._write_rows(
                row_of(article) for article in batches.finished_articles(session, self._batch.id)
            )
        took = self._clock.now() - started
        self._results_due = self._clock.now() + max(_RESULTS_SECONDS, _RESULTS_SHARE * took)

    def _leave(self, store: RunStore, *, is_finished: bool) -> None:
        store.write(
            partial(batches.leave, batch_id=self._batch.id, owner=self._owner, is_finished=is_finished)
        )
        self._write_results(store)

    def _ended(self, store: RunStore, budget: BatchBudget) -> Ended:
        verdicts: set[Verdict] = set()
        copies = flagged = 0
        with store.read() as session:
            for article in batches.finished_articles(session, self._batch.id):
                verdicts.update(map(Verdict, (article.result or {}).get("verdicts", ())))
                copies += article.copy_of is not None
                flagged += article.copy_of is None and None not in (article.first_run_id, article.run_id)
            return Ended(
                batches.find(session, self._batch.id),
                batches.totals(session, self._batch.id),
                copies,
                None if self._plan.triage is None else flagged,
                budget.is_exhausted,
                frozenset(verdicts),
            )

    def _workers(self, total: int | None) -> int:
        if self._manner.workers is not None:
            return self._manner.workers
        if not self._is_reading:
            return 1
        enough = cores() if total is None else -(-(total - self._batch.ended) // _ARTICLES_PER_HELPER)
        return max(1, min(cores(), enough))

    def _open_input(self) -> BatchInput:
        is_watched = self._manner.every_seconds is not None
        return open_input(
            self._batch.source,
            self._settings,
            output=self._output,
            settled_before=_settled_before if is_watched else None,
        )


def _settled_before() -> float:
    return time.time() - SETTLED_SECONDS
