"""The targets of links into a document: its headings, as repository hosts spell their anchors, and explicit anchors."""

import re
from collections import Counter
from collections.abc import Iterable

from veridic.verify.documents.unit import Unit

_MARKED = re.compile(
    r"""\b(?:id|name)\s*=\s*["']?([^"'\s>]+)|\{#([\w.:-]+)\s*\}|^\.\. _([^:]+):|\[\[([\w-]+)\]\]""",
    re.MULTILINE,
)
_MARKUP = re.compile(r"(?<!\\)<[^>]*>|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|:(\w+):(?=\s|$)")
"""Tags, links and emoji; `\\<` starts no tag."""
_NOT_KEPT = re.compile(r"[^\w\s-]")
_VARIATION = "\ufe0f"
"""Turns a symbol into an emoji; hosts keep it in anchors, links mostly leave it out."""


def anchor(heading: str) -> str:
    """The anchor that repository hosts make of a heading."""
    plain = _MARKUP.sub(lambda match: match[1] or match[2] or "", heading.strip())
    return re.sub(r"\s", "-", _NOT_KEPT.sub("", plain.lower()))


def linked(name: str) -> str:
    """The anchor that a link names, in the form that `anchors_of` returns."""
    return name.lower().replace(_VARIATION, "").removeprefix("user-content-")


def anchors_of(units: Iterable[Unit], text: str) -> frozenset[str]:
    """The anchors of all headings and explicit marks of a document, in lower case."""
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
