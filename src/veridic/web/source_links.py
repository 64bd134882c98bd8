"""Links from what a report cites to the viewer of own sources, for every page that shows evidence.

    passage_link(evidence.passage)   # "/sources/harbour/notes.txt?at=1-12#passage", or None
    document_link(source)            # "/sources/harbour/notes.txt", or None

None means that no set keeps the text: a web page (link its address), the built-in library, or a file that was checked
against where it stands. If the set or the document was removed since, the link leads to a page that says so.
"""

from urllib.parse import quote

from veridic.domain.evidence import Passage, Source

MARK = "passage"
"""The HTML id of the marked passage."""


def document_link(source: Source) -> str | None:
    """Return the address of the page that shows a source's whole text."""
    name = source.path or source.url
    if not source.kept_in or not name:
        return None
    return document_address(source.kept_in, name)


def passage_link(passage: Passage) -> str | None:
    """Return the address of the page that shows a source's text with this passage marked."""
    link = document_link(passage.source)
    return f"{link}?at={place_of(passage)}#{MARK}" if link else None


def document_address(corpus: str, document: str) -> str:
    """Return the address of a document's page, by its name in its set."""
    return f"/sources/{quote(corpus)}/{quote(document, safe='')}"


def place_of(passage: Passage) -> str:
    """Return where a passage stands: the numbers of its document and of itself, such as `1-12`."""
    return passage.id.partition("-")[2]
