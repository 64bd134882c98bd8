"""Train the verifier: `make train-verifier`, or `python -m training.verifier --help`.

One pass over all rows, about two hours on two free cores that multiply 16-bit numbers, more on others. Every few
minutes a checkpoint is saved; a run that was stopped goes on from the last one. What ships is the mean of the last ones.
"""

import argparse
import math
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F  # noqa: N812
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from training.base import base_folder
from training.mix import batches, training_rows
from training.model import LABELS, Verifier, load_base
from training.rows import Row, read_rows
from veridic.judging.excerpt import excerpt

BATCH = 32
PEAK = 1e-4
"""Of the learning rate."""
WARM_UP = 0.05
LAST_RATE = 0.05
"""The learning rate rises over the first part of the run and falls in a line to this share of its peak."""
TOKENS = 192
SAVES = 20
AVERAGED = 4
SEED = 2026


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="verifier-train.jsonl.gz")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for checkpoints and the trained weights"
    )
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    rows = [as_excerpt(row) for row in training_rows(read_rows(options.data), SEED)]
    encodings = encode(rows, Tokenizer.from_file(str(base_folder() / "tokenizer.json")))
    print(f"{len(rows):,} pairs, {sum(len(e.ids) for e in encodings):,} tokens", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    train(load_base(), rows, encodings, options.out)
    last = sorted(options.out.glob("step-*.pt"))[-AVERAGED:]
    torch.save(mean_of(last), options.out / "verifier.pt")


def as_excerpt(row: Row) -> Row:
    """A public row with its evidence as one text, of a long one the closest sentences."""
    return row._replace(evidence=(excerpt(row.claim, row.evidence),))


def encode(rows: Sequence[Row], tokenizer: Tokenizer) -> list[Encoding]:
    """Rows whose evidence is one text, as the network reads it."""
    tokenizer.enable_truncation(TOKENS, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer.encode_batch([(row.claim, row.evidence[0]) for row in rows])


class Weights:
    """The weights that are trained, in full precision; the network computes with copies of them in less, if
    that is quicker here."""

    def __init__(self, model: Verifier) -> None:
        kept = {name: part.detach().clone() for name, part in model.named_parameters()}
        model.to(torch.bfloat16 if torch.cpu._is_avx512_bf16_supported() else torch.float32)
        self._copies = {name: part for name, part in model.named_parameters() if part.requires_grad}
        self._frozen = {name: part for name, part in kept.items() if name not in self._copies}
        self._trained = {name: part for name, part in kept.items() if name in self._copies}
        self.optimizer = torch.optim.AdamW(self._trained.values(), lr=PEAK, weight_decay=0.01, fused=True)

    def step(self) -> None:
        """One step along the gradients of the copies, which are used up."""
        for name, copy in self._copies.items():
            assert copy.grad is not None
            self._trained[name].grad, copy.grad = copy.grad.float(), None
        torch.nn.utils.clip_grad_norm_(self._trained.values(), 1.0)
        self.optimizer.step()
        self._copy()

    def state(self) -> dict[str, Tensor]:
        return {**self._trained, **self._frozen}

    def load(self, state: dict[str, Tensor]) -> None:
        for name, part in self._trained.items():
            part.copy_(state[name])
        self._copy()

    def _copy(self) -> None:
        with torch.no_grad():
            for name, copy in self._copies.items():
                copy.copy_(self._trained[name])


def train(model: Verifier, rows: Sequence[Row], encodings: Sequence[Encoding], out: Path) -> None:
    """One pass over the rows; leaves checkpoints in `out`."""
    torch.manual_seed(SEED)
    lengths = [(position, len(encoding.ids)) for position, encoding in enumerate(encodings)]
    plan = list(batches(lengths, BATCH, random.Random(SEED)))
    weights = Weights(model)
    rate = torch.optim.lr_scheduler.LambdaLR(weights.optimizer, lambda step: rate_at(step / len(plan)))
    first = resume(weights, rate, out)
    model.train()
    started, losses = time.monotonic(), []
    every = math.ceil(len(plan) / SAVES)
    for step in range(first, len(plan)):
        logits = model(*as_tensors([encodings[i] for i in plan[step]]))
        loss = loss_of(logits.float(), [rows[i] for i in plan[step]])
        loss.backward()  # type: ignore[no-untyped-call]
        weights.step()
        rate.step()
        losses.append(loss.item())
        if (step + 1) % 100 == 0:
            left = (time.monotonic() - started) / (step + 1 - first) * (len(plan) - step - 1)
            mean = sum(losses[-100:]) / len(losses[-100:])
            print(f"step {step + 1}/{len(plan)}  loss {mean:.3f}  {left / 60:.0f} min left", flush=True)
        if (step + 1) % every == 0 or step + 1 == len(plan):
            save(weights, rate, step + 1, out)


def rate_at(part: float) -> float:
    if part < WARM_UP:
        return part / WARM_UP
    return max(LAST_RATE, 1 - (1 - LAST_RATE) * (part - WARM_UP) / (1 - WARM_UP))


def loss_of(logits: Tensor, rows: Sequence[Row]) -> Tensor:
    """Cross-entropy; where a set only says "not supported", the other two classes count together."""
    log_probabilities = F.log_softmax(logits, dim=-1)
    picked = []
    for row, scores in zip(rows, log_probabilities, strict=True):
        if row.binary and row.label != LABELS[0]:
            picked.append(torch.logsumexp(scores[1:], dim=0))
        else:
            picked.append(scores[LABELS.index(row.label)])
    return -torch.stack(picked).mean()


def as_tensors(encodings: Sequence[Encoding]) -> Iterator[Tensor]:
    """Ids, segments and mask, padded to the longest."""
    longest = max(len(encoding.ids) for encoding in encodings)
    for part in ("ids", "type_ids", "attention_mask"):
        yield torch.tensor([_padded(getattr(encoding, part), longest) for encoding in encodings])


def _padded(values: list[int], length: int) -> list[int]:
    return values + [0] * (length - len(values))


def save(weights: Weights, rate, step: int, out: Path) -> None:  # type: ignore[no-untyped-def]
    state = {"model": weights.state(), "optimizer": weights.optimizer.state_dict(), "rate": rate.state_dict()}
    torch.save({**state, "step": step}, out / "last.pt.part")
    (out / "last.pt.part").replace(out / "last.pt")
    torch.save(weights.state(), out / f"step-{step:06}.pt")


def resume(weights: Weights, rate, out: Path) -> int:  # type: ignore[no-untyped-def]
    """Goes on from the last checkpoint, if there is one; the step to begin with."""
    if not (out / "last.pt").exists():
        return 0
    state = torch.load(out / "last.pt")
    weights.load(state["model"])
    weights.optimizer.load_state_dict(state["optimizer"])
    rate.load_state_dict(state["rate"])
    return int(state["step"])


def mean_of(paths: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of saved weights, number by number."""
    states = [torch.load(path) for path in paths]
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}


if __name__ == "__main__":
    main()
