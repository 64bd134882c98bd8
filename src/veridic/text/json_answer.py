"""JSON in what a language model wrote, as the labelled lines it would otherwise have been.

`{"claimId": "claim_1", "verdict": "VERIFIED"}` says `ID: claim_1` and `verdict: VERIFIED`. A value stays one piece
of text however many line ends it holds, so nothing inside it can begin a line of its own. Linear, never raises.
"""

import json
import re
from collections.abc import Iterator

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_NUMBERED = re.compile(r"(?:claim|verification)?[\s_#-]*+[0-9]{1,6}", re.IGNORECASE)
_NUMBER = re.compile(r"\[?[0-9]{1,6}\]?")
_ID = frozenset(("id", "claim id", "claim number", "number", "no", "nr", "index", "#"))
_NAME_LENGTH = 60
_DEEPEST = 8
"""Levels; nothing that was asked for lies deeper."""


def labelled_lines(text: str) -> list[str] | None:
    """`Label: value` for every value in it, with an empty line behind each object; an id comes first.
    A list of mere texts is numbered. None if `text` is no JSON list or object."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        # Numbers stay as they are written: turning very long ones into numbers is slow or forbidden.
        content = json.loads(text, strict=False, parse_int=str, parse_float=str)
        return list(_lines(content, _DEEPEST))
    except (ValueError, RecursionError):
        return None


def _lines(content: object, depth: int) -> Iterator[str]:
    if isinstance(content, dict):
        yield from _object_lines(content, depth)
    elif isinstance(content, list):
        for number, item in enumerate(content, 1):
            if not _is_flat(item):
                yield from _lines(item, depth - 1) if depth else ()
            else:
                yield f"{number}. {_written(item)}"


def _object_lines(content: dict[str, object], depth: int) -> Iterator[str]:
    flat = {_label(key): _written(value) for key, value in content.items() if _is_flat(value)}
    for label in sorted(flat, key=lambda label: label != "ID"):
        yield f"{label}: {flat[label]}"
    yield ""
    for key, value in content.items():
        if _is_flat(value) or not depth:
            continue
        if isinstance(value, dict) and _NUMBERED.fullmatch(key):
            yield from _object_lines({"id": key, **value}, depth - 1)
        else:
            yield from _lines(value, depth - 1)


def _is_flat(value: object) -> bool:
    """A list within an object is several objects or statements; a list of mere numbers is one value, as is
    anything else."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str) and _NUMBER.fullmatch(item) for item in value)
    return not isinstance(value, dict)


def _label(key: str) -> str:
    label = _CAMEL.sub(" ", key[:_NAME_LENGTH]).removesuffix(" text").removesuffix(" Text")
    return "ID" if label.lower() in _ID else label


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
