"""Finds the claim that a text repeats, for answers in which a model omits the ids or uses its own numbering."""

import re
import unicodedata
from collections.abc import Callable, Mapping

from rapidfuzz import fuzz

from veridic.text.words import content_stems

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[0-9]+")
_NEGATIONS = frozenset(
    ("not", "no", "never", "none", "without", "neither", "nor", "un", "non", "t", "cannot")
)
_SHORTEST_BEGINNING = 4
"""A claim that is cut short needs at least this many words."""
_MIN_SIMILARITY = 90.0
_MIN_LEAD = 6.0
"""Percent of similarity: from where two wordings are the same claim, and the lead over the next claim that is required."""
_MAX_CHARACTERS = 600


class Wordings:
    """The claims of a run, by wording."""

    def __init__(self, claims: Mapping[str, str]) -> None:
        self._claims = {claim_id: _plain(text) for claim_id, text in claims.items()}

    def find(self, text: str) -> str | None:
        """Return the one claim that `text` repeats or begins with; None if there is none, or several are possible."""
        plain = _plain(text)
        if not plain:
            return None
        if found := self._matching(plain, _is_same):
            return found[0] if len(found) == 1 else None
        if found := self._matching(plain, _continues_claim):
            return self._longest(found)
        if found := self._matching(plain, _is_cut_short):
            return found[0] if len(found) == 1 else None
        return self._most_similar(plain)

    def closer_than(self, claim_id: str, text: str) -> str | None:
        """Return the claim that `text` is about rather than about `claim_id`: the one that it shares more words with, of those that
        not all claims have."""
        said = content_stems(text)
        shared = {one: len(said & own) for one, own in self._own_words().items()}
        best = max(shared, key=lambda one: shared[one], default=claim_id)
        return best if shared.get(best, 0) > shared.get(claim_id, 0) else None

    def _own_words(self) -> dict[str, set[str]]:
        words = {claim_id: content_stems(claim) for claim_id, claim in self._claims.items()}
        common = (
            set[str]().union(*words.values()).intersection(*words.values()) if len(words) > 1 else set[str]()
        )
        return {claim_id: own - common for claim_id, own in words.items()}

    def _matching(self, plain: str, fits: Callable[[str, str], bool]) -> list[str]:
        return [claim_id for claim_id, claim in self._claims.items() if claim and fits(plain, claim)]

    def _longest(self, found: list[str]) -> str | None:
        """Return the longest of claims that begin with each other; None if two are the same."""
        found.sort(key=lambda claim_id: len(self._claims[claim_id]), reverse=True)
        if len(found) == 1:
            return found[0]
        first, second = (self._claims[claim_id] for claim_id in found[:2])
        return found[0] if len(first) > len(second) and first.startswith(second) else None

    def _most_similar(self, plain: str) -> str | None:
        similarities = sorted(
            (
                (fuzz.ratio(plain, claim), claim_id)
                for claim_id, claim in self._claims.items()
                if _comparable(plain, claim)
            ),
            reverse=True,
        )
        if not similarities or similarities[0][0] < _MIN_SIMILARITY:
            return None
        is_clear = len(similarities) == 1 or similarities[0][0] - similarities[1][0] >= _MIN_LEAD
        best = similarities[0][1]
        return (
            best
            if is_clear and _figures_and_negations(plain) == _figures_and_negations(self._claims[best])
            else None
        )


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text[:_MAX_CHARACTERS]).casefold()))


def _is_same(plain: str, claim: str) -> bool:
    return plain == claim


def _continues_claim(plain: str, claim: str) -> bool:
    return " " in claim and plain.startswith(f"{claim} ")


def _is_cut_short(plain: str, claim: str) -> bool:
    return plain.count(" ") + 1 >= _SHORTEST_BEGINNING and claim.startswith(f"{plain} ")


def _comparable(plain: str, claim: str) -> bool:
    return len(plain) > 15 and 0.75 * len(claim) <= len(plain) <= 1.3 * len(claim)


def _figures_and_negations(text: str) -> tuple[list[str], list[str]]:
    """Return what can change a claim's meaning while nearly every letter stays: its figures and its negations."""
    return sorted(_NUMBER.findall(text)), denials(text)


def denials(text: str) -> list[str]:
    """Return the negation words in a text."""
    return sorted(_NEGATIONS.intersection(_WORD.findall(text.lower())))
