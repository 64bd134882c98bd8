"""Compares the figures, dates, names and negations of a claim and a passage exactly.

The result doesn't settle a claim. It gives the trained decision what the network is bad at seeing, and shows readers what differs. A
figure is compared with figures of its kind: money with money, members with members.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from veridic.domain.evidence import Detail, Difference
from veridic.judging.wordings import denials
from veridic.text.dates import DateMention, find_dates
from veridic.text.english import parse, parse_all
from veridic.text.numbers import Bound, Quantity, find_quantities
from veridic.text.sentences import split_sentences
from veridic.text.words import find_words

if TYPE_CHECKING:
    from spacy.tokens import Doc

_NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "PRODUCT", "EVENT", "WORK_OF_ART"})
_PROPER = ("NNP", "NNPS")
_SHORTEST_STEM = 5
"""Two words that share at least this many letters at the beginning may be derived from each other."""
NEAR = 0.06
"""The relative distance up to which an approximate figure counts as the same."""


class Comparison(NamedTuple):
    """How a claim's details compare with a passage."""

    agree: int = 0
    missing: int = 0
    differences: tuple[Difference, ...] = ()
    names_found: float = 1.0
    """The share of the claim's names that are in the passage."""

    def differing(self, kind: Detail) -> list[Difference]:
        return [one for one in self.differences if one.kind is kind]


def compare(claim: str, passage: str) -> Comparison:
    """Compare the claim's figures, dates, names and negations with a passage."""
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


def agreeing(claim: str, passage: str) -> int:
    """Count the claim's figures and dates that a passage has: `Comparison.agree` without the rest."""
    return sum(found is True for found in (*_figures(claim, passage), *_dates(claim, passage)))


def prepare(claim: str, passages: Iterable[str]) -> None:
    """Parse in one batch what comparing the claim with these passages will need, which is much faster than one at a time.

    These are the sentences that may contain a negation, and every sentence of a passage that lacks a person of the claim.
    """
    found: dict[str, None] = {}
    for text in passages:
        lacks_person = bool(_missing_people(claim, text))
        sentences = (text[start:end] for start, end in split_sentences(text))
        found |= dict.fromkeys(one for one in sentences if lacks_person or _may_have_negation(one))
    unknown = [sentence for sentence in found if sentence not in _parsed_sentences]
    _cache_sentences(dict(zip(unknown, map(_from_doc, unknown, parse_all(unknown)), strict=True)))


def names_any(claim: str, text: str) -> bool:
    """Whether a text contains any name of the claim, by its last word; always true for a claim without names."""
    names = [name for sentence in _sentences(claim) for name in (*sentence.names, *sentence.proper_nouns)]
    found_words = _words(text)
    return not names or any(_is_named(name, found_words) for name in names)


def differing_names(claim: str, row: str) -> tuple[Difference, ...]:
    """Return the one name of the claim that a row lacks, with the first name that the row has instead: for a row about the same
    thing, this is what differs. Empty if several names are missing."""
    found_words, own = _words(row), _words(claim)
    missing = [name for name in _names(claim) if not _is_named(name, found_words)]
    others = [name for name in _names(row) if not _is_named(name, own)]
    if len(missing) != 1 or not others:
        return ()
    return (Difference(kind=Detail.NAME, in_claim=missing[0], in_passage=others[0]),)


def _figures(claim: str, passage: str) -> Iterator[Difference | Literal[True] | None]:
    """Yield, for each figure of the claim, True if the passage has it, a difference if it has another of the kind, else None."""
    theirs = _quantities(passage)
    for own in _quantities(claim):
        alike = [other for other in theirs if other.dimension == own.dimension]
        if any(_same_figure(own, other) for other in alike) or _has_same_digits(claim, own, passage):
            yield True
            continue
        of_kind = [other for other in alike if _same_unit(own, other)]
        if any(_bound_allows(other, own) for other in of_kind):
            yield None
        elif of_kind:
            nearest = min(of_kind, key=lambda other: abs(other.value - own.value))
            words, found_words = claim[slice(*own.span)], passage[slice(*nearest.span)]
            yield Difference(kind=Detail.FIGURE, in_claim=words, in_passage=found_words)
        else:
            yield None


def _dates(claim: str, passage: str) -> Iterator[Difference | Literal[True] | None]:
    theirs = _mentions(passage)
    for own in _mentions(claim):
        if any(own.overlaps(other) for other in theirs):
            yield True
        elif theirs and own.relation == "in" and all(other.relation == "in" for other in theirs):
            nearest = min(theirs, key=lambda other: abs((other.first - own.first).days))
            yield Difference(kind=Detail.DATE, in_claim=own.text, in_passage=nearest.text)
        else:
            yield None


def _other_person(claim: str, passage: str) -> Iterator[Difference]:
    """Yield a person of the claim that the passage doesn't name, if it names another one, who may have said it or hold
    the post."""
    missing = _missing_people(claim, passage)
    own = _words(claim)
    others = [name for name in _people(passage) if not _is_named(name, own)] if missing else []
    if others:
        yield Difference(kind=Detail.NAME, in_claim=missing[0], in_passage=others[0])


def _missing_people(claim: str, passage: str) -> list[str]:
    found_words = _words(passage)
    return [name for name in _people(claim) if not _is_named(name, found_words)]


