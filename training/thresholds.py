"""How sure must a reading be to take a side? `python -m training.thresholds --data verifier-train.jsonl.gz`.

Held-out claims look for evidence among everybody's, as a check does: the index finds passages, the judge reads the
first twelve. Printed is, for each threshold with the others as they ship, how many claims the readings settle and how
many of those rightly. Claims that the exact comparisons settle are left out: no threshold matters to them.

To take a claim's own evidence away and call any side wrong would not do: among everybody's there is nearly always
other evidence that settles it.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.reranking import READ, build_index, find
from training.rows import NEI, REFUTED, SUPPORTED, Row, is_held_out, read_rows
from veridic.domain.evidence import Passage, Source, Stance
from veridic.judging.base import Judge
from veridic.judging.fused import FusedJudge, Thresholds
from veridic.judging.reading import Reader
from veridic.judging.rules import RulesJudge
from veridic.pipeline.judges import country_aliases
from veridic.providers.embedded.onnx_model import OnnxModel, embedded_model

MOST_CLAIMS = {"fever_dev_pairs.dev": 360, "check_covid.train": 60, "scifact_rte.train": 60}
TRIED = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
BOTH = "both"


class Asked(NamedTuple):
    claim: str
    passages: tuple[Passage, ...]
    label: str


class Kept:
    """A model that reads no pair twice."""

    def __init__(self, model: OnnxModel) -> None:
        self._model = model
        self._read: dict[tuple[str, str], NDArray[np.float32]] = {}

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `PairModel.logits`."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._read]
        self._read.update(zip(new, self._model.logits(new), strict=True))
        return np.stack([self._read[pair] for pair in pairs]) if pairs else self._model.logits([])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="verifier-train.jsonl.gz")
    parser.add_argument("--claims", type=float, default=1.0, help="the share of the claims to try with")
    options = parser.parse_args()
    rows = [row for row in read_rows(options.data) if row.set in MOST_CLAIMS]
    reader = Reader(country_aliases())
    rules = RulesJudge(reader)
    asked = [
        one
        for name, most in MOST_CLAIMS.items()
        for one in questions([row for row in rows if row.set == name], int(most * options.claims))
        if side_of(rules, one) == NEI
    ]
    print(f"{len(asked)} claims that comparisons leave open", flush=True)
    model = Kept(embedded_model())
    for field in Thresholds._fields:
        for value in TRIED:
            thresholds = Thresholds()._replace(**{field: value})
            judge = FusedJudge(rules, reader, lambda: model, thresholds)
            print(f"{field:12}{value:5}  {summary(judge, asked)}", flush=True)


def questions(rows: Sequence[Row], most: int) -> Iterator[Asked]:
    """Held-out claims of a set with the passages that are found for them among the evidence of all its claims."""
    rng = random.Random(1)
    held_out = [row for row in rows if is_held_out(row)]
    with tempfile.TemporaryDirectory() as folder:
        index = build_index(sorted({text for row in rows for text in row.evidence}), Path(folder))
        for row in rng.sample(held_out, min(most, len(held_out))):
            found = find(index, row.claim)[:READ]
            passages = tuple(_passage(number, text) for number, text in enumerate(found))
            yield Asked(row.claim, passages, row.label)


def _passage(number: int, text: str) -> Passage:
    source = Source(title="", channel="test", path=str(number))
    return Passage(id=str(number), source=source, text=text, start=0, end=len(text))


def side_of(judge: Judge, asked: Asked) -> str:
    """What the passages come to: a label, or both sides."""
    stances = {one.stance for one in judge.assess(asked.claim, asked.passages)}
    if {Stance.SUPPORTING, Stance.CONTRADICTING} <= stances:
        return BOTH
    if Stance.SUPPORTING in stances:
        return SUPPORTED
    return REFUTED if Stance.CONTRADICTING in stances else NEI


def summary(judge: Judge, asked: Sequence[Asked]) -> str:
    counts = Counter((side_of(judge, one), one.label) for one in asked)

    def told(side: str) -> str:
        right = counts[side, side]
        all_ = sum(number for (taken, _), number in counts.items() if taken == side)
        of = sum(number for (_, label), number in counts.items() if label == side)
        return f"{side.lower()}: {right}/{all_} right ({right / max(1, all_):.0%}), {right / max(1, of):.0%} of {of} found"

    both = sum(number for (taken, _), number in counts.items() if taken == BOTH)
    return f"{told(SUPPORTED)}; {told(REFUTED)}; both sides: {both}"


if __name__ == "__main__":
    main()
