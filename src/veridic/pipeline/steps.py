"""The seam that makes runs durable: every call to the outside is a named step."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Steps(Protocol):
    async def run(self, name: str, call: Callable[[], Awaitable[T]]) -> T:
        """The result of `call`, or of an earlier run's step of the same name."""
        ...


class InMemorySteps:
    """Runs each step once, and remembers nothing."""

    async def run(self, name: str, call: Callable[[], Awaitable[T]]) -> T:  # noqa: ARG002
        return await call()
