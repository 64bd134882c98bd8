"""Language models for tests: scripted answers and failures.

Only the requests are replaced. Budget, limits, retries and the meter are the real code, and a conformance test
checks that fake and real models behave the same.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridic.config.settings import Settings
from veridic.domain.errors import ModelError, ModelRateLimitError, ModelUnreachableError, UnknownModelError
from veridic.domain.usage import Expense
from veridic.providers.llm.base import LanguageModels, Prompt
from veridic.providers.llm.calling import Billing, MeteredModels, ModelAnswer, ModelAttemptError, Slots
from veridic.providers.llm.meter import Meter
from veridic.providers.llm.services import refuse_embedded

_BILLING = Billing(input_tokens=100, output_tokens=50, cost_usd=0.001)


@dataclass(frozen=True)
class RecordedRequest:
    model: str
    prompt: Prompt
    max_output_tokens: int | None = None


@dataclass
class _Rule:
    says: str | Callable[[str, Prompt], str] | ModelError
    model: str | None
    prompt: str | None
    times: int | None
    until: asyncio.Event | None
    billing: Billing
    retry_after: float | None

    def matches(self, model: str, prompt: Prompt) -> bool:
        return self.times != 0 and self.model in (None, model) and self.prompt in (None, prompt.name)


class ScriptedModels:
    """`LanguageModels` with scripted answers. The newest matching rule answers; without one, the model is unknown.

    `prices` are US dollars per token, by model. Nothing sleeps: the waits before retries are listed in `waits`.
    """

    def __init__(
        self,
        meter: Meter | None = None,
        *,
        prices: Mapping[str, float] | None = None,
        max_concurrency: int = 64,
        is_paid: bool = False,
    ) -> None:
        self.meter = meter or Meter()
        self.asked: list[RecordedRequest] = []
        """Every request, retries included."""
        self.waits: list[float] = []
        self.slots = Slots(max_concurrency)
        self.is_paid = is_paid
        self._prices = prices or {}
        self._rules: list[_Rule] = []

    def answer(
        self,
        says: str | Callable[[str, Prompt], str] | ModelError,
        *,
        model: str | None = None,
        prompt: str | None = None,
        times: int | None = None,
        until: asyncio.Event | None = None,
        billing: Billing = _BILLING,
        retry_after: float | None = None,
    ) -> None:
        """Answer, or fail, for this model and for prompts of this name (or all), `times` times (or always).

        `until` delays the answer until the event is set. Transient failures are retried, as with real models.
        """
        self._rules.insert(0, _Rule(says, model, prompt, times, until, billing, retry_after))

    def connect(self, _settings: Settings, meter: Meter) -> LanguageModels:
        """A replacement for `connect_models`: the same script for another run."""
        return self._metered(meter)

    def require(self, model: str) -> None:
        """See `LanguageModels.require`."""
        refuse_embedded(model)

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        """See `LanguageModels.complete`."""
        return await self._metered(self.meter).complete(
            model, prompt, stage=stage, timeout_seconds=timeout_seconds
        )

    async def expense(self, model: str, prompt: Prompt, *, stage: str) -> Expense:
        """See `LanguageModels.expense`."""
        return await self._metered(self.meter).expense(model, prompt, stage=stage)

    @property
    def name(self) -> str:
        """See `Backend.name`."""
        return "script"

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """See `Backend.price`."""
        price = self._prices.get(model)
        return None if price is None else price * (input_tokens + output_tokens)

    async def ask(self, model: str, prompt: Prompt, max_output_tokens: int | None) -> ModelAnswer:
        """See `Backend.ask`."""
        self.asked.append(RecordedRequest(model, prompt, max_output_tokens))
        rule = next((rule for rule in self._rules if rule.matches(model, prompt)), None)
        if rule is None:
            raise ModelAttemptError(UnknownModelError(f"The script does not know the model {model}."))
        if rule.times is not None:
            rule.times -= 1
        if rule.until is not None:
            await rule.until.wait()
        if isinstance(rule.says, ModelError):
            is_transient = isinstance(rule.says, ModelRateLimitError | ModelUnreachableError)
            raise ModelAttemptError(
                rule.says, billing=rule.billing, is_transient=is_transient, retry_after=rule.retry_after
            )
        text = rule.says(model, prompt) if callable(rule.says) else rule.says
        return ModelAnswer(text, rule.billing)

    async def _backend_of(self, model: str) -> "ScriptedModels":
        refuse_embedded(model)
        return self

    def _metered(self, meter: Meter) -> MeteredModels:
        return MeteredModels(
            self._backend_of, meter, require=self.require, sleep=self._record_wait, jitter=lambda: 0.0
        )

    async def _record_wait(self, seconds: float) -> None:
        self.waits.append(seconds)
