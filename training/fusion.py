"""Fit how the model and the exact comparisons are fused: `python -m training.fusion --help`.

Fitted on the claims that were held out of the training, with rows made from them as in the training, so that the
dev data stays what it is for: measuring.
"""

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F  # noqa: N812

from training.mix import make_rows
from training.model import LABELS
from training.rows import Row, is_held_out, read_rows
from veridic.evidence.reference import country_names
from veridic.judging.base import Belief
from veridic.judging.excerpt import split_parts
from veridic.judging.fusion import FEATURES, ModelReading, features
from veridic.judging.reading import Reader
from veridic.judging.signals import compare
from veridic.judging.verifier import read_evidence
from veridic.language.names import Aliases
from veridic.providers.embedded.onnx_model import embedded_model

MOST_OF_A_SET = 350
PENALTY = 2e-3
SEED = 2026


def held_out_rows(data: Path) -> list[Row]:
    """Claims not trained on, no more of one set than of the others, and rows made from them."""
    rng = random.Random(SEED)
    rows = [row for row in read_rows(data) if is_held_out(row)]
    by_set: dict[str, list[Row]] = {}
    for row in [*rows, *make_rows(rows, rng)]:
        by_set.setdefault(row.set, []).append(row)
    return [row for group in by_set.values() for row in rng.sample(group, min(len(group), MOST_OF_A_SET))]


def inputs(rows: Sequence[Row]) -> tuple[list[ModelReading], list[list[float]]]:
    reader = Reader(Aliases(country_names()))
    readings = read_evidence(embedded_model(), [(row.claim, row.evidence) for row in rows])
    signals = [
        compare(reader.read(row.claim), [reader.read(p) for text in row.evidence for p in split_parts(text)])
        for row in rows
    ]
    return readings, [features(r, s) for r, s in zip(readings, signals, strict=True)]


def fit(values: torch.Tensor, rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor]:
    """Weights and bias by maximum likelihood with a penalty on large weights; `NEI` of a binary row counts
    as either of the two."""
    mean, spread = values.mean(0), values.std(0).clamp(min=1e-3)
    scaled = (values - mean) / spread
    weights = torch.zeros(3, values.shape[1], dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=300, line_search_fn="strong_wolfe")
    allowed = torch.tensor(
        [
            [
                label == row.label or (row.binary and row.label == "NEI" and label == "REFUTED")
                for label in LABELS
            ]
            for row in rows
        ]
    )

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = F.log_softmax(scaled @ weights.T + bias, dim=1)
        value = (
            -torch.logsumexp(scores.masked_fill(~allowed, -1e9), 1).mean() + PENALTY * weights.square().sum()
        )
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[arg-type]
    found = weights.detach() / spread
    return found, bias.detach() - found @ mean


def fit_temperature(logits: torch.Tensor, rows: Sequence[Row]) -> float:
    """What the model's logits are divided by, so that its confidence is its accuracy."""
    full = [i for i, row in enumerate(rows) if not row.binary]
    labels = torch.tensor([LABELS.index(rows[i].label) for i in full])
    candidates = np.arange(0.5, 4.0, 0.05)
    losses = [float(F.cross_entropy(logits[full] / t, labels)) for t in candidates]
    return round(float(candidates[int(np.argmin(losses))]), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="verifier-train.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help="fusion.json")
    options = parser.parse_args()
    rows = held_out_rows(options.data)
    readings, values = inputs(rows)
    weights, bias = fit(torch.tensor(values, dtype=torch.float64), rows)
    stored = {
        "weights": {
            name: dict(zip(FEATURES, [round(float(x), 4) for x in line], strict=True))
            for name, line in zip(Belief._fields, weights, strict=True)
        },
        "bias": dict(zip(Belief._fields, [round(float(x), 4) for x in bias], strict=True)),
        "temperature": fit_temperature(torch.tensor(np.array([r.together for r in readings])), rows),
    }
    options.out.write_text(json.dumps(stored, indent=2) + "\n")


if __name__ == "__main__":
    main()
