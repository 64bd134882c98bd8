"""Names of the user's own files and folders, for readers on other machines: never their paths. Does no I/O."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath, PureWindowsPath
from posixpath import normpath
from typing import Any

_SEPARATORS = re.compile(r"[/\\]+")
_WEB = ("http://", "https://")
_ABSOLUTE = re.compile(r"/|~/|\\\\|[A-Za-z]:[/\\]")
_PLACES = frozenset({"source", "path", "reference", "url", "found_in"})
"""Fields that may be a path as a whole."""
_SENTENCES = frozenset(
    {"asked", "corpora", "problems", "message", "error", "rationale", "reason", "publication"}
)
"""Fields, or lists of them, that may have a path in them. Texts and quotes stay as they were read."""


def own_name(reference: str) -> str:
    """Return a web address as it is, and of a path its last part."""
    if reference.lower().startswith(_WEB) or not reference.strip():
        return reference
    parts = [part for part in _SEPARATORS.split(reference) if part.strip(". ")]
    return parts[-1] if parts else reference


def without_absolute_path(reference: str) -> str:
    """Return the last part of an absolute path, and anything else as it is."""
    return own_name(reference) if _ABSOLUTE.match(reference) else reference


class OwnNames:
    """The names of files and folders on this machine: a folder is named by its last part, and what is in it by the rest, too."""

    def __init__(self, places: Iterable[str] = (), folder: str = "") -> None:
        """`places` are paths as they were given, in the working directory `folder`; names of corpora and addresses may be among them."""
        self._names: dict[str, str] = {}
        taken: dict[str, str] = {}
        for place in dict.fromkeys(places):
            if place.lower().startswith(_WEB):
                continue
            whole = _whole(place, folder)
            name = _free_name(own_name(place), whole, taken)
            taken[name] = whole
            spellings = (place, PurePath(place).as_posix(), whole)
            self._names |= {one: name for one in spellings if one.strip("./\\ ") and one != name}
        if folder.strip("/\\ "):
            self._names.setdefault(folder, own_name(folder))
        longest_first = sorted(self._names, key=len, reverse=True)
        either = "|".join(map(re.escape, longest_first))
        # Not in the middle of another path or word.
        self._pattern = re.compile(rf"(?<![\w/\\.-])(?:{either})(?![\w-])") if either else None

    def text(self, text: str) -> str:
        """Return a sentence in which each path has become a name."""
        return self._pattern.sub(lambda found: self._names[found[0]], text) if self._pattern else text

    def data(self, value: Any) -> Any:
        """Return JSON data in which the fields that say where something is have names."""
        if isinstance(value, Mapping):
            return {key: self._field(key, item) for key, item in value.items()}
        return [self.data(item) for item in value] if isinstance(value, list | tuple) else value

    def _field(self, key: str, value: Any) -> Any:
        if isinstance(value, str):
            if key in _PLACES:
                return without_absolute_path(self.text(value))
            return self.text(value) if key in _SENTENCES else value
        if key in _SENTENCES and isinstance(value, list | tuple):
            return [self.text(item) if isinstance(item, str) else self.data(item) for item in value]
        return self.data(value)


def _whole(place: str, folder: str) -> str:
    if _ABSOLUTE.match(place):
        return normpath(place) if place.startswith("/") else place
    if PureWindowsPath(folder).drive:
        return str(PureWindowsPath(folder, place))
    return normpath(f"{folder}/{place}") if folder else normpath(place)


def _free_name(name: str, whole: str, taken: Mapping[str, str]) -> str:
    """Return a name that no other place has: two folders of one name are told apart by a number."""
    number, free = 1, name
    while taken.get(free, whole) != whole:
        number += 1
        free = f"{name} ({number})"
    return free
