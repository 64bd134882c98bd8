"""Something that belongs to one event loop, such as a connection pool: made when first needed, closed with the loop."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One `T` for each event loop. Safe to use from several threads."""

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._made: dict[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[None, None]]] = {}

    async def here(self) -> T:
        """The one of the running loop."""
        loop = asyncio.get_running_loop()
        found = self._made.get(loop)
        if found is None:
            made = self._make()
            keeper = self._keep(loop, made)
            self._made[loop] = made, keeper
            await anext(keeper)
            return made
        return found[0]

    async def _keep(self, loop: asyncio.AbstractEventLoop, made: T) -> AsyncGenerator[None, None]:
        """Loops finish the generators that are left on them when they end: the one hook they have."""
        try:
            yield
        finally:
            del self._made[loop]
            await self._close(made)
