"""Would vectors put better passages first? `python -m training.reranking --data verifier-train.jsonl.gz`.

Claims of FEVER that were held out look for their own evidence among everybody's, as a check does: the index
finds candidates, the first twelve are read. Printed is how often the evidence is among those twelve, with the
index's order and with the order of the vectors of all-MiniLM-L6-v2 or of the verifier's own.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.model import load_base
from training.rows import Row, is_held_out, read_rows
from training.verifier import as_tensors, base_folder
from veridic.domain.evidence import Passage, Source
from veridic.evidence.index import IndexWriter, PassageIndex
from veridic.evidence.query import make_questions
from veridic.providers.embedded.onnx_model import embedded_model

READ = 12
CANDIDATES = 40
CLAIMS = 300
Vectors = Callable[[Sequence[str]], NDArray[np.float32]]


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
    for name, vectors in (("verifier", last_layer), ("all-MiniLM-L6-v2", base_vectors())):
        alike = [likeness(row.claim, texts, vectors) for row, texts in zip(asked, found, strict=True)]
        for weight in (1.0, 0.5, 0.2):
            ranked = [rerank(texts, like, weight) for texts, like in zip(found, alike, strict=True)]
            first = [texts[:READ] for texts in ranked]
            print(f"{name}, weight {weight}: {share(asked, first):.1%}", flush=True)


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


def likeness(claim: str, texts: Sequence[str], vectors: Vectors) -> list[float]:
    """How close each text's vector is to the claim's, from -1 to 1."""
    if not texts:
        return []
    states = vectors([claim, *texts])
    states = states / np.linalg.norm(states, axis=1, keepdims=True)
    return [float(like) for like in states[1:] @ states[0]]


def rerank(texts: Sequence[str], alike: Sequence[float], weight: float) -> list[str]:
    """By likeness of the vectors, mixed with the place the index gave."""
    scores = [weight * like + (1 - weight) / (1 + place) for place, like in enumerate(alike)]
    return [texts[i] for i in sorted(range(len(texts)), key=lambda i: -scores[i])]


def share(asked: Sequence[Row], found: Sequence[Sequence[str]]) -> float:
    return sum(row.evidence[0] in texts for row, texts in zip(asked, found, strict=True)) / len(asked)


def last_layer(texts: Sequence[str]) -> NDArray[np.float32]:
    """The verifier's last states that are kept for every token."""
    return embedded_model().vectors(texts)[:, -384:]


def base_vectors() -> Vectors:
    """all-MiniLM-L6-v2 as published: the mean of its last layer."""
    network = load_base(base_folder()).eval()
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.enable_truncation(128)
    tokenizer.no_padding()

    def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
        with torch.inference_mode():
            ids, segments, mask = as_tensors(tokenizer.encode_batch(list(texts)))
            hidden = network.norm(
                network.words(ids)
                + network.positions(torch.arange(ids.shape[1]))[None]
                + network.segments(segments)
            )
            bias = ((1.0 - mask.float()) * -1e4)[:, None, None, :]
            for layer in network.layers:
                hidden = layer(hidden, bias, hidden)
            weights = mask.float()[:, :, None]
            mean: NDArray[np.float32] = ((hidden * weights).sum(1) / weights.sum(1)).numpy()
            return mean

    return vectors


if __name__ == "__main__":
    main()
