"""What a consensus run adds to the time of its models, and how much processor time it takes itself."""

from collections.abc import Sequence

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import run_probe
from benchmarks.scripted_models import scripted_models
from benchmarks.workspace import Step, Workspace

LATENCY = 1.0
_STAGES_IN_A_ROW = 3
"""Extract, the slowest checker, report: what no run can be faster than."""
_MOST_TIMES = 1.05
_MOST_MS = 60


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    rounds = scale.rounds * 2
    step(0, None, f"{rounds} runs one after the other")
    with scripted_models(LATENCY) as url:
        environment = {**workspace.environment, "VERIDIC_LLM_BASE_URL": url, "VERIDIC_LLM_MODEL": "scripted"}
        found = run_probe("consensus", str(rounds), environment=environment)
    critical_path = LATENCY * _STAGES_IN_A_ROW
    return (
        Figure("run against its critical path", found["seconds"] / critical_path, "times", _MOST_TIMES),
        Figure("own processor time of a run", found["processor_ms"], "ms", _MOST_MS),
        Figure("model calls of a run", found["calls"], "count"),
    )


MEASURE = Measure("consensus_run", "Overhead of a consensus run", _run)
