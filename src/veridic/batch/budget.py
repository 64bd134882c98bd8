"""The money of a batch, divided among the checks under way so that together they can't pass the limit."""

_ROOM_FOR = 2.0
"""An article is begun only if there is this many times the money that the most expensive so far has cost."""


class BatchBudget:
    """Gives each check a limit of its own. What a check does not spend of it is free again once it has ended."""

    def __init__(self, max_cost_usd: float | None) -> None:
        self._max = max_cost_usd
        self._set_aside: dict[int, float] = {}
        """By the article's number."""
        self._whole: set[int] = set()
        """Articles that were given all that was left."""
        self._most_expensive = 0.0
        self.spent_usd = 0.0
        self.is_exhausted = False
        """Whether there is too little left for another article."""

    @property
    def is_limited(self) -> bool:
        return self._max is not None

    def restore(self, cost_usd: float, *, most_expensive_usd: float) -> None:
        """Record what was spent before, and on the most expensive article."""
        self.spent_usd, self._most_expensive = cost_usd, most_expensive_usd
        self._set_aside.clear()
        self._whole.clear()
        self.is_exhausted = False

    def has_room(self, under_way: int) -> bool:
        """Return whether another article may begin; False as long as others have to end first, or if too little is left."""
        if self._max is None:
            return True
        if self.is_exhausted:
            return False
        if under_way == 0:
            self.is_exhausted = self._free < self._most_expensive
            return not self.is_exhausted
        return self._free > 0 and self._free >= _ROOM_FOR * self._most_expensive

    def share(self, under_way: int, at_once: int) -> float | None:
        """Return how much the next article may spend: an even share, but enough for twice the most expensive so far."""
        if self._max is None:
            return None
        if under_way == 0 and self._free < _ROOM_FOR * self._most_expensive:
            return self._free
        even = self._free / max(1, at_once - under_way)
        return min(self._free, max(even, _ROOM_FOR * self._most_expensive))

    def set_aside(self, number: int, limit_usd: float | None) -> None:
        """Keep an article's limit for it until it has ended."""
        if limit_usd is None:
            return
        if not self._set_aside and limit_usd >= self._free:
            self._whole.add(number)
        self._set_aside[number] = limit_usd

    def reserved_for(self, number: int) -> float | None:
        """Return what was set aside for an article; None without a limit."""
        return self._set_aside.get(number)

    def record_limit_reached(self, number: int) -> None:
        """Record that a check stopped at its limit.

        The next article then needs a higher limit; if this one had all the money left, the batch is out of money.
        """
        self._most_expensive = max(self._most_expensive, self._set_aside.get(number, 0.0))
        self.is_exhausted = self.is_exhausted or number in self._whole

    def release(self, number: int, cost_usd: float) -> None:
        """Record that an article's check has ended, and what it has cost."""
        self._set_aside.pop(number, None)
        self._whole.discard(number)
        self.spent_usd += cost_usd
        self._most_expensive = max(self._most_expensive, cost_usd)

    @property
    def _free(self) -> float:
        limit = self._max or 0.0
        return max(0.0, limit - self.spent_usd - sum(self._set_aside.values()))
