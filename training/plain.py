"""Plain claims, written for this project: what news prose alone doesn't teach the decision.

`training/plain/documents.jsonl.gz` has small sets of documents, each with claims about them:

    {"id", "sources": [{"title", "date", "text"}, ...],
     "claims": [{"claim", "label", "source": index of the one that settles it or null, "kind"}, ...]}

`training/plain/reference.jsonl.gz` has claims about countries, and which row of the built-in reference library settles each:

    {"country", "claim", "label", "row": id of a passage or null}

`training/plain/opinions.txt` has opinions in the same plain style, a line each: nothing can settle them.

No country of the articles in `tests/e2e/articles/` is among them.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from training.stories import Question
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Passage, Source
from veridic.evidence.reference import factbook_passages
from veridic.evidence.retrieval import rank_passages

FOLDER = Path(__file__).parent / "plain"
FOUND = 20
"""So many rows a search for a claim gives."""


class RowQuestion(NamedTuple):
    """A claim about a country, with the rows that are close to it."""

    country: str
    claim: str
    passages: tuple[Passage, ...]
    label: str
    row: str | None
    """The id of the passage that settles it."""


def read_documents(folder: Path = FOLDER) -> Iterator[Question]:
    """Every claim about a set of documents, as the product would ask it."""
    for data in _lines(folder / "documents.jsonl.gz"):
        passages = tuple(_passage(data["id"], number, part) for number, part in enumerate(data["sources"]))
        for claim in data["claims"]:
            settles = claim["source"]
            bearing = {} if settles is None else {passages[settles].source.location: claim["label"]}
            yield Question(data["id"], claim["claim"], "", passages, claim["label"], bearing, claim["kind"])


def read_rows(folder: Path = FOLDER) -> Iterator[RowQuestion]:
    """Every claim about a country. One that the search finds no settling row for is settled by nothing."""
    rows: defaultdict[str | None, list[Passage]] = defaultdict(list)
    for passage in factbook_passages():
        rows[passage.source.subject].append(passage)
    for data in _lines(folder / "reference.jsonl.gz"):
        found = tuple(rank_passages(data["claim"], rows[data["country"]])[:FOUND])
        settles = data["row"] if data["row"] in {passage.id for passage in found} else None
        label = data["label"] if settles else "NEI"
        yield RowQuestion(data["country"], data["claim"], found, label, settles)


def row_claims(folder: Path = FOLDER) -> Iterator[str]:
    """The claims about countries alone."""
    return (data["claim"] for data in _lines(folder / "reference.jsonl.gz"))


def opinions(folder: Path = FOLDER) -> list[str]:
    """Plain sentences with nothing to check in them."""
    return (folder / "opinions.txt").read_text(encoding="utf-8").splitlines()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _passage(name: str, number: int, part: dict[str, str]) -> Passage:
    source = Source(
        title=part["title"], url=f"https://example.org/{name}/{number}", date=PartialDate.parse(part["date"])
    )
    return Passage(id=f"{name}/{number}", source=source, text=part["text"], start=0, end=len(part["text"]))
