"""Reads the metadata header of a Markdown file: YAML between `---`, or TOML between `+++`."""

import re
from collections.abc import Mapping
from typing import NamedTuple

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_LONGEST = 65_536
_YAML_KEY = re.compile(r"([A-Za-z_][\w .-]*|\"[^\"]+\"|'[^']+'):(?:[ \t]+(.*)|[ \t]*)")
_YAML_REST = re.compile(r"[ \t]+\S.*|-[ \t].*|#.*|[ \t]*")
_TOML_KEY = re.compile(r"([A-Za-z_][\w.-]*|\"[^\"]+\"|'[^']+')[ \t]*=[ \t]*(.*)")
_ENDS = {"---": ("---", "..."), "+++": ("+++",)}


class Field(NamedTuple):
    value: str
    """Without quotes; the members of a list on one line, separated by commas."""
    line: int
    """From 1."""


class FrontMatter(NamedTuple):
    fields: Mapping[str, Field]
    """By name in lower case; of duplicates the first counts."""
    end: int
    """Where the text after the header begins."""


def read_front_matter(text: str) -> FrontMatter | None:
    """Return the header at the beginning of `text`; None if the first `---` is only a horizontal rule."""
    mark = text[:3]
    if mark not in _ENDS:
        return None
    fields: dict[str, Field] = {}
    for number, line in enumerate(_LINE.finditer(text, 0, _LONGEST), 1):
        if number == 1:
            if line[1].rstrip(" \t") != mark:
                return None
        elif line[1].rstrip(" \t") in _ENDS[mark]:
            return FrontMatter(fields, line.end()) if fields else None
        elif key := (_YAML_KEY if mark == "---" else _TOML_KEY).fullmatch(line[1]):
            fields.setdefault(_unquote(key[1]).lower(), Field(_unquote(key[2] or ""), number))
        elif mark == "---" and not _YAML_REST.fullmatch(line[1]):
            return None
    return None


def _unquote(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == "[" and value[-1] == "]":
        return ", ".join(_unquote(part) for part in value[1:-1].split(","))
    if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
        return value[1:-1]
    return value
