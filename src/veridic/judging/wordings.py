"""Which claim a text repeats. A verdict goes by this where a model leaves out the ids, or counts in an order of its own."""

import re
import unicodedata
from collections.abc import Callable, Mapping

from rapidfuzz import fuzz

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[0-9]+")
_DENIALS = frozenset(("not", "no", "never", "none", "without", "neither", "nor", "un", "non", "t", "cannot"))
_SHORTEST_BEGINNING = 4
"""Words that a claim which is cut short must have left."""
_ALIKE = 90.0
_APART = 6.0
"""Percent of likeness: from where on two wordings are the same claim, and by how much the next claim must be less like it."""
_LONGEST = 600


class Wordings:
    """The claims of a run by their wording."""

    def __init__(self, claims: Mapping[str, str]) -> None:
        self._claims = {claim_id: _plain(text) for claim_id, text in claims.items()}

    def find(self, text: str) -> str | None:
        """The one claim that `text` repeats, or begins with; None where it is none of them, or could be several."""
        said = _plain(text)
        if not said:
            return None
        if found := self._where(said, _is_same):
            return found[0] if len(found) == 1 else None
        if found := self._where(said, _goes_on_behind):
            return self._longest(found)
        if found := self._where(said, _is_cut_short):
            return found[0] if len(found) == 1 else None
        return self._most_alike(said)

    def _where(self, said: str, fits: Callable[[str, str], bool]) -> list[str]:
        return [claim_id for claim_id, claim in self._claims.items() if claim and fits(said, claim)]

    def _longest(self, found: list[str]) -> str | None:
        """Of claims of which one begins with the other, the longer; None where two are the same."""
        found.sort(key=lambda claim_id: len(self._claims[claim_id]), reverse=True)
        if len(found) == 1:
            return found[0]
        first, second = (self._claims[claim_id] for claim_id in found[:2])
        return found[0] if len(first) > len(second) and first.startswith(second) else None

    def _most_alike(self, said: str) -> str | None:
        likeness = sorted(
            (
                (fuzz.ratio(said, claim), claim_id)
                for claim_id, claim in self._claims.items()
                if _comparable(said, claim)
            ),
            reverse=True,
        )
        if not likeness or likeness[0][0] < _ALIKE:
            return None
        is_clear = len(likeness) == 1 or likeness[0][0] - likeness[1][0] >= _APART
        best = likeness[0][1]
        return best if is_clear and _marks(said) == _marks(self._claims[best]) else None


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()))


def _is_same(said: str, claim: str) -> bool:
    return said == claim


def _goes_on_behind(said: str, claim: str) -> bool:
    return " " in claim and said.startswith(f"{claim} ")


def _is_cut_short(said: str, claim: str) -> bool:
    return said.count(" ") + 1 >= _SHORTEST_BEGINNING and claim.startswith(f"{said} ")


def _comparable(said: str, claim: str) -> bool:
    return len(said) > 15 and 0.75 * len(claim) <= len(said) <= 1.3 * len(claim)


def _marks(text: str) -> tuple[list[str], list[str]]:
    """What turns a claim into another one while nearly every letter stays: its figures, and what it denies."""
    return sorted(_NUMBER.findall(text)), denials(text)


def denials(text: str) -> list[str]:
    """The words in it that deny something."""
    return sorted(_DENIALS.intersection(_WORD.findall(text.lower())))
