"""Of the time of a check, how much is spent on neither the index nor the judge."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import run_probe
from benchmarks.workspace import CORPUS, COUNTRIES, Step, Workspace

_MOST_OVERHEAD = 0.15


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    workspace.prepare_reference(step)
    passages = workspace.corpus(step).passages
    return (
        *_measure("reference", "reference", COUNTRIES, scale, workspace, step),
        *_measure(f"{passages:,} passages", CORPUS, workspace.article(), scale, workspace, step),
    )


def _measure(
    label: str, corpus: str, article: Path, scale: Scale, workspace: Workspace, step: Step
) -> Sequence[Figure]:
    """The fastest of several fresh processes: what a user waits for is the first check of a process."""
    runs = []
    for done in range(scale.rounds):
        step(done, scale.rounds, f"checking against {label}")
        runs.append(run_probe("check", str(article), corpus, environment=workspace.environment))
    fastest = min(runs, key=lambda one: one["check"])
    check, looked_up = fastest["check"], fastest["index"] + fastest["judge"]
    command = check + fastest["saving"] + fastest["writing"]
    return (
        Figure(f"{label}: claims", fastest["claims"], "count"),
        Figure(f"{label}: neither index nor judge", 1 - looked_up / check, "share", _MOST_OVERHEAD),
        Figure(f"{label}: index", fastest["index"] / check, "share"),
        Figure(f"{label}: judge", fastest["judge"] / check, "share"),
        Figure(f"{label}: extraction", fastest["extraction"] / check, "share"),
        Figure(f"{label}: neither, saving and writing included", 1 - looked_up / command, "share"),
        Figure(f"{label}: check", check, "s"),
        Figure(f"{label}: saving the run", fastest["saving"], "s"),
        Figure(f"{label}: writing the report", fastest["writing"], "s"),
        Figure(f"{label}: start-up, imports", fastest["imports"], "s"),
        Figure(f"{label}: start-up, opening", fastest["opening"], "s"),
    )


MEASURE = Measure("check_overhead", "Where a check's time goes", _run)
