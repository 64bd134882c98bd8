"""What the pipeline asks of a language model: one prompt, one answer in plain text."""

from typing import Protocol

from veridic.domain.base import Frozen


class Prompt(Frozen):
    """What a model is told. Text from outside stands fenced in `user`, never in `system`."""

    name: str
    """`extract`, `verify`, ...: which of our prompts it is."""
    version: int
    """Raised whenever the wording changes."""
    system: str
    user: str


class LanguageModels(Protocol):
    """Every model that is set up, by name."""

    def require(self, model: str) -> None:
        """Raises `UnknownModelError` where no provider is set up that could serve this model."""
        ...

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        """The model's whole answer, never empty.

        Raises a `ModelError` with the provider's reason where there is none to be used, and `BudgetError`
        before a call that would pass the run's limit. Every request made is entered in the run's meter.
        """
        ...
