"""Fit how sentences are framed: `python -m training.framing --help`.

`framing.tsv` has 640 sentences that were written for this, 160 of each kind. With them alone one plain sentence of news in
five was taken for private data; so the stories' own sentences come in as direct ones. What is printed was measured on a fifth of
them at a time, fitted on the others; `--test` takes another file, which nobody looks at while changing anything.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.stories import FOR_NETWORK, read_stories
from veridic.claims.framing import KINDS, find_report
from veridic.engine.judges import sentence_vectors
from veridic.providers.embedded.onnx_model import published_digest
from veridic.text.english import parse

DATA = Path(__file__).parent / "framing.tsv"
NAMES = ("direct", "hearsay", "deniable", "private")
PARTS = 5
FALSE_ALARMS = 0.01
"""Share of plain news that may be taken for each of the other kinds: what is taken for private is not checked at all."""
DECAY = 0.5
STEPS = 300


def read(path: Path) -> tuple[list[str], np.ndarray]:
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [line[1] for line in lines], np.array([NAMES.index(line[0]) for line in lines])


def plain_news() -> list[str]:
    """Clauses and sentences of the stories' articles in which nobody is made to say anything: nearly all of them are
    direct, and there are far more of them in any text than of the other kinds."""
    questions = [question for story in read_stories(FOR_NETWORK) for question in story.questions]
    texts = dict.fromkeys(text for question in questions for text in (question.claim, question.context))
    return [text for text in texts if find_report(parse(text)) is None]


def fit(given: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    torch.manual_seed(1)
    line = nn.Linear(given.shape[1], len(KINDS))
    nn.init.zeros_(line.weight)
    optimizer = torch.optim.AdamW(line.parameters(), lr=0.003, weight_decay=DECAY)
    rows, labels = torch.tensor(given, dtype=torch.float32), torch.tensor(wanted)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(line(rows), labels)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return line.weight.detach().numpy(), line.bias.detach().numpy()


def lateness(of_news: np.ndarray) -> np.ndarray:
    """What is taken from the sum of each kind, so that it is seen in no more than `FALSE_ALARMS` of plain news."""
    over = of_news - of_news[:, :1]
    late: np.ndarray = np.maximum(np.quantile(over, 1 - FALSE_ALARMS, axis=0), 0.0)
    return late


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="framing.npz of the package")
    parser.add_argument("--test", type=Path, help="a file like framing.tsv to measure on")
    options = parser.parse_args()
    written, kinds = read(DATA)
    plain = plain_news()
    texts = [*written, *plain]
    labels = np.concatenate([kinds, np.full(len(plain), NAMES.index("direct"))])
    vectors = sentence_vectors(texts)
    mean, scale = vectors.mean(0), vectors.std(0) + 1e-6
    given = (vectors - mean) / scale
    part = np.arange(len(texts)) % PARTS
    sums = np.zeros((len(texts), len(KINDS)))
    for one in range(PARTS):
        weights, bias = fit(given[part != one], labels[part != one])
        sums[part == one] = given[part == one] @ weights.T + bias
    late = lateness(sums[len(written) :])
    right = (sums - late).argmax(1) == labels
    print(
        f"{len(texts)} sentences, fifth by fifth: {right[len(written) :].mean():.3f} of those of news are right"
    )
    for number, name in enumerate(NAMES):
        print(f"  {name:9} {right[: len(written)][kinds == number].mean():.3f}")
    weights, bias = fit(given, labels)
    bias -= late
    if options.test:
        other, wanted = read(options.test)
        found = (((sentence_vectors(other) - mean) / scale) @ weights.T + bias).argmax(1)
        for number, name in enumerate(NAMES):
            print(f"  {name:9} {(found[wanted == number] == number).mean():.3f} found")
        print(f"{len(other)} other sentences: {(found == wanted).mean():.3f} right")
    scaled = (weights / scale).T.astype(np.float32)
    np.savez_compressed(
        options.out,
        encoder=np.array(published_digest()),
        vectors=scaled,
        bias=(bias - mean @ scaled).astype(np.float32),
    )


if __name__ == "__main__":
    main()
