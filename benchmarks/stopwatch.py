"""Times calls, in whichever thread they are made."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import iscoroutinefunction
from typing import Any


class Stopwatch:
    """Collects how long each call took."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    @property
    def total(self) -> float:
        return sum(self.seconds)

    @contextmanager
    def on(self, owner: object, name: str) -> Iterator[None]:
        """Time all calls of a class's method, or of a module's function, inside the block."""
        original = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            return self.time(original, *args, **kwargs)

        async def awaited(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return await original(*args, **kwargs)
            finally:
                self.seconds.append(time.perf_counter() - started)

        setattr(owner, name, awaited if iscoroutinefunction(original) else timed)
        try:
            yield
        finally:
            setattr(owner, name, original)

    def time(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """The result of one call."""
        started = time.perf_counter()
        try:
            return call(*args, **kwargs)
        finally:
            self.seconds.append(time.perf_counter() - started)
