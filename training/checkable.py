"""Fit which clauses have something to check in them: `python -m training.checkable --help`.

Clauses that our extractor finds in the articles of families and stories: those that somebody made a claim of against
those that were marked as colour. Plain statements ("The ringgit is the currency of Malaysia") are checkable too, and seldom
stand in news: some come from public rows, some were written for this. So are plain opinions ("The old town is the most charming
place on the coast"). The threshold is where, on articles that were held out, a share of `LOST` of the checkable clauses is lost.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training import plain
from training.families import read_families
from training.rows import read_rows
from training.stories import FOR_NETWORK, read_stories
from veridic.engine.judges import sentence_vectors
from veridic.providers.embedded.onnx_model import published_digest

FAMILIES = 900
"""So many give enough colour to learn from."""
PLAIN = {"fever_dev_pairs.dev": 800, "creak_explained.train": 800, "infotabs.train": 400}
"""How many public statements of each set."""
OPINION_PASSES = 3
"""How often the plain opinions are read: they are few beside the plain claims."""
LOST = 0.045
DECAY = 0.003
STEPS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="checkable.npz of the package")
    parser.add_argument("--data", type=Path, required=True, help="verifier-train.jsonl.gz")
    options = parser.parse_args()
    texts: list[str] = []
    labels: list[int] = []
    held: list[bool] = []
    for number, (claims, colour) in enumerate(articles()):
        for text, label in [(text, 1) for text in claims] + [(text, 0) for text in colour]:
            texts.append(text)
            labels.append(label)
            held.append(number % 5 == 0)
    for text, label in plain_statements(options.data):
        texts.append(text)
        labels.append(label)
        held.append(False)
    vectors = sentence_vectors(texts)
    wanted, apart = np.array(labels), np.array(held)
    mean, scale = vectors.mean(0), vectors.std(0) + 1e-6
    given = (vectors - mean) / scale
    weights, bias = fit(given[~apart], wanted[~apart])
    sums = given[apart] @ weights + bias
    threshold = float(np.quantile(sums[wanted[apart] == 1], LOST))
    kept = (sums[wanted[apart] == 0] > threshold).mean()
    print(
        f"{len(texts)} clauses, {int((wanted == 0).sum())} of them colour; of held-out colour {kept:.3f} is kept"
    )
    weights, bias = fit(given, wanted)
    vector = (weights / scale).astype(np.float32)
    encoder = np.array(published_digest())
    np.savez_compressed(
        options.out,
        encoder=encoder,
        vector=vector,
        bias=np.float32(bias - mean @ (weights / scale) - threshold),
    )


def articles() -> Iterator[tuple[list[str], Sequence[str]]]:
    """Of each article the clauses that are claims, and those that are colour."""
    families = (family for family in read_families(held_out=False) if family.has_article)
    for family in islice(families, FAMILIES):
        yield [one.wordings[1] for one in family.statements if len(one.wordings) > 1], family.colour
    for story in read_stories(FOR_NETWORK):
        yield [question.claim for question in story.questions], story.colour


def plain_statements(path: Path) -> Iterator[tuple[str, int]]:
    """Sentences that stand alone, and whether each has something to check."""
    yield from ((question.claim, 1) for question in plain.read_documents())
    yield from ((claim, 1) for claim in plain.row_claims())
    yield from OPINION_PASSES * [(opinion, 0) for opinion in plain.opinions()]
    left = dict(PLAIN)
    for row in read_rows(path):
        if left.get(row.set, 0):
            left[row.set] -= 1
            yield row.claim, 1


def fit(given: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, float]:
    torch.manual_seed(1)
    line = nn.Linear(given.shape[1], 1)
    nn.init.zeros_(line.weight)
    optimizer = torch.optim.AdamW(line.parameters(), lr=0.005, weight_decay=DECAY * 100)
    rows, labels = torch.tensor(given, dtype=torch.float32), torch.tensor(wanted, dtype=torch.float32)
    rare = torch.where(labels == 0, (labels == 1).sum() / (labels == 0).sum(), torch.tensor(1.0))
    for _ in range(STEPS):
        optimizer.zero_grad()
        sums = line(rows)[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(sums, labels, weight=rare)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return line.weight.detach().numpy()[0], float(line.bias)


if __name__ == "__main__":
    main()
