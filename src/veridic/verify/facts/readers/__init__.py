"""Loads the readers, one TOML file per framework, that find what programs declare. Open this to write or change a reader.

A reader has a `name`, a `language` (one or a list), `markers` (a file must contain one of these words), optionally `needs` (a pattern
that must match near a marker), and tables of rules: `option`, `command`, `environment`, `route`, `program`, `prefix` and `gap`. A rule
says what it matches, by one of the shapes of `calls.shape` (a pattern for the whole callee; any receiver may come before it), and at
which places the parts of the fact are. A place is `0` (an argument), `0..` (all arguments from there), `name` (a named argument), `.name`
(the argument of a call in the chain on the result), `1.flags` (a step into a value), or one of `@target`, `@type`, `@value`, `@comment`,
`@owner`, `@marks`, `@callee`. For a list of places, the first that has a value is used. An `[[example]]` has code and the facts and gaps
that it must give; the tests run all examples.
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
"""A file with more occurrences of a marker is read without checking `needs`."""
KINDS = ("option", "command", "environment", "route", "program", "prefix", "gap")


@dataclass(frozen=True, eq=False)
class ReaderRule:
    """What declares a fact, and at which places its parts are."""

    kind: str
    """One of `KINDS`."""
    shapes: dict[Shape, re.Pattern[str]]
    when: dict[str, re.Pattern[str]] = field(default_factory=dict)
    """By place: a pattern that must be found in its source text."""
    unless: dict[str, re.Pattern[str]] = field(default_factory=dict)
    unless_text: re.Pattern[str] | None = None
    """A pattern that must not be found in the file."""
    arity: int | None = None
    """The number of arguments."""
    each: str = ""
    """The place of an object of which each entry declares a fact; the key is `@target`."""
    constant: tuple[str, ...] = ()
    """Names that the framework itself adds."""
    flags: tuple[str, ...] = ()
    """Places of names with dashes."""
    long: tuple[str, ...] = ()
    """Places of names without dashes."""
    short: tuple[str, ...] = ()
    letters_are_short: bool = False
    """A name of one letter has one dash, wherever it is given."""
    name: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    dash: str = "--"
    """The prefix of a long name; `-` means that one and two dashes are equivalent."""
    style: str = "kebab"
    """How the name is spelled: `kebab`, `upper`, `same`, or `both` for camelCase that is also accepted as kebab-case."""
    default: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    negated: dict[str, re.Pattern[str]] = field(default_factory=dict)
    """By place: a pattern that says that there is a `--no-` form."""
    method: tuple[str, ...] = ()
    """For a route: the places of its methods."""
    starts: str = ""
    """For a route: the required start of its path."""
    kinds: tuple[FactKind, ...] = ()
    """For a gap: the tables that it makes incomplete."""
    reason: str = ""
    text: re.Pattern[str] | None = None
    """For a gap: a pattern to search for in the file."""
    unless_defined: str = ""
    """For a gap: the place of a name. There is no gap if the repository defines that name."""
    is_unread: bool = False
    """For a gap: apply only if no other rule has read the call."""
    holds_chain: bool = False
    """For a command: calls chained on the result belong to it."""
    is_for_owner: bool = False
    """For a prefix: it applies to the enclosing type, not to the variable that it is assigned to."""
    guesses: bool = False
    """There may be others that can't be found: each fact comes with a gap."""


@dataclass(frozen=True, eq=False)
class FrameworkReader:
    name: str
    languages: frozenset[str]
    markers: tuple[str, ...]
    rules: tuple[ReaderRule, ...]
    needs: re.Pattern[str] | None = None
    """A pattern that must also be found near a marker, for markers that are common words."""
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
def all_readers() -> tuple[FrameworkReader, ...]:
    """All readers, in the order of their file names."""
    files = [file for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")]
    return tuple(reader_from(file.read_text("utf-8")) for file in sorted(files, key=lambda file: file.name))


@cache
def readers_of(language: str) -> tuple[FrameworkReader, ...]:
    return tuple(reader for reader in all_readers() if language in reader.languages)


@cache
def wanted_by(readers: tuple[FrameworkReader, ...]) -> Wanted:
    """The calls that these readers need from a file."""
    patterns: dict[str, list[str]] = {}
    if any(rule.each for reader in readers for rule in reader.rules):
        patterns["literal"] = [r"\w+"]
    for rule in (rule for reader in readers for rule in reader.rules):
        for shape, pattern in rule.shapes.items():
            patterns.setdefault(shape, []).append(pattern.pattern)
    return Wanted({shape: re.compile("|".join(dict.fromkeys(each))) for shape, each in patterns.items()})


def reader_from(source: str) -> FrameworkReader:
    """Build a reader from TOML; `ValueError` for an unknown key."""
    data = tomllib.loads(source)
    languages = data.pop("language")
    languages = {languages} if isinstance(languages, str) else set(languages)
    if "javascript" in languages:
        languages |= {"typescript", "tsx"}
    rules = tuple(_rule(kind, table) for kind in KINDS for table in data.pop(kind, ()))
    needs = data.pop("needs", None)
    reader = FrameworkReader(
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


_RULE_KEYS = {each.name: each for each in fields(ReaderRule)}


def _rule(kind: str, table: dict[str, Any]) -> ReaderRule:
    shapes = {shape: _callee(table.pop(shape)) for shape in _SHAPES if shape in table}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _RULE_KEYS:
            raise ValueError(f"A rule has an unknown key: {key}.")
        if key in ("when", "unless", "negated"):
            values[key] = {place: re.compile(pattern) for place, pattern in value.items()}
        elif key in ("text", "unless_text"):
            values[key] = re.compile(value, re.MULTILINE)
        elif key == "kinds":
            values[key] = tuple(FactKind(each) for each in value)
        elif str(_RULE_KEYS[key].type).startswith("tuple"):
            values[key] = (value,) if isinstance(value, str) else tuple(value)
        else:
            values[key] = value
    return ReaderRule(kind, shapes, **values)


def _callee(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:.*\.)?(?:{pattern})") if pattern else re.compile("")
