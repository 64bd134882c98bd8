"""Helpers for sentences about evidence: titles, quotations, counts, lists."""

from veridic.domain.evidence import Evidence, Source
from veridic.domain.phrases import shortened
from veridic.text.citation_marks import without_marks

_MAX_TITLE = 120
_MAX_QUOTE = 300
_LOWEST_YEAR = 1000
"""A number in brackets from here on is taken for a year, not for a citation mark of the quoted text."""


def quote_with_origin(evidence: Evidence) -> str:
    """Return the quotation with its origin: `“The rate is 5.5%” (Fed Raises Rates, 2024-12-15)`."""
    origin = ", ".join([title_of(evidence.source), *([str(evidence.date)] if evidence.date else [])])
    return f"{quoted(evidence.assessment.quote)} ({origin})"


def title_of(source: Source) -> str:
    """Return the title on one line, or the source's address or path if it has none."""
    return _shortened(source.title, _MAX_TITLE) or _shortened(source.reference, _MAX_TITLE)


def quoted(text: str) -> str:
    """Return the text in quotation marks, for use inside a sentence.

    Its full stop is removed, and so are its citation marks, which would be taken for the report's.
    """
    return f"“{_shortened(text, _MAX_QUOTE).removesuffix('.')}”"


def _shortened(text: str, most: int) -> str:
    return shortened(without_marks(text, below=_LOWEST_YEAR), most)
