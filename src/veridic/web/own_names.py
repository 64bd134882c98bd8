"""Names of the user's own files and folders, for pages: never their paths on the server. Does no I/O."""

from collections.abc import Iterable

from veridic.domain.evidence import Source
from veridic.domain.own_names import OwnNames, own_name
from veridic.reporting.escaping import one_line


def source_name(source: Source) -> str:
    """Return a source's title, or its address or file name."""
    return one_line(source.title) or one_line(own_name(source.reference)) or "untitled source"


def source_place(source: Source) -> str:
    """Return a source's address or file name; empty if it would only repeat the source's name."""
    place = source.url or own_name(source.path or "")
    return "" if one_line(place) == source_name(source) else place


def with_own_names(text: str, references: Iterable[str]) -> str:
    """Return a sentence of a problem in which each of the references, where it is a path, is its name."""
    return OwnNames(references).text(text)
