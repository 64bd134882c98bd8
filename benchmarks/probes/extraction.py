"""Extract the claims of a long text: `python -m benchmarks.probes.extraction WORDS`."""

import json
import sys
import time

from benchmarks.world import SEED, World
from benchmarks.yardstick import tokenise_seconds
from veridic.claims.extract import extract_claims
from veridic.ingest.read import document_from_text

_ROUNDS = 5


def probe(words: int) -> dict[str, float]:
    """The best of several rounds, each on a text of its own so that nothing remembered helps."""
    rounds = [_extract(World(SEED + number).prose(words)) for number in range(_ROUNDS)]
    return {
        "words_per_second": max(one["words"] / one["seconds"] for one in rounds),
        "tokenised_per_second": max(one["words"] / one["tokenise_seconds"] for one in rounds),
        "claims_per_word": sum(one["claims"] for one in rounds) / sum(one["words"] for one in rounds),
    }


def _extract(text: str) -> dict[str, float]:
    document = document_from_text(text, source="benchmark")
    tokenised = tokenise_seconds(text)
    started = time.perf_counter()
    extraction = extract_claims(document)
    seconds = time.perf_counter() - started
    return {
        "words": len(text.split()),
        "seconds": seconds,
        "tokenise_seconds": tokenised,
        "claims": len(extraction.claims),
    }


if __name__ == "__main__":
    print(json.dumps(probe(int(sys.argv[1]))))
