"""Fit the decision: `python -m training.decision --help`.

Every claim looks for its evidence as the product would; nothing it is fitted on was trained on by the network. Three
things are fitted: what all sources come to for a claim, what one source says by itself, and what one row of a reference
work says by itself. The claims are split in ten, story by story: what is printed was measured on what was not fitted on.

News stories are the hardest of what users check. How sure the decision may be is therefore told from them alone.
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from training import families, plain
from training.rows import NEI, Row, is_held_out, read_rows
from training.stories import FOR_DECISION, Question, read_stories
from veridic.domain.evidence import Passage, Source
from veridic.engine.judges import country_aliases
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
OF_FAMILIES = 1600
"""So many pairs of held-out families."""
PUBLIC = {
    "fever_dev_pairs.dev": 400,
    "check_covid.train": 40,
    "scifact_rte.train": 20,
    "creak_explained.train": 200,
}
"""How many held-out public rows of each set: encyclopedias and abstracts."""
HOLD = 10.0
"""How much a large weight costs, in statements: with few of them, simple answers are safer."""
LEAST_SPREAD = 0.01
"""A feature that is the same for nearly all claims must not decide about the others."""
SEED = 7


class Example(NamedTuple):
    group: str
    """What must not be fitted on and measured on at once: a story, a family, a country."""
    features: list[float]
    label: int
    is_news: bool = False
    claim: int = 0
    """Rows of one claim have one number."""
    of_claim: int = 0
    """The label of the row's claim, whichever row settles it."""


class Fit(NamedTuple):
    mean: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    """A row for each feature, a column for each label."""
    bias: np.ndarray

    def logits(self, rows: np.ndarray) -> np.ndarray:
        found: np.ndarray = (rows - self.mean) / self.scale @ self.weights + self.bias
        return found


def examples(data: Path, judge: EmbeddedJudge) -> dict[Scope, list[Example]]:
    """What is fitted on, for each scope."""
    found: dict[Scope, list[Example]] = {scope: [] for scope in Scope}
    for question, is_news in questions(data):
        together, each = judge.features(question.claim, question.passages, question.context)
        if together is not None and question.label in MEANT:
            label = LABELS.index(MEANT[question.label])
            found[Scope.CLAIM].append(Example(question.story, together, label, is_news))
        found[Scope.SOURCE] += (
            Example(question.story, row, LABELS.index(question.bearing[location]), is_news)
            for location, row in each.items()
            if location in question.bearing
        )
    for number, asked in enumerate(plain.read_rows()):
        _, each = judge.features(asked.claim, asked.passages)
        of_claim, settles_nothing = LABELS.index(asked.label), LABELS.index(NEI)
        for name, row in each.items():
            label = of_claim if name == asked.row else settles_nothing
            found[Scope.ROW].append(Example(asked.country, row, label, claim=number, of_claim=of_claim))
    return found


def questions(data: Path) -> Iterator[tuple[Question, bool]]:
    """Every claim that has prose to be read, and whether it is of a news story."""
    for story in read_stories(FOR_DECISION):
        yield from ((question, True) for question in story.questions)
    yield from ((question, False) for question in plain.read_documents())
    rng = random.Random(SEED)
    of_families = [
        Question(
            family.passages[0].source.title,
            rng.choice(one.wordings),
            one.context,
            (passage,),
            label,
            {},
            one.trap,
        )
        for family in families.read_families(held_out=True)
        for one in family.statements
        for passage, label in zip(family.passages, one.labels, strict=True)
        if label is not None
    ]
    yield from ((question, False) for question in rng.sample(of_families, OF_FAMILIES))
    yield from ((question, False) for question in public(read_rows(data)))


def public(rows: Iterable[Row]) -> Iterator[Question]:
    left = dict(PUBLIC)
    for row in rows:
        if left.get(row.set, 0) and is_held_out(row) and not row.binary:
            left[row.set] -= 1
            yield Question(row.claim, row.claim, "", tuple(_passages(row.evidence)), row.label, {}, row.set)


def _passages(evidence: Sequence[str]) -> Iterator[Passage]:
    for number, text in enumerate(evidence):
        source = Source(title="", path=f"public/{number}")
        yield Passage(id=str(number), source=source, text=text, start=0, end=len(text))


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


def held_out_logits(found: list[Example]) -> np.ndarray:
    """For each example what it comes to when its group was not fitted on."""
    rows, labels = arrays(found)
    groups = sorted({one.group for one in found})
    random.Random(SEED).shuffle(groups)
    part_of = {group: number % PARTS for number, group in enumerate(groups)}
    part = np.array([part_of[one.group] for one in found])
    logits = np.zeros((len(rows), len(LABELS)))
    for one in range(PARTS):
        logits[part == one] = fit(rows[part != one], labels[part != one]).logits(rows[part == one])
    return logits


