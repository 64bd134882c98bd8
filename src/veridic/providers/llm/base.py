"""The interface of language models: a prompt in, plain text out."""

from typing import Protocol

from veridic.domain.base import Frozen
from veridic.domain.usage import Expense


class Sampling(Frozen):
    """Sampling settings and the maximum length of an answer. None leaves a setting to the provider."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_output_tokens: int | None = None

    @property
    def weaker(self) -> "Sampling | None":
        """What to try if a provider rejects these settings: first without `top_k`, which OpenAI's protocol lacks, then
        with the length only. None if nothing is left to drop."""
        if self.top_k is not None:
            return self.model_copy(update={"top_k": None})
        if self.temperature is not None or self.top_p is not None:
            return Sampling(max_output_tokens=self.max_output_tokens)
        return None


class Prompt(Frozen):
    """A prompt. Text from outside goes into `user`, fenced, never into `system`."""

    name: str
    """Which of our prompts it is: `extract`, `verify`, ..."""
    version: int
    """Raised whenever the wording changes."""
    system: str
    user: str
    sampling: Sampling | None = None
    """Optional: a model that rejects these settings is asked without them."""


class LanguageModels(Protocol):
    """All configured models, by name."""

    def require(self, model: str) -> None:
        """Raise `UnknownModelError` if no configured provider can serve this model."""
        ...

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        """Return the model's whole final answer, without its thinking; never empty.

        Raises a `ModelError` with the provider's reason if there is no usable answer, and `BudgetError` before a call
        that would exceed the run's limit. Every request is recorded in the run's meter.
        """
        ...

    async def expense(self, model: str, prompt: Prompt, *, stage: str) -> Expense:
        """Return what `complete` is likely to cost, as a call of this stage. Raises `UnknownModelError`."""
        ...
