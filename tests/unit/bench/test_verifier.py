from collections.abc import Sequence

import pytest
from inline_snapshot import snapshot

from veridic.bench.measures import Label
from veridic.bench.rows import PairRow
from veridic.bench.verifier import BATCH, bench_verifier, judge_sets
from veridic.judging.base import Belief


class KeywordJudge:
    """Believes what the evidence says literally: "yes", "no", or anything else."""

    name = "keyword"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        self.batches.append(len(pairs))
        return [self._belief(" ".join(evidence)) for _, evidence in pairs]

    def _belief(self, evidence: str) -> Belief:
        if "yes" in evidence:
            return Belief(0.8, 0.1, 0.1)
        return Belief(0.1, 0.8, 0.1) if "no" in evidence else Belief(0.2, 0.1, 0.7)


def row(evidence: str, label: Label, set_name: str = "one", *, binary: bool = False) -> PairRow:
    return PairRow(set=set_name, claim="So it is.", evidence=(evidence,), label=label, binary=binary)


def test_result_has_documented_shape() -> None:
    rows = [
        row("yes", Label.SUPPORTED),
        row("no", Label.REFUTED),
        row("perhaps", Label.NEI),
        row("yes", Label.REFUTED),
        row("perhaps", Label.SUPPORTED, "two-way"),
        row("no", Label.REFUTED, "two-way"),
        row("no", Label.NEI, "binary", binary=True),
        row("perhaps", Label.SUPPORTED, "binary", binary=True),
    ]
    result = bench_verifier(rows, KeywordJudge()).model_dump()
    rates = [one.pop("pairs_per_second") for one in [*result["sets"].values(), result["all"]]]
    assert all(rate > 0 for rate in rates)
    assert result == snapshot(
        {
            "sets": {
                "one": {
                    "rows": 4,
                    "accuracy": 0.75,
                    "macro_f1": 0.7778,
                    "f1": {"SUPPORTED": 0.6667, "REFUTED": 0.6667, "NEI": 1.0},
                    "balanced_accuracy": 0.8333,
                    "calibration_error": 0.175,
                },
                "two-way": {
                    "rows": 2,
                    "accuracy": 1.0,
                    "macro_f1": 1.0,
                    "f1": {"SUPPORTED": 1.0, "REFUTED": 1.0},
                    "balanced_accuracy": 1.0,
                    "calibration_error": 0.2222,
                },
                "binary": {
                    "rows": 2,
                    "accuracy": 0.5,
                    "macro_f1": 0.3333,
                    "f1": {"SUPPORTED": 0.0, "NEI": 0.6667},
                    "balanced_accuracy": 0.5,
                    "calibration_error": 0.45,
                },
            },
            "all": {
                "rows": 8,
                "accuracy": 0.75,
                "macro_f1": 0.7556,
                "f1": {"SUPPORTED": 0.6667, "REFUTED": 0.8, "NEI": 0.8},
                "balanced_accuracy": 0.7778,
                "calibration_error": 0.1528,
            },
        }
    )


def test_judge_gets_warm_up_then_batches_per_set() -> None:
    judge = KeywordJudge()
    seen: list[tuple[int, int, str]] = []
    rows = [row("yes", Label.SUPPORTED)] * (BATCH + 3) + [row("no", Label.REFUTED, "two")] * 2
    judge_sets(rows, judge, lambda *step: seen.append(step))
    assert judge.batches == [1, BATCH, 3, 2]
    assert seen == [(0, BATCH + 5, "one"), (BATCH, BATCH + 5, "one"), (BATCH + 3, BATCH + 5, "two")]


def test_rows_of_a_set_may_be_scattered() -> None:
    rows = [row("yes", Label.SUPPORTED), row("no", Label.REFUTED, "two"), row("perhaps", Label.NEI)]
    judged = judge_sets(rows, KeywordJudge())
    assert [(done.name, len(done.answers)) for done in judged] == [("one", 2), ("two", 1)]


def test_missing_beliefs_raise() -> None:
    class Lazy(KeywordJudge):
        def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
            return super().believe(pairs)[:-1]

    with pytest.raises(ValueError, match="shorter"):
        judge_sets([row("yes", Label.SUPPORTED)], Lazy())
