"""A finding as it is kept between runs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic_core import PydanticSerializationError

from veridic.domain.code import Finding

_NOT_KEPT = {"claim", "is_cached"}


@dataclass(frozen=True, slots=True)
class KeptFinding:
    """What a claim came to, and what that rested on. Many thousands: the finding is read only when it is asked for."""

    method: str
    """How it was reached: another engine or other rules may reach another."""
    likeness: str
    """The same for claims that assert the same of the same thing."""
    document: str
    line: int
    text: str
    """The claim's, normalised."""
    digests: Mapping[str, str]
    """Of every file it rests on, by path."""
    content: str
    """The finding without its claim, as JSON."""
    id: int | None = None
    """Of its row, where it comes from a database."""


def content_of(finding: Finding) -> str:
    """The finding without its claim, as JSON."""
    try:
        return finding.model_dump_json(exclude=_NOT_KEPT)
    except PydanticSerializationError:  # the name of a file that is no UTF-8
        return json.dumps(finding.model_dump(mode="json", exclude=_NOT_KEPT))