def _negation(claim: str, passage: str) -> Iterator[Difference]:
    """Yield a difference if only one of the two contains a negation."""
    own, other = _negations(claim), _negations(passage)
    if bool(own) != bool(other):
        yield Difference(
            kind=Detail.NEGATION, in_claim=own[0] if own else "", in_passage=other[0] if other else ""
        )


def _same_figure(own: Quantity, other: Quantity) -> bool:
    # Figures whose rounding ranges only touch, as 3 and 4 at 3.5, are different.
    if own.value == other.value or (own.low < other.high and other.low < own.high):
        return True
    distance = abs(own.value - other.value) / max(abs(own.value), 1e-9)
    if own.bound in (Bound.ABOVE, Bound.JUST_ABOVE):
        return other.value >= own.value and (own.bound is Bound.ABOVE or distance <= 2 * NEAR)
    if own.bound in (Bound.BELOW, Bound.JUST_BELOW):
        return other.value <= own.value and (own.bound is Bound.BELOW or distance <= 2 * NEAR)
    return own.bound is Bound.ABOUT and distance <= NEAR


def _bound_allows(other: Quantity, own: Quantity) -> bool:
    """Whether the passage only gives a bound that the claim's figure satisfies: "more than 80" is compatible with 90."""
    if other.bound in (Bound.ABOVE, Bound.JUST_ABOVE):
        return own.value >= other.value
    return other.bound in (Bound.BELOW, Bound.JUST_BELOW) and own.value <= other.value


def _has_same_digits(claim: str, own: Quantity, passage: str) -> bool:
    number = claim[slice(*own.number)]
    return len(number) > 2 and re.search(rf"(?<![\w.,]){re.escape(number)}(?!\w|[.,]\d)", passage) is not None


def _same_unit(own: Quantity, other: Quantity) -> bool:
    if own.dimension != "count":
        return True
    return bool(own.unit) and bool(set(own.unit.split()) & set(other.unit.split()))


def _names_found(claim: str, passage: str) -> float:
    names = _names(claim)
    if not names:
        return 1.0
    found_words = _words(passage)
    return sum(_is_named(name, found_words) for name in names) / len(names)


def _is_named(name: str, found_words: frozenset[str]) -> bool:
    """Whether these words contain the last word of a name, or one derived from it: Australia, Australian."""
    word = next((word.text.casefold() for word in reversed(find_words(name))), "").removesuffix("'s")
    if word in found_words or len(word) < _SHORTEST_STEM:
        return not word or word in found_words
    return any(
        one.startswith(word) or (len(one) >= _SHORTEST_STEM and word.startswith(one)) for one in found_words
    )


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word.text.casefold() for word in find_words(text))


def _names(text: str) -> list[str]:
    return [name for sentence in _sentences(text) for name in sentence.names]


def _people(text: str) -> list[str]:
    return [name for sentence in _sentences(text) for name in sentence.people]


def _negations(text: str) -> list[str]:
    sentences = (text[start:end] for start, end in split_sentences(text))
    return [word for one in sentences if _may_have_negation(one) for word in _parsed(one).negations]


def _may_have_negation(sentence: str) -> bool:
    """Whether a sentence may contain a negation: all 696 that the parser found in 9,000 sentences use one of these words."""
    return bool(denials(sentence))


class _Sentence(NamedTuple):
    """What the parser finds in a sentence, word for word."""

    names: tuple[str, ...]
    people: tuple[str, ...]
    proper_nouns: tuple[str, ...]
    """Includes words that the parser doesn't recognise as a name: "Harwick"."""
    negations: tuple[str, ...]


def _sentences(text: str) -> Iterator[_Sentence]:
    """Parse sentence by sentence: windows overlap, and each sentence is parsed only once."""
    return (_parsed(text[start:end]) for start, end in split_sentences(text))


_MAX_PARSED_SENTENCES = 8192
_parsed_sentences: dict[str, _Sentence] = {}
"""Parsed sentences."""


def _cache_sentences(sentences: Mapping[str, _Sentence]) -> None:
    if len(_parsed_sentences) + len(sentences) > _MAX_PARSED_SENTENCES:
        _parsed_sentences.clear()
    _parsed_sentences.update(sentences)


def _parsed(sentence: str) -> _Sentence:
    known = _parsed_sentences.get(sentence)
    if known is None:
        known = _from_doc(sentence, parse(sentence))
        _cache_sentences({sentence: known})
    return known


def _from_doc(sentence: str, found: "Doc") -> _Sentence:
    # By offsets: lone surrogates were replaced one for one before parsing.
    names = [(sentence[entity.start_char : entity.end_char], entity.label_) for entity in found.ents]
    return _Sentence(
        tuple(name for name, label in names if label in _NAMES),
        tuple(name for name, label in names if label == "PERSON"),
        tuple(token.text for token in found if token.tag_ in _PROPER and token.ent_type_ != "DATE"),
        tuple(token.text for token in found if token.dep_ == "neg" or token.lower_ in ("no", "none")),
    )


@lru_cache(maxsize=8192)
def _quantities(text: str) -> Sequence[Quantity]:
    return find_quantities(text)


@lru_cache(maxsize=8192)
def _mentions(text: str) -> Sequence[DateMention]:
    return find_dates(text)
