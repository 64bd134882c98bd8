"""How many short articles a minute the embedded engine reads on a core, and what a second process brings.

Processor time tells what a process more costs; on a machine that does nothing else, the time on the clock says the same.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.measure import FULL, Figure, Measure, Scale
from benchmarks.processes import VERIDIC, run
from benchmarks.workspace import Step, Workspace

_COUNTRIES = "Canada Chile France Italy Japan Kenya Norway Peru Poland Spain".split()
_ARTICLES = 120
_CLAIMS = 4
_MB = 1_000_000
_MOST_CLOCK = 1 / 1.6
_MOST_PROCESSOR = 1.1


class _Cost(NamedTuple):
    """What the articles of a batch took, without what every start takes."""

    seconds: float
    processor_seconds: float
    peak_bytes: int


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    number = _ARTICLES if scale is FULL else 12
    workspace.prepare_reference(step)
    with workspace.folder("batch") as folder:
        articles = _write_articles(folder / "articles.jsonl", number)
        costs = []
        for workers in (1, 2):
            step(0, None, f"{number} articles with {workers} of 2 processes")
            costs.append(_batch(articles, folder / f"results-{workers}.jsonl", workers, workspace))
    one, two = costs
    return (
        Figure("articles", number, "count"),
        Figure("claims of an article", _CLAIMS, "count"),
        Figure("articles a minute and core, by processor time", 60 * number / one.processor_seconds, "count"),
        Figure("articles a minute with one process", 60 * number / one.seconds, "count"),
        Figure("articles a minute with two", 60 * number / two.seconds, "count"),
        Figure("time with two against one", two.seconds / one.seconds, "times", _MOST_CLOCK),
        Figure(
            "processor time with two against one",
            two.processor_seconds / one.processor_seconds,
            "times",
            _MOST_PROCESSOR,
        ),
        Figure("peak memory of a process", max(one.peak_bytes, two.peak_bytes) / _MB, "MB"),
    )


def _batch(articles: Path, output: Path, workers: int, workspace: Workspace) -> _Cost:
    """Run a batch, and the same again when there is nothing left to do: the difference is the articles'."""
    command = [VERIDIC, "batch", str(articles), "--output", str(output), "--workers", str(workers)]
    first, again = (run(command, workspace.environment) for _ in range(2))
    return _Cost(
        first.seconds - again.seconds,
        first.processor_seconds - again.processor_seconds,
        first.peak_bytes,
    )


def _write_articles(path: Path, number: int) -> Path:
    with path.open("w", encoding="utf-8") as lines:
        for seed in range(number):
            chosen = Random(seed)
            one, two, three = chosen.sample(_COUNTRIES, 3)
            text = (
                f"The capital of {one} is Ottawa. {two} has a population of {chosen.randint(1, 300)} million people. "
                f"{three} covers {chosen.randint(10, 900)},000 square kilometres. "
                f"In {one}, inflation reached {chosen.randint(1, 99)} percent in 2023."
            )
            lines.write(json.dumps({"id": seed, "text": text}) + "\n")
    return path


MEASURE = Measure("batch_speed", "A batch on the embedded engine", _run)
"""Each article is read anew: no two have the same text."""
