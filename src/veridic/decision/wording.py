"""How sentences about evidence speak: sources by name and date, quotations, numbers of things."""

from collections.abc import Sequence

from veridic.domain.evidence import Evidence, Source
from veridic.text.citation_marks import without_marks

_LONGEST_TITLE = 120
_LONGEST_QUOTE = 300
_A_YEAR = 1000
"""From this number on what stands in brackets is no citation of the quoted text."""


def told(evidence: Evidence) -> str:
    """A quotation with its origin: `“The rate is 5.5%” (Fed Raises Rates, 2024-12-15)`."""
    origin = ", ".join([title_of(evidence.source), *([str(evidence.date)] if evidence.date else [])])
    return f"{quoted(evidence.assessment.quote)} ({origin})"


def title_of(source: Source) -> str:
    """The title on one line, or where the source stands if it has none."""
    return shortened(source.title, _LONGEST_TITLE) or shortened(source.reference, _LONGEST_TITLE)


def quoted(text: str) -> str:
    """In quotation marks, ready to stand inside a sentence: without its full stop, and without the citations of its
    own, which would be taken for ours."""
    return f"“{shortened(text, _LONGEST_QUOTE).removesuffix('.')}”"


def shortened(text: str, most: int) -> str:
    """The beginning of a text on one line, cut between words where it is too long."""
    line = " ".join(without_marks(text, below=_A_YEAR).split())
    if len(line) <= most:
        return line
    return line[:most].rsplit(" ", 1)[0].rstrip(" ,;:.–-") + "…"


def count(number: int, singular: str) -> str:
    """`1 source`, `3 sources`."""
    return f"{number:,} {singular}{'' if number == 1 else 's'}"


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
