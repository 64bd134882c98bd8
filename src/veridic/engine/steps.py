"""The interface that makes runs durable: every call to the outside, and every long reading, is a named step."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from veridic.domain.usage import Expense

T = TypeVar("T")


class Steps(Protocol):
    async def run(
        self,
        name: str,
        call: Callable[[], Awaitable[T]],
        returns: type[T],
        *,
        expense: Expense | None = None,
    ) -> T:
        """Return the result of `call`, or the saved result of this step from before the run was interrupted.

        Two steps of one run may have the same name if they do the same; each is counted. `expense` is what a paid step is
        likely to cost. A step that raises is not saved.
        """
        ...


class InMemorySteps:
    """Runs every step and saves nothing."""

    async def run(
        self,
        name: str,  # noqa: ARG002
        call: Callable[[], Awaitable[T]],
        returns: type[T],  # noqa: ARG002
        *,
        expense: Expense | None = None,  # noqa: ARG002
    ) -> T:
        return await call()
