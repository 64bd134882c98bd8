"""The canonical verdicts, and their words on the scale of each face.

Translation to another scale loses detail on purpose (nine verdicts, three to nine words). Reading a word back
therefore gives one representative: the plainest canonical verdict with that word.
"""

from collections.abc import Sequence
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


WORTH: dict[Verdict, float] = {
    Verdict.SUPPORTED: 1.0,
    Verdict.MOSTLY_SUPPORTED: 0.85,
    Verdict.PARTIAL: 0.5,
    Verdict.CONTESTED: 0.5,
    Verdict.MISLEADING: 0.25,
    Verdict.OUTDATED: 0.25,
    Verdict.REFUTED: 0.0,
}
"""The worth of each verdict, from 0 (wrong) to 1 (right). Verdicts that leave a claim undecided are not in it."""


def rated_verdict(verdicts: Sequence[Verdict], overall: Verdict) -> Verdict:
    """Return a document's verdict as it is rated, from the verdicts on its claims.

    Of a document `MISLEADING` means that something in it is wrong and something right, for which ratings have two words: mixed
    (`PARTIAL`) if the mean of the decided claims is nearer to that than to mostly false.
    """
    worths = [WORTH[verdict] for verdict in verdicts if verdict in WORTH]
    between = (WORTH[Verdict.PARTIAL] + WORTH[Verdict.MISLEADING]) / 2
    is_mixed = overall is Verdict.MISLEADING and worths and sum(worths) / len(worths) > between
    return Verdict.PARTIAL if is_mixed else overall


def overall_rating(verdicts: Sequence[Verdict], overall: Verdict) -> str:
    """Return `rated_verdict` on the scale of ratings."""
    return say(rated_verdict(verdicts, overall), Scale.RATING)


RATING_LABELS: dict[str, str] = {
    "true": "True",
    "mostly_true": "Mostly true",
    "mixed": "Mixed",
    "mostly_false": "Mostly false",
    "false": "False",
    "unverifiable": "Unverifiable",
}
"""How ratings are shown to readers, of a claim and of a document, on every page and in every report."""
