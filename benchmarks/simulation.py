"""Workers, a processor each, and models at a limit, as a simulation of discrete events: `python -m benchmarks.simulation`.

It says what a size of site does before anybody pays for it. `docs/design/scale.md` holds it against measurements.
"""

import heapq
import random
from collections import deque
from collections.abc import Callable, Generator, Sequence
from itertools import count
from typing import NamedTuple

from rich.console import Console
from rich.table import Table


class Stage(NamedTuple):
    """A part of a check: work in its worker, then one wait for a model or a search."""

    processor: float
    """Seconds."""
    wait: float
    """Seconds."""


class Site(NamedTuple):
    workers: int
    checks_at_once: int
    """Of a worker: `veridic worker --checks`."""
    stages: tuple[Stage, ...]
    """Of each check, one after the other."""
    calls_at_once: int | None = None
    """Waits at the provider, over all workers; None for no limit."""
    calls_per_minute: float | None = None
    """Waits that begin at the provider, over all workers; None for no limit."""


class Outcome(NamedTuple):
    arrived: int
    completed: int
    seconds: float
    """From the first arrival to the last end."""
    responses: tuple[float, ...]
    """Seconds from the arrival of each check to its end, in the order of arrival."""
    in_site: float
    """Checks that wait or are under way, on average over `seconds`, counted as they come and go."""
    processors_busy: float
    """The share of the workers' processor time that was used."""

    @property
    def per_second(self) -> float:
        return self.completed / self.seconds

    def response(self, share: float) -> float:
        """Return the time within which this share of the checks ended."""
        ordered = sorted(self.responses)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


_Go = Callable[[], None]
_Step = Callable[[_Go], None]
"""Does something that takes time, then calls what it is given."""


