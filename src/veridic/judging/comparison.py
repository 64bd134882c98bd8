"""What can be compared exactly between a claim and a passage: figures, dates and names.

None of it settles a claim. It tells the learned decision what the network is bad at seeing, and it tells a reader what
differs. A figure is compared with figures of its kind: money with money, members with members.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from veridic.domain.evidence import Detail, Difference
from veridic.text.dates import DateMention, find_dates
from veridic.text.english import parse
from veridic.text.numbers import Bound, Quantity, find_quantities

_NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "PRODUCT", "EVENT", "WORK_OF_ART"})
NEAR = 0.06
"""How far from the claim's figure, as a share of it, is the same roundly said."""


class Comparison(NamedTuple):
    """What of a claim's details is in a passage."""

    agree: int = 0
    missing: int = 0
    differences: tuple[Difference, ...] = ()
    names_found: float = 1.0
    """The share of the claim's names that the passage has."""

    def differing(self, kind: Detail) -> list[Difference]:
        return [one for one in self.differences if one.kind is kind]


def compare(claim: str, passage: str) -> Comparison:
    """The claim's figures, dates and names held against a passage."""
    agree, missing = 0, 0
    differences: list[Difference] = []
    for found in (*_figures(claim, passage), *_dates(claim, passage)):
        if found is None:
            missing += 1
        elif found is True:
            agree += 1
        else:
            differences.append(found)
    differences += _other_person(claim, passage)
    differences += _negation(claim, passage)
    return Comparison(agree, missing, tuple(differences), _names_found(claim, passage))


def names_any(claim: str, text: str) -> bool:
    """Whether a text has any name of the claim, by its last word; a claim that names nothing may be about anything."""
    there = text.casefold()
    names = _names(claim)
    return not names or any(_last_word(name) in there for name in names)


def _figures(claim: str, passage: str) -> Iterator[Difference | Literal[True] | None]:
    """For each figure of the claim: True where the passage has it, a difference where it has another of the kind."""
    theirs = _quantities(passage)
    for own in _quantities(claim):
        alike = [other for other in theirs if other.dimension == own.dimension]
        if any(_same(own, other) for other in alike) or _as_written(claim, own, passage):
            yield True
            continue
        of_kind = [other for other in alike if _counts_the_same(own, other)]
        if of_kind:
            nearest = min(of_kind, key=lambda other: abs(other.value - own.value))
            words, there = claim[slice(*own.span)], passage[slice(*nearest.span)]
            yield Difference(kind=Detail.FIGURE, in_claim=words, in_passage=there)
        else:
            yield None


def _dates(claim: str, passage: str) -> Iterator[Difference | Literal[True] | None]:
    theirs = _mentions(passage)
    for own in _mentions(claim):
        if any(own.overlaps(other) for other in theirs):
            yield True
        elif theirs:
            nearest = min(theirs, key=lambda other: abs((other.first - own.first).days))
            yield Difference(kind=Detail.DATE, in_claim=own.text, in_passage=nearest.text)
        else:
            yield None


def _other_person(claim: str, passage: str) -> Iterator[Difference]:
    """A person of the claim whom the passage doesn't name, where it names somebody else: another may have said it, or
    hold the post."""
    there = passage.casefold()
    missing = [name for name in _people(claim) if _last_word(name) not in there]
    own = claim.casefold()
    others = [name for name in _people(passage) if _last_word(name) not in own]
    if missing and others:
        yield Difference(kind=Detail.NAME, in_claim=missing[0], in_passage=others[0])


def _negation(claim: str, passage: str) -> Iterator[Difference]:
    """One of the two denies something and the other does not."""
    own, other = _negations(claim), _negations(passage)
    if bool(own) != bool(other):
        yield Difference(
            kind=Detail.NEGATION, in_claim=own[0] if own else "", in_passage=other[0] if other else ""
        )


def _same(own: Quantity, other: Quantity) -> bool:
    # Where two roundings only touch, as those of 3 and 4 do at 3.5, they are two figures.
    if own.value == other.value or (own.low < other.high and other.low < own.high):
        return True
    distance = abs(own.value - other.value) / max(abs(own.value), 1e-9)
    if own.bound in (Bound.ABOVE, Bound.JUST_ABOVE):
        return other.value >= own.value and (own.bound is Bound.ABOVE or distance <= 2 * NEAR)
    if own.bound in (Bound.BELOW, Bound.JUST_BELOW):
        return other.value <= own.value and (own.bound is Bound.BELOW or distance <= 2 * NEAR)
    return own.bound is Bound.ABOUT and distance <= NEAR


def _as_written(claim: str, own: Quantity, passage: str) -> bool:
    return claim[slice(*own.number)] in passage and len(claim[slice(*own.number)]) > 2


def _counts_the_same(own: Quantity, other: Quantity) -> bool:
    if own.dimension != "count":
        return True
    return bool(own.unit) and bool(set(own.unit.split()) & set(other.unit.split()))


def _names_found(claim: str, passage: str) -> float:
    names = _names(claim)
    if not names:
        return 1.0
    there = passage.casefold()
    return sum(_last_word(name) in there for name in names) / len(names)


def _last_word(name: str) -> str:
    word = name.removesuffix("'s").removesuffix("’s").rsplit(maxsplit=1)[-1:]
    return "".join(word).casefold()


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return _entities(text, _NAMES)


@lru_cache(maxsize=4096)
def _people(text: str) -> tuple[str, ...]:
    return _entities(text, frozenset({"PERSON"}))


def _entities(text: str, labels: frozenset[str]) -> tuple[str, ...]:
    """Word for word: the parser may have read another character in place of one that is none."""
    found = (entity for entity in parse(text).ents if entity.label_ in labels)
    return tuple(text[entity.start_char : entity.end_char] for entity in found)


@lru_cache(maxsize=4096)
def _negations(text: str) -> tuple[str, ...]:
    return tuple(token.text for token in parse(text) if token.dep_ == "neg" or token.lower_ in ("no", "none"))


@lru_cache(maxsize=8192)
def _quantities(text: str) -> Sequence[Quantity]:
    return find_quantities(text)


@lru_cache(maxsize=8192)
def _mentions(text: str) -> Sequence[DateMention]:
    return find_dates(text)