def arrays(found: Sequence[Example]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([one.features for one in found]), np.array([one.label for one in found])


def softening(logits: np.ndarray, labels: np.ndarray) -> float:
    """What logits of what was not fitted on are divided by to be as sure as they are right."""

    def loss(value: float) -> float:
        return -float(log_softmax(logits / value)[range(len(labels)), labels].mean())

    return min((step / 20 for step in range(10, 80)), key=loss)


def recalibrated(logits: np.ndarray, labels: np.ndarray) -> tuple[float, np.ndarray]:
    """What logits are divided by, and what is then added for each label, to be as sure as they are right."""
    scale, shift = torch.ones((), dtype=torch.float64), torch.zeros(len(LABELS), dtype=torch.float64)
    scale.requires_grad_(), shift.requires_grad_()
    given, wanted = torch.tensor(logits), torch.tensor(labels)
    optimizer = torch.optim.LBFGS([scale, shift], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        value: torch.Tensor = nn.functional.cross_entropy(given * scale + shift, wanted)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[arg-type]
    return 1 / float(scale.detach()), shift.detach().numpy()


def temperature(path: Path) -> float:
    """What makes the network's answers on pairs as sure as they are right, on public rows that were held out."""
    rows = [row for row in read_rows(path) if is_held_out(row) and not row.binary]
    rows = random.Random(SEED).sample(rows, PAIRS)
    logits = embedded_model().logits([(row.claim, excerpt(row.claim, row.evidence)) for row in rows])
    return softening(logits, np.array([LABELS.index(row.label) for row in rows]))


def report(name: str, found: np.ndarray, labels: np.ndarray) -> None:
    """How right verdicts are, by how sure they must be."""
    print(f"{name}: accuracy {(found.argmax(1) == labels).mean():.3f} on {len(labels)}")
    for least in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        for side in (0, 1):
            taken = found[:, side] >= least
            right = (labels[taken] == side).mean() if taken.any() else 0.0
            reached = (taken & (labels == side)).sum() / max(1, (labels == side).sum())
            print(f"  {LABELS[side]:9} at {least}: {reached:.3f} found, {right:.3f} right of {taken.sum()}")


def fitted(scope: Scope, found: list[Example]) -> dict[str, list[float]]:
    """Everything `belief.py` needs of one scope, made less sure by as much as it was too sure on what was not fitted on."""
    logits = held_out_logits(found)
    rows, labels = arrays(found)
    told = most_telling(found, logits) if scope is Scope.ROW else np.array([one.is_news for one in found])
    wanted = np.array([one.of_claim for one in found]) if scope is Scope.ROW else labels
    softer = softening(logits[told], wanted[told])
    shift = np.zeros(len(LABELS))
    if (
        scope is Scope.ROW
    ):  # of all rows nearly none settles anything, of those that the reader goes by most do
        softer, shift = recalibrated(logits[told], wanted[told])
    for name, part in (("news", told), ("other", ~told)) if scope is Scope.CLAIM else (("", told),):
        report(f"{scope} {name}", np.exp(log_softmax(logits[part] / softer + shift)), wanted[part])
    whole = fit(rows, labels)
    if scope is Scope.CLAIM:
        shift = evened(labels)
    whole = whole._replace(weights=whole.weights / softer, bias=whole.bias / softer + shift)
    return {name: values.round(5).tolist() for name, values in whole._asdict().items()}


def most_telling(found: Sequence[Example], logits: np.ndarray) -> np.ndarray:
    """Of each claim's rows the one that the reader would go by."""
    best: dict[int, int] = {}
    unsettled = log_softmax(logits)[:, LABELS.index(NEI)]
    for number, one in enumerate(found):
        if one.claim not in best or unsettled[number] < unsettled[best[one.claim]]:
            best[one.claim] = number
    told = np.zeros(len(found), bool)
    told[list(best.values())] = True
    return told


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
        "--data", type=Path, required=True, help="verifier-train.jsonl.gz: public rows that were held out"
    )
    options = parser.parse_args()
    found = examples(options.data, EmbeddedJudge(embedded_model, country_aliases))
    stored = {
        "features": list(FEATURES),
        "encoder": published_digest(),
        "temperature": temperature(options.data),
        **{scope.value: fitted(scope, found[scope]) for scope in Scope},
    }
    options.out.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
