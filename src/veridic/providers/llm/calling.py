"""One call of a language model from end to end: admitted by the budget, limited in time and number, made again
where that helps, and entered in the meter whatever comes of it. What differs by provider is a `Backend`."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
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
from veridic.domain.usage import ModelCall
from veridic.providers.llm.base import Prompt, Sampling
from veridic.providers.llm.meter import Estimate, Meter, Room
from veridic.providers.llm.slots import Slots
from veridic.providers.llm.thinking import final_answer
from veridic.providers.pace import Pace
from veridic.providers.retries import wait_before_retry

_CHARACTERS_PER_TOKEN = 4
_LEAST_OUTPUT_TOKENS = 1_000
_GENEROUS_OUTPUT_TOKENS = 4_000
"""In a run with a limit: room for a long answer, or for thinking before a short one."""
_A_MILLION = 1_000_000
LONGEST_ANSWER = 500_000
"""Characters: many times the longest answer that is asked for, and few enough to be read in seconds, whatever they are."""


@dataclass(frozen=True)
class Billing:
    """What a provider says a request took. None is what it does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    cost_is_estimate: bool = False


_NOTHING_SAID = Billing()


@dataclass(frozen=True)
class Answer:
    text: str
    """May be empty: then it is none."""
    billing: Billing


class AttemptError(Exception):
    """One request that brought no answer to use."""

    def __init__(
        self,
        error: ModelError,
        *,
        billing: Billing = _NOTHING_SAID,
        is_transient: bool = False,
        retry_after: float | None = None,
        outcome_known: bool = True,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.billing = billing
        self.is_transient = is_transient
        """True where the same request may well succeed later."""
        self.retry_after = retry_after
        self.outcome_known = outcome_known
        """False where the request went out and nobody can say whether it is billed."""


class Backend(Protocol):
    """A provider of models."""

    @property
    def slots(self) -> Slots: ...

    @property
    def is_paid(self) -> bool:
        """False for a server of one's own, whose models cost nothing that anybody bills."""
        ...

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens cost by the price list, in US dollars; None where it has no such model."""
        ...

    async def ask(self, model: str, prompt: Prompt, max_output_tokens: int | None) -> Answer:
        """Make one request, with no retries; `AttemptError` where there is no answer to use.

        `max_output_tokens` holds; what the prompt's sampling says of length is in it already.
        """
        ...


class MeteredModels:
    """`LanguageModels` on backends. `backend_of` finds a model's; both it and `require` raise `UnknownModelError`."""

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
        """By model."""
        self._taken: dict[tuple[str, Sampling], Sampling] = {}
        """By model: what it takes in place of sampling that it refused in this run."""

    def require(self, model: str) -> None:
        """See `LanguageModels.require`."""
        self._require(model)

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        """See `LanguageModels.complete`."""
        backend = await self._backend_of(model)
        deadline = self._clock() + timeout_seconds
        prompt = self._as_taken(model, prompt)
        try:
            async with asyncio.timeout(timeout_seconds):
                return await self._until_answered(backend, model, prompt, stage, deadline)
        except TimeoutError:
            raise ModelUnreachableError(
                f"{model} gave no answer within {timeout_seconds:g} seconds: try again later, or take another model."
            ) from None

    async def _until_answered(
        self, backend: Backend, model: str, prompt: Prompt, stage: str, deadline: float
    ) -> str:
        attempts = 0
        pace = self._paces.setdefault(model, Pace(self._clock))
        wait: float | None = pace.delay()
        while True:
            if wait:
                await self._sleep(wait)
            attempts += 1
            started = self._clock()
            try:
                answer = await self._attempt(backend, model, prompt, stage)
            except AttemptError as failure:
                if weaker := _without_what_was_refused(failure, prompt):
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

    def _as_taken(self, model: str, prompt: Prompt) -> Prompt:
        sampling = prompt.sampling
        while sampling is not None and (model, sampling) in self._taken:
            sampling = self._taken[model, sampling]
        return prompt.model_copy(update={"sampling": sampling})

    def _remember(self, model: str, prompt: Prompt, weaker: Sampling) -> Prompt:
        if prompt.sampling is not None:
            self._taken[model, prompt.sampling] = weaker
        return prompt.model_copy(update={"sampling": weaker})

    def _wait_after(self, failure: AttemptError, attempts: int, deadline: float) -> float | None:
        if not failure.is_transient:
            return None
        left = deadline - self._clock()
        return wait_before_retry(
            attempts, retry_after=failure.retry_after, time_left=left, jitter=self._jitter()
        )

    async def _attempt(self, backend: Backend, model: str, prompt: Prompt, stage: str) -> str:
        async with backend.slots.one():
            likely, max_output_tokens = _allowance(backend, model, prompt, self._meter.room)
            self._meter.admit(model, likely)
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
                self._meter.enter(call, likely, outcome_known=outcome_known)

            try:
                answer = await backend.ask(model, prompt, max_output_tokens)
                said = _said(answer, model)
            except AttemptError as failure:
                enter(failure.billing, str(failure), failure.outcome_known)
                raise
            except asyncio.CancelledError:
                enter(_NOTHING_SAID, f"Nobody waited any longer for {model} to answer.", False)
                raise
            enter(answer.billing, None, answer.billing.input_tokens is not None)
            return said


def _said(answer: Answer, model: str) -> str:
    """The final answer in what a model wrote; `AttemptError`, charged as it was billed, where there is none to be read."""
    if len(answer.text) > LONGEST_ANSWER:
        raise AttemptError(oversized(model, len(answer.text), "characters"), billing=answer.billing)
    said = final_answer(answer.text)
    if said.strip():
        return said
    wrote = "nothing but its thoughts" if answer.text.strip() else "no text"
    raise AttemptError(EmptyAnswerError(f"{model} answered with {wrote}."), billing=answer.billing)


def oversized(model: str, size: int, unit: str) -> OversizedAnswerError:
    """`size` is how much came, or how much was read before the rest was left where it was."""
    return OversizedAnswerError(
        f"The answer of {model} is too long to be read ({size:,} {unit} or more): try again, or take another model."
    )


def estimated_tokens(characters: int) -> int:
    """About as many as a text of that length has."""
    return characters // _CHARACTERS_PER_TOKEN + 1


def _without_what_was_refused(failure: AttemptError, prompt: Prompt) -> Sampling | None:
    """A provider turned the request down, which it may do for a setting that it does not know."""
    if prompt.sampling is None or not isinstance(failure.error, ModelRequestError):
        return None
    return prompt.sampling.weaker


def _allowance(
    backend: Backend, model: str, prompt: Prompt, room: Room | None
) -> tuple[Estimate, int | None]:
    """What to set aside for a call, and the most it may write.

    Models answer about as much as they are given to read, and at least a page. In a run with a limit, the
    answer is cut off where it would pass what was set aside: only so is the limit a hard one.
    """
    input_tokens = estimated_tokens(len(prompt.system) + len(prompt.user))
    wanted = prompt.sampling.max_output_tokens if prompt.sampling else None
    if room is None:
        output_tokens = _smaller(max(_LEAST_OUTPUT_TOKENS, input_tokens), wanted)
        return _estimate(backend, model, input_tokens, output_tokens), wanted
    output_tokens = max(_LEAST_OUTPUT_TOKENS, _most_output(backend, model, input_tokens, room))
    output_tokens = _smaller(output_tokens, wanted)
    likely = _estimate(backend, model, input_tokens, output_tokens)
    if likely.cost_usd is None and room.cost_usd is not None and backend.is_paid:
        raise BudgetError(
            f"Nobody knows what {model} costs, so the limit of cost can't be kept;"
            " take another model, or limit VERIDIC_MAX_TOKENS instead."
        )
    return likely, output_tokens


def _smaller(tokens: int, wanted: int | None) -> int:
    return tokens if wanted is None else min(tokens, wanted)


def _most_output(backend: Backend, model: str, input_tokens: int, room: Room) -> int:
    """No more than half of what is left goes to one call: others are under way, or still to come."""
    most = max(_GENEROUS_OUTPUT_TOKENS, 2 * input_tokens)
    if room.tokens is not None:
        most = min(most, room.tokens // 2 - input_tokens)
    reading = backend.price(model, input_tokens, 0)
    writing = backend.price(model, 0, _A_MILLION)
    if room.cost_usd is not None and reading is not None and writing:
        most = min(most, int((room.cost_usd / 2 - reading) / writing * _A_MILLION))
    return most


def _estimate(backend: Backend, model: str, input_tokens: int, output_tokens: int) -> Estimate:
    return Estimate(input_tokens + output_tokens, backend.price(model, input_tokens, output_tokens))
