"""Truncates the content of a run, and gives it a title and a date."""

import re
from datetime import date

from veridic.domain.document import Block, Document
from veridic.domain.phrases import shortened
from veridic.text.sentences import split_sentences

_LONGEST_TITLE = 80
_MARKUP = re.compile(r"^[\s#>*_`\"'“”‘’-]+|[\s*_`\"'“”‘’.-]+$")


def truncated(document: Document, length: int) -> Document:
    """Cut the document to `length` characters and, if anything was cut, add a last line that says so.

    That line is in the text but in no block, so no claim is found in it.
    """
    if len(document.text) <= length:
        return document
    note = f"[Content truncated to {length} characters. Claims beyond this point were not analyzed.]"
    cut = (_cut(block, length) for block in document.blocks)
    return document.model_copy(
        update={
            "text": f"{document.text[:length]}\n\n{note}",
            "blocks": tuple(block for block in cut if block.runs),
        }
    )


def _cut(block: Block, length: int) -> Block:
    runs = tuple((start, min(end, length)) for start, end in block.runs if start < length)
    return block.model_copy(update={"runs": runs})


def clean_title(answer: str) -> str | None:
    """Return a model's title as one short line without markup; None if nothing is left."""
    line = next((line for line in answer.splitlines() if line.strip()), "")
    line = re.sub(r"(?i)^\W*title\W*:", "", line)
    return shortened(_MARKUP.sub("", line), _LONGEST_TITLE) or None


def title_from(document: Document) -> str:
    """Return a title without asking a model: the document's own, else its first sentence."""
    if document.title and document.title.strip():
        return shortened(document.title, _LONGEST_TITLE)
    line = next((line for line in document.text.splitlines() if line.strip()), "")
    start, end = next(iter(split_sentences(line)), (0, len(line)))
    return shortened(_MARKUP.sub("", line[start:end]), _LONGEST_TITLE) or "Untitled"


def claim_date(document: Document, as_of: date) -> date:
    """Return the date of the document's claims: when it was published, else `as_of`."""
    return min(document.published.last, as_of) if document.published else as_of
