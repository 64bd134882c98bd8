"""The canonical verdicts, and their words on the scale of each face.

Translation to another scale loses detail on purpose (nine verdicts, three to nine words). Reading a word back
therefore gives one representative: the plainest canonical verdict with that word.
"""

from enum import StrEnum


class Verdict(StrEnum):
    SUPPORTED = "SUPPORTED"
    MOSTLY_SUPPORTED = "MOSTLY_SUPPORTED"
    PARTIAL = "PARTIAL"
    MISLEADING = "MISLEADING"
    OUTDATED = "OUTDATED"
    REFUTED = "REFUTED"
    CONTESTED = "CONTESTED"
    AMBIGUOUS = "AMBIGUOUS"
    UNVERIFIABLE = "UNVERIFIABLE"


class Scale(StrEnum):
    CONSENSUS = "consensus"
    VALIDATION = "validation"
    RATING = "rating"
    CODE = "code"
    LOOP = "loop"


_COLUMNS = (Scale.CONSENSUS, Scale.VALIDATION, Scale.RATING, Scale.CODE, Scale.LOOP)
_TABLE: dict[Verdict, tuple[str, str, str, str, str]] = {
    Verdict.SUPPORTED: ("VERIFIED", "TRUE", "true", "Verified", "VERIFIED"),
    Verdict.MOSTLY_SUPPORTED: ("VERIFIED", "TRUE", "mostly_true", "Incomplete", "PARTIAL"),
    Verdict.PARTIAL: ("DISPUTED", "MISLEADING", "mixed", "Incomplete", "PARTIAL"),
    Verdict.MISLEADING: ("DISPUTED", "MISLEADING", "mostly_false", "Misleading", "PARTIAL"),
    Verdict.OUTDATED: ("DISPUTED", "MISLEADING", "mostly_false", "Stale", "OUTDATED"),
    Verdict.REFUTED: ("DISPUTED", "FALSE", "false", "Refuted", "CONTRADICTED"),
    Verdict.CONTESTED: ("DISPUTED", "UNVERIFIABLE", "mixed", "Contested", "PARTIAL"),
    Verdict.AMBIGUOUS: ("UNVERIFIABLE", "UNVERIFIABLE", "unverifiable", "Ambiguous", "UNVERIFIABLE"),
    Verdict.UNVERIFIABLE: (
        "UNVERIFIABLE",
        "UNVERIFIABLE",
        "unverifiable",
        "Inconclusive",
        "UNVERIFIABLE",
    ),
}

_REPRESENTATIVES: dict[Scale, dict[str, Verdict]] = {
    Scale.CONSENSUS: {
        "VERIFIED": Verdict.SUPPORTED,
        "DISPUTED": Verdict.REFUTED,
        "UNVERIFIABLE": Verdict.UNVERIFIABLE,
    },
    Scale.VALIDATION: {
        "TRUE": Verdict.SUPPORTED,
        "MISLEADING": Verdict.MISLEADING,
        "FALSE": Verdict.REFUTED,
        "UNVERIFIABLE": Verdict.UNVERIFIABLE,
    },
    Scale.RATING: {
        "true": Verdict.SUPPORTED,
        "mostly_true": Verdict.MOSTLY_SUPPORTED,
        "mixed": Verdict.PARTIAL,
        "mostly_false": Verdict.MISLEADING,
        "false": Verdict.REFUTED,
        "unverifiable": Verdict.UNVERIFIABLE,
    },
    Scale.CODE: {
        "Verified": Verdict.SUPPORTED,
        "Incomplete": Verdict.PARTIAL,
        "Misleading": Verdict.MISLEADING,
        "Stale": Verdict.OUTDATED,
        "Refuted": Verdict.REFUTED,
        "Contested": Verdict.CONTESTED,
        "Ambiguous": Verdict.AMBIGUOUS,
        "Inconclusive": Verdict.UNVERIFIABLE,
    },
    Scale.LOOP: {
        "VERIFIED": Verdict.SUPPORTED,
        "PARTIAL": Verdict.PARTIAL,
        "OUTDATED": Verdict.OUTDATED,
        "CONTRADICTED": Verdict.REFUTED,
        "UNVERIFIABLE": Verdict.UNVERIFIABLE,
    },
}


def say(verdict: Verdict, scale: Scale) -> str:
    """Return the word for `verdict` on `scale`."""
    return _TABLE[verdict][_COLUMNS.index(scale)]


def read(word: str, scale: Scale) -> Verdict:
    """Return the canonical verdict for a word of `scale`; raise `ValueError` if the scale has no such word."""
    try:
        return _REPRESENTATIVES[scale][word]
    except KeyError:
        words = ", ".join(_REPRESENTATIVES[scale])
        raise ValueError(f"{word!r} is not on the {scale} scale ({words})") from None


def words(scale: Scale) -> tuple[str, ...]:
    """Return every word of `scale`."""
    return tuple(_REPRESENTATIVES[scale])
