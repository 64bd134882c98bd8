"""Fit which clauses have something to check in them: `python -m training.checkable --help`.

Clauses that our extractor finds in the articles of the families: those that somebody made a claim of against those that
were marked as colour. The threshold is where, on articles that were held out, one checkable clause in `LOST` is lost.
"""

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.families import read_families
from veridic.pipeline.judges import sentence_vectors
from veridic.providers.embedded.onnx_model import published_digest

FAMILIES = 450
"""So many give enough colour to learn from."""
LOST = 0.03
DECAY = 0.003
STEPS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="checkable.npz of the package")
    options = parser.parse_args()
    articles = (family for family in read_families(held_out=False) if family.has_article)
    texts: list[str] = []
    labels: list[int] = []
    held: list[bool] = []
    for number, family in enumerate(islice(articles, FAMILIES)):
        claims = [s.wordings[1] for s in family.statements if len(s.wordings) > 1]
        for text, label in [(text, 1) for text in claims] + [(text, 0) for text in family.colour]:
            texts.append(text)
            labels.append(label)
            held.append(number % 5 == 0)
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
