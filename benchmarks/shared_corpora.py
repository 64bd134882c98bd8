"""Corpora in PostgreSQL against files: the same answers, and in what time? `python -m benchmarks.shared_corpora URL`.

The URL names an empty database. The passages are every seventeenth of the built-in library, the claims 300 of them.
"""

import random
import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from veridic.domain.evidence import Passage
from veridic.engine.judges import country_aliases
from veridic.evidence.corpus import Corpora, Corpus
from veridic.evidence.index import QueryTerm
from veridic.evidence.postgres import close_connections
from veridic.evidence.query import make_questions
from veridic.evidence.reference import factbook_passages

_EVERY = 17
_PASSAGES = 5000
_CLAIMS = 300
_WANTED = 10
_SEED = 7


def measure(url: str) -> None:
    passages = list(factbook_passages())[::_EVERY][:_PASSAGES]
    expand = country_aliases().expand
    claims = [one.text for one in random.Random(_SEED).sample(passages, _CLAIMS)]
    queries = [terms for claim in claims for terms in make_questions(claim, expand)]
    with tempfile.TemporaryDirectory() as folder:
        in_files = _search("files", _write(Path(folder), passages), queries)
        in_database = _search("PostgreSQL", _write(url, passages), queries)
    pairs = list(zip(in_files, in_database, strict=True))
    print(f"{len(passages):,} passages, {len(queries)} queries")
    print(f"the same {_WANTED} passages: {sum(set(a) == set(b) for a, b in pairs) / len(pairs):.1%}")
    print(f"in the same order: {sum(a == b for a, b in pairs) / len(pairs):.1%}")


def _write(place: Path | str, passages: list[Passage]) -> Corpus:
    corpora = Corpora(place)
    corpora.add_passages("measured", "1", lambda: passages)
    return corpora.open("measured")


def _search(name: str, corpus: Corpus, queries: list[list[QueryTerm]]) -> list[list[str]]:
    found, seconds = [], []
    for terms in queries:
        start = perf_counter()
        found.append([one.id for one in corpus.search(terms, _WANTED)])
        seconds.append(perf_counter() - start)
    cuts = quantiles(seconds, n=100, method="inclusive")
    print(f"{name}: p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms")
    return found


if __name__ == "__main__":
    measure(sys.argv[1])
    close_connections(sys.argv[1])
