"""Collects the facts of a manifest with their line numbers, which TOML, JSON and XML parsers don't report."""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from veridic.verify.facts.model import Fact, FactKind, FileFacts, Gap

_LONGEST_QUOTE = 300
_KEY = re.compile(
    r"^[ \t]*(?:[\w-]{1,60}\.){0,4}(?:(?P<name>[\w@/.:+-]{1,200}?)|[\"'](?P<quoted>[^\"'\n]{1,200})[\"'])[ \t]*[=:](?!\S*[\"'][ \t]*:)"
    r"|\"(?P<inner>[^\"\n]{1,200})\"[ \t]*:",
    re.MULTILINE,
)
"""`name = `, `table.name = `, `"name": `; there may be several on one line."""


class ManifestCollector:
    """Collects the facts of one manifest."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._lines = text.split("\n")
        self._facts: dict[tuple[FactKind, str, str], Fact] = {}
        self._gaps: list[Gap] = []
        self._begins: dict[tuple[str, ...], int] = {}
        self._reached: dict[tuple[str, ...], int] = {}

    def add(
        self,
        kind: FactKind,
        name: str,
        *under: str,
        value: str | None = None,
        owner: str = "",
        line: int = 0,
        aliases: tuple[str, ...] = (),
    ) -> None:
        """Add a fact. `under` are strings that come before its name in the file, such as the section heading."""
        if not name:
            return
        line = line or self.line(*under, name)
        quote = self._lines[line - 1].strip()[:_LONGEST_QUOTE]
        fact = Fact(
            kind,
            name,
            self.path,
            line,
            quote,
            owner=owner,
            value=value,
            is_literal=value is not None,
            aliases=aliases,
        )
        self._facts.setdefault((kind, name, owner), fact)

    def gap(self, kind: FactKind, reason: str, *under: str) -> None:
        self._gaps.append(Gap(kind, self.path, self.line(*under), reason))

    def line(self, *texts: str) -> int:
        """Return the line (from 1) of the last of these strings, each searched for after the one before.

        Strings that are not found are skipped. A key with the name of the last string is preferred over other occurrences.
        """
        at = self._begin(texts[:-1]) if texts else 0
        if texts:
            keys = self._keys.get(texts[-1].strip("\"'"), [])
            number = bisect_left(keys, at)
            at = keys[number] if number < len(keys) else self._word(texts[:-1], texts[-1], at)
        return self.line_at(at)

    def line_at(self, index: int) -> int:
        """Return the line (from 1) of a character offset."""
        return bisect_right(self._starts, index)

    def _begin(self, under: tuple[str, ...]) -> int:
        if under not in self._begins:
            at = self._begin(under[:-1]) if under else 0
            match = _word(under[-1]).search(self.text, at) if under else None
            self._begins[under] = match.start() if match else at
        return self._begins[under]

    def _word(self, under: tuple[str, ...], text: str, begin: int) -> int:
        """Names mostly come in file order, so the search continues where the last one was found."""
        pattern = _word(text)
        match = pattern.search(self.text, self._reached.get(under, begin)) or pattern.search(self.text, begin)
        if match is None:
            return begin
        self._reached[under] = match.start()
        return match.start()

    @cached_property
    def _keys(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for match in _KEY.finditer(self.text):
            group = match.lastgroup or "name"
            found.setdefault(match[group], []).append(match.start(group))
        return found

    @cached_property
    def _starts(self) -> list[int]:
        """The offsets of line starts."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def read(self) -> FileFacts:
        return FileFacts(tuple(self._facts.values()), tuple(self._gaps))


def _word(text: str) -> re.Pattern[str]:
    begin = r"(?<![\w-])" if text[:1].isalnum() else ""
    end = r"(?![\w-])" if text[-1:].isalnum() else ""
    return re.compile(begin + re.escape(text) + end)


def texts_of(value: object) -> list[str]:
    """The strings in a list, or a single string as a list; empty for anything else."""
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def table_of(value: object, *keys: str) -> dict[str, object]:
    """The table under these keys; empty if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return {str(key): one for key, one in value.items()} if isinstance(value, dict) else {}


def text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
