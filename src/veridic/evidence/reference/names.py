"""Names of countries: the name used in the passages, and all others."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from veridic.evidence.reference.clean import plain, split_top_level

Entry = Mapping[str, Any]
"""One country's file in the package: nested mappings with text at the leaves."""

_LATIN_NAME = re.compile(r"[A-ZÀ-Þe'’‘][A-Za-zÀ-ɏ'’‘().\- ,&]*$")
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_PLURAL = re.compile(r"^(.*\w)\((s|es)\)$")
_CAPITALISED_OR_SMALL = re.compile(
    r"(?:[A-ZÀ-Þ\d][\w'’.-]*|of|the|and|de|du|la|le|del|da|do|e|y|et|des|al|ad|as|ash|at|an|d['’]\w+)$"
)
_MAX_WORDS_IN_A_NAME = 8


@dataclass(frozen=True, slots=True)
class Country:
    """An entry of the Factbook, with its names."""

    code: str
    name: str
    """As used within a sentence: `the Netherlands`, `South Korea`."""
    title: str
    """The heading of the Factbook's page: `Netherlands`, `Korea, South`."""
    slug: str
    aliases: tuple[str, ...]

    @property
    def initial(self) -> str:
        """The name at the start of a sentence."""
        return self.name[0].upper() + self.name[1:]


def read_countries(entries: Mapping[str, Entry]) -> dict[str, Country]:
    """Return every country by its code, with the aliases that no other country has."""
    table = _table()
    overrides: dict[str, Any] = table["countries"]
    names = {
        code: overrides.get(code, {}).get("name") or _short_name(entry) for code, entry in entries.items()
    }
    candidates = {code: _all_names(entry, overrides.get(code, {})) for code, entry in entries.items()}
    claims = Counter(alias for aliases in candidates.values() for alias in set(aliases))
    owners = {alias: code for code, override in overrides.items() for alias in override.get("owns", ())}
    taken = {bare: code for code, name in names.items() for bare in (name, name.removeprefix("the "))}
    ambiguous = set(table["ambiguous"])

    def belongs(alias: str, code: str) -> bool:
        if taken.get(alias, code) != code or alias in ambiguous:
            return False
        return owners[alias] == code if alias in owners else claims[alias] == 1

    return {
        code: Country(
            code=code,
            name=name,
            title=overrides.get(code, {}).get("title") or name.removeprefix("the "),
            slug=overrides.get(code, {}).get("slug") or _slug(name.removeprefix("the ")),
            aliases=tuple(alias for alias in candidates[code] if alias != name and belongs(alias, code)),
        )
        for code, name in names.items()
    }


def _table() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("data/countries.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def _name_fields(entry: Entry) -> Mapping[str, str]:
    government = entry.get("Government", {})
    fields = government.get("Country name", government.get("Union name", {}))
    return {key: plain(value["text"]) for key, value in fields.items() if isinstance(value, Mapping)}


def _short_name(entry: Entry) -> str:
    fields = _name_fields(entry)
    for key in ("conventional short form", "conventional long form"):
        if fields.get(key, "none") != "none":
            return _BRACKETS.sub("", fields[key])
    raise ValueError("an entry of the Factbook without a name")


def _all_names(entry: Entry, override: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all names, each once, in order of use: other short names, long forms, local and former names, people."""
    fields = _name_fields(entry)
    name = str(override.get("name") or _short_name(entry))
    found = [name.removeprefix("the "), *override.get("aliases", ())]
    if "owns" in override:
        found += override["owns"]
    for key in ("conventional short form", "conventional long form", "abbreviation"):
        found += _alternatives(fields.get(key, ""), ";/")
    for key in ("local short form", "local long form"):
        found += _alternatives(fields.get(key, ""), ";/")
    found += _alternatives(fields.get("former", ""), ",;")
    found += _people(entry)
    return tuple(dict.fromkeys(alias for alias in found if alias != "the " + name))


def _alternatives(text: str, separators: str) -> Iterator[str]:
    for piece in split_top_level(text, separators):
        for name in re.split(r" or (?=[A-Z])", _BRACKETS.sub("", piece)):
            if _looks_like_name(name.strip()):
                yield name.strip()


def _looks_like_name(text: str) -> bool:
    words = text.split()
    return (
        len(text) > 2
        and len(words) <= _MAX_WORDS_IN_A_NAME
        and not text.endswith((" District", " Districts"))
        and bool(_LATIN_NAME.match(text))
        and all(_CAPITALISED_OR_SMALL.match(word) for word in words)
    ) or text in {"US", "UK", "NZ", "EU"}


def _people(entry: Entry) -> Iterator[str]:
    """Yield adjectives and demonyms: `Australian`, `Australians`; not `Dutchman(men)`."""
    nationality = entry.get("People and Society", {}).get("Nationality", {})
    for key in ("adjective", "noun"):
        text = plain(nationality.get(key, {}).get("text", "")).partition("; note")[0]
        for piece in re.split(r"\s*[,;/]\s*(?:or )?|\s+or\s+", text):
            word = re.sub(r" \((?!s\))[^()]*\)", "", piece)
            plural = _PLURAL.match(word)
            if plural:
                yield from (plural[1], plural[1] + plural[2])
            elif _looks_like_name(word) and "(" not in word:
                yield word


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "").replace("’", "")).strip("-")


def name_index(countries: Mapping[str, Country]) -> dict[str, str]:
    """Map any name of a country to the name used in the passages."""
    index = {alias: country.name for country in countries.values() for alias in country.aliases}
    index.update({country.name.removeprefix("the "): country.name for country in countries.values()})
    index.update({country.name: country.name for country in countries.values()})
    return index


@cache
def naming_pattern(country: Country) -> re.Pattern[str]:
    """Return a pattern that finds any name of the country, or of its people, in a text."""
    names = sorted({country.name, country.name.removeprefix("the "), *country.aliases}, key=len, reverse=True)
    if country.code == "xx":
        names += ["worldwide", "earth", "Earth", "global", "Globally", "planet"]
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
