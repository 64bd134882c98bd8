"""A large corpus: how long and how large to build, and how fast a claim's passages are found in it."""

from collections.abc import Sequence

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import run_probe
from benchmarks.workspace import CORPUS, Step, Workspace

_MB = 1_000_000


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    built = workspace.corpus(step)
    step(0, None, f"searching for {scale.queries} claims")
    found = run_probe("search", CORPUS, str(scale.queries), environment=workspace.environment)
    yardstick = found["yardstick_seconds"]
    return (
        Figure("passages", found["passages"], "count"),
        Figure("build against a plain tokeniser", built.process.seconds / built.tokenise_seconds, "times"),
        Figure("build", built.passages / built.process.seconds, "passages/s"),
        Figure("build, peak memory", built.process.peak_bytes / _MB, "MB"),
        Figure("index against its sources", built.index_bytes / built.source_bytes, "times"),
        Figure("index size", built.index_bytes / _MB, "MB"),
        Figure("a claim's search against the yardstick, p50", found["find"]["p50"] / yardstick, "times"),
        Figure("a claim's search against the yardstick, p99", found["find"]["p99"] / yardstick, "times"),
        Figure("a claim's search, p50", found["find"]["p50"] * 1000, "ms"),
        Figure("a claim's search, p99", found["find"]["p99"] * 1000, "ms"),
        Figure("one query of the index, p50", found["query"]["p50"] * 1000, "ms"),
        Figure("one query of the index, p99", found["query"]["p99"] * 1000, "ms"),
        Figure("search, peak memory", found["peak_bytes"] / _MB, "MB"),
    )


MEASURE = Measure("index_scale", "Index of a large corpus", _run)
