"""`BatchRun`: takes articles from an input, has them checked, and saves what came of each.

Its state is in the database: each article has a row from the moment it is listed, and each check is a durable run. So a
batch that was killed goes on where it was, in any process, and nothing is paid for twice.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy.orm import Session

from veridic.batch.budget import BatchBudget
from veridic.batch.inputs import BatchInput, Item, text_digest
from veridic.batch.plan import BatchPlan, flags_of
from veridic.batch.results import result_of
from veridic.config.settings import Settings
from veridic.domain.claim import Priority
from veridic.domain.document import Document
from veridic.domain.errors import BusyError, ConflictError, NotFoundError, StorageError, VeridicError
from veridic.domain.events import EventName
from veridic.engine.costs import BUDGET, NOT_COMPLETED, unexpected_error_message
from veridic.engine.order import document_to_validate
from veridic.runtime.runner import Runner
from veridic.runtime.saved_orders import load_order
from veridic.store import batches
from veridic.store.batch_tables import ArticleState
from veridic.store.batches import ArticleRow, Outcome
from veridic.store.leases import RENEW_SECONDS
from veridic.store.runs import RunState

T = TypeVar("T")

_LISTED_AT_ONCE = 200
_LOOK_SECONDS = 0.1
"""How often ended runs are looked for."""
_BUSY_SECONDS = 1.0
_LONGEST_PROBLEM = 1_000
NO_LONGER_THERE = "It is no longer in the input."


class Clock(Protocol):
    """The time, and waiting; tests have one of their own."""

    def now(self) -> float:
        """Return seconds since some moment."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class Progress(NamedTuple):
    """How far a batch is."""

    total: int | None
    """None if the input does not say how long it is."""
    ended: int
    failed: int
    under_way: int
    spent_usd: float
    ended_now: int
    """Articles that ended since this process works on the batch."""
    seconds: float
    """For how long it has."""


class Width(NamedTuple):
    """How many articles are worked on."""

    at_once: int
    """Checks that run at once, over all processes of the batch."""
    ahead: int
    """Checks that wait in the queue besides, so that no process waits for this one."""


