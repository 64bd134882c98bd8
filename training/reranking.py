"""Would vectors put better passages first? `python -m training.reranking --data verifier-train.jsonl.gz`.

Claims of FEVER that were held out look for their own evidence among everybody's, as a check does: the index
finds candidates, the first twelve are read. Printed is how often the evidence is among those twelve, with the
index's order and with that of the verifier's vectors.
"""

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.rows import Row, is_held_out, read_rows
from veridic.domain.evidence import Passage, Source
from veridic.evidence.index import IndexWriter, PassageIndex
from veridic.evidence.query import make_questions
from veridic.providers.embedded.onnx_model import embedded_model

READ = 12
CANDIDATES = 40
CLAIMS = 300
LAST = 384
"""The part of a vector that is of the last layer it has."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    rows = [row for row in read_rows(parser.parse_args().data) if row.set == "fever_dev_pairs.dev"]
    asked = random.Random(1).sample([row for row in rows if is_held_out(row)], CLAIMS)
    with tempfile.TemporaryDirectory() as folder:
        index = build_index(sorted({row.evidence[0] for row in rows}), Path(folder))
        found = [find(index, row.claim) for row in asked]
    print(f"index: {share(asked, [texts[:READ] for texts in found]):.1%} of {CLAIMS} in the first {READ}")
    print(f"  (among {CANDIDATES} candidates: {share(asked, found):.1%})")
    alike = [likeness(row.claim, texts) for row, texts in zip(asked, found, strict=True)]
    for weight in (1.0, 0.5, 0.2):
        ranked = [rerank(texts, like, weight) for texts, like in zip(found, alike, strict=True)]
        print(f"vectors, weight {weight}: {share(asked, [texts[:READ] for texts in ranked]):.1%}", flush=True)


def build_index(texts: Sequence[str], folder: Path) -> PassageIndex:
    writer = IndexWriter(folder)
    source = Source(title="", channel="test", path="fever")
    for number, text in enumerate(texts):
        writer.add(str(number), Passage(id=str(number), source=source, text=text, start=0, end=len(text)))
    writer.finish()
    return PassageIndex(folder)


def find(index: PassageIndex, claim: str) -> list[str]:
    """The texts the index finds, the answers to the claim's questions in turn."""
    rankings = [index.search(question, CANDIDATES) for question in make_questions(claim)]
    ordered = [p.text for rank in range(CANDIDATES) for ranking in rankings for p in ranking[rank : rank + 1]]
    return list(dict.fromkeys(ordered))[:CANDIDATES]


def likeness(claim: str, texts: Sequence[str]) -> list[float]:
    """How close each text's vector is to the claim's, from -1 to 1."""
    if not texts:
        return []
    states = embedded_model().vectors([claim, *texts])[:, -LAST:]
    states = states / np.linalg.norm(states, axis=1, keepdims=True)
    return [float(like) for like in states[1:] @ states[0]]


def rerank(texts: Sequence[str], alike: Sequence[float], weight: float) -> list[str]:
    """By likeness of the vectors, mixed with the place the index gave."""
    scores = [weight * like + (1 - weight) / (1 + place) for place, like in enumerate(alike)]
    return [texts[i] for i in sorted(range(len(texts)), key=lambda i: -scores[i])]


def share(asked: Sequence[Row], found: Sequence[Sequence[str]]) -> float:
    return sum(row.evidence[0] in texts for row, texts in zip(asked, found, strict=True)) / len(asked)


if __name__ == "__main__":
    main()
