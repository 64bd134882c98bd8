"""Fit the decision: `python -m training.decision --help`.

Every claim of the families that were held out is put to its own passages, alone and among passages of other families,
and looks for its evidence there. What it should come to is its label; where the two passages say different things, only
one of them is given. The families are split in five: what is printed was measured on families that it was not fitted on.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from training.families import Family, read_families
from training.rows import NEI, is_held_out, read_rows
from veridic.domain.evidence import Passage
from veridic.judging.belief import FEATURES, log_softmax
from veridic.judging.excerpt import excerpt
from veridic.judging.reader import EmbeddedJudge
from veridic.providers.embedded.onnx_model import embedded_model, published_digest

LABELS = ("SUPPORTED", "REFUTED", NEI)
PARTS = 5
OTHERS = 3
"""Passages of other families that stand beside the claim's own."""
PAIRS = 2000
"""Public rows that the temperature is fitted on."""
STEPS = 300
DECAY = 0.01
LEAST_SPREAD = 0.01
"""A feature that is the same for nearly all claims must not decide about the others."""
SEED = 7


class Remembering:
    """The network, which reads no pair twice: desks share most of what lies on them."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], np.ndarray] = {}

    def logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known.update(zip(new, embedded_model().logits(new), strict=True))
        return np.array([self._known[pair] for pair in pairs])


class Example(NamedTuple):
    family: int
    features: list[float]
    label: int


def examples(families: Sequence[Family], judge: EmbeddedJudge, rng: random.Random) -> Iterator[Example]:
    for number, family in enumerate(families):
        for statement in family.statements:
            claim = statement.wordings[-1]
            for passages, label in _desks(family, statement.labels):
                others = [rng.choice(families).passages[rng.randrange(2)] for _ in range(OTHERS)]
                desk = [*passages, *_renamed(others)]
                row = judge.features(claim, desk, statement.context)
                if row is not None:
                    yield Example(number, row, LABELS.index(label))


def _desks(family: Family, labels: tuple[str | None, str | None]) -> Iterator[tuple[list[Passage], str]]:
    """What may lie on the desk, and what the claim comes to then."""
    first, second = family.passages
    for passage, label in zip(family.passages, labels, strict=True):
        if label is not None:
            yield [passage], label
    said = {label for label in labels if label and label != NEI}
    if len(said) < 2 and None not in labels:
        yield [first, second], said.pop() if said else NEI


def _renamed(passages: Sequence[Passage]) -> list[Passage]:
    """Each as a source of its own."""
    return [
        passage.model_copy(
            update={"source": passage.source.model_copy(update={"path": f"other/{n}/{passage.source.title}"})}
        )
        for n, passage in enumerate(passages)
    ]


def fit(rows: np.ndarray, labels: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> nn.Linear:
    torch.manual_seed(SEED)
    model = nn.Linear(len(FEATURES), len(LABELS))
    nn.init.zeros_(model.weight)
    given, wanted = torch.tensor((rows - mean) / scale, dtype=torch.float32), torch.tensor(labels)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=DECAY)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(given), wanted)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return model


def logits_of(model: nn.Linear, rows: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> np.ndarray:
    with torch.inference_mode():
        logits: np.ndarray = model(torch.tensor((rows - mean) / scale, dtype=torch.float32)).numpy()
    return logits


def softening(logits: np.ndarray, labels: np.ndarray) -> float:
    """What the logits of families that were not fitted on are divided by to be as sure as they are right."""

    def loss(value: float) -> float:
        return -float(log_softmax(logits / value)[range(len(labels)), labels].mean())

    return min((step / 20 for step in range(10, 80)), key=loss)


def temperature(path: Path) -> float:
    """What makes the network's answers on pairs as sure as they are right, on public rows that were held out."""
    rows = [row for row in read_rows(path) if is_held_out(row) and not row.binary]
    rows = random.Random(SEED).sample(rows, PAIRS)
    logits = embedded_model().logits([(row.claim, excerpt(row.claim, row.evidence)) for row in rows])
    return softening(logits, np.array([LABELS.index(row.label) for row in rows]))


def report(found: np.ndarray, labels: np.ndarray) -> None:
    """How right verdicts are, by how sure they must be."""
    print(f"accuracy {(found.argmax(1) == labels).mean():.3f} on {len(labels)} claims")
    for least in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        for side in (0, 1):
            taken = found[:, side] >= least
            right = (labels[taken] == side).mean() if taken.any() else 0.0
            reached = (taken & (labels == side)).sum() / max(1, (labels == side).sum())
            print(f"  {LABELS[side]:9} at {least}: {reached:.3f} found, {right:.3f} right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="decision.json of the package")
    parser.add_argument(
        "--data", type=Path, required=True, help="verifier-train.jsonl.gz, for the temperature"
    )
    parser.add_argument("--limit", type=int, help="use so many families only")
    options = parser.parse_args()
    # Only families with an article: their claims are pieces of a text, as the product meets them.
    articles = (family for family in read_families(held_out=True) if family.has_article)
    families = list(islice(articles, options.limit))
    model_once = Remembering()
    found = list(examples(families, EmbeddedJudge(lambda: model_once), random.Random(SEED)))
    rows = np.array([example.features for example in found])
    labels = np.array([example.label for example in found])
    part = np.array([example.family for example in found]) % PARTS
    mean, scale = rows.mean(0), np.maximum(rows.std(0), LEAST_SPREAD)
    held = np.zeros((len(rows), len(LABELS)))
    for one in range(PARTS):
        model = fit(rows[part != one], labels[part != one], mean, scale)
        held[part == one] = logits_of(model, rows[part == one], mean, scale)
    softer = softening(held, labels)
    report(np.exp(log_softmax(held / softer)), labels)
    model = fit(rows, labels, mean, scale)
    stored = {
        "features": list(FEATURES),
        "encoder": published_digest(),
        "temperature": temperature(options.data),
        "mean": mean.round(5).tolist(),
        "scale": scale.round(5).tolist(),
        **{
            name: values.detach().numpy().round(5).tolist()
            for name, values in (
                ("weights", model.weight.T / softer),
                ("bias", model.bias / softer),
            )
        },
    }
    options.out.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
