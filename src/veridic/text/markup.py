"""Finds the visible text of raw HTML inside another text, by offset or as Markdown."""

import html
import re
from collections.abc import Iterator

from markdown_it.common.html_blocks import block_names

from veridic.domain.document import Span

_TAG = re.compile(r"</?([A-Za-z][\w.:-]*)(\s[^<>]*|/)?>")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FIRST_TAG = re.compile(r"\s*</?([A-Za-z][\w.:-]*)")
_ATTRIBUTE = re.compile(r"\b(href|src|alt)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
HIDDEN_ELEMENTS = frozenset({"script", "style", "template", "head", "title", "svg"})
"""Nothing inside them is visible."""
_INLINE_ELEMENTS = frozenset(
    "a abbr b bdi bdo button cite code data del dfn em font i img input ins kbd label mark picture q s samp small source span strong "
    "sub sup time tt u var wbr".split()
)
"""A sentence continues after these; after any other, such as an MDX component, it may not."""
_SPACED_ELEMENTS = frozenset({*block_names, "br"})
"""They separate words; `List<Item>` is one word."""
_CODE_ELEMENTS = frozenset({"code", "tt", "kbd", "samp"})
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def first_element(line: str) -> str | None:
    """Return the element name, in lower case, of the tag that a line of HTML begins with."""
    match = _FIRST_TAG.match(line)
    return match[1].lower() if match else None


def breaks_line(line: str) -> bool:
    """Whether HTML begins with a tag such as `<br>` or `</div>`, which ends the line of prose before it."""
    name = first_element(line)
    return name is not None and name not in _INLINE_ELEMENTS


def without_comments(text: str) -> str:
    """Replace comments by their line ends."""
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def plain_html(line: str) -> str:
    """Convert one line of HTML to Markdown: links, images and code are kept, other tags are removed."""
    if "<" in line:
        line = _COMMENT.sub("", line)
        opened: list[str] = []
        line = _TAG.sub(lambda tag: _as_markdown(tag, opened), line)
        line += "".join(f"]({target})" for target in reversed(opened) if target)
    return html.unescape(line) if "&" in line else line


def _as_markdown(tag: re.Match[str], opened: list[str]) -> str:
    """Return the Markdown for a tag; `opened` has the targets of links that are still open."""
    name, is_end = tag[1].lower(), tag[0].startswith("</")
    if name in _CODE_ELEMENTS:
        return "`"
    if name not in ("a", "img"):
        return " " if name in _SPACED_ELEMENTS else ""
    attributes = {key.lower(): first or second for key, first, second in _ATTRIBUTE.findall(tag[2] or "")}
    if name == "img":
        return f"![{attributes.get('alt', '')}]({attributes['src']})" if attributes.get("src") else ""
    if is_end:
        target = opened.pop() if opened else ""
        return f"]({target})" if target else ""
    opened.append(attributes.get("href", "").replace(" ", "%20"))
    return "[" if opened[-1] else ""


def visible_groups(text: str) -> Iterator[list[Span]]:
    """Yield the spans of text between tags, one list for each stretch of prose without a break."""
    group: list[Span] = []
    for start, end, broken in _pieces(text):
        if broken and group:
            yield group
            group = []
        cut = start
        for blank in _BLANK_LINE.finditer(text, start, end):
            group.append((cut, blank.start()))
            yield group
            group, cut = [], blank.end()
        if cut < end:
            group.append((cut, end))
    if group:
        yield group


def _pieces(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the text between tags as start, end, and whether a line break came before it; in one pass."""
    position, text_start, broken = 0, 0, False
    while (opening := text.find("<", position)) >= 0:
        after, breaks = _skip_markup(text, opening)
        if after == opening:
            position = opening + 1
            continue
        if text_start < opening:
            yield text_start, opening, broken
            broken = False
        broken = broken or breaks
        position = text_start = after
    if text_start < len(text):
        yield text_start, len(text), broken


def _skip_markup(text: str, opening: int) -> tuple[int, bool]:
    """Return where the markup at `opening` ends (at `opening` if it is none), and whether it breaks the line."""
    if text.startswith("<!--", opening):
        closing = text.find("-->", opening + 4)
        return (len(text) if closing < 0 else closing + 3), False
    if declaration := _DECLARATION.match(text, opening):
        return declaration.end(), False
    match = _TAG.match(text, opening)
    if match is None:
        return opening, False
    name = match[1].lower()
    if name in HIDDEN_ELEMENTS and not match[0].startswith("</"):
        closing_tag = re.compile(rf"</{re.escape(name)}\s*>", re.IGNORECASE).search(text, match.end())
        return (closing_tag.end() if closing_tag else len(text)), True
    return match.end(), name not in _INLINE_ELEMENTS
