"""What a link into a document may lead to: its headings, as hosts of repositories spell them, and explicit marks."""

import re
from collections import Counter
from collections.abc import Iterable

from veridic.verify.documents.unit import Unit

_MARKED = re.compile(
    r"""\b(?:id|name)\s*=\s*["']?([^"'\s>]+)|\{#([\w.:-]+)\s*\}|^\.\. _([^:]+):|\[\[([\w-]+)\]\]""",
    re.MULTILINE,
)
_MARKUP = re.compile(r"<[^>]*>|!?\[([^\]]*)\]\([^)]*\)|:(\w+):(?=\s|$)")
_NOT_KEPT = re.compile(r"[^\w\s-]")
_VARIATION = "\ufe0f"
"""Makes a symbol an emoji; hosts keep it, writers of links mostly don't."""


def anchor(heading: str) -> str:
    """A heading as hosts of repositories make an anchor of it."""
    plain = _MARKUP.sub(lambda match: match[1] or match[2] or "", heading.strip())
    return re.sub(r"\s", "-", _NOT_KEPT.sub("", plain.lower()))


def linked(name: str) -> str:
    """What a link names, in the form that `anchors_of` gives."""
    return name.lower().replace(_VARIATION, "").removeprefix("user-content-")


def anchors_of(units: Iterable[Unit], text: str) -> frozenset[str]:
    """Of all headings of a document and all marks in its text, in lower case."""
    found: set[str] = set()
    counts: Counter[str] = Counter()
    for unit in units:
        if unit.is_heading:
            name = anchor(unit.text)
            found.add(name if not counts[name] else f"{name}-{counts[name]}")
            counts[name] += 1
    for match in _MARKED.finditer(text):
        found.add(next(filter(None, match.groups())).lower())
    return frozenset(found)
