"""Plain statements about countries, made from the reference library's own sentences: true ones, ones with
another country's answer, and denials of both. What they should come to is known from how they were made."""

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from veridic.domain.evidence import Passage

_FACTS = {
    "capital": re.compile(r"The capital of (?P<of>.+?) is (?P<value>[A-Z][\w .'-]+)\.\Z"),
    "currency": re.compile(r"The currency of (?P<of>.+?) is the (?P<value>.+?) \("),
    "population": re.compile(r"The population of (?P<of>.+?) is (?P<value>[\d,]+) \("),
    "area": re.compile(r"The total area of (?P<of>.+?) is (?P<value>[\d,]+) square kilometres"),
    "borders": re.compile(r"(?P<of>.+?) has land borders with (?P<value>\d+) countries: "),
    "highest": re.compile(r"The highest point in (?P<of>.+?) is (?P<value>[A-Z][\w '-]+), at [\d,]+ metres"),
    "language": re.compile(r"The official language of (?P<of>.+?) is (?P<value>[A-Z]\w+)\.\Z"),
    "gdp": re.compile(
        r"The GDP of (?P<of>.+?) \(official exchange rate\) was (?P<value>\$[\d.]+ \w+) in 2024"
    ),
}
_SMALLEST = 1_000_000


class Statement(NamedTuple):
    text: str
    holds: bool


def make_statements(passages: Iterator[Passage], per_kind: int, seed: int = 5) -> list[Statement]:
    """So many countries for each kind of fact, and a few statements about each; the same every time."""
    chance = random.Random(seed)
    facts: dict[str, dict[str, str]] = {kind: {} for kind in _FACTS}
    for passage in passages:
        for kind, pattern in _FACTS.items():
            if match := pattern.match(passage.text):
                facts[kind][match["of"]] = match["value"]
    return [
        Statement(text[0].upper() + text[1:], holds)
        for kind, known in facts.items()
        for country in chance.sample(sorted(known), min(per_kind, len(known)))
        for text, holds in _about(kind, country, known, chance)
    ]


def _about(kind: str, of: str, known: dict[str, str], chance: random.Random) -> Iterator[tuple[str, bool]]:
    value = known[of]
    if kind in ("population", "area", "borders", "gdp"):
        yield from _about_figure(kind, of, value)
        return
    other = chance.choice(sorted(set(known.values()) - {value}))
    noun = {
        "capital": "capital",
        "currency": "currency",
        "highest": "highest point",
        "language": "official language",
    }[kind]
    article = "the " if kind == "currency" else ""
    yield f"The {noun} of {of} is {article}{value}.", True
    yield f"The {noun} of {of} is {article}{other}.", False
    yield f"The {noun} of {of} is not {article}{other}.", True
    yield f"The {noun} of {of} is not {article}{value}.", False


def _about_figure(kind: str, of: str, value: str) -> Iterator[tuple[str, bool]]:
    if kind == "gdp":
        yield f"The GDP of {of} was about {value} in 2024.", True
        return
    number = int(value.replace(",", ""))
    if kind == "population" and number >= _SMALLEST:
        yield f"About {number / 1e6:.1f} million people live in {of}.", True
        yield f"{of} has a population of {number * 1.7 / 1e6:.1f} million.", False
    elif kind == "area":
        yield f"{of} covers {value} square kilometres.", True
        yield f"{of} has an area of {int(number * 1.4) + 2:,} square kilometres.", False
    elif kind == "borders":
        yield f"{of} borders {value} countries.", True
        yield f"{of} has {number + 2} neighbouring countries.", False
