"""One call of a language model: checks the budget, limits time and concurrency, retries, and records every attempt
in the meter. `Backend` is the part that differs by provider."""

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from veridic.domain.errors import (
    BudgetError,
    EmptyAnswerError,
    ModelError,
    ModelRateLimitError,
    ModelRequestError,
    ModelUnreachableError,
    OversizedAnswerError,
)
from veridic.domain.usage import Expense, ModelCall
from veridic.providers.http_calls import Pace, before_retry, wait_before_retry
from veridic.providers.llm.base import Prompt, Sampling
from veridic.providers.llm.meter import Estimate, Meter, Room
from veridic.providers.llm.thinking import final_answer


class Slots:
    """A fair semaphore that several event loops can share; `asyncio.Semaphore` belongs to one loop."""

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._lock = Lock()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it while the context is open."""
        await self._acquire()
        try:
            yield
        finally:
            self._release()

    async def _acquire(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            self._cancel_wait(waiter)
            raise

    def _cancel_wait(self, waiter: asyncio.Future[None]) -> None:
        with self._lock:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
                return
        self._release()  # The slot was already being handed to this waiter.

    def _release(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._free += 1
                    return
                waiter = self._waiting.popleft()
            try:
                waiter.get_loop().call_soon_threadsafe(_wake, waiter)
            except RuntimeError:  # The waiter's loop has ended; give the slot to the next one.
                continue
            return


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


_CHARACTERS_PER_TOKEN = 4
_MIN_OUTPUT_TOKENS = 1_000
_LONG_OUTPUT_TOKENS = 4_000
"""In a run with a limit: enough for a long answer, or for thinking before a short one."""
_MILLION = 1_000_000
LONGEST_ANSWER = 500_000
"""Characters: many times the longest answer that we ask for, and few enough to parse in seconds."""


@dataclass(frozen=True)
class Billing:
    """What the provider reports for a request; None for what it doesn't report."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    cost_is_estimate: bool = False


_NO_BILLING = Billing()


@dataclass(frozen=True)
class ModelAnswer:
    text: str
    """May be empty, which counts as no answer."""
    billing: Billing


