"""JSON in what a language model wrote, as the labelled lines it would otherwise have been.

`{"claimId": "claim_1", "verdict": "VERIFIED"}` says `ID: claim_1` and `verdict: VERIFIED`. A value stays one piece
of text however many line ends it holds, so nothing inside it can begin a line of its own. Linear, never raises.
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from veridic.text.loose_json import read_json_parts

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_NUMBERED = re.compile(r"(?:claim|verification)?[\s_#-]*+[0-9]{1,6}", re.IGNORECASE)
_NUMBER = re.compile(r"\[?[0-9]{1,6}\]?")
_ID = frozenset(("id", "claim id", "claim number", "number", "no", "nr", "index", "#"))
_NAME_LENGTH = 60
_DEEPEST = 8
"""Levels; nothing that was asked for lies deeper."""


class LabelledLine(NamedTuple):
    text: str
    """`Label: value`, or the name of what follows with a colon behind it; empty behind each object."""
    is_value: bool = False


def labelled_lines(text: str) -> list[LabelledLine] | None:
    """A line for every value in it; an object's id comes first. A list of mere texts is numbered. None if JSON
    is not most of `text`, as then it may be something that the text quotes."""
    content = _strict(text)
    if content is None:
        content = _loose(text)
    return None if content is None else list(_lines(content, _DEEPEST))


def _strict(text: str) -> object | None:
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        # Numbers stay as they are written: turning very long ones into numbers is slow or forbidden.
        content: object = json.loads(text, strict=False, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return content


def _loose(text: str) -> list[object] | None:
    """Its objects, and lists with objects in them. Other lists are what prose has in brackets, but for one that is all there is."""
    parts = read_json_parts(text)
    objects = [(value, length) for value, length in parts if _has_objects(value)]
    if not objects and len(parts) == 1:
        objects = [(value, length) for value, length in parts if isinstance(value, list) and len(value) > 1]
    if 2 * sum(length for _, length in objects) <= len(text.strip()):
        return None
    return [value for value, _ in objects]


def _has_objects(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return any(isinstance(item, dict) and item for item in items)


def _lines(content: object, depth: int) -> Iterator[LabelledLine]:
    if isinstance(content, dict):
        yield from _object_lines(content, depth)
    elif isinstance(content, list):
        for number, item in enumerate(content, 1):
            if not _is_flat(item):
                yield from _lines(item, depth - 1) if depth else ()
            else:
                yield LabelledLine(f"{number}. {_written(item)}", is_value=True)


def _object_lines(content: dict[str, object], depth: int) -> Iterator[LabelledLine]:
    flat = {_label(key): _written(value) for key, value in content.items() if _is_flat(value)}
    for label in sorted(flat, key=lambda label: label != "ID"):
        yield LabelledLine(f"{label}: {flat[label]}", is_value=True)
    yield LabelledLine("")
    for key, value in content.items():
        if _is_flat(value) or not depth:
            continue
        if isinstance(value, dict) and _NUMBERED.fullmatch(key):
            yield from _object_lines({"id": key, **value}, depth - 1)
        else:
            yield LabelledLine(f"{_label(key)}:")
            yield from _lines(value, depth - 1)
            yield LabelledLine("")


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
