"""The desk on a filled database: `python -m benchmarks.probes.desk URL CHECKS ROUNDS`."""

import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

from benchmarks.desk_data import fill
from veridic.desk.desk import Desk
from veridic.desk.lifecycle import CheckStatus
from veridic.domain.people import Role, actor_of
from veridic.store import maintenance
from veridic.store.database import create_database_engine, place_of
from veridic.store.runs import RunStore

_ACTOR = actor_of(3, "person3", Role.EDITOR)
_CLAIMS = (
    "The mayor of Vilborgarstad is Leo Lanmirtersen",
    "Exports of coffee went up by five percent in 2011, and the council approved it again",
    "In 1998, some 4,000 people came to see the old bridge",
    "Nobody thought that the heavy price would last",
)


def probe(url: str, checks: int, rounds: int) -> dict[str, float]:
    """Milliseconds by operation: the median of the rounds. `first` is the first look at a database filled elsewhere."""
    maintenance.upgrade(url)
    engine = create_database_engine(place_of(url))
    fill(engine, checks, lambda *_: None)
    engine.dispose()
    with RunStore(url) as store:
        desk = Desk(store)
        began = time.perf_counter()
        desk.statistics(_ACTOR)
        indexed = time.perf_counter() - began
        first = desk.queue(_ACTOR)
        content = desk.check(_ACTOR, first[0].id).content
        rare, common = content.split()[4], "the"
        operations: dict[str, Callable[[], object]] = {
            "queue, all": lambda: desk.queue(_ACTOR),
            "queue, second page": lambda: desk.queue(_ACTOR, after=first[-1].id),
            "queue, mine": lambda: desk.queue(_ACTOR, "mine"),
            "queue, unassigned": lambda: desk.queue(_ACTOR, "unassigned"),
            "queue, to review": lambda: desk.queue(_ACTOR, "to_review"),
            "queue, published": lambda: desk.queue(_ACTOR, status=CheckStatus.PUBLISHED),
            "search, a rare word": lambda: desk.queue(_ACTOR, text=rare),
            "search, a common word": lambda: desk.queue(_ACTOR, text=common),
            "search, no hit": lambda: desk.queue(_ACTOR, text="zzzzz quetzal"),
            "pending claims": lambda: desk.pending_claims(_ACTOR),
            "statistics": lambda: desk.statistics(_ACTOR),
        }
        found = {name: _median(operation, rounds) for name, operation in operations.items()}
        found["similar, slowest of four"] = max(
            _median(partial(desk.similar, _ACTOR, claim), rounds) for claim in _CLAIMS
        )
        found["queue after a change"] = _median(lambda: _change_and_look(desk), rounds)
        found["statistics after a change"] = _median(lambda: _change_and_count(desk), rounds)
    return {**found, "first": indexed}


def _median(operation: Callable[[], object], rounds: int) -> float:
    operation()
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        operation()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds) * 1000


def _change_and_look(desk: Desk) -> None:
    desk.create(_ACTOR, "Something new", "The council met on Monday.")
    desk.queue(_ACTOR)


def _change_and_count(desk: Desk) -> None:
    desk.create(_ACTOR, "Something new", "The council met on Monday.")
    desk.statistics(_ACTOR)


if __name__ == "__main__":
    print(json.dumps(probe(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
