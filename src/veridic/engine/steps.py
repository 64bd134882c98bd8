"""The interface that makes runs durable: every call to the outside is a named step."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Steps(Protocol):
    async def run(self, name: str, call: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `call`, or the saved result of an earlier step of the same name."""
        ...


class InMemorySteps:
    """Runs every step and saves nothing."""

    async def run(self, name: str, call: Callable[[], Awaitable[T]]) -> T:  # noqa: ARG002
        return await call()
