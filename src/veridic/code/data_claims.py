"""What documents say about data: how many tables a database has, how many rows a table."""

import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from veridic.code.plain_sentences import plain_sentences
from veridic.domain.code import (
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    Origin,
)
from veridic.text.numbers import Bound, Quantity, find_quantities

_DATABASE = re.compile(r"\b(?:databases?|db|schema|sqlite|postgres(?:ql)?|mysql|mariadb)\b", re.IGNORECASE)
_QUOTED_NAME = re.compile(r"`([^`\s]{1,100})`")
_TABLE_NAME = re.compile(r"\b([A-Za-z_][\w.]*) table\b|\btable ([A-Za-z_][\w.]*)")
_NEARLY = 0.1
_FAR = 0.25


class Counted(StrEnum):
    TABLES = "tables"
    ROWS = "rows"


_STEMS = {"tabl": Counted.TABLES, "row": Counted.ROWS, "record": Counted.ROWS}


@dataclass(frozen=True, slots=True)
class DataReading:
    """What a sentence says about data."""

    counted: Counted
    quantity: Quantity
    names: tuple[str, ...]
    """What the sentence could mean as the table's name; only the database knows which is one."""

    def agrees_with(self, actual: int) -> bool | None:
        """Whether a true number is what was said; None where it is neither clearly so nor clearly not."""
        said = self.quantity
        if said.bound is Bound.ABOVE:
            return actual >= said.value
        if said.bound is Bound.BELOW:
            return actual <= said.value
        if said.low <= actual <= said.high:
            return True
        if said.bound is Bound.EXACT and said.step <= 1:
            return False
        distance = abs(actual - said.value) / max(said.value, 1)
        if distance <= _NEARLY:
            return True if said.bound is not Bound.EXACT else None
        return False if distance > _FAR else None


def read_data_claim(text: str) -> DataReading | None:
    """The one number of tables or rows that a sentence gives; None where there is none, or several."""
    counts = [
        (kind, quantity)
        for quantity in find_quantities(text)
        if (kind := _STEMS.get(quantity.unit.split(" ")[-1] if quantity.unit else "")) is not None
    ]
    if len(counts) != 1:
        return None
    ((counted, quantity),) = counts
    if counted is Counted.TABLES:
        return DataReading(counted, quantity, ()) if _DATABASE.search(text) else None
    spoken = (name for match in _TABLE_NAME.finditer(text) for name in match.groups() if name)
    names = tuple(dict.fromkeys([*_QUOTED_NAME.findall(text), *spoken]))
    return DataReading(counted, quantity, names) if names else None


def find_data_claims(document: str, text: str) -> list[DocClaim]:
    """The claims about data in a Markdown or plain text; what stands in blocks of code is left out."""
    return [
        _claim(document, line, sentence, reading)
        for line, sentence in plain_sentences(text)
        if (reading := read_data_claim(sentence)) is not None
    ]


def _claim(document: str, line: int, sentence: str, reading: DataReading) -> DocClaim:
    words = f"{document}\0{line}\0{sentence}".encode("utf-8", "surrogatepass")
    subject = reading.names[0] if reading.names else "database"
    said = sentence[slice(*reading.quantity.number)]
    return DocClaim(
        id=f"data-{sha256(words).hexdigest()[:16]}",
        text=sentence,
        document=document,
        line=line,
        end_line=line,
        origin=Origin.MARKDOWN,
        category=ClaimCategory.EXTERNAL,
        domain=ClaimDomain.CORRECTNESS,
        assertion=Assertion(
            kind=AssertionKind.COUNT,
            subject=Entity(kind=EntityKind.SYMBOL, name=subject),
            expected=(said, reading.counted),
        ),
        depth=Depth.DEEP,
    )
