"""Measures how well a judge tells what evidence says about a claim: `veridic bench verifier`."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from veridic.bench.measures import Answer, answer, measure, scoring_of
from veridic.bench.rows import PairRow
from veridic.domain.base import Frozen
from veridic.domain.progress import Progress, ignore_progress
from veridic.judging.base import Belief, PairJudge

BATCH = 256
"""Pairs given to the judge at once: enough for it to sort them by length."""


class JudgedSet(NamedTuple):
    """A set's answers in the order of its rows, and the time the judge took."""

    name: str
    answers: tuple[Answer, ...]
    seconds: float


class SetResult(Frozen):
    """A judge's result on one set, or on all; fractions are rounded to four places."""

    rows: int
    accuracy: float
    macro_f1: float
    f1: dict[str, float]
    balanced_accuracy: float
    calibration_error: float
    pairs_per_second: float
    """A pair is a claim with all its evidence."""


class VerifierResult(Frozen):
    """The output of `veridic bench verifier --format json`."""

    sets: dict[str, SetResult]
    all: SetResult


def bench_verifier(
    rows: Sequence[PairRow], judge: PairJudge, progress: Progress = ignore_progress
) -> VerifierResult:
    """Measure a judge on rows (at least one): each set, and all of them."""
    judged = judge_sets(rows, judge, progress)
    everything = [one for done in judged for one in done.answers]
    return VerifierResult(
        sets={done.name: _result(done.answers, done.seconds) for done in judged},
        all=_result(everything, sum(done.seconds for done in judged)),
    )


def judge_sets(
    rows: Sequence[PairRow], judge: PairJudge, progress: Progress = ignore_progress
) -> list[JudgedSet]:
    """Return the judge's answers, each set scored in its own way, in the order of their first rows."""
    sets: dict[str, list[PairRow]] = {}
    for row in rows:
        sets.setdefault(row.set_name, []).append(row)
    if rows:
        _believe(rows[:1], judge)  # a model loads at its first use, which shouldn't count as reading time
    done = 0
    judged = []
    for name, members in sets.items():
        beliefs: list[Belief] = []
        seconds = 0.0
        for start in range(0, len(members), BATCH):
            progress(done + start, len(rows), name)
            began = time.perf_counter()
            beliefs += _believe(members[start : start + BATCH], judge)
            seconds += time.perf_counter() - began
        done += len(members)
        judged.append(JudgedSet(name, _answers(members, beliefs), seconds))
    return judged


def _believe(rows: Sequence[PairRow], judge: PairJudge) -> list[Belief]:
    return judge.believe([(row.claim, row.evidence) for row in rows])


def _answers(rows: Sequence[PairRow], beliefs: Sequence[Belief]) -> tuple[Answer, ...]:
    scoring = scoring_of((row.label for row in rows), has_binary_rows=any(row.binary for row in rows))
    return tuple(answer(row.label, belief, scoring) for row, belief in zip(rows, beliefs, strict=True))


def _result(answers: Sequence[Answer], seconds: float) -> SetResult:
    found = measure(answers)
    return SetResult(
        rows=found.rows,
        accuracy=round(found.accuracy, 4),
        macro_f1=round(found.macro_f1, 4),
        f1={label.value: round(score, 4) for label, score in found.f1.items()},
        balanced_accuracy=round(found.balanced_accuracy, 4),
        calibration_error=round(found.calibration_error, 4),
        pairs_per_second=round(found.rows / max(seconds, 1e-6), 1),
    )