class ModelAttemptError(Exception):
    """One request that returned no usable answer."""

    def __init__(
        self,
        error: ModelError,
        *,
        billing: Billing = _NO_BILLING,
        is_transient: bool = False,
        retry_after: float | None = None,
        outcome_known: bool = True,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.billing = billing
        self.is_transient = is_transient
        """True if the same request may succeed later."""
        self.retry_after = retry_after
        self.outcome_known = outcome_known
        """False if the request was sent and may have been billed."""


class Backend(Protocol):
    """A model provider."""

    @property
    def name(self) -> str:
        """The provider's name."""
        ...

    @property
    def slots(self) -> Slots: ...

    @property
    def is_paid(self) -> bool:
        """False for a self-hosted server, whose models cost nothing."""
        ...

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """Return the list price of so many tokens in US dollars, or None if the list doesn't have the model."""
        ...

    async def ask(self, model: str, prompt: Prompt, max_output_tokens: int | None) -> ModelAnswer:
        """Make one request, without retries. Raises `ModelAttemptError` if there is no usable answer.

        `max_output_tokens` is the final limit; it already includes the limit of the prompt's sampling.
        """
        ...


class MeteredModels:
    """The `LanguageModels` of one run. `backend_of` finds a model's backend; it and `require` raise `UnknownModelError`."""

    def __init__(
        self,
        backend_of: Callable[[str], Awaitable[Backend]],
        meter: Meter,
        *,
        require: Callable[[str], object],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._backend_of = backend_of
        self._require = require
        self._meter = meter
        self._sleep = sleep
        self._clock = clock
        self._jitter = jitter
        self._paces: dict[str, Pace] = {}
        """By model name."""
        self._accepted_sampling: dict[tuple[str, Sampling], Sampling] = {}
        """What each model accepts in place of the sampling settings that it rejected in this run."""

    def require(self, model: str) -> None:
        """See `LanguageModels.require`."""
        self._require(model)

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        """See `LanguageModels.complete`."""
        backend = await self._backend_of(model)
        deadline = self._clock() + timeout_seconds
        prompt = self._with_accepted_sampling(model, prompt)
        try:
            async with asyncio.timeout(timeout_seconds):
                return await self._until_answered(backend, model, prompt, stage, deadline)
        except TimeoutError:
            raise ModelUnreachableError(
                f"{model} gave no answer within {timeout_seconds:g} seconds: try again later, or take another model."
            ) from None

    async def expense(self, model: str, prompt: Prompt, *, stage: str) -> Expense:
        """See `LanguageModels.expense`."""
        backend = await self._backend_of(model)
        likely = _likely_billing(backend, model, prompt)
        call = ModelCall(
            stage=stage,
            model=model,
            input_tokens=likely.input_tokens or 0,
            output_tokens=likely.output_tokens or 0,
            cost_usd=likely.cost_usd,
            cost_is_estimate=likely.cost_is_estimate,
        )
        return Expense(provider=backend.name, call=call)

    async def _until_answered(
        self, backend: Backend, model: str, prompt: Prompt, stage: str, deadline: float
    ) -> str:
        attempts = 0
        is_repeated = False
        pace = self._paces.setdefault(model, Pace(self._clock))
        wait: float | None = pace.delay()
        while True:
            if wait:
                await self._sleep(wait)
            if is_repeated:
                await before_retry()
            is_repeated = True
            attempts += 1
            started = self._clock()
            try:
                answer = await self._attempt(backend, model, prompt, stage)
            except ModelAttemptError as failure:
                if weaker := _weaker_sampling(failure, prompt):
                    prompt = self._remember(model, prompt, weaker)
                    attempts -= 1
                    wait = None
                    continue
                wait = self._wait_after(failure, attempts, deadline)
                if wait is None:
                    raise failure.error from failure
                if isinstance(failure.error, ModelRateLimitError):
                    wait = pace.refused(started, wait)
            else:
                pace.answered()
                return answer

    def _with_accepted_sampling(self, model: str, prompt: Prompt) -> Prompt:
        sampling = prompt.sampling
        while sampling is not None and (model, sampling) in self._accepted_sampling:
            sampling = self._accepted_sampling[model, sampling]
        return prompt.model_copy(update={"sampling": sampling})

    def _remember(self, model: str, prompt: Prompt, weaker: Sampling) -> Prompt:
        if prompt.sampling is not None:
            self._accepted_sampling[model, prompt.sampling] = weaker
        return prompt.model_copy(update={"sampling": weaker})

    def _wait_after(self, failure: ModelAttemptError, attempts: int, deadline: float) -> float | None:
        if not failure.is_transient:
            return None
        left = deadline - self._clock()
        return wait_before_retry(
            attempts, retry_after=failure.retry_after, time_left=left, jitter=self._jitter()
        )

    async def _attempt(self, backend: Backend, model: str, prompt: Prompt, stage: str) -> str:
        async with backend.slots.one():
            estimate, max_output_tokens = _allowance(backend, model, prompt, self._meter.room)
            self._meter.admit(model, estimate)
            started = self._clock()

            def enter(billing: Billing, error: str | None, outcome_known: bool) -> None:
                call = ModelCall(
                    stage=stage,
                    model=model,
                    input_tokens=billing.input_tokens or 0,
                    output_tokens=billing.output_tokens or 0,
                    cost_usd=billing.cost_usd if billing.cost_usd is not None or backend.is_paid else 0.0,
                    cost_is_estimate=billing.cost_is_estimate,
                    duration_ms=round((self._clock() - started) * 1000),
                    error=error,
                )
                self._meter.enter(call, estimate, outcome_known=outcome_known)

            try:
                answer = await backend.ask(model, prompt, max_output_tokens)
                text = _final_text(answer, model)
            except ModelAttemptError as failure:
                is_unknown = not failure.outcome_known and failure.billing == _NO_BILLING
                billing = _likely_billing(backend, model, prompt) if is_unknown else failure.billing
                enter(billing, str(failure), failure.outcome_known)
                raise
            except asyncio.CancelledError:
                # It may have been billed, so it counts as spent: also in a run that goes on in another process.
                likely = _likely_billing(backend, model, prompt)
                enter(likely, f"The call of {model} was cancelled before it answered.", False)
                raise
            enter(answer.billing, None, answer.billing.input_tokens is not None)
            return text


def _final_text(answer: ModelAnswer, model: str) -> str:
    """Return the final answer in what a model wrote. Raises `ModelAttemptError`, billed as reported, if there is none."""
    if len(answer.text) > LONGEST_ANSWER:
        raise ModelAttemptError(oversized(model, len(answer.text), "characters"), billing=answer.billing)
    text = final_answer(answer.text)
    if text.strip():
        return text
    content = "nothing but its thoughts" if answer.text.strip() else "no text"
    raise ModelAttemptError(EmptyAnswerError(f"{model} answered with {content}."), billing=answer.billing)


def oversized(model: str, size: int, unit: str) -> OversizedAnswerError:
    """Return the error for an answer of at least `size` bytes or characters; the rest may be unread."""
    return OversizedAnswerError(
        f"The answer of {model} is too long to be read ({size:,} {unit} or more): try again, or take another model."
    )


def estimated_tokens(characters: int) -> int:
    """Estimate the tokens in so many characters."""
    return characters // _CHARACTERS_PER_TOKEN + 1


def _input_tokens(prompt: Prompt) -> int:
    return estimated_tokens(len(prompt.system) + len(prompt.user))


def _weaker_sampling(failure: ModelAttemptError, prompt: Prompt) -> Sampling | None:
    """Return weaker sampling settings if the provider rejected the request, perhaps for a setting it doesn't know."""
    if prompt.sampling is None or not isinstance(failure.error, ModelRequestError):
        return None
    return prompt.sampling.weaker


def _allowance(
    backend: Backend, model: str, prompt: Prompt, room: Room | None
) -> tuple[Estimate, int | None]:
    """Return what to set aside for a call, and its maximum output tokens.

    The estimate: a model writes about as much as it reads, and at least a page. In a run with a limit, the answer is
    cut off at what was set aside. Otherwise the limit could be exceeded.
    """
    input_tokens = _input_tokens(prompt)
    wanted = prompt.sampling.max_output_tokens if prompt.sampling else None
    if room is None:
        output_tokens = _at_most(max(_MIN_OUTPUT_TOKENS, input_tokens), wanted)
        return _estimate(backend, model, input_tokens, output_tokens), wanted
    output_tokens = max(_MIN_OUTPUT_TOKENS, _max_output(backend, model, input_tokens, room))
    output_tokens = _at_most(output_tokens, wanted)
    estimate = _estimate(backend, model, input_tokens, output_tokens)
    if estimate.cost_usd is None and room.cost_usd is not None and backend.is_paid:
        raise BudgetError(
            f"The price of {model} is unknown, so the limit of cost can't be kept;"
            " take another model, or limit VERIDIC_MAX_TOKENS instead."
        )
    return estimate, output_tokens


def _likely_billing(backend: Backend, model: str, prompt: Prompt) -> Billing:
    """Return what a request is likely to cost, for one whose bill is not known."""
    estimate, _ = _allowance(backend, model, prompt, None)
    input_tokens = _input_tokens(prompt)
    return Billing(
        input_tokens,
        estimate.tokens - input_tokens,
        estimate.cost_usd if backend.is_paid else 0.0,
        cost_is_estimate=backend.is_paid,
    )


def _at_most(tokens: int, wanted: int | None) -> int:
    return tokens if wanted is None else min(tokens, wanted)


def _max_output(backend: Backend, model: str, input_tokens: int, room: Room) -> int:
    """Give one call at most half of what is left: others are in flight or still to come."""
    limit = max(_LONG_OUTPUT_TOKENS, 2 * input_tokens)
    if room.tokens is not None:
        limit = min(limit, room.tokens // 2 - input_tokens)
    reading = backend.price(model, input_tokens, 0)
    writing = backend.price(model, 0, _MILLION)
    if room.cost_usd is not None and reading is not None and writing:
        limit = min(limit, int((room.cost_usd / 2 - reading) / writing * _MILLION))
    return limit


def _estimate(backend: Backend, model: str, input_tokens: int, output_tokens: int) -> Estimate:
    return Estimate(input_tokens + output_tokens, backend.price(model, input_tokens, output_tokens))
