"""One fact of the Factbook (country, field and text), and how its prose is split into sentences."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from veridic.domain.dates import PartialDate
from veridic.evidence.reference.clean import (
    finish,
    names_in_mixed_case,
    paragraphs,
    plain,
    spell_units,
    split_clauses,
    split_sentences,
    without_note_label,
)
from veridic.evidence.reference.names import Country, naming_pattern

_UNIT_IN_KEY = re.compile(r" \((?:area sq km|by length in km)\)$")
_YEAR_IN_KEY = re.compile(r" (?:19|20)\d{2}$")


@dataclass(frozen=True, slots=True)
class FactbookLeaf:
    """A leaf of the Factbook's tree: `Economy` > `Exports` > `Exports 2024` are section, field and sub."""

    country: Country
    section: str
    field: str
    sub: str | None
    topic: str | None
    """The sub-key without its year; None if it only repeats the field's name."""
    key: str
    """The key of its template or writer: `Exports`, `Area/total`."""
    html: str
    siblings: Mapping[str, str]
    """The other leaves under the same field, by their sub-key."""
    date: PartialDate | None
    names: Mapping[str, str]
    """Maps any name of a country to the one used in the passages."""

    @property
    def text(self) -> str:
        return plain(self.html)

    @property
    def label(self) -> str:
        """The field's name as used within a sentence: `GDP, composition, by end use`."""
        return label_of(self.field)

    @property
    def is_note(self) -> bool:
        return self.sub == "note"

    def sibling(self, sub: str) -> str:
        """Return the plain text of another leaf of the field, or an empty string."""
        return plain(self.siblings.get(sub, ""))


@cache
def topic_of(field: str, sub: str | None) -> str | None:
    """Return what a sub-key adds to its field: None for `Exports` > `Exports 2024`."""
    if sub is None:
        return None
    bare = _YEAR_IN_KEY.sub("", sub)
    return None if bare.lower() == field.lower() else bare


@cache
def label_of(field: str) -> str:
    """Return a field's name in lower case, except for words that are always capitalised."""
    text = _UNIT_IN_KEY.sub("", field).replace(" - ", ", ").replace("(s)", "s")
    first = text.split(" ")[0].rstrip(",")
    return text if first.isupper() or first in {"Gini", "Internet"} else text[:1].lower() + text[1:]


_LABEL = re.compile(r"^([a-z][a-z /()'-]{2,48}):\s+(?=\S)")
_PLACE_LABEL = re.compile(r"^([A-Z][\w' ()&.-]{2,48}):\s+(?=[a-z\d])")
_SHORT = 160
_STRAY_MARKS = re.compile(r"^[*\s–-]+(?=\w)")


def write_prose(fact: FactbookLeaf, label: str | None) -> list[str]:
    """Split a text field into statements; `label` names their topic if they don't."""
    return [line for text in paragraphs(fact.html) for line in write_paragraph(fact.country, label, text)]


def write_paragraph(country: Country, label: str | None, text: str) -> Iterator[str]:
    """Split one paragraph into statements; a prefix such as `meaning:` becomes part of the label."""
    text = _STRAY_MARKS.sub("", without_note_label(text))
    found = _LABEL.match(text) or (_PLACE_LABEL.match(text) if label else None)
    if found:
        label = f"{label}, {found[1]}" if label else found[1]
        text = text[found.end() :]
    text = spell_units(names_in_mixed_case(text))
    if found and len(text) < _SHORT and len(split_sentences(text)) == 1:
        statements = [text]
    else:
        statements = split_clauses(text) if text[:1].islower() or found else _statements(text)
    for statement in statements:
        if re.search(r"\w", statement):
            yield frame(country, label, without_note_label(statement))


def _statements(text: str) -> list[str]:
    """Split a text into sentences, or into clauses if it is one without a full stop."""
    sentences = split_sentences(text)
    return sentences if len(sentences) > 1 or text.endswith(".") else split_clauses(text)


def frame(country: Country, label: str | None, statement: str) -> str:
    """Write a statement as a sentence that names its country."""
    if _names_country(country, statement):
        return finish(statement)
    head = f"{country.initial} ({label})" if label else country.initial
    return finish(f"{head}: {statement}")


def _names_country(country: Country, statement: str) -> bool:
    pattern = naming_pattern(country)
    if statement[:1].islower():
        # "named for Lake Chad" mentions Chad, but not what was named.
        return bool(pattern.match(statement.removeprefix("the ")))
    return bool(pattern.search(statement))
