"""How long `veridic --help` takes against a Python that does nothing."""

import sys
from collections.abc import Sequence

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import VERIDIC, run
from benchmarks.workspace import Step, Workspace

_ROUNDS_MORE = 2
"""Starts are short and noisy: more of them than of other things."""


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    rounds = scale.rounds * _ROUNDS_MORE
    bare, helping = [], []
    for done in range(rounds):  # in turn, so that a busy moment of the machine hits both
        step(done, rounds, "starting")
        bare.append(run([sys.executable, "-c", "pass"]).seconds)
        helping.append(run([VERIDIC, "--help"], workspace.environment).seconds)
    return (
        Figure("help against a bare start", min(helping) / min(bare), "times"),
        Figure("veridic --help", min(helping), "s"),
        Figure("python -c pass", min(bare), "s"),
    )


MEASURE = Measure("help_time", "Start-up of the command", _run)
