"""What thorough mode adds to the time of searches and models, and how many tokens it sends for a claim."""

import heapq
from collections.abc import Sequence

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import run_probe
from benchmarks.scripted_models import scripted_newsroom
from benchmarks.workspace import Step, Workspace

SEARCH_SECONDS = 0.4
MODEL_SECONDS = 1.0
_CLAIMS = 10
_MOST_SECONDS = 2.6
"""For a critical path of 2.4: the claims are listed, searched for and read, all ten at once."""
_SEED_INPUT_TOKENS = 12_000
_SEED_OUTPUT_TOKENS = 800
"""What the mode was designed to take for a claim."""


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    step(0, None, f"{scale.rounds} articles of {_CLAIMS} claims")
    with scripted_newsroom(SEARCH_SECONDS, MODEL_SECONDS) as outside:
        found = run_probe("thorough", str(scale.rounds), environment={**workspace.environment, **outside})
    critical_path = MODEL_SECONDS + _schedule(
        _CLAIMS, SEARCH_SECONDS + MODEL_SECONDS, int(found["at_once"]), found["stagger"]
    )
    return (
        Figure("run of 10 claims", found["seconds"], "s", _MOST_SECONDS),
        Figure("the same against its critical path", found["seconds"] / critical_path, "times"),
        Figure("own processor time of a run", found["processor_ms"], "ms"),
        Figure("tokens in for a claim", found["input_tokens"], "count", _SEED_INPUT_TOKENS),
        Figure("tokens out for a claim", found["output_tokens"], "count", _SEED_OUTPUT_TOKENS),
        Figure("sources read for a claim", found["sources"], "count"),
    )


def _schedule(claims: int, seconds: float, at_once: int, stagger: float) -> float:
    """How long claims of so many seconds each take at best, so many at once and their starts so far apart."""
    ends: list[float] = []
    start = 0.0
    for number in range(claims):
        earliest = start + stagger if number else 0.0
        free = heapq.heappop(ends) if len(ends) == at_once else 0.0
        start = max(earliest, free)
        heapq.heappush(ends, start + seconds)
    return max(ends)


MEASURE = Measure("thorough_run", "Overhead of a thorough run", _run)
