"""Train the check-worthiness of claims: `make train-heads`, or `python -m training.worthiness --help`.

A few minutes, nearly all of it for the vectors, which the model in the package gives: run this again whenever that
model changes. Trained on ct24.train. ct24.dev is only looked at in the end, and no sentence of it is trained on,
though the file has most of them a second time under `claimbuster`.

The threshold has to hold for debates nobody has seen yet. So it is chosen on sentences whose topics were left out of
the training, by F1, among those that `claimbuster` has too: those are the ones its readers agreed on.
"""

import argparse
import gzip
import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from veridic.claims.sentence_models import BUCKETS, WEIGHTS, word_buckets
from veridic.providers.embedded.onnx_model import embedded_model

TRAINED, TUNED, AGREED, OTHER = "ct24.train", "ct24.dev", "claimbuster", "policlaim.train"
TOPICS, FOLDS = 12, 4
VECTOR_PENALTY, WORDS_PENALTY = 200.0, 0.5
WORDS_SHARE = 1 / 3
"""Of the sum; words alone carry over badly to other topics, but correct the vectors on the ones they know."""
SEED = 2026


class Sentences(NamedTuple):
    """Sentences with all that is read of them; `positive` is 1.0 or 0.0."""

    texts: list[str]
    positive: Tensor
    vectors: Tensor
    words: Tensor
    """The buckets of all sentences in a row."""
    starts: Tensor
    """Where each sentence's buckets begin."""
    shares: Tensor
    """What each bucket counts in its sentence."""


class Lines(NamedTuple):
    """The two parts of the model, before they are added up; the last number of each is its bias."""

    vector: Tensor
    words: Tensor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="claim-detection.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help=f"folder for {WEIGHTS}")
    options = parser.parse_args()
    torch.manual_seed(SEED)
    sets = read_sets(options.data)
    debates = prepared(without(sets[TRAINED], sets[TUNED]))
    twice = {_key(text) for text, _ in sets[AGREED]}
    agreed = torch.tensor([_key(text) in twice for text in debates.texts])
    unseen = scores_of_unseen_topics(debates)
    threshold = best_threshold(unseen[agreed], debates.positive[agreed])
    lines = trained(debates)
    report("unseen topics, agreed", unseen[agreed], debates.positive[agreed], threshold)
    for name in (TUNED, OTHER):
        tried = prepared(sets[name])
        report(name, scores(lines, tried), tried.positive, threshold)
    write(lines, threshold, options.out / WEIGHTS)


