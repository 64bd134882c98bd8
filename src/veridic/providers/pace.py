"""How fast a provider is asked: as fast as we can, until it says that it is too fast."""

import time
from collections.abc import Callable

_FIRST_INTERVAL_SECONDS = 0.5
_LONGEST_INTERVAL_SECONDS = 8.0
_FASTER = 0.75
_LEAST_INTERVAL_SECONDS = 0.05


class Pace:
    """The starts of requests to one provider. A refusal for their number (429) puts them apart, twice as far with
    each further one; every answer brings them closer again. Nothing is kept waiting before the first refusal."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._interval = 0.0
        self._next_start = clock()
        self._slowed_at = self._next_start

    def delay(self) -> float:
        """Seconds until the next request may start; its place is taken."""
        return self._take(self._clock(), 0.0)

    def refused(self, started: float, wait: float) -> float:
        """Note that a request that had `started` then was too much, and how long to wait at least.

        Seconds until it may be made again; its place is taken, and those that start later come after it.
        """
        now = self._clock()
        if started >= self._slowed_at:  # else it went out with others that were refused: that is one refusal
            self._interval = min(max(2 * self._interval, _FIRST_INTERVAL_SECONDS), _LONGEST_INTERVAL_SECONDS)
            self._slowed_at = now
        return self._take(now, wait)

    def answered(self) -> None:
        """Note that a request was taken."""
        faster = self._interval * _FASTER
        self._interval = faster if faster >= _LEAST_INTERVAL_SECONDS else 0.0

    def _take(self, now: float, wait: float) -> float:
        delay = max(wait, self._next_start - now)
        self._next_start = now + delay + self._interval
        return delay
