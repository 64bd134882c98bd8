"""What a reader sees of raw HTML that stands inside another text, by offset."""

import re
from collections.abc import Iterator

from veridic.domain.document import Span

_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)[^<>]*>|<[!?][^<>]*>")
_HIDDEN_ELEMENTS = frozenset({"script", "style", "template", "head", "title"})
_INLINE_ELEMENTS = frozenset(
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time u var wbr".split()
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def breaks_line(tag: str) -> bool:
    """Whether an HTML tag such as `<br>` or `</div>` ends the line of prose it stands in."""
    match = _TAG.match(tag)
    return bool(match and match[1] and match[1].lower() not in _INLINE_ELEMENTS)


def visible_groups(html: str) -> Iterator[list[Span]]:
    """Spans of the text between tags, one list for each stretch of prose without a break in it."""
    group: list[Span] = []
    for start, end, broken in _pieces(html):
        if broken and group:
            yield group
            group = []
        cut = start
        for blank in _BLANK_LINE.finditer(html, start, end):
            group.append((cut, blank.start()))
            yield group
            group, cut = [], blank.end()
        if cut < end:
            group.append((cut, end))
    if group:
        yield group


def _pieces(html: str) -> Iterator[tuple[int, int, bool]]:
    """Text between tags as start, end, and whether a line break came before it; one pass."""
    position, text_start, broken = 0, 0, False
    while (opening := html.find("<", position)) >= 0:
        after, breaks = _skip_markup(html, opening)
        if after == opening:
            position = opening + 1
            continue
        if text_start < opening:
            yield text_start, opening, broken
            broken = False
        broken = broken or breaks
        position = text_start = after
    if text_start < len(html):
        yield text_start, len(html), broken


def _skip_markup(html: str, opening: int) -> tuple[int, bool]:
    """Where the markup that begins at `opening` ends (there, if it is none), and if it breaks the line."""
    if html.startswith("<!--", opening):
        closing = html.find("-->", opening + 4)
        return (len(html) if closing < 0 else closing + 3), False
    match = _TAG.match(html, opening)
    if match is None:
        return opening, False
    name = (match[1] or "").lower()
    if name in _HIDDEN_ELEMENTS and not match[0].startswith("</"):
        closing_tag = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(html, match.end())
        return (closing_tag.end() if closing_tag else len(html)), True
    return match.end(), bool(name) and name not in _INLINE_ELEMENTS
