"""Reads what databases of publications have in common: abstracts with markup, dates of several kinds, and authors."""

import html
import re
from collections.abc import Iterable, Sequence

from veridic.domain.dates import PartialDate

# Possessive, so that a hostile abstract takes linear time. Strict about attributes: "a<b and c>d" has no tag.
_TAG = re.compile(
    r"<(/?)([A-Za-z][\w:.-]*+)(?:\s++[\w:.-]++\s*+=\s*+(?:\"[^\"<>]*+\"|'[^'<>]*+'))*+\s*+/?>|<!--|-->"
)
_PARAGRAPHS = frozenset(
    {
        "p",
        "title",
        "label",
        "sec",
        "list",
        "list-item",
        "disp-formula",
        "div",
        "br",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
    }
)
_NOT_TEXT = frozenset({"tex-math", "annotation", "script", "style"})
"""Elements whose content is not to be read: formulas are there a second time as MathML."""
_LONGEST_ABSTRACT = 50_000
_MOST_AUTHORS = 20


def abstract_text(markup: object) -> str:
    """Return an abstract in JATS or HTML as plain text, a line per paragraph, without the heading "Abstract"; empty for anything but a string."""
    if not isinstance(markup, str):
        return ""
    text = html.unescape(_without_tags(markup[:_LONGEST_ABSTRACT]))
    if "<jats:" in text:  # Some publishers escape the markup itself.
        text = html.unescape(_without_tags(text))
    lines = [line for line in (" ".join(line.split()) for line in text.split("\n")) if line]
    return "\n".join(lines[1:] if lines and lines[0].lower() == "abstract" else lines)


def title_text(markup: object) -> str:
    """Return a title, which may have markup too, on one line."""
    return " ".join(abstract_text(markup).split())


def first_published(dates: Iterable[PartialDate | None]) -> str | None:
    """Return the earliest of a publication's dates in ISO form, as precise as the other dates make it; None if there is none.

    A publication of 2026 that was printed on 2026-05-03 was out by that day.
    """
    known = [date for date in dates if date is not None]
    if not known:
        return None
    earliest = min(known, key=lambda date: (date.first, date.last))
    within = [date for date in known if date.last <= earliest.last]
    return str(min(within, key=lambda date: (date.last - date.first, date.first)))


def date_of_parts(parts: Sequence[object]) -> PartialDate | None:
    """Return the date of a year, month and day, of which the last may be missing; None if they are no date."""
    numbers = []
    for part in parts[:3]:
        text = str(part)
        if not (text.isascii() and text.isdecimal()):
            break
        numbers.append(int(text))
    try:
        return PartialDate(*numbers) if numbers else None
    except (ValueError, OverflowError):
        return None


def author_line(names: Iterable[object]) -> str:
    """Join the authors' names."""
    written = [" ".join(name.split()) for name in names if isinstance(name, str) and name.strip()]
    return ", ".join(written[:_MOST_AUTHORS]) + (" and others" if len(written) > _MOST_AUTHORS else "")


def _without_tags(markup: str) -> str:
    """Remove tags, comments and elements that are no text; a paragraph's tags become line ends."""
    if _TAG.search(markup):
        markup = markup.replace("\n", " ")  # Where there is markup, only its paragraphs end a line.
    kept: list[str] = []
    end, hidden = 0, ""
    for tag in _TAG.finditer(markup):
        name = tag[0] if tag[2] is None else tag[2].rpartition(":")[2].lower()
        if hidden:
            if (tag[1] and name == hidden) or tag[0] == hidden:
                hidden, end = "", tag.end()
            continue
        kept.append(markup[end : tag.start()])
        end = tag.end()
        if tag[0] == "<!--":
            hidden = "-->"
        elif name in _NOT_TEXT and not tag[1] and not tag[0].endswith("/>"):
            hidden = name
        elif name in _PARAGRAPHS:
            kept.append("\n")
    return "".join(kept) if hidden else "".join(kept) + markup[end:]
