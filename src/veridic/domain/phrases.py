"""Pieces of sentences: a number with its noun, a list of names, a text cut to a length."""

from collections.abc import Sequence


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Return `3 claims`, `1 claim` or `12,000 claims`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(names: Sequence[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`; empty if there are none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def shortened(text: str, longest: int) -> str:
    """Return the text on one line; if it has more than `longest` characters, cut after a word and marked with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0].rstrip(" ,;:.–-") + "…"
