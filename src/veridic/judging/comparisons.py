"""Two things set against each other: "Brazil is larger than Argentina" takes two facts, one of each."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridic.judging.alignment import Alignment
from veridic.judging.finding import Finding, Outcome
from veridic.judging.names import compare_names
from veridic.judging.reading import Reader, Reading, Term
from veridic.language.numbers import Quantity

_COMPARED = re.compile(
    r"\b(?P<word>larger|bigger|greater|smaller|more|fewer|less|higher|lower|longer|shorter|taller|richer|poorer)\b"
    r"(?P<what>(?:(?!\bthan\b).)*)\bthan\b",
    re.IGNORECASE,
)
_LESS = frozenset(("smaller", "fewer", "less", "lower", "shorter", "poorer"))

# What is measured: how to ask for it, and in which dimensions the answer comes.
_MEASURES: dict[str, tuple[str, frozenset[str]]] = {
    "#area": ("total area", frozenset(("area",))),
    "#population": ("population", frozenset(("people", "count"))),
    "#gdp": ("GDP", frozenset(("money:USD",))),
    "#coastline": ("coastline", frozenset(("length",))),
    "#life_expectancy": ("life expectancy at birth", frozenset(("time",))),
    "#highest_point": ("highest point", frozenset(("length",))),
}
_BY_WORD = {"larger": "#area", "bigger": "#area", "smaller": "#area"}
_THE_VERY_THING = 0.8


class Comparison(NamedTuple):
    """What a claim compares."""

    first: Term
    second: Term
    measure: str
    less: bool
    """The claim says the first has less of it."""


class _Fact(NamedTuple):
    place: int
    value: Quantity
    text: str
    sentence: str


def read_comparison(claim: Reading) -> Comparison | None:
    """The comparison a claim makes, if it is of two names and something that can be measured."""
    match = _COMPARED.search(claim.text)
    if match is None:
        return None
    before = [name for name in claim.names if name.span[1] <= match.start()]
    after = [name for name in claim.names if name.span[0] >= match.end()]
    word = match["word"].lower()
    said = [term.key for term in claim.relations if term.key in _MEASURES]
    measure = said[0] if said else _BY_WORD.get(word)
    if not before or not after or measure is None:
        return None
    return Comparison(before[0], after[0], measure, word in _LESS)


def compare_two(
    comparison: Comparison, sentences: Sequence[Sequence[Reading]], reader: Reader
) -> dict[int, tuple[str, Finding]]:
    """For the passages that give the two figures: the sentence, and what the figures come to.

    `sentences` are the passages' sentences, read; keys of the result are places in it.
    """
    first = _find_fact(comparison.first, comparison.measure, sentences, reader)
    second = _find_fact(comparison.second, comparison.measure, sentences, reader)
    if first is None or second is None or first.value.dimension != second.value.dimension:
        return {}
    is_less = first.value.value < second.value.value
    outcome = Outcome.AGREE if is_less == comparison.less else Outcome.DIFFER
    reason = f"{comparison.first.text} has {first.text}, {comparison.second.text} {second.text}."
    finding = Finding(outcome, 1.0, reason[:1].upper() + reason[1:])
    return {fact.place: (fact.sentence, finding) for fact in (first, second)}


def _find_fact(
    name: Term, measure: str, sentences: Sequence[Sequence[Reading]], reader: Reader
) -> _Fact | None:
    words, dimensions = _MEASURES[measure]
    question = reader.read(f"The {words} of {name.text} is known.")
    best: tuple[float, _Fact] | None = None
    for place, passage in enumerate(sentences):
        for sentence in passage:
            figure = next((q for q in sentence.quantities if q.dimension in dimensions), None)
            if figure is None:
                continue
            alignment = Alignment(question, sentence, ())
            names = compare_names(question, sentence, alignment)
            strength = alignment.strength(figure.span[0]) * alignment.coverage
            if names is None or names.outcome is not Outcome.AGREE or strength < _THE_VERY_THING:
                continue
            fact = _Fact(place, figure, sentence.text[slice(*figure.span)], sentence.text)
            if best is None or strength > best[0]:
                best = (strength, fact)
    return best[1] if best else None