class _Clock:
    """The events to come; those of one moment happen in the order in which they were put down."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, _Go]] = []
        self._numbers = count()

    def at(self, moment: float, go: _Go) -> None:
        heapq.heappush(self._events, (moment, next(self._numbers), go))

    def run(self) -> None:
        while self._events:
            self.now, _, go = heapq.heappop(self._events)
            go()


class _Places:
    """So many may be here at once; the others wait in the order they came. None is no limit."""

    def __init__(self, number: int | None) -> None:
        self._free = number
        self._waiting: deque[_Go] = deque()

    def take(self, go: _Go) -> None:
        if self._free is None:
            go()
        elif self._free:
            self._free -= 1
            go()
        else:
            self._waiting.append(go)

    def give_back(self) -> None:
        if self._waiting:
            self._waiting.popleft()()
        elif self._free is not None:
            self._free += 1


class _Worker:
    def __init__(self) -> None:
        self.checks = 0
        self.processor = _Places(1)  # one process of Python uses one core
        self.busy = 0.0


class _Simulation:
    def __init__(self, site: Site, arrivals: Sequence[float]) -> None:
        self._site = site
        self._arrivals = arrivals
        self._clock = _Clock()
        self._workers = [_Worker() for _ in range(site.workers)]
        self._room = _Places(site.workers * site.checks_at_once)
        self._calls = _Places(site.calls_at_once)
        self._next_call = 0.0
        self._ends: dict[int, float] = {}
        self._in_site, self._area, self._changed = 0, 0.0, 0.0

    def run(self) -> Outcome:
        for number, moment in enumerate(self._arrivals):
            self._clock.at(moment, lambda number=number: _follow(self._check(number)))  # type: ignore[misc]
        self._clock.run()
        seconds = self._clock.now - min(self._arrivals)
        responses = tuple(self._ends[n] - arrival for n, arrival in enumerate(self._arrivals))
        busy = sum(worker.busy for worker in self._workers)
        return Outcome(
            arrived=len(self._arrivals),
            completed=len(self._ends),
            seconds=seconds,
            responses=responses,
            in_site=self._area / seconds,
            processors_busy=busy / (seconds * len(self._workers)),
        )

    def _check(self, number: int) -> Generator[_Step, None, None]:
        self._count(1)
        yield self._room.take
        worker = min(self._workers, key=lambda one: one.checks)
        worker.checks += 1
        for stage in self._site.stages:
            yield worker.processor.take
            worker.busy += stage.processor
            yield self._wait(stage.processor)
            worker.processor.give_back()
            if stage.wait:
                yield self._calls.take
                yield self._wait(self._until_rate_allows() + stage.wait)
                self._calls.give_back()
        worker.checks -= 1
        self._room.give_back()
        self._count(-1)
        self._ends[number] = self._clock.now

    def _wait(self, seconds: float) -> _Step:
        return lambda go: self._clock.at(self._clock.now + seconds, go)

    def _until_rate_allows(self) -> float:
        if self._site.calls_per_minute is None:
            return 0.0
        begins = max(self._next_call, self._clock.now)
        self._next_call = begins + 60 / self._site.calls_per_minute
        return begins - self._clock.now

    def _count(self, change: int) -> None:
        self._area += self._in_site * (self._clock.now - self._changed)
        self._in_site, self._changed = self._in_site + change, self._clock.now


def _follow(steps: Generator[_Step, None, None]) -> None:
    """Let a check take its next step whenever the one before has ended."""
    step = next(steps, None)
    if step is not None:
        step(lambda: _follow(steps))


def simulate(site: Site, arrivals: Sequence[float]) -> Outcome:
    """Return what becomes of checks that arrive at these moments, in seconds, in any order."""
    return _Simulation(site, arrivals).run()


class _Case(NamedTuple):
    name: str
    site: Site
    arrivals: Sequence[float]


_THREE_ANSWERS = 3
"""A check of the measure `workers` waits for so many answers, one after the other."""


def as_measured(workers: int, processor: float, at_once: int = 2, delay: float = 0.5) -> Site:
    """Return the site of the measure `workers`; a check takes so much processor time in all."""
    stage = Stage(processor / _THREE_ANSWERS, delay)
    return Site(workers, at_once, (stage,) * _THREE_ANSWERS)


_THOROUGH = (Stage(0.2, 4.0), Stage(0.6, 1.5), Stage(0.6, 6.0), Stage(0.2, 0.0))
"""Four claims at once: they are listed, searched for, read by a model, and decided. Processor time as `thorough_run` has
it (3.8 to 4.3 s for ten claims); waits are an assumption."""
_A_DAY = 24 * 3600
_ARTICLES = 1_000_000
_MINUTES = 30


def _of_a_day(share: float) -> list[float]:
    """Arrivals over half an hour, at random, of this share of a million articles a day."""
    randomly, moment, moments = random.Random(23), 0.0, []
    while moment < _MINUTES * 60:
        moment += randomly.expovariate(_ARTICLES * share / _A_DAY)
        moments.append(moment)
    return moments


def _cases() -> list[_Case]:
    cases = []
    for workers in (3, 4, 6):
        site = Site(workers, 20, _THOROUGH)
        cases.append(_Case(f"{workers} workers, 100,000 a day", site, _of_a_day(0.1)))
    limited = Site(6, 20, _THOROUGH, calls_at_once=10)
    cases.append(_Case("6 workers, a provider for 10 waits", limited, _of_a_day(0.1)))
    for workers in (18, 20, 24):
        site = Site(workers, 20, _THOROUGH)
        cases.append(_Case(f"{workers} workers, 1,000,000 a day", site, _of_a_day(1.0)))
    return cases


def _main() -> None:
    table = Table(title="Simulated: thorough checks of four claims", title_justify="left")
    for column in ("site", "checks a minute", "median", "99 of 100 within", "processors busy"):
        table.add_column(column, justify="left" if column == "site" else "right")
    for case in _cases():
        outcome = simulate(case.site, case.arrivals)
        table.add_row(
            case.name,
            f"{outcome.per_second * 60:,.0f}",
            f"{outcome.response(0.5):,.0f} s",
            f"{outcome.response(0.99):,.0f} s",
            f"{outcome.processors_busy:.0%}",
        )
    Console(width=100).print(table)


if __name__ == "__main__":
    _main()
