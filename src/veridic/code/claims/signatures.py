"""Parameter lists as documents write them, in any of the languages."""

import re
from typing import NamedTuple

from veridic.code.claims.values import is_literal

_PARAMETER = re.compile(
    r"(?P<stars>\*{0,2}|\.\.\.|&)(?:self\.)?(?P<name>[A-Za-z_$][\w$]*)\??\s*(?::\s*(?P<annotation>[^=]+?))?\s*(?:=\s*(?P<default>.+))?\Z",
    re.DOTALL,
)
_OPENERS, _CLOSERS = "([{", ")]}"
_QUOTES = "\"'"
_MOST_PARAMETERS = 40
_RECEIVERS = frozenset({"self", "cls", "this"})


class Argument(NamedTuple):
    name: str
    default: str | None
    is_annotated: bool
    start: int
    """Where its default stands in the list, or the argument itself if it has none."""
    end: int


def arguments(written: str) -> list[Argument] | None:
    """The parameters between a signature's brackets; None if some is a value or anything else than a name.

    Bare `*` and `/` are left out, and so are `self` and `cls`.
    """
    found: list[Argument] = []
    for start, piece in _split(written):
        stripped = piece.strip()
        if stripped in ("", "*", "/", *_RECEIVERS, "&self", "&mut self"):
            continue
        match = _PARAMETER.match(stripped)
        if match is None or is_literal(match["name"]) or len(found) == _MOST_PARAMETERS:
            return None
        if stripped.startswith("...") and not match["name"]:
            return None
        default = match["default"].strip() if match["default"] else None
        first = start + piece.index(stripped)
        if default is not None:
            first += match.start("default")
        stars = match["stars"].replace("...", "*").replace("&", "")
        width = len(default) if default is not None else len(stripped)
        found.append(
            Argument(stars + match["name"], default, bool(match["annotation"]), first, first + width)
        )
    return found


def keywords(written: str) -> list[tuple[str, int]]:
    """Names of keyword arguments in a call, each with where it stands."""
    found = []
    for start, piece in _split(written):
        match = re.match(r"\s*([A-Za-z_]\w*)\s*=(?!=)", piece)
        if match:
            found.append((match[1], start + match.start(1)))
    return found


def _split(written: str) -> list[tuple[int, str]]:
    """The pieces between commas that are in no bracket and no string, with their offsets."""
    pieces: list[tuple[int, str]] = []
    depth, start, quote = 0, 0, ""
    for at, character in enumerate(written):
        if quote:
            quote = "" if character == quote else quote
        elif character in _QUOTES:
            quote = character
        elif character in _OPENERS:
            depth += 1
        elif character in _CLOSERS:
            depth -= 1
        elif character == "," and depth == 0:
            pieces.append((start, written[start:at]))
            start = at + 1
    pieces.append((start, written[start:]))
    return pieces
