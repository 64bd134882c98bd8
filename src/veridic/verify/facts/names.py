"""Finds names in the code of a repository, in any spelling.

Nothing is parsed: names in comments and strings count. So a name that is not found here is nowhere in the code.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from veridic.verify.revisions import is_document, is_looked_at

_WORD = re.compile(r"[\w-]+")
_ASCII_WORD = re.compile(r"[\w-]+", re.ASCII)
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_BINARY = 8_000
"""A file with a zero byte among this many first characters is binary."""
_CHANGELOG_NAME = re.compile(r"(^|/)(?=(?:change|history|news|release|upgrad|migrat))", re.IGNORECASE)


def is_code(path: str) -> bool:
    """Whether a file is code of the project, not a document, test, lockfile or data.

    `upgrade.py` and `release.go` are code, although such names usually mean a changelog.
    """
    return not is_document(path) and is_looked_at(_CHANGELOG_NAME.sub(r"\1x", path))


class Names:
    """An index of the names in all code files, from a mapping or pairs of path and text."""

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
        """The files with this name in any spelling: `max_redirects`, `maxRedirects`, `MaxRedirects`, `max-redirects`, `MAX_REDIRECTS`."""
        return tuple(self._files.get(_key(name), ()))

    def spells(self, name: str) -> bool:
        """Whether any code has the name: alone, within a longer name, or in two parts of which the first ends in `_` or `-`.

        For a compound name such as `retry.limit`, every part must be found.
        """
        parts = _WORD.findall(name)
        if len(parts) > 1:
            return all(map(self.spells, parts))
        key = _key(parts[0]) if parts else ""
        if not key or key in self._files:
            return True
        words = _pieces(name)
        if words and f"_{'_'.join(words)}_" in self._words_of_all_names:
            return True
        return any(
            "".join(words[:at]) in self._prefixes and "".join(words[at:]) in self._files
            for at in range(1, len(words))
        )

    def has(self, name: str) -> bool:
        """Whether any code has the name in exactly this spelling."""
        return name in self._raw

    @cached_property
    def _words_of_all_names(self) -> str:
        """The words of all names, with `_` before and after each word."""
        return "\n".join({f"_{'_'.join(_pieces(word))}_" for word in self._raw})

    @cached_property
    def _prefixes(self) -> frozenset[str]:
        """Prefixes from which the code may build names: `"APP_" + name`."""
        return frozenset(_key(word) for word in self._raw if word[-1] in "-_" and _key(word))


def _key(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def _keys(word: str) -> tuple[str, ...]:
    """The key of a word, and the keys of its parts if they are joined with `-`, which may be a minus."""
    if "-" not in word:
        return (_key(word),)
    return tuple(key for key in (_key(word), *map(_key, word.split("-"))) if key)


def _pieces(name: str) -> list[str]:
    return [piece.casefold() for piece in _PIECES.findall(name)]
