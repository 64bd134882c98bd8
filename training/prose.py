"""Second stage of the training, on natural prose: `python -m training.prose --help`.

Goes on from the weights of the first stage (`training.verifier`, public pair sets) with the families of
`training/families/` and the stories of `training/stories/`, read as the product reads evidence, and a share of the public
rows so that those are not forgotten. The words and the first layers stay as they are, which saves a fifth of the time.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer

from training import families, stories
from training.base import base_folder
from training.mix import CHUNK
from training.model import Verifier, load_base
from training.rows import Row, is_held_out, read_rows
from training.verifier import as_excerpt, as_tensors, encode, loss_of

PEAK = 8e-5
WARM_UP = 0.04
LAST_RATE = 0.05
BATCH_TOKENS = 4096
FROZEN = 3
"""Layers from the bottom that are not trained."""
STORY_PASSES = 2
"""How often the stories are read: there are few of them, and nothing is more like what users check."""
SAVE_EVERY = 150
SEED = 11
REHEARSED = {
    "fever_dev_pairs.dev": 0.25,
    "infotabs.train": 0.2,
    "cad_nli.train": 0.1,
    "check_covid.train": 0.06,
    "citation_integrity.train": 0.06,
    "evidence_inference.all": 0.05,
    "mnli_taxinli.dev": 0.05,
    "scifact_rte.train": 0.04,
    "creak_explained.train": 0.04,
    "tabfact_natural.val": 0.03,
    "semtabfacts.train": 0.03,
    "snli.train_subset": 0.03,
    "conjnli.train": 0.02,
    "scitail.test": 0.02,
    "tracie.train": 0.02,
}
"""Of the public rows that are read again, the share of each set."""


def rehearsed(path: Path, number: int, rng: random.Random) -> Iterator[Row]:
    by_set: dict[str, list[Row]] = {}
    for row in read_rows(path):
        if row.set in REHEARSED and not is_held_out(row):
            by_set.setdefault(row.set, []).append(row)
    for name, share in REHEARSED.items():
        rows = by_set.get(name, [])
        for row in rng.sample(rows, min(len(rows), int(number * share))):
            yield as_excerpt(row)


def batches(lengths: Sequence[int], rng: random.Random) -> Iterator[list[int]]:
    """Indexes of rows with like lengths, so many that a batch has `BATCH_TOKENS`, near to the order given."""
    size = CHUNK * 16
    for start in range(0, len(lengths), size):
        found: list[list[int]] = [[]]
        for index in sorted(range(start, min(start + size, len(lengths))), key=lengths.__getitem__):
            if found[-1] and (len(found[-1]) + 1) * lengths[index] > BATCH_TOKENS:
                found.append([])
            found[-1].append(index)
        rng.shuffle(found)
        yield from found


def trained(model: Verifier) -> list[torch.nn.Parameter]:
    """The parameters that are trained; the others are frozen here."""
    below = [model.positions, model.segments, model.norm, *model.layers[:FROZEN]]
    for part in below:
        part.requires_grad_(False)
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def rate_at(part: float, last: float) -> float:
    return part / WARM_UP if part < WARM_UP else max(last, 1 - (1 - last) * (part - WARM_UP) / (1 - WARM_UP))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="weights to go on from")
    parser.add_argument(
        "--out", type=Path, required=True, help="where the weights are saved, again and again"
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with the public rows")
    parser.add_argument("--rehearse", type=int, default=5000, help="so many public rows are read again")
    parser.add_argument("--share", type=float, default=1.0, help="of the families' rows that are read")
    parser.add_argument("--peak", type=float, default=PEAK, help="of the learning rate")
    parser.add_argument("--last", type=float, default=LAST_RATE, help="its share that is left at the end")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    of_families = list(families.rows_of(families.read_families(held_out=False), rng))
    rows = [
        *rng.sample(of_families, int(len(of_families) * options.share)),
        *STORY_PASSES * list(stories.rows_of(stories.read_stories(stories.FOR_NETWORK))),
        *rehearsed(options.data / "verifier-train.jsonl.gz", options.rehearse, rng),
    ]
    rng.shuffle(rows)
    encodings = encode(rows, Tokenizer.from_file(str(base_folder() / "tokenizer.json")))
    plan = list(batches([len(encoding.ids) for encoding in encodings], rng))
    print(f"{len(rows):,} pairs, {len(plan):,} steps", flush=True)
    model = load_base()
    model.load_state_dict(torch.load(options.start))
    model.train()
    parameters = trained(model)
    optimizer = torch.optim.AdamW(parameters, lr=options.peak, weight_decay=0.01, fused=True)
    started, losses = time.monotonic(), []
    for step, batch in enumerate(plan, 1):
        for group in optimizer.param_groups:
            group["lr"] = options.peak * rate_at(step / len(plan), options.last)
        loss = loss_of(model(*as_tensors([encodings[i] for i in batch])), [rows[i] for i in batch])
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if step % 25 == 0:
            left = (time.monotonic() - started) / step * (len(plan) - step)
            print(
                f"step {step}/{len(plan)}  loss {sum(losses[-25:]) / 25:.3f}  {left / 60:.0f} min left",
                flush=True,
            )
        if step % SAVE_EVERY == 0 or step == len(plan):
            part = options.out.with_suffix(".part")
            torch.save(model.state_dict(), part)
            part.replace(options.out)


if __name__ == "__main__":
    main()
