"""Text of an invented world: towns, people, bodies and what the papers write of them.

The same seed gives the same text, everywhere. Words and names are drawn by Zipf's law, as in real prose, so an
index sees common terms, rare terms and everything between; towns have settled facts, so a claim about one of them
finds passages that bear it out or contradict it.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Generic, NamedTuple, TypeVar

from benchmarks.words import (
    ADJECTIVES,
    BODIES,
    GIVEN_NAMES,
    NOUNS,
    REGION_ENDINGS,
    RIVER_ENDINGS,
    SURNAME_ENDINGS,
    SYLLABLES,
    TOWN_ENDINGS,
    VERBS,
)

SEED = 20261115

_TOWNS, _REGIONS, _RIVERS, _PEOPLE, _BODIES = 6000, 80, 600, 8000, 3000
_PASSAGES_PER_DOCUMENT = 5
_PASSAGE_CHARACTERS = 560
"""Under the length at which a paragraph would be cut in two: one paragraph is one passage."""
_DOCUMENTS_PER_FILE = 1000
_SHARE_OF_FACTS = 0.35
_FLATTENING = 10
"""How far the commonest words and names are held back; without it the first would be in every fifth sentence."""

_FACTS = (
    "{town} is a town in {region}.",
    "The population of {town} was {population:,} in 2021.",
    "{town} was founded in {founded}.",
    "The mayor of {town} is {mayor}.",
    "{town} lies on the {river}.",
    "{town} stands {height:,} metres above sea level.",
    "The area of {town} is {area:,} square kilometres.",
    "About {jobless} percent of the workers in {town} had no job in 2023.",
)
_NEWS = (
    "The {body} {verb} the {adjective} {noun} in {month} {year}.",
    "{person} {verb} the {adjective} {noun}, according to the {adjective2} {noun2}.",
    "Exports of {noun} rose by {percent} percent in {year}, and the {noun2} {verb} again.",
    "In {year}, {count:,} people visited the {adjective} {noun} near {town}.",
    "Officials in {town} {verb} the {noun} after a {adjective} {noun2}.",
    "The {noun} of the {adjective} {noun2} cost {money} million dollars.",
    "Nobody had expected the {adjective} {noun} to last until {month} {year}.",
    "A {noun} between {town} and the {adjective} {noun2} {verb} the {noun3}.",
    "{person}, who led the {body} for {small} years, {verb} the {noun}.",
    "The {adjective} {noun} is {count:,} metres long and carries {noun2} to the {noun3}.",
    "Critics of the {noun} say that the {adjective} {noun2} {verb} too little.",
    "Since {year} the {noun} of {town} has depended on {adjective} {noun2}.",
    "The {noun} was {verb} by the {body} and the {adjective} {noun2} by {person}.",
    "More than {percent} percent of the {noun} went to the {adjective} {noun2}.",
    "On {day} {month} {year} the {body} {verb} its {adjective} {noun}.",
    "It {verb} the {noun} because the {adjective} {noun2} had not been {verb2}.",
    "The {adjective} {noun} and the {noun2} were {verb} for {small} months.",
    "There were {count:,} {adjective} cases of {noun} in the {noun2} that {month}.",
)
_MONTHS = "January February March April May June July August September October November December".split()

T = TypeVar("T")


class Town(NamedTuple):
    """A place, and what is so about it wherever it is mentioned."""

    town: str
    region: str
    river: str
    mayor: str
    population: int
    founded: int
    height: int
    area: int
    jobless: float


class World:
    """Everything there is to write about, and the hand that writes it."""

    def __init__(self, seed: int = SEED) -> None:
        self._random = Random(seed)
        regions = self._names(_REGIONS, REGION_ENDINGS)
        rivers = self._names(_RIVERS, RIVER_ENDINGS)
        surnames = self._names(_PEOPLE, SURNAME_ENDINGS)
        people = [f"{self._random.choice(GIVEN_NAMES)} {surname}" for surname in surnames]
        towns = [self._town(name, regions, rivers, people) for name in self._names(_TOWNS, TOWN_ENDINGS)]
        bodies = [f"{self._random.choice(towns).town} {self._random.choice(BODIES)}" for _ in range(_BODIES)]
        self._towns = _Zipf(towns)
        self._people = _Zipf(people)
        self._bodies = _Zipf(bodies)
        self._nouns, self._adjectives, self._verbs = _Zipf(NOUNS), _Zipf(ADJECTIVES), _Zipf(VERBS)

    def document(self, paragraphs: int = _PASSAGES_PER_DOCUMENT) -> dict[str, str]:
        """One article as a row of an evidence file."""
        town = self._towns.draw(self._random)
        headline = f"{town.town}: the {self._adjectives.draw(self._random)} {self._nouns.draw(self._random)}"
        day = f"{self._random.randint(2005, 2025)}-{self._random.randint(1, 12):02}-{self._random.randint(1, 28):02}"
        text = "\n\n".join(self._paragraph(town) for _ in range(paragraphs))
        return {"title": headline, "date": day, "text": text}

    def prose(self, words: int) -> str:
        """Paragraphs of at least so many words in all."""
        paragraphs: list[str] = []
        while words > 0:
            paragraphs.append(self._paragraph(self._towns.draw(self._random)))
            words -= len(paragraphs[-1].split())
        return "\n\n".join(paragraphs)

    def claims(self, count: int) -> list[str]:
        """Statements about towns, every second one wrong in a detail; no two are the same."""
        claims: dict[str, None] = {}
        while len(claims) < count:
            town = self._towns.draw(self._random)
            told_of = town if len(claims) % 2 == 0 else self._misremembered(town)
            claims[self._random.choice(_FACTS).format_map(told_of._asdict())] = None
        return list(claims)

    def _names(self, count: int, endings: Sequence[str]) -> list[str]:
        names: dict[str, None] = {}
        while len(names) < count:
            stem = "".join(self._random.choices(SYLLABLES, k=self._random.choice((2, 2, 3))))
            names[(stem + self._random.choice(endings)).capitalize()] = None
        return list(names)

    def _town(self, name: str, regions: Sequence[str], rivers: Sequence[str], people: Sequence[str]) -> Town:
        pick = self._random
        return Town(
            town=name,
            region=pick.choice(regions),
            river=pick.choice(rivers),
            mayor=pick.choice(people),
            population=int(10 ** pick.uniform(3, 6.3)),
            founded=pick.randint(900, 1950),
            height=pick.randint(1, 2400),
            area=pick.randint(4, 900),
            jobless=round(pick.uniform(1, 20), 1),
        )

    def _misremembered(self, town: Town) -> Town:
        """The town with everything but its name taken from another."""
        return self._towns.draw(self._random)._replace(town=town.town)

    def _paragraph(self, town: Town) -> str:
        paragraph = self._sentence(town)
        for _ in range(self._random.randint(1, 3)):
            longer = f"{paragraph} {self._sentence(town)}"
            if len(longer) > _PASSAGE_CHARACTERS:
                break
            paragraph = longer
        return paragraph

    def _sentence(self, town: Town) -> str:
        if self._random.random() < _SHARE_OF_FACTS:
            return self._random.choice(_FACTS).format_map(town._asdict())
        return self._random.choice(_NEWS).format_map(self._details(town))

    def _details(self, town: Town) -> dict[str, object]:
        pick = self._random
        return {
            "town": town.town,
            "body": self._bodies.draw(pick),
            "person": self._people.draw(pick),
            "noun": self._nouns.draw(pick),
            "noun2": self._nouns.draw(pick),
            "noun3": self._nouns.draw(pick),
            "adjective": self._adjectives.draw(pick),
            "adjective2": self._adjectives.draw(pick),
            "verb": self._verbs.draw(pick),
            "verb2": self._verbs.draw(pick),
            "day": pick.randint(1, 28),
            "month": pick.choice(_MONTHS),
            "year": pick.randint(1960, 2025),
            "percent": pick.randint(1, 95),
            "count": int(10 ** pick.uniform(1.3, 6)),
            "money": round(pick.uniform(0.5, 900), 1),
            "small": pick.randint(2, 19),
        }


class _Zipf(Generic[T]):
    """Draws items by the Zipf-Mandelbrot law: the first ones often, the last ones rarely, none at every turn."""

    def __init__(self, items: Sequence[T]) -> None:
        self._items = items
        self._weights = list(accumulate(1 / (rank + _FLATTENING) for rank in range(1, len(items) + 1)))

    def draw(self, pick: Random) -> T:
        return pick.choices(self._items, cum_weights=self._weights)[0]


def write_sources(folder: Path, passages: int, seed: int = SEED) -> Iterator[int]:
    """Write articles that make so many passages into files of JSON lines; yields the passages written so far."""
    world = World(seed)
    folder.mkdir(parents=True)
    per_file = _DOCUMENTS_PER_FILE * _PASSAGES_PER_DOCUMENT
    for first in range(0, passages, per_file):
        wanted = min(per_file, passages - first)
        sizes = [_PASSAGES_PER_DOCUMENT] * (wanted // _PASSAGES_PER_DOCUMENT)
        if rest := wanted % _PASSAGES_PER_DOCUMENT:
            sizes.append(rest)
        rows = [json.dumps(world.document(size)) for size in sizes]
        (folder / f"{first:07}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
        yield first + wanted
