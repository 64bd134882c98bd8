"""How much memory `veridic check` takes at most, against a large corpus."""

import json
from collections.abc import Sequence

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import VERIDIC, run
from benchmarks.workspace import CORPUS, Step, Workspace

_MB = 1_000_000
_MOST_MB = 700


def _run(_scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    passages = workspace.corpus(step).passages
    step(0, None, f"checking against {passages:,} passages")
    command = [VERIDIC, "check", str(workspace.article()), "--against", CORPUS, "--format", "json"]
    check = run(command, workspace.environment)
    return (
        Figure("passages", passages, "count"),
        Figure("claims", len(json.loads(check.output)["claims"]), "count"),
        Figure("peak memory of a check", check.peak_bytes / _MB, "MB", _MOST_MB),
    )


MEASURE = Measure("check_memory", "Memory of a check", _run)
