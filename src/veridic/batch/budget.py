"""The money of a batch, divided among the checks under way so that together they can't pass the limit."""

_ROOM_FOR = 2.0
"""An article is begun only if there is this many times the money that the dearest so far has cost."""


class BatchBudget:
    """Gives each check a limit of its own. What a check does not spend of it is free again once it has ended."""

    def __init__(self, max_cost_usd: float | None) -> None:
        self._max = max_cost_usd
        self._set_aside: dict[int, float] = {}
        """By the article's number."""
        self._whole: set[int] = set()
        """Articles that were given all that was left."""
        self._dearest = 0.0
        self.spent_usd = 0.0
        self.is_exhausted = False
        """Whether there is too little left for another article."""

    @property
    def is_limited(self) -> bool:
        return self._max is not None

    def spent(self, cost_usd: float, *, dearest_usd: float) -> None:
        """Say what was spent before, and on the dearest article."""
        self.spent_usd, self._dearest = cost_usd, dearest_usd
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
            self.is_exhausted = self._free < self._dearest
            return not self.is_exhausted
        return self._free > 0 and self._free >= _ROOM_FOR * self._dearest

    def share(self, under_way: int, at_once: int) -> float | None:
        """Return how much the next article may spend: an even share, but enough for twice the dearest so far."""
        if self._max is None:
            return None
        if under_way == 0 and self._free < _ROOM_FOR * self._dearest:
            return self._free
        even = self._free / max(1, at_once - under_way)
        return min(self._free, max(even, _ROOM_FOR * self._dearest))

    def set_aside(self, number: int, limit_usd: float | None) -> None:
        """Keep an article's limit for it until it has ended."""
        if limit_usd is None:
            return
        if not self._set_aside and limit_usd >= self._free:
            self._whole.add(number)
        self._set_aside[number] = limit_usd

    def limit_of(self, number: int) -> float | None:
        """Return what was set aside for an article; None without a limit."""
        return self._set_aside.get(number)

    def was_reached(self, number: int) -> None:
        """Say that a check ended at its limit: such articles need more, and if it had all that was left, nothing is left to do."""
        self._dearest = max(self._dearest, self._set_aside.get(number, 0.0))
        self.is_exhausted = self.is_exhausted or number in self._whole

    def settle(self, number: int, cost_usd: float) -> None:
        """Say that an article's check has ended, and what it has cost."""
        self._set_aside.pop(number, None)
        self._whole.discard(number)
        self.spent_usd += cost_usd
        self._dearest = max(self._dearest, cost_usd)

    @property
    def _free(self) -> float:
        limit = self._max or 0.0
        return max(0.0, limit - self.spent_usd - sum(self._set_aside.values()))
