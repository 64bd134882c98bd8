"""What the pipeline asks of a language model: one prompt, one answer in plain text."""

from typing import Protocol

from veridic.domain.base import Frozen


class Sampling(Frozen):
    """How an answer is drawn, and how long it may be. None is what the provider does by itself."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_output_tokens: int | None = None

    @property
    def weaker(self) -> "Sampling | None":
        """What to ask for where a provider refuses this: `top_k` goes first, which OpenAI's protocol does not
        have, then all but the length. None where nothing is left to do without."""
        if self.top_k is not None:
            return self.model_copy(update={"top_k": None})
        if self.temperature is not None or self.top_p is not None:
            return Sampling(max_output_tokens=self.max_output_tokens)
        return None


class Prompt(Frozen):
    """What a model is told. Text from outside stands fenced in `user`, never in `system`."""

    name: str
    """`extract`, `verify`, ...: which of our prompts it is."""
    version: int
    """Raised whenever the wording changes."""
    system: str
    user: str
    sampling: Sampling | None = None
    """A wish: a model that takes no such settings answers without them."""


class LanguageModels(Protocol):
    """Every model that is set up, by name."""

    def require(self, model: str) -> None:
        """Raises `UnknownModelError` where no provider is set up that could serve this model."""
        ...

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        """The model's whole final answer, without its thoughts; never empty.

        Raises a `ModelError` with the provider's reason where there is none to be used, and `BudgetError`
        before a call that would pass the run's limit. Every request made is entered in the run's meter.
        """
        ...
