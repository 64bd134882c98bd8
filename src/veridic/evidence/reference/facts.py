"""One fact as the Factbook holds it: whose it is, which field, and the text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from veridic.domain.dates import PartialDate
from veridic.evidence.reference.clean import plain
from veridic.evidence.reference.names import Country

_YEAR_IN_KEY = re.compile(r" (?:19|20)\d{2}$")


@dataclass(frozen=True, slots=True)
class Fact:
    """A leaf of the tree: `Economy` > `Exports` > `Exports 2024` has section, field and sub."""

    country: Country
    section: str
    field: str
    sub: str | None
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
    def is_note(self) -> bool:
        return self.sub == "note"

    @property
    def topic(self) -> str | None:
        """The sub-key without its year; None where it only repeats the field's name."""
        if self.sub is None:
            return None
        bare = _YEAR_IN_KEY.sub("", self.sub)
        return None if bare.lower() == self.field.lower() else bare

    @property
    def key(self) -> str:
        """What templates and writers are looked up by: `Exports`, `Area/total`."""
        return self.field if self.topic is None else f"{self.field}/{self.topic}"

    def sibling(self, sub: str) -> str:
        """The plain text of another leaf of the field, or nothing."""
        return plain(self.siblings.get(sub, ""))
