"""Rows of training data: how they are read, held out and weighed."""

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SUPPORTED, REFUTED, NEI = "SUPPORTED", "REFUTED", "NEI"


class Row(NamedTuple):
    claim: str
    evidence: tuple[str, ...]
    label: str
    set: str
    binary: bool = False
    """The label NEI then means "not supported", which may be a refutation."""


def read_rows(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Row(
                row["claim"], tuple(row["evidence"]), row["label"], row["set"], bool(row.get("binary", False))
            )


def is_held_out(row: Row) -> bool:
    """One claim in 25 is never trained on: the temperature is fitted on those."""
    return hashlib.sha256(row.claim.encode()).digest()[0] % 25 == 0