class BatchRun:
    """One pass over an input. `work` may be called again, for an input that has grown."""

    def __init__(
        self,
        batch_id: int,
        plan: BatchPlan,
        articles: BatchInput,
        runner: Runner,
        settings: Settings,
        *,
        owner: str,
        width: Width,
        priority: Priority,
        budget: BatchBudget,
        clock: Clock,
        on_progress: Callable[[Progress], Awaitable[None]],
    ) -> None:
        """`owner` is the name under which this process has taken the batch."""
        self._batch_id = batch_id
        self._plan = plan
        self._articles = articles
        self._runner = runner
        self._settings = settings
        self._owner = owner
        self._width = width
        self._priority = priority
        self._budget = budget
        self._clock = clock
        self._on_progress = on_progress
        self._flagged: deque[ArticleRow] = deque()
        """Articles that wait for their second run."""
        self._next: tuple[ArticleRow, Item] | None = None
        """The next article of the input, once there is room for it."""
        self._under_way: set[int] = set()
        """The numbers of articles from their beginning to their result."""
        self._starting: set[asyncio.Task[None]] = set()
        self._digests = asyncio.Lock()
        self._total: int | None = None
        self._ended = self._failed = self._ended_now = 0
        self._started_at = clock.now()
        self._renewed_at = clock.now()

    @property
    def is_out_of_money(self) -> bool:
        """Whether articles were left unchecked because of the cost limit."""
        return self._budget.is_exhausted

    async def work(self) -> None:
        """Check every article of the input that has no result yet.

        Raises `VeridicError` if the input or the database can't be read, and `ConflictError` if another process has
        taken the batch over.
        """
        await self._take_up()
        try:
            async with aclosing(self._todo()) as todo:
                await self._work_through(todo)
        finally:
            await self._stop_starting()
        if not self._budget.is_exhausted:
            gone = await self._write(
                lambda session: batches.give_up_waiting(session, self._batch_id, NO_LONGER_THERE)
            )
            self._ended, self._failed = self._ended + gone, self._failed + gone
        await self._tell()

    async def _work_through(self, todo: AsyncIterator[tuple[ArticleRow, Item]]) -> None:
        self._next = await anext(todo, None)
        while self._next or self._under_way or self._flagged:
            await self._begin_some(todo)
            await self._wait()
            await self._collect()
            await self._renew()
            await self._tell()
            if self._budget.is_exhausted and not self._under_way:
                async for _ in todo:  # every article gets its row, though there is no money to check it
                    pass
                return

    async def _take_up(self) -> None:
        """Go on with what was begun before."""
        self._total = await asyncio.to_thread(self._articles.count)
        before = await self._read(batches.totals)
        self._ended, self._failed = before.ended, before.failed
        self._budget.spent(before.spent_usd, dearest_usd=before.dearest_usd)
        self._under_way.clear()
        self._flagged.clear()
        for row in await self._read(batches.begun):
            if row.state is ArticleState.FLAGGED:
                self._flagged.append(row)
                continue
            self._under_way.add(row.number)
            self._budget.set_aside(row.number, row.limit_usd)
            if row.current_run is not None:
                await self._go_on(row.current_run)

    async def _go_on(self, run_id: str) -> None:
        try:
            summary = await asyncio.to_thread(self._runner.store.summary, run_id)
            if summary.state is RunState.INTERRUPTED:
                await self._runner.resume(run_id)
        except (ConflictError, NotFoundError):
            return  # it has ended, or another process works on it

    async def _todo(self) -> AsyncGenerator[tuple[ArticleRow, Item], None]:
        """Yield the articles that nobody has begun, and list all on the way."""
        items: Iterator[Item] = await asyncio.to_thread(lambda: iter(self._articles.items()))
        while part := await asyncio.to_thread(lambda: list(islice(items, _LISTED_AT_ONCE))):
            listed = [item.listed for item in part]
            rows = await self._write(partial(batches.list_articles, batch_id=self._batch_id, items=listed))
            taken = set()
            for item in part:
                row = rows[item.listed.key]
                if row.state is ArticleState.WAITING and row.number not in taken:
                    taken.add(row.number)
                    yield row, item

    async def _begin_some(self, todo: AsyncIterator[tuple[ArticleRow, Item]]) -> None:
        """Begin as many articles as there is room for."""
        # With a limit of cost, the money is divided among the checks at once, so none waits in the queue.
        most = self._width.at_once + (0 if self._budget.is_limited else self._width.ahead)
        while (
            len(self._under_way) < most
            and (self._flagged or self._next)
            and self._budget.has_room(len(self._under_way))
        ):
            if self._flagged:
                row = self._flagged.popleft()
                self._spawn(row, self._begin_second(row))
            elif self._next:
                row, item = self._next
                self._spawn(row, self._begin_first(row, item))
                self._next = await anext(todo, None)

    def _spawn(self, row: ArticleRow, begin: Coroutine[Any, Any, None]) -> None:
        share = self._budget.share(len(self._under_way), self._width.at_once)
        self._budget.set_aside(row.number, share)
        self._under_way.add(row.number)
        self._starting.add(asyncio.create_task(begin))

    async def _stop_starting(self) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        self._starting.clear()

    async def _begin_first(self, row: ArticleRow, item: Item) -> None:
        async with self._failing(row):
            document = await asyncio.to_thread(item.read)
            if await self._is_copy(row, item, document):
                self._under_way.discard(row.number)
                self._budget.settle(row.number, 0.0)
                self._count(ArticleState.COPY)
            else:
                await self._start(row, document, is_first=self._plan.triage is not None)

    async def _begin_second(self, row: ArticleRow) -> None:
        async with self._failing(row):
            first_run = str(row.first_run_id)
            saved = await asyncio.to_thread(load_order, self._runner.store, first_run, self._settings)
            await self._start(row, document_to_validate(saved.order), is_first=False)

    @asynccontextmanager
    async def _failing(self, row: ArticleRow) -> AsyncIterator[None]:
        """Let an article that can't be begun cost only itself; a database that can't be used ends the batch."""
        try:
            yield
        except StorageError:
            raise
        except VeridicError as error:
            await self._finish(row, Outcome(ArticleState.FAILED, problem=str(error)))
        except Exception as error:  # noqa: BLE001  a file that a reader stumbles over
            problem = unexpected_error_message(error)
            await self._finish(row, Outcome(ArticleState.FAILED, problem=problem))

    async def _is_copy(self, row: ArticleRow, item: Item, document: Document) -> bool:
        """Save what the text is; return whether another article of the batch has the same."""
        claim = partial(
            batches.claim_digest,
            batch_id=self._batch_id,
            number=row.number,
            digest=text_digest(document),
            title=item.listed.title or document.title,
        )
        async with self._digests:
            return await self._write(claim) is not None

    async def _start(self, row: ArticleRow, document: Document, *, is_first: bool) -> None:
        limit = self._budget.limit_of(row.number)
        order = self._plan.first_order if is_first else self._plan.order
        link = partial(
            batches.begin, batch_id=self._batch_id, number=row.number, limit_usd=limit, is_first=is_first
        )
        while True:
            try:
                await self._runner.start(order(document, limit), priority=self._priority, also=link)
            except BusyError:
                await self._clock.sleep(_BUSY_SECONDS)  # others have filled the queue
            else:
                return

    async def _wait(self) -> None:
        """Wait a moment, or until an article was begun. Raises what went wrong with that."""
        waiting = asyncio.create_task(asyncio.sleep(_LOOK_SECONDS))
        done, _ = await asyncio.wait({waiting, *self._starting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        for task in done - {waiting}:
            self._starting.discard(task)
            task.result()

    async def _collect(self) -> None:
        """Save what came of the runs that have ended."""
        if not self._under_way:
            return
        for row in await self._read(batches.with_ended_run):
            outcome = await asyncio.to_thread(self._outcome, row)
            await self._finish(row, outcome)

    async def _finish(self, row: ArticleRow, outcome: Outcome) -> None:
        await self._write(lambda session: batches.finish(session, self._batch_id, row.number, outcome))
        self._under_way.discard(row.number)
        self._budget.settle(row.number, outcome.cost_usd)
        if outcome.state is ArticleState.FLAGGED:
            self._flagged.append(row)
        else:
            self._count(outcome.state)

    def _count(self, state: ArticleState) -> None:
        self._ended += 1
        self._ended_now += 1
        self._failed += state in (ArticleState.FAILED, ArticleState.INCOMPLETE)

    def _outcome(self, row: ArticleRow) -> Outcome:
        """Return what came of an article whose run has ended. Blocks."""
        store, run_id = self._runner.store, row.current_run
        if run_id is None:
            return Outcome(ArticleState.FAILED, problem="Its run was deleted.")
        try:
            cost = store.usage(run_id).cost_usd
            summary = store.summary(run_id)
            flags = self._flags(row)
            if summary.state is RunState.FAILED:
                self._look_for_limit(row, run_id)
                first = None if flags is None else {"flags": flags}
                return Outcome(ArticleState.FAILED, first, summary.error, cost)
            report = store.get(run_id)
        except NotFoundError as error:
            return Outcome(ArticleState.FAILED, problem=str(error))
        if self._plan.triage is not None and flags is None:
            flags = flags_of(report, self._settings.batch_flags)
            if flags:
                return Outcome(ArticleState.FLAGGED, result_of(report, flags), cost_usd=cost)
        reasons = dict.fromkeys(f.message for f in report.errors if f.stage in NOT_COMPLETED)
        if any(failure.stage == BUDGET for failure in report.errors):
            self._budget.was_reached(row.number)
        return Outcome(
            ArticleState.INCOMPLETE if reasons else ArticleState.DONE,
            result=result_of(report, flags),
            problem=" ".join(reasons)[:_LONGEST_PROBLEM] or None,
            cost_usd=cost,
        )

    def _flags(self, row: ArticleRow) -> tuple[str, ...] | None:
        """Return why an article is checked a second time; None if it is not."""
        if row.first_run_id is None or row.run_id is None:
            return None
        return flags_of(self._runner.store.get(row.first_run_id), self._settings.batch_flags)

    def _look_for_limit(self, row: ArticleRow, run_id: str) -> None:
        if self._budget.is_limited and any(
            event.name == EventName.STAGE_FAILED and event.data["failure"]["stage"] == BUDGET
            for event in self._runner.store.events(run_id)
        ):
            self._budget.was_reached(row.number)

    async def _renew(self) -> None:
        if self._clock.now() - self._renewed_at < RENEW_SECONDS:
            return
        self._renewed_at = self._clock.now()
        if not await self._write(lambda session: batches.renew(session, self._batch_id, self._owner)):
            raise ConflictError(f"Another process has taken batch {self._batch_id} over.")

    async def _tell(self) -> None:
        await self._on_progress(
            Progress(
                total=self._total,
                ended=self._ended,
                failed=self._failed,
                under_way=len(self._under_way),
                spent_usd=self._budget.spent_usd,
                ended_now=self._ended_now,
                seconds=self._clock.now() - self._started_at,
            )
        )

    async def _read(self, read: Callable[[Session, int], T]) -> T:
        def work() -> T:
            with self._runner.store.read() as session:
                return read(session, self._batch_id)

        return await asyncio.to_thread(work)

    async def _write(self, write: Callable[[Session], T]) -> T:
        return await asyncio.to_thread(self._runner.store.write, write)
