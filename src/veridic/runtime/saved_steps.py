"""`Steps` that survive the process: results are saved, and a resumed run uses them again."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from veridic.config.settings import Settings
from veridic.domain.errors import StorageError
from veridic.domain.usage import Expense
from veridic.providers.http_calls import asking_for_retries
from veridic.runtime.recording import Recorder
from veridic.store.leases import LeaseLostError
from veridic.store.steps import ProviderLimits, StepRow

T = TypeVar("T")

_adapters: dict[Any, TypeAdapter[Any]] = {}
_logger = logging.getLogger(__name__)
_FIRST_WAIT = 0.05
_LONGEST_WAIT = 1.0
"""Seconds between two looks whether a provider's limits, which hold over all processes, allow a call."""


class SavedSteps:
    """The steps of one run.

    A paid call is saved when it begins, so that it counts as spent if the process dies during it, and when it ends. If
    the database fails, the steps run all the same; once another process has taken the run, paid ones raise `LeaseLostError`.
    """

    def __init__(
        self,
        recorder: Recorder,
        settings: Settings,
        before_saving: Callable[[], None],
        saved: Mapping[str, str],
    ) -> None:
        """`saved` are the results from before an interruption, by key. `before_saving` records what was spent, so that
        no result is saved without its cost."""
        self._recorder = recorder
        self._limits = ProviderLimits(settings.provider_max_concurrency, settings.provider_calls_per_minute)
        self._before_saving = before_saving
        self._saved = saved
        self._count: Counter[str] = Counter()

    async def run(
        self,
        name: str,
        call: Callable[[], Awaitable[T]],
        returns: type[T],
        *,
        expense: Expense | None = None,
    ) -> T:
        """See `Steps.run`."""
        self._count[name] += 1
        key = step_key(name, self._count[name])
        if key in self._saved:
            try:
                result: T = _adapter_of(returns).validate_python(json.loads(self._saved[key]))
            except (ValueError, ValidationError):
                _logger.warning(
                    "the saved step %r can't be read by this version, and is made again", name[:80]
                )
            else:
                return result
        try:
            result = await (call() if expense is None else self._pay(key, name, expense, call))
        except BaseException as error:
            self._before_saving()
            if expense is not None:
                # A call to a model is charged by its meter, however it ends; of a search nothing else says that it was made.
                is_lost = expense.call is None and isinstance(error, asyncio.CancelledError)
                self._recorder.step_failed(key, is_lost=is_lost)
            raise
        self._before_saving()
        saved = json.dumps(_adapter_of(returns).dump_python(result, mode="json"))
        self._recorder.step_finished(StepRow(key, name, saved))
        return result

    async def _pay(self, key: str, name: str, expense: Expense, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call once it is saved as begun, and each of its repetitions once that is saved."""
        begin = self._recorder.begin_step
        await self._until_allowed(partial(begin, key, name, expense, self._limits))
        with asking_for_retries(
            lambda: self._until_allowed(partial(self._recorder.repeat_step, key, name, expense, self._limits))
        ):
            return await call()

    async def _until_allowed(self, begin: Callable[[], "Future[bool]"]) -> None:
        wait = _FIRST_WAIT
        try:
            while not await asyncio.wrap_future(begin()):
                await asyncio.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT)
        except LeaseLostError:
            raise  # the process that has the run now makes this call, and pays for it
        except StorageError as error:
            _logger.warning("a step could not be saved: %s", error)


def step_key(name: str, count: int) -> str:
    """Return the key of the `count`th step of this name in a run."""
    return sha256(f"{name}\0{count}".encode("utf-8", "surrogatepass")).hexdigest()


def _adapter_of(returns: type[T]) -> TypeAdapter[T]:
    if returns not in _adapters:
        _adapters[returns] = TypeAdapter(returns)
    return _adapters[returns]
