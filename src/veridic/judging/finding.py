"""What comparing one thing in a claim with one thing in a sentence comes to."""

from enum import StrEnum
from typing import NamedTuple


class Outcome(StrEnum):
    AGREE = "agree"
    CLOSE = "close"
    """Not what the claim says to the letter, but within what different measurements give."""
    DIFFER = "differ"
    APART = "apart"
    """The sentence speaks of something else: another year, another subject."""


class Finding(NamedTuple):
    outcome: Outcome
    strength: float
    """How surely the two things compared are the same thing, from 0 to 1."""
    reason: str
    value: str | None = None
    """What the sentence gives instead, word for word."""
    replaces: str | None = None
    """The claim's words that `value` stands against."""
