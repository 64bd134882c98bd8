"""Where names stand in the code of a repository, however they are spelled.

Nothing is parsed: a name in a comment or between quotes counts, too. So what is not found here is spelled nowhere in the code.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from veridic.verify.revisions import is_document, is_looked_at

_WORD = re.compile(r"[\w-]+")
_ASCII_WORD = re.compile(r"[\w-]+", re.ASCII)
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_BINARY = 8_000
"""A zero among so many first characters: no text."""
_TOLD_AS_HISTORY = re.compile(r"(^|/)(?=(?:change|history|news|release|upgrad|migrat))", re.IGNORECASE)


def is_code(path: str) -> bool:
    """Whether a file is code of the project: no document, test, lockfile or data.

    A file of code may be called `upgrade.py` or `release.go` without telling what was changed.
    """
    return not is_document(path) and is_looked_at(_TOLD_AS_HISTORY.sub(r"\1x", path))


class Names:
    """The names in all files of code, from a mapping or pairs of path and text."""

    def __init__(self, files: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        self._files: dict[str, list[str]] = {}
        self._raw: set[str] = set()
        keys: dict[str, tuple[str, ...]] = {}
        for path, text in files.items() if isinstance(files, Mapping) else files:
            if not is_code(path) or "\0" in text[:_BINARY]:
                continue
            words = set((_ASCII_WORD if text.isascii() else _WORD).findall(text))
            found: set[str] = set()
            for word in words:
                known = keys.get(word)
                if known is None:
                    keys[word] = known = _keys(word)
                found.update(known)
            self._raw |= words
            for key in found:
                self._files.setdefault(key, []).append(path)

    def files_with(self, name: str) -> tuple[str, ...]:
        """The files that spell a name: `max_redirects`, `maxRedirects`, `MaxRedirects`, `max-redirects` and `MAX_REDIRECTS` are the same one."""
        return tuple(self._files.get(_key(name), ()))

    def spells(self, name: str) -> bool:
        """Whether any code spells a name by itself, within a longer one, or in two parts the first of which ends in `_` or `-`.

        Of what is made of several names, such as `retry.limit`, each has to be spelled.
        """
        parts = _WORD.findall(name)
        if len(parts) > 1:
            return all(map(self.spells, parts))
        key = _key(parts[0]) if parts else ""
        if not key or key in self._files:
            return True
        words = _pieces(name)
        if words and f"_{'_'.join(words)}_" in self._within:
            return True
        return any(
            "".join(words[:at]) in self._beginnings and "".join(words[at:]) in self._files
            for at in range(1, len(words))
        )

    def has(self, name: str) -> bool:
        """Whether any code has a name in exactly this spelling."""
        return name in self._raw

    @cached_property
    def _within(self) -> str:
        """The words of all names, each between two joints."""
        return "\n".join({f"_{'_'.join(_pieces(word))}_" for word in self._raw})

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        """What names may begin with that are put together from parts: `"APP_" + name`."""
        return frozenset(_key(word) for word in self._raw if word[-1] in "-_" and _key(word))


def _key(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def _keys(word: str) -> tuple[str, ...]:
    """Of a word as it stands: its own key, and those of its parts where a minus may have joined them."""
    if "-" not in word:
        return (_key(word),)
    return tuple(key for key in (_key(word), *map(_key, word.split("-"))) if key)


def _pieces(name: str) -> list[str]:
    return [piece.casefold() for piece in _PIECES.findall(name)]
