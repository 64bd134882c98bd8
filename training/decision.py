"""Fit the decision: `python -m training.decision --help`.

Every statement of the stories that the network was not trained on looks for its evidence in the story's sources, as the
product would. Two things are fitted on what is read there: what all sources come to for the statement, and what one of them
says by itself. The stories are split in ten: what is printed was measured on stories that were not fitted on.
"""

import argparse
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from training.rows import NEI, is_held_out, read_rows
from training.stories import FOR_DECISION, Story, read_stories
from veridic.judging.belief import FEATURES, Scope, log_softmax
from veridic.judging.excerpt import excerpt
from veridic.judging.reader import EmbeddedJudge
from veridic.providers.embedded.onnx_model import embedded_model, published_digest

LABELS = ("SUPPORTED", "REFUTED", NEI)
MEANT = {label: label for label in LABELS} | {"OUTDATED": "REFUTED"}
"""What a statement is fitted to come to; one that sources contest is left out, since both sides are right there."""
PARTS = 10
PAIRS = 2000
"""Public rows that the temperature is fitted on."""
HOLD = 10.0
"""How much a large weight costs, in statements: with few of them, simple answers are safer."""
LEAST_SPREAD = 0.01
"""A feature that is the same for nearly all claims must not decide about the others."""
SEED = 7


class Example(NamedTuple):
    story: int
    features: list[float]
    label: int


class Fit(NamedTuple):
    mean: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    """A row for each feature, a column for each label."""
    bias: np.ndarray

    def logits(self, rows: np.ndarray) -> np.ndarray:
        found: np.ndarray = (rows - self.mean) / self.scale @ self.weights + self.bias
        return found


def examples(stories: Iterable[Story], judge: EmbeddedJudge) -> dict[Scope, list[Example]]:
    found: dict[Scope, list[Example]] = {scope: [] for scope in Scope}
    for number, story in enumerate(stories):
        for question in story.questions:
            together, each = judge.features(question.claim, question.passages, question.context)
            if together is not None and question.label in MEANT:
                label = LABELS.index(MEANT[question.label])
                found[Scope.CLAIM].append(Example(number, together, label))
            found[Scope.SOURCE] += (
                Example(number, row, LABELS.index(question.bearing[location]))
                for location, row in each.items()
                if location in question.bearing
            )
    return found


def fit(rows: np.ndarray, labels: np.ndarray) -> Fit:
    """Multinomial logistic regression; the weights are held small."""
    mean, scale = rows.mean(0), np.maximum(rows.std(0), LEAST_SPREAD)
    model = nn.Linear(rows.shape[1], len(LABELS), dtype=torch.float64)
    nn.init.zeros_(model.weight)
    nn.init.zeros_(model.bias)
    given, wanted = torch.tensor((rows - mean) / scale), torch.tensor(labels)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=500, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        held = HOLD / 2 * model.weight.square().sum()
        value: torch.Tensor = nn.functional.cross_entropy(model(given), wanted, reduction="sum") + held
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[arg-type]
    weights, bias = model.weight.detach().numpy().T, model.bias.detach().numpy()
    return Fit(mean, scale, weights, bias)


def held_out_logits(found: list[Example]) -> tuple[np.ndarray, np.ndarray]:
    """For each example what it comes to when its story was not fitted on; and what it should."""
    rows = np.array([one.features for one in found])
    labels = np.array([one.label for one in found])
    part = np.array([one.story for one in found]) % PARTS
    logits = np.zeros((len(rows), len(LABELS)))
    for one in range(PARTS):
        logits[part == one] = fit(rows[part != one], labels[part != one]).logits(rows[part == one])
    return logits, labels


def softening(logits: np.ndarray, labels: np.ndarray) -> float:
    """What logits of what was not fitted on are divided by to be as sure as they are right."""

    def loss(value: float) -> float:
        return -float(log_softmax(logits / value)[range(len(labels)), labels].mean())

    return min((step / 20 for step in range(10, 80)), key=loss)


def temperature(path: Path) -> float:
    """What makes the network's answers on pairs as sure as they are right, on public rows that were held out."""
    rows = [row for row in read_rows(path) if is_held_out(row) and not row.binary]
    rows = random.Random(SEED).sample(rows, PAIRS)
    logits = embedded_model().logits([(row.claim, excerpt(row.claim, row.evidence)) for row in rows])
    return softening(logits, np.array([LABELS.index(row.label) for row in rows]))


def report(scope: Scope, found: np.ndarray, labels: np.ndarray) -> None:
    """How right verdicts are, by how sure they must be."""
    print(f"{scope}: accuracy {(found.argmax(1) == labels).mean():.3f} on {len(labels)}")
    for least in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        for side in (0, 1):
            taken = found[:, side] >= least
            right = (labels[taken] == side).mean() if taken.any() else 0.0
            reached = (taken & (labels == side)).sum() / max(1, (labels == side).sum())
            print(f"  {LABELS[side]:9} at {least}: {reached:.3f} found, {right:.3f} right of {taken.sum()}")


def fitted(scope: Scope, found: list[Example]) -> dict[str, list[float]]:
    """Everything `belief.py` needs of one scope, made less sure by as much as it was too sure on stories not fitted on."""
    logits, labels = held_out_logits(found)
    softer = softening(logits, labels)
    report(scope, np.exp(log_softmax(logits / softer)), labels)
    whole = fit(np.array([one.features for one in found]), labels)
    whole = whole._replace(weights=whole.weights / softer, bias=whole.bias / softer)
    if scope is Scope.CLAIM:
        whole = whole._replace(bias=whole.bias + evened(labels))
    return {name: values.round(5).tolist() for name, values in whole._asdict().items()}


def evened(labels: np.ndarray) -> np.ndarray:
    """What makes supported and refuted equally likely beforehand: how many mistakes a text has is not known until it is
    checked, and the stories' writers chose how many theirs have."""
    counts = np.bincount(labels, minlength=len(LABELS)).astype(float)
    wanted = counts.copy()
    wanted[:2] = counts[:2].mean()
    shift: np.ndarray = np.log(wanted / counts)
    return shift


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="decision.json of the package")
    parser.add_argument(
        "--data", type=Path, required=True, help="verifier-train.jsonl.gz, for the temperature"
    )
    options = parser.parse_args()
    found = examples(read_stories(FOR_DECISION), EmbeddedJudge(embedded_model))
    stored = {
        "features": list(FEATURES),
        "encoder": published_digest(),
        "temperature": temperature(options.data),
        **{scope.value: fitted(scope, found[scope]) for scope in Scope},
    }
    options.out.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
