"""Figures that other figures come to."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from veridic.decision.carrying import Figure

_MOST_TERMS = 12
"""With very many figures nearly every other one can be made of two of them."""
_ROUNDING = 0.02
"""How far a result may be off: people round what they work out."""


def comes_to(figure: Figure, terms: Sequence[Figure]) -> bool:
    """Whether a figure is a sum, a difference, a product, a quotient, a share or a change in percent of two of the terms."""
    values = list(dict.fromkeys((term.low + term.high) / 2 for term in terms))[:_MOST_TERMS]
    return any(
        figure.low - _ROUNDING * abs(result) <= result <= figure.high + _ROUNDING * abs(result)
        for one, other in permutations(values, 2)
        for result in _results(one, other)
    )


def _results(one: float, other: float) -> Iterator[float]:
    yield one + other
    yield abs(one - other)
    yield one * other
    if other:
        yield one / other
        yield 100 * one / other
        yield 100 * abs(one - other) / abs(other)
