"""One fact as the Factbook holds it: whose it is, which field, and the text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from veridic.domain.dates import PartialDate
from veridic.evidence.reference.clean import plain
from veridic.evidence.reference.names import Country

_UNIT_IN_KEY = re.compile(r" \((?:area sq km|by length in km)\)$")
_YEAR_IN_KEY = re.compile(r" (?:19|20)\d{2}$")


@dataclass(frozen=True, slots=True)
class Fact:
    """A leaf of the tree: `Economy` > `Exports` > `Exports 2024` has section, field and sub."""

    country: Country
    section: str
    field: str
    sub: str | None
    topic: str | None
    """The sub-key without its year; None where it only repeats the field's name."""
    key: str
    """What templates and writers are looked up by: `Exports`, `Area/total`."""
    html: str
    siblings: Mapping[str, str]
    """The other leaves under the same field, by their sub-key."""
    date: PartialDate | None
    names: Mapping[str, str]
    """Any name of a country to the one prose uses."""

    @property
    def text(self) -> str:
        return plain(self.html)

    @property
    def label(self) -> str:
        """The field's name within a sentence: `GDP, composition, by end use`."""
        return label_of(self.field)

    @property
    def is_note(self) -> bool:
        return self.sub == "note"

    def sibling(self, sub: str) -> str:
        """The plain text of another leaf of the field, or nothing."""
        return plain(self.siblings.get(sub, ""))


@cache
def topic_of(field: str, sub: str | None) -> str | None:
    """What a sub-key adds to its field: nothing in `Exports` > `Exports 2024`."""
    if sub is None:
        return None
    bare = _YEAR_IN_KEY.sub("", sub)
    return None if bare.lower() == field.lower() else bare


@cache
def label_of(field: str) -> str:
    """A field's name in small letters, except for what is always written large."""
    text = _UNIT_IN_KEY.sub("", field).replace(" - ", ", ").replace("(s)", "s")
    first = text.split(" ")[0].rstrip(",")
    return text if first.isupper() or first in {"Gini", "Internet"} else text[:1].lower() + text[1:]
