"""Stories: articles with their sources, written for this project. The network is trained on some, the decision on others.

Each line of the files in `training/stories/` is one story in the form that `veridic bench stories` reads, with more in
each statement:

    "bearing": {source: "SUPPORTED" | "REFUTED", ...}     what each source by itself says of it; others leave it open
    "doubtful": [source, ...]                             on what these say, the two readers did not agree

Two readers agree on every statement's label; a statement on which they did not is not in the files.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from training.families import fit_of, place_of, shown
from training.rows import NEI, Row
from veridic.claims.extract import extract_claims
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.evidence import Passage, Source
from veridic.evidence.passages import split_passages
from veridic.judging.windows import Window, closest, windows_of

FOLDER = Path(__file__).parent / "stories"
FOR_NETWORK, FOR_DECISION = "network.jsonl.gz", "decision.jsonl.gz"
FITS = 0.4
"""How much of a statement's piece and of the extractor's clause must be the same for them to be taken for one."""


OPEN_SOURCES = 2
"""Of the sources that leave a statement open, so many are read: those that share most with it."""


class Question(NamedTuple):
    """A statement as the product would ask it."""

    story: str
    claim: str
    context: str
    passages: tuple[Passage, ...]
    """Of all the story's sources."""
    label: str
    bearing: dict[str, str]
    """What each source by itself says, by its location; those in doubt are not in it."""
    kind: str


class Story(NamedTuple):
    questions: tuple[Question, ...]
    colour: tuple[str, ...]
    """Clauses of the article, as our extractor words them, that have nothing to check."""


def read_stories(name: str, folder: Path = FOLDER) -> Iterator[Story]:
    """Every story of a file, in its order."""
    with gzip.open(folder / name, "rt", encoding="utf-8") as lines:
        yield from map(story_of, map(json.loads, lines))


def rows_of(stories: Iterable[Story]) -> Iterator[Row]:
    """A row for each statement and source that settles it, and for the closest sources that do not."""
    for question in (question for story in stories for question in story.questions):
        ranked: dict[str, list[Window]] = {}
        for window, _ in closest(question.claim, question.context, windows_of(question.passages)):
            ranked.setdefault(question.passages[window.passage].source.location, []).append(window)
        left = OPEN_SOURCES
        for location, windows in ranked.items():
            label = question.bearing.get(location)
            left -= label == NEI
            if label is not None and (label != NEI or left >= 0):
                read = shown(question.passages[windows[0].passage], windows)
                yield Row(question.claim, (read,), label, "stories", False)


def story_of(data: dict[str, Any]) -> Story:
    article = data["article"]
    text = article["text"]
    document = Document(
        text=text, source="-", title=article["title"], published=PartialDate.parse(article["published"])
    )
    clauses = extract_claims(document).claims
    sources = {part["id"]: _source(part) for part in data["sources"]}
    passages = tuple(p for part in data["sources"] for p in _passages(part, sources[part["id"]]))
    questions = []
    for statement in data["statements"]:
        place = place_of(statement["words"], text)
        best = max(clauses, key=lambda clause: fit_of(clause, *place), default=None)
        if best is None or fit_of(best, *place) < FITS:
            continue
        bearing = {
            source.location: statement["bearing"].get(name, NEI)
            for name, source in sources.items()
            if name not in statement["doubtful"]
        }
        label, kind = statement["label"], statement["kind"]
        questions.append(Question(data["id"], best.text, best.context, passages, label, bearing, kind))
    colour = (
        clause.text
        for piece in data["not_claims"]
        for clause in clauses
        if fit_of(clause, *place_of(piece, text)) > FITS
    )
    return Story(tuple(questions), tuple(colour))


def _source(part: dict[str, str]) -> Source:
    return Source(
        title=part["title"],
        url=f"https://{part['domain']}/{part['id']}",
        domain=part["domain"],
        date=PartialDate.parse(part["date"]),
    )


def _passages(part: dict[str, str], source: Source) -> Iterator[Passage]:
    document = Document(text=part["text"], source="-", title=part["title"])
    for number, draft in enumerate(split_passages(document)):
        yield Passage(
            id=f"{part['id']}/{number}", source=source, text=draft.text, start=draft.start, end=draft.end
        )
