"""Search a corpus for many claims: `python -m benchmarks.probes.search CORPUS QUERIES`."""

import asyncio
import json
import sys
from datetime import UTC, datetime
from statistics import quantiles
from typing import Any

from benchmarks.processes import own_peak_bytes
from benchmarks.stopwatch import Stopwatch
from benchmarks.world import World
from benchmarks.yardstick import yardstick_seconds
from veridic.config.settings import load_settings
from veridic.engine.open_evidence import open_against, open_gatherer
from veridic.evidence.corpus import Corpus
from veridic.evidence.gathering import Gatherer

_WARM_UP = 10
_YARDSTICK_TEXT_WORDS = 20_000


def probe(corpus_name: str, queries: int) -> dict[str, Any]:
    """Times of a claim's whole search and of the index's part of it, after a few claims to warm up."""
    settings = load_settings()
    corpus = open_against(corpus_name, settings).corpus
    gatherer = open_gatherer([corpus], (), settings, as_of=datetime.now(UTC).date())
    claims = World().claims(_WARM_UP + queries)
    asyncio.run(_find_all(gatherer, claims[:_WARM_UP]))
    whole, query = Stopwatch(), Stopwatch()
    with whole.on(Gatherer, "gather"), query.on(Corpus, "search"):
        asyncio.run(_find_all(gatherer, claims[_WARM_UP:]))
    peak = own_peak_bytes()
    return {
        "passages": len(corpus),
        "find": _percentiles(whole.seconds),
        "query": _percentiles(query.seconds),
        "peak_bytes": peak,
        "yardstick_seconds": yardstick_seconds(World().prose(_YARDSTICK_TEXT_WORDS)),
    }


async def _find_all(gatherer: Gatherer, claims: list[str]) -> None:
    for claim in claims:
        await gatherer.gather(claim, seconds=60)


def _percentiles(seconds: list[float]) -> dict[str, float]:
    cuts = quantiles(seconds, n=100, method="inclusive")
    return {"p50": cuts[49], "p99": cuts[98]}


if __name__ == "__main__":
    print(json.dumps(probe(sys.argv[1], int(sys.argv[2]))))
