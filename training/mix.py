"""Which rows are trained on, how often, and in which order."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from training import made
from training.rows import Row, is_held_out

TIMES = {
    "fever_dev_pairs.dev": 1.7,
    "infotabs.train": 1.0,
    "check_covid.train": 4.0,
    "scifact_rte.train": 4.0,
    "citation_integrity.train": 1.5,
    "evidence_inference.all": 1.0,
    "tabfact_natural.val": 0.4,
    "semtabfacts.train": 0.5,
    "creak_explained.train": 1.0,
    "conjnli.train": 0.4,
    "cad_nli.train": 2.5,
    "med.all": 0.5,
    "breaking_nli.all": 0.3,
    "snli.train_subset": 0.5,
    "snli.dev": 0.5,
    "snli.test": 0.5,
}
"""How often each set is read; sets not named here are read once. Photo captions (SNLI) teach the form of
the task and little about facts, so they are thinned out and come in the first part of a pass only."""

EARLY = frozenset(("snli.train_subset", "snli.dev", "snli.test", "breaking_nli.all", "conjnli.train"))
EARLY_PART = 0.8

FACTS = frozenset(
    "fever_dev_pairs.dev creak_explained.train check_covid.train scifact_rte.train citation_integrity.train "
    "evidence_inference.all mnli_taxinli.dev".split()
)
"""The sets that rows are made from."""

CHUNK = 64


def training_rows(rows: Iterable[Row], seed: int) -> list[Row]:
    """Every row to train on, repeated or thinned out, with the made ones, in the order of the run."""
    rng = random.Random(seed)
    kept = [row for row in rows if not is_held_out(row)]
    placed: list[tuple[float, Row]] = []
    for row in kept:
        times = TIMES.get(row.set, 1.0)
        copies = int(times) + (rng.random() < times % 1)
        until = EARLY_PART if row.set in EARLY else 1.0
        placed += [((number + rng.random()) / copies * until, row) for number in range(copies)]
    placed += [(rng.random(), row) for row in make_rows(kept, rng)]
    placed.sort(key=lambda item: item[0])
    return [row for _, row in placed]


def make_rows(rows: Sequence[Row], rng: random.Random) -> Iterator[Row]:
    """The made rows, each kind to its number."""
    by_set: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_set[row.set].append(row)
    facts = [row for name in sorted(FACTS) for row in by_set[name]]
    tables = by_set["infotabs.train"]
    rng.shuffle(facts)
    names = made.subjects(by_set["fever_dev_pairs.dev"])
    yield from islice((new for row in facts for new in made.contrast(row, rng)), 12_000)
    yield from islice((new for row in tables for new in made.contrast(row, rng)), 4_500)
    yield from islice((new for row in facts for new in made.opposite(row)), 1_500)
    yield from islice((new for row in reversed(facts) for new in made.negation(row, rng)), 3_000)
    yield from (new for row in facts for new in made.turned_comparison(row))
    yield from islice((new for row in facts for new in made.other_subject(row, rng, names)), 3_000)
    yield from islice((new for row in facts for new in made.without_detail(row, rng)), 7_000)
    yield from islice(made.other_evidence(facts, rng), 5_000)
    near = sorted(by_set["fever_dev_pairs.dev"], key=lambda row: row.claim)
    pairs = list(pairwise(near))
    rng.shuffle(pairs)
    yield from islice((new for first, second in pairs for new in made.two_claims(first, second)), 6_000)
    for name, number in (
        ("fever_dev_pairs.dev", 1_500),
        ("check_covid.train", 500),
        ("citation_integrity.train", 700),
        ("evidence_inference.all", 600),
    ):
        for row in rng.sample(by_set[name], min(number, len(by_set[name]))):
            yield from made.among_others(row, rng.sample(by_set[name], rng.randrange(2, 8)), rng)
    for _ in range(1_000):
        yield from made.in_time(rng)
        yield from made.in_figures(rng)


def batches(items: Sequence[tuple[int, int]], size: int, rng: random.Random) -> Iterator[list[int]]:
    """Indexes of `(position, length)` items in batches of `size` with like lengths, near to the order of the run."""
    for start in range(0, len(items), size * CHUNK):
        chunk = sorted(range(start, min(start + size * CHUNK, len(items))), key=lambda i: items[i][1])
        cut = [chunk[i : i + size] for i in range(0, len(chunk), size)]
        rng.shuffle(cut)
        yield from cut
