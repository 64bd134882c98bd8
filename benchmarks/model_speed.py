"""How long the embedded model takes to load, and how many pairs of claim and evidence it reads a second."""

from collections.abc import Sequence

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import run_probe
from benchmarks.workspace import Step, Workspace

_SLOWEST_LOAD_SECONDS = 1.0


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    step(0, None, f"reading {scale.queries} pairs with the model")
    found = run_probe("model", str(scale.queries), environment=workspace.environment)
    together = found["pairs_per_second"]
    return (
        Figure("load", found["load_seconds"], "s", at_most=_SLOWEST_LOAD_SECONDS),
        Figure("a pair against the yardstick", 1 / together / found["yardstick_seconds"], "times"),
        Figure("pairs", together, "pairs/s"),
        Figure("pairs in batches against one by one", together / found["alone_per_second"], "times"),
    )


MEASURE = Measure("model_speed", "The embedded model", _run)
