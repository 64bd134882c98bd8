"""Load the embedded model and read pairs with it: `python -m benchmarks.probes.model PAIRS`."""

import json
import sys
import time

import onnxruntime  # noqa: F401  # counted as start-up, not as loading the model
import tokenizers  # noqa: F401

from benchmarks.world import SEED, World
from benchmarks.yardstick import yardstick_seconds
from veridic.providers.embedded.onnx_model import embedded_model

_CLAIM_WORDS = 12
_EVIDENCE_WORDS = (10, 25, 40, 80)


def probe(pairs: int) -> dict[str, float]:
    """Seconds to load, and pairs a second: all at once, and one call a pair."""
    started = time.perf_counter()
    model = embedded_model()
    loaded = time.perf_counter() - started
    text = World(SEED).prose(20_000)
    words = text.split()
    read = [
        (
            " ".join(words[number * 7 :][:_CLAIM_WORDS]),
            " ".join(words[number * 11 :][: _EVIDENCE_WORDS[number % len(_EVIDENCE_WORDS)]]),
        )
        for number in range(pairs)
    ]
    model.logits(read[:8])
    started = time.perf_counter()
    model.logits(read)
    together = time.perf_counter() - started
    started = time.perf_counter()
    for pair in read:
        model.logits([pair])
    alone = time.perf_counter() - started
    return {
        "load_seconds": loaded,
        "pairs_per_second": pairs / together,
        "alone_per_second": pairs / alone,
        "yardstick_seconds": yardstick_seconds(text),
    }


if __name__ == "__main__":
    print(json.dumps(probe(int(sys.argv[1]))))
