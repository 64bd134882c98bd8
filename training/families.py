"""Families: two passages that tell the same matter with other facts, and claims that are judged against both.

Each line of the files in `training/families/` is one family:

    {"topic", "passages": [{"title", "date", "text"}, two of them],
     "claims": [{"claim", "labels": [for the first, for the second passage], "trap"}, ...],
     "article": {"title", "date", "text"}, "not_claims": [...]}

A label is null where the two readers did not agree. The last two fields are there only where the claims are pieces of an article: then each claim has its `words` in it, and `not_claims` are
pieces with nothing to check. Most claims have two different labels, so that the claim alone says nothing.
"""

import gzip
import hashlib
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from training.rows import NEI, Row
from veridic.claims.extract import extract_claims
from veridic.domain.claim import Claim
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.evidence import Passage, Source
from veridic.judging.windows import Window, as_read, closest, joined, windows_of

FOLDER = Path(__file__).parent / "families"
HELD_OUT_OF = 10
"""One family in so many is never trained on."""
FITS = 0.7
"""How much of a claim's piece and of the extractor's clause must be the same for the clause's wording to be used."""
_OWN_WORDING = 0.6
"""How often a claim is read in the wording of our own extractor, as the product reads it."""
_WITHOUT_THE_ANSWER = 0.12
"""How often only the sentences are given that have least to do with the claim: then nothing is settled."""
_MANY_SENTENCES = 6


class Statement(NamedTuple):
    """A claim of a family, as it can be worded, with its label for either passage."""

    wordings: tuple[str, ...]
    """Self-contained first; then, where our extractor finds the same piece, as it words it."""
    labels: tuple[str | None, str | None]
    """None where two readers did not agree."""
    trap: str
    context: str
    """The sentence around it in the article, or nothing."""


class Family(NamedTuple):
    topic: str
    passages: tuple[Passage, Passage]
    statements: tuple[Statement, ...]
    colour: tuple[str, ...] = ()
    """Clauses of the article, as our extractor words them, that have nothing to check."""
    has_article: bool = False


def read_families(*, held_out: bool, folder: Path = FOLDER) -> Iterator[Family]:
    """The families that are trained on, or those that are held out, in the order of the files."""
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for data in map(json.loads, lines):
                if is_held_out(data) == held_out:
                    yield family_of(data)


def is_held_out(data: dict[str, Any]) -> bool:
    """Whether a family, as its file has it, is kept from training."""
    key = f"{data['topic']}{data['passages'][0]['title']}"
    return hashlib.sha256(key.encode()).digest()[0] % HELD_OUT_OF == 0


def family_of(data: dict[str, Any]) -> Family:
    first, second = (_passage(part, number) for number, part in enumerate(data["passages"]))
    article = data.get("article")
    clauses = _clauses(article) if article else ()
    return Family(
        data["topic"],
        (first, second),
        tuple(_statement(claim, article, clauses) for claim in data["claims"]),
        tuple(
            clause.text
            for piece in data.get("not_claims", ())
            for clause in clauses
            if article and fit_of(clause, *place_of(piece, article["text"])) > FITS / 2
        ),
        article is not None,
    )


def rows_of(families: Iterable[Family], rng: random.Random) -> Iterator[Row]:
    """A row for each claim and passage, as the product would read them."""
    for family in families:
        for statement in family.statements:
            for passage, label in zip(family.passages, statement.labels, strict=True):
                claim = statement.wordings[0]
                if len(statement.wordings) > 1 and rng.random() < _OWN_WORDING:
                    claim = statement.wordings[1]
                if label is not None:
                    yield from _row(claim, statement, passage, label, rng)


def _row(claim: str, statement: Statement, passage: Passage, label: str, rng: random.Random) -> Iterator[Row]:
    ranked = [window for window, _ in closest(claim, statement.context, windows_of([passage]))]
    if len(ranked) > _MANY_SENTENCES and rng.random() < _WITHOUT_THE_ANSWER:
        yield Row(claim, (shown(passage, ranked[-2:]),), NEI, "families.without", False)
        return
    yield Row(claim, (shown(passage, ranked),), label, "families", False)


def shown(passage: Passage, windows: list[Window]) -> str:
    """These windows of a passage as the network reads them."""
    return as_read(passage.source.title, passage.source.date, joined(windows))


def _passage(part: dict[str, str], number: int) -> Passage:
    source = Source(
        title=part["title"], path=f"{number}/{part['title']}", date=PartialDate.parse(part["date"])
    )
    return Passage(id=str(number), source=source, text=part["text"], start=0, end=len(part["text"]))


def _clauses(article: dict[str, str]) -> tuple[Claim, ...]:
    document = Document(
        text=article["text"], source="-", title=article["title"], published=PartialDate.parse(article["date"])
    )
    return extract_claims(document).claims


def _statement(
    claim: dict[str, Any], article: dict[str, str] | None, clauses: tuple[Claim, ...]
) -> Statement:
    wordings, context = [claim["claim"]], ""
    if article is not None and clauses:
        start, end = place_of(claim["words"], article["text"])
        best = max(clauses, key=lambda clause: fit_of(clause, start, end))
        if fit_of(best, start, end) >= FITS:
            wordings.append(best.text)
            context = best.context
    return Statement(tuple(wordings), tuple(claim["labels"]), claim["trap"], context)


def place_of(piece: str, text: str) -> tuple[int, int]:
    start = text.index(piece)
    return start, start + len(piece)


def fit_of(clause: Claim, start: int, end: int) -> float:
    both = max(0, min(clause.span[1], end) - max(clause.span[0], start))
    return both / (max(clause.span[1], end) - min(clause.span[0], start))
