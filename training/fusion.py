"""Fit how the model and the exact comparisons are fused: `python -m training.fusion --help`.

Fitted on the claims that were held out of the training, with rows made from them as in the training, so that the
dev data stays what it is for: measuring. Two kinds of readings are fitted apart:

- Claims read whole. The fit starts from the model's own answer and moves from there only as far as the rows insist:
  held-out claims are of the sets that the model knows, and what holds for them may not hold for others.
- Claims read part by part with long evidence. For the same reason the model's numbers are blurred here, or nothing
  else would get a say.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F  # noqa: N812

from training import made
from training.mix import make_rows
from training.model import LABELS
from training.rows import Row, is_held_out, read_rows
from veridic.evidence.reference import country_names
from veridic.judging.base import Belief
from veridic.judging.excerpt import split_parts
from veridic.judging.fusion import FEATURES, ModelReading, features, kind_of
from veridic.judging.reading import Reader
from veridic.judging.signals import Signals, compare
from veridic.judging.verifier import read_evidence
from veridic.language.names import Aliases
from veridic.providers.embedded.onnx_model import embedded_model

FACTS = (
    "fever_dev_pairs.dev",
    "creak_explained.train",
    "infotabs.train",
    "check_covid.train",
    "scifact_rte.train",
    "evidence_inference.all",
    "citation_integrity.train",
)
"""Sets of claims about the world. They count for most: captions and pairs of sentences, of which there is far more,
are read with another bias between supported and refuted."""
MOST_OF_FACTS, MOST_OF_OTHERS = 700, 250
OTHER = 0.4
"""What any other row counts for."""
MODEL_PENALTY = 0.1
"""On leaving the model's own answer."""
PENALTY = {"whole": 0.03, "parts": 0.1}
"""On what is weighed beside it."""
TRUST = 0.7
"""What the fit starts with of the model's own answer: less than all, as it is surer of sets it knows than of others."""
BLUR, COPIES = 1.5, 3
SEED = 2026


def held_out_rows(data: Path) -> list[Row]:
    """Claims not trained on, most of them about the world, and rows made from them."""
    rng = random.Random(SEED)
    given = list(read_rows(data))
    rows = [row for row in given if is_held_out(row)]
    by_set: dict[str, list[Row]] = {}
    for row in [*rows, *make_rows(rows, rng), *long_rows(given, rng)]:
        by_set.setdefault(row.set, []).append(row)
    most = {name: MOST_OF_FACTS if name in FACTS else MOST_OF_OTHERS for name in by_set}
    return [row for name, group in by_set.items() for row in rng.sample(group, min(len(group), most[name]))]


def share_of(row: Row, kind: str) -> float:
    """What a row counts for; with long evidence there are hardly others than made ones."""
    is_made_long = kind == "parts" and row.set.startswith("made.")
    return 1.0 if row.set in FACTS or is_made_long else OTHER


def long_rows(rows: Sequence[Row], rng: random.Random) -> Iterator[Row]:
    """Held-out claims of FEVER with long evidence: that of the claims next in the alphabet, often of one subject."""
    near = sorted((row for row in rows if row.set == "fever_dev_pairs.dev"), key=lambda row: row.claim)
    for place, row in enumerate(near):
        around = [other for other in near[max(0, place - 8) : place + 9] if other.evidence != row.evidence]
        if is_held_out(row) and around:
            filling = rng.sample(around, min(len(around), rng.randrange(2, 6)))
            yield from made.in_long_evidence(row, rng.choice(around), filling, rng)


def inputs(rows: Sequence[Row]) -> tuple[list[ModelReading], list[Signals]]:
    reader = Reader(Aliases(country_names()))
    readings = read_evidence(embedded_model(), [(row.claim, row.evidence) for row in rows])
    signals = [
        compare(reader.read(row.claim), [reader.read(p) for text in row.evidence for p in split_parts(text)])
        for row in rows
    ]
    return readings, signals


def fit_kind(
    kind: str, rows: Sequence[Row], readings: Sequence[ModelReading], signals: Sequence[Signals]
) -> dict[str, object]:
    """The weights for one kind of evidence, as `veridic.judging.fusion` reads them."""
    chosen = [item for item in zip(rows, readings, signals, strict=True) if kind_of(item[1]) == kind]
    if kind == "parts":
        rng = np.random.default_rng(SEED)
        chosen = [
            (row, blurred(reading, rng), signal) for row, reading, signal in chosen for _ in range(COPIES)
        ]
    values = torch.tensor([features(reading, signal) for _, reading, signal in chosen], dtype=torch.float64)
    counts = [share_of(row, kind) for row, *_ in chosen]
    trust = TRUST if kind == "whole" else 0.0
    weights, bias = fit(values, [row for row, *_ in chosen], counts, trust, PENALTY[kind])
    return {
        "weights": {
            name: dict(zip(FEATURES[kind], [round(float(x), 4) for x in line], strict=True))
            for name, line in zip(Belief._fields, weights, strict=True)
        },
        "bias": dict(zip(Belief._fields, [round(float(x), 4) for x in bias], strict=True)),
    }


def blurred(reading: ModelReading, rng: np.random.Generator) -> ModelReading:
    def blur(logits: NDArray[np.float32]) -> NDArray[np.float32]:
        return (logits + rng.normal(0, BLUR, logits.shape)).astype(np.float32)

    return ModelReading(
        blur(reading.together),
        tuple((text, blur(logits)) for text, logits in reading.alone),
        tuple(blur(logits) for logits in reading.clauses),
    )


def fit(
    values: torch.Tensor, rows: Sequence[Row], counts: Sequence[float], trust: float, penalty: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Weights and bias by maximum likelihood, with a penalty on being far from `trust` in the model's own answer
    (the first three values); `NEI` of a binary row counts as either of the two."""
    mean, spread = values.mean(0), values.std(0).clamp(min=1e-3)
    mean[: len(LABELS)] = 0
    scaled = (values - mean) / spread
    start = torch.zeros(len(LABELS), values.shape[1], dtype=torch.float64)
    start[:, : len(LABELS)] = torch.diag(trust * spread[: len(LABELS)])
    penalties = torch.full_like(start, penalty)
    penalties[:, : len(LABELS)] = MODEL_PENALTY
    weights = start.clone().requires_grad_()
    bias = torch.zeros(len(LABELS), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=300, line_search_fn="strong_wolfe")
    share = torch.tensor(counts, dtype=torch.float64) / sum(counts)
    allowed = torch.tensor([[_fits(label, row) for label in LABELS] for row in rows])

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = F.log_softmax(scaled @ weights.T + bias, dim=1)
        misfit = -(share * torch.logsumexp(scores.masked_fill(~allowed, -1e9), 1)).sum()
        value = misfit + (penalties * (weights - start).square()).sum() + penalty * bias.square().sum()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[arg-type]
    found = weights.detach() / spread
    return found, bias.detach() - found @ mean


def _fits(label: str, row: Row) -> bool:
    return label == row.label or (row.binary and row.label == "NEI" and label == "REFUTED")


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
    readings, signals = inputs(rows)
    fitted = {kind: fit_kind(kind, rows, readings, signals) for kind in FEATURES}
    logits = torch.tensor(np.array([reading.together for reading in readings]))
    stored = {**fitted, "temperature": fit_temperature(logits, rows)}
    options.out.write_text(json.dumps(stored, indent=2) + "\n")


if __name__ == "__main__":
    main()
