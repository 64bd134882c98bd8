"""What a measure is, and what it gives."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.workspace import Step, Workspace


class Figure(NamedTuple):
    """One number, and the most it may be where there is a target."""

    name: str
    value: float
    unit: str
    at_most: float | None = None

    @property
    def is_met(self) -> bool:
        return self.at_most is None or self.value <= self.at_most


class Scale(NamedTuple):
    """How much work a run does."""

    name: str
    rounds: int
    """Of what is quick to repeat: the best or the median counts."""
    words: int
    """Of a text to extract claims from."""
    passages: int
    queries: int
    lines: int
    """Of a project that is verified."""


FULL = Scale("full", rounds=9, words=20_000, passages=200_000, queries=500, lines=500_000)
QUICK = Scale("quick", rounds=2, words=1_000, passages=2_000, queries=20, lines=20_000)


class Measure(NamedTuple):
    name: str
    title: str
    run: Callable[[Scale, Workspace, Step], Sequence[Figure]]