def read_sets(path: Path) -> dict[str, list[tuple[str, int]]]:
    """Each set's sentences with their answers; hedges are another question."""
    sets: dict[str, list[tuple[str, int]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            answer = row.get("check_worthy", row.get("factual_claim"))
            if answer is not None:
                sets.setdefault(row["set"], []).append((row["text"], answer))
    return sets


def without(rows: list[tuple[str, int]], kept_out: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Each sentence once, and none that stands in `kept_out`."""
    seen = {_key(text) for text, _ in kept_out}
    kept = []
    for text, answer in rows:
        if _key(text) not in seen:
            seen.add(_key(text))
            kept.append((text, answer))
    return kept


def _key(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def prepared(rows: list[tuple[str, int]]) -> Sentences:
    texts = [text for text, _ in rows]
    buckets = [word_buckets(text) for text in texts]
    lengths = torch.tensor([len(found) for found in buckets])
    return Sentences(
        texts,
        torch.tensor([float(answer) for _, answer in rows]),
        torch.from_numpy(embedded_model().vectors(texts)),
        torch.tensor([bucket for found in buckets for bucket in found]),
        torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)[:-1]]),
        torch.repeat_interleave(lengths.float().rsqrt(), lengths),
    )


def trained(sentences: Sentences, only: Tensor | None = None) -> Lines:
    """Both lines, each fitted by itself; to the sentences marked in `only`."""
    use = torch.ones_like(sentences.positive) if only is None else only.float()
    spread = sentences.vectors.std(0)
    centre = sentences.vectors.mean(0)
    even = (sentences.vectors - centre) / spread
    vector = fitted(lambda w: even @ w[:-1] + w[-1], even.shape[1], sentences.positive, use, VECTOR_PENALTY)
    words = fitted(lambda w: words_logits(w, sentences), BUCKETS, sentences.positive, use, WORDS_PENALTY)
    slope = vector[:-1] / spread
    return Lines(torch.cat([slope, vector[-1:] - centre @ slope]), words)


def fitted(
    logits: Callable[[Tensor], Tensor], size: int, positive: Tensor, use: Tensor, penalty: float
) -> Tensor:
    """Logistic regression: `size` weights, kept small by the penalty, and a bias."""
    weights = torch.zeros(size + 1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> float:
        optimizer.zero_grad()
        misfit = F.binary_cross_entropy_with_logits(logits(weights), positive, use, reduction="sum")
        total = (misfit + penalty / 2 * weights[:-1].square().sum()) / len(positive)
        total.backward()  # type: ignore[no-untyped-call]
        return float(total.item())

    optimizer.step(loss)
    return weights.detach()


def words_logits(weights: Tensor, sentences: Sentences) -> Tensor:
    sums = F.embedding_bag(
        sentences.words,
        weights[:-1, None],
        sentences.starts,
        mode="sum",
        per_sample_weights=sentences.shares,
    )
    return sums[:, 0] + weights[-1]


def scores(lines: Lines, sentences: Sentences) -> Tensor:
    by_vector = sentences.vectors @ lines.vector[:-1] + lines.vector[-1]
    return (1 - WORDS_SHARE) * by_vector + WORDS_SHARE * words_logits(lines.words, sentences)


def scores_of_unseen_topics(sentences: Sentences) -> Tensor:
    """Each sentence's score by lines that were trained on other topics only."""
    fold = topics(sentences.vectors) % FOLDS
    found = torch.zeros_like(sentences.positive)
    for left_out in range(FOLDS):
        lines = trained(sentences, fold != left_out)
        found[fold == left_out] = scores(lines, sentences)[fold == left_out]
    return found


def topics(vectors: Tensor, rounds: int = 20) -> Tensor:
    """Vectors in groups of neighbours, by k-means: what stands together is about the same thing."""
    even = F.normalize(vectors - vectors.mean(0))
    centres = even[torch.randperm(len(even))[:TOPICS]]
    nearest = torch.zeros(len(even), dtype=torch.long)
    for _ in range(rounds):
        nearest = torch.cdist(even, centres).argmin(1)
        centres = torch.stack([even[nearest == topic].mean(0) for topic in range(TOPICS)])
    return nearest


def best_threshold(scored: Tensor, positive: Tensor) -> float:
    """Where F1 is highest."""
    ordered, places = scored.sort(descending=True)
    hits = positive[places].cumsum(0)
    f1 = 2 * hits / (torch.arange(1, len(hits) + 1) + positive.sum())
    return float(ordered[f1.argmax()].item())


def report(name: str, scored: Tensor, positive: Tensor, threshold: float) -> None:
    found = scored >= threshold
    hits = (found * positive).sum()
    ranks = scored.argsort().argsort().double() + 1
    positives, negatives = positive.sum(), (1 - positive).sum()
    auc = ((ranks * positive).sum() - positives * (positives + 1) / 2) / (positives * negatives)
    f1, precision, recall = 2 * hits / (found.sum() + positives), hits / found.sum(), hits / positives
    print(f"{name}: F1 {f1:.3f}, precision {precision:.3f}, recall {recall:.3f}, area {auc:.3f}", flush=True)


def write(lines: Lines, threshold: float, path: Path) -> None:
    """The weights as `veridic.claims.sentence_models` reads them; those of words in 8 bits."""
    words = WORDS_SHARE * lines.words[:-1]
    scale = words.abs().max().item() / 127
    bias = (1 - WORDS_SHARE) * lines.vector[-1] + WORDS_SHARE * lines.words[-1] - threshold
    digests = json.loads((files("veridic.providers.embedded") / "digests.json").read_text())
    np.savez_compressed(
        path,
        vector=((1 - WORDS_SHARE) * lines.vector[:-1]).numpy(),
        words=(words / scale).round().numpy().astype(np.int8),
        words_scale=np.float64(scale),
        bias=np.float64(bias.item()),
        encoder=np.array(digests["verifier.onnx"]),
    )


if __name__ == "__main__":
    main()
