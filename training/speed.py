"""Int8 in onnxruntime against float32 in torch, the same network, pairs and two threads:
`python -m training.speed --weights verifier.pt`.

Torch is timed twice: with the pairs in batches of 32 as they come, which is what one writes at first, and with
the batches of like length that the package uses.
"""

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path

import torch
from tokenizers import Tokenizer

from training.base import base_folder
from training.model import load_base
from training.verifier import TOKENS, as_tensors
from veridic.providers.embedded.onnx_model import _batches, _inputs, embedded_model

THREADS = 2
ROUNDS = 5
LENGTHS = (8, 14, 20, 30, 45, 60, 80, 110)
"""Words of evidence, as passages have them."""
AS_THEY_COME = 32


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(THREADS)
    network = load_base()
    network.load_state_dict(torch.load(options.weights))
    network.eval()
    started = time.perf_counter()
    session = embedded_model()._session
    print(f"load: {time.perf_counter() - started:.2f} s")
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.no_padding()
    words = "the harbour of the old town was opened to ships from all over the world in that year and grew".split()
    texts = [" ".join(words[(i + n) % len(words)] for i in range(n)) for n in LENGTHS for _ in range(16)]
    random.Random(1).shuffle(texts)
    encodings = tokenizer.encode_batch(
        [("The harbour was opened to ships in that year.", text) for text in texts]
    )
    alike = [[encodings[i] for i in batch] for batch in _batches([len(e.ids) for e in encodings])]
    coming = [encodings[i : i + AS_THEY_COME] for i in range(0, len(encodings), AS_THEY_COME)]
    # First: the threads that torch keeps spinning would slow it down.
    shipped = _rate(lambda: [session.run(["logits"], _inputs(batch)) for batch in alike], len(texts))
    with torch.inference_mode():
        plain = _rate(lambda: [network(*as_tensors(batch)) for batch in coming], len(texts))
        sorted_ = _rate(lambda: [network(*as_tensors(batch)) for batch in alike], len(texts))
    print(f"torch, float32, batches as they come: {plain:.0f} pairs/s")
    print(f"torch, float32, batches of like length: {sorted_:.0f} pairs/s")
    print(f"onnxruntime, int8, batches of like length: {shipped:.0f} pairs/s")
    print(f"{shipped / plain:.1f} and {shipped / sorted_:.1f} times as fast")


def _rate(run: Callable[[], object], pairs: int) -> float:
    """Pairs a second in the best of several rounds: the least disturbed."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - started)
    return pairs / best


if __name__ == "__main__":
    main()
