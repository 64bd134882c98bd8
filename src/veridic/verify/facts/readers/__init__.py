"""Readers of what programs declare: one TOML file for each framework, loaded here.

A reader has `name`, `language` (one or a list), `markers` (words of which the text of a file must have one), perhaps `needs` (a pattern that must be found near a marker) and tables of
rules: `option`, `command`, `environment`, `route`, `program`, `prefix` and `gap`. A rule says what it reads, by one of the shapes of
`calls.shape` (a pattern for the whole callee, receivers before it are free), and where the parts of the fact stand. A place is
`0` (an argument), `0..` (all from it), `name` (a named one), `.name` (the argument of a call in the chain on its
result), `1.flags` (a step into it), or one of `@target`, `@type`, `@value`, `@comment`, `@owner`, `@marks`, `@callee`. A list of places means the first that is there.
`[[example]]`s have code and the facts and gaps that it must give; the tests run all of them.
"""

import re
import tomllib
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any, get_args

from veridic.verify.facts.calls.shape import Shape, Wanted
from veridic.verify.facts.model import FactKind

_SHAPES: tuple[Shape, ...] = get_args(Shape)
_NEAR = 80
_MOST_MARKERS = 1_000
"""A file with more of them is read at once."""
KINDS = ("option", "command", "environment", "route", "program", "prefix", "gap")


@dataclass(frozen=True, eq=False)
class Rule:
    """What declares one thing, and where its parts stand."""

    kind: str
    """One of `KINDS`."""
    shapes: dict[Shape, re.Pattern[str]]
    when: dict[str, re.Pattern[str]] = field(default_factory=dict)
    """By place: what must be found in its source text."""
    unless: dict[str, re.Pattern[str]] = field(default_factory=dict)
    unless_text: re.Pattern[str] | None = None
    """What must not be found in the text of the file."""
    arity: int | None = None
    """The number of arguments."""
    each: str = ""
    """The place of an object, each entry of which declares one; its key is `@target`."""
    constant: tuple[str, ...] = ()
    """What the framework adds by itself."""
    flags: tuple[str, ...] = ()
    """Places of texts with their dashes."""
    long: tuple[str, ...] = ()
    """Places of texts without dashes."""
    short: tuple[str, ...] = ()
    letters_are_short: bool = False
    """A name of one letter has one dash wherever it stands."""
    name: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    dash: str = "--"
    """What stands before a long name; `-` means that one and two dashes are the same."""
    style: str = "kebab"
    """How a name becomes one: `kebab`, `upper`, `same`, or `both` for camelCase that is accepted as kebab-case, too."""
    default: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    negated: dict[str, re.Pattern[str]] = field(default_factory=dict)
    """By place: when it has a `--no-` form."""
    method: tuple[str, ...] = ()
    """Of a route: the place of its methods."""
    starts: str = ""
    """Of a route: how its path must begin."""
    kinds: tuple[FactKind, ...] = ()
    """Of a gap: which tables it concerns."""
    reason: str = ""
    text: re.Pattern[str] | None = None
    """Of a gap: found in the file's text."""
    unless_defined: str = ""
    """Of a gap: the place of a name; the gap is closed if the repository defines it."""
    is_unread: bool = False
    """Of a gap: only where no other rule has read the call."""
    holds_chain: bool = False
    """Of a command: what is called on its result is its own."""
    is_for_owner: bool = False
    """Of a prefix: it holds for the type around it, not for the variable that it is assigned to."""
    guesses: bool = False
    """Nobody knows whether there are others: each fact comes with a gap."""


@dataclass(frozen=True, eq=False)
class Reader:
    name: str
    languages: frozenset[str]
    markers: tuple[str, ...]
    rules: tuple[Rule, ...]
    needs: re.Pattern[str] | None = None
    """What must be found near a marker, too: it alone may be common."""
    examples: tuple[dict[str, Any], ...] = ()

    def concerns(self, text: str) -> bool:
        if self.needs is None:
            return any(marker in text for marker in self.markers)
        return any(self._is_near(marker, text, self.needs) for marker in self.markers)

    @staticmethod
    def _is_near(marker: str, text: str, needs: re.Pattern[str]) -> bool:
        at = text.find(marker)
        for _ in range(_MOST_MARKERS):
            if at < 0:
                return False
            if needs.search(text, max(0, at - _NEAR), at + _NEAR):
                return True
            at = text.find(marker, at + len(marker))
        return True


@cache
def all_readers() -> tuple[Reader, ...]:
    """All readers, in the order of their names."""
    files = [file for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")]
    return tuple(reader_from(file.read_text("utf-8")) for file in sorted(files, key=lambda file: file.name))


@cache
def readers_of(language: str) -> tuple[Reader, ...]:
    return tuple(reader for reader in all_readers() if language in reader.languages)


@cache
def wanted_by(readers: tuple[Reader, ...]) -> Wanted:
    """What to look for in a file that these readers concern."""
    patterns: dict[str, list[str]] = {}
    if any(rule.each for reader in readers for rule in reader.rules):
        patterns["literal"] = [r"\w+"]
    for rule in (rule for reader in readers for rule in reader.rules):
        for shape, pattern in rule.shapes.items():
            patterns.setdefault(shape, []).append(pattern.pattern)
    return Wanted({shape: re.compile("|".join(dict.fromkeys(each))) for shape, each in patterns.items()})


def reader_from(source: str) -> Reader:
    """The reader that a TOML text describes."""
    data = tomllib.loads(source)
    languages = data.pop("language")
    languages = {languages} if isinstance(languages, str) else set(languages)
    if "javascript" in languages:
        languages |= {"typescript", "tsx"}
    rules = tuple(_rule(kind, table) for kind in KINDS for table in data.pop(kind, ()))
    needs = data.pop("needs", None)
    reader = Reader(
        data.pop("name"),
        frozenset(languages),
        tuple(data.pop("markers")),
        rules,
        re.compile(needs) if needs else None,
        tuple(data.pop("example", ())),
    )
    if data:
        raise ValueError(f"The reader {reader.name} has unknown keys: {', '.join(data)}.")
    return reader


_KNOWN = {each.name: each for each in fields(Rule)}


def _rule(kind: str, table: dict[str, Any]) -> Rule:
    shapes = {shape: _callee(table.pop(shape)) for shape in _SHAPES if shape in table}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KNOWN:
            raise ValueError(f"A rule has an unknown key: {key}.")
        if key in ("when", "unless", "negated"):
            values[key] = {place: re.compile(pattern) for place, pattern in value.items()}
        elif key in ("text", "unless_text"):
            values[key] = re.compile(value, re.MULTILINE)
        elif key == "kinds":
            values[key] = tuple(FactKind(each) for each in value)
        elif str(_KNOWN[key].type).startswith("tuple"):
            values[key] = (value,) if isinstance(value, str) else tuple(value)
        else:
            values[key] = value
    return Rule(kind, shapes, **values)


def _callee(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:.*\.)?(?:{pattern})") if pattern else re.compile("")
