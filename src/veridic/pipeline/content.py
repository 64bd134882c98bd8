"""The content of a consensus run: cut to its limit, and named."""

import re

from veridic.domain.document import Document
from veridic.ingest.read import document_from_text
from veridic.language.sentences import split_sentences

_LONGEST_TITLE = 80
_MARKUP = re.compile(r"^[\s#>*_`\"'“”‘’-]+|[\s*_`\"'“”‘’.-]+$")


def truncated(document: Document, length: int) -> Document:
    """The document with at most `length` characters, and a last line that says so where any were cut."""
    if len(document.text) <= length:
        return document
    note = f"[Content truncated to {length} characters. Claims beyond this point were not analyzed.]"
    shorter = document_from_text(f"{document.text[:length]}\n\n{note}", source=document.source)
    return shorter.model_copy(
        update={
            "title": document.title,
            "author": document.author,
            "published": document.published,
            "domain": document.domain,
            "url": document.url,
        }
    )


def clean_title(answer: str) -> str | None:
    """The title a model gave, as one short line without the marks models put around it; None if nothing is left."""
    line = next((line for line in answer.splitlines() if line.strip()), "")
    line = re.sub(r"(?i)^\W*title\W*:", "", line)
    return _shortened(_MARKUP.sub("", line)) or None


def title_from(document: Document) -> str:
    """A title without a model: the document's own, else its first sentence."""
    if document.title and document.title.strip():
        return _shortened(document.title)
    line = next((line for line in document.text.splitlines() if line.strip()), "")
    start, end = next(iter(split_sentences(line)), (0, len(line)))
    return _shortened(_MARKUP.sub("", line[start:end])) or "Untitled"


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    if len(words) <= _LONGEST_TITLE:
        return words
    return words[: _LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
