"""A made-up project of any size, in Python: modules with docstrings, comments and constants, a README and pages.

The same seed gives the same project, everywhere. Nearly all that its documents say of the code is true; a few of its
defaults have moved on without them, as in a project of that age.
"""

from collections.abc import Iterator, Sequence
from keyword import iskeyword
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.words import ADJECTIVES, NOUNS

SEED = 20261116
PACKAGE = "stockyard"
_PART = 12
"""Modules of a subpackage."""
_VERBS = (
    "load store merge split parse render fetch count sort group filter update remove check build collect resolve "
    "rename expand reduce encode decode measure schedule dispatch archive restore compare normalise route price weigh"
).split()
_SUFFIXES = ("", "_batch", "_page", "_entry", "_group", "_line", "_state", "_window")
_PARAMETERS = {
    "limit": ("int", ("10", "20", "50", "100", "250")),
    "timeout": ("float", ("0.5", "2.0", "5.0", "30.0")),
    "strict": ("bool", ("True", "False")),
    "label": ("str", ('"default"', '"all"', '"none"')),
    "retries": ("int", ("0", "1", "3", "5")),
    "separator": ("str", ('","', '";"', '"-"')),
    "depth": ("int", ("1", "2", "4")),
    "encoding": ("str", ('"utf-8"', '"ascii"')),
}
_MEANINGS = {
    "limit": "how many are taken at most",
    "timeout": "seconds to wait for an answer",
    "strict": "whether an unknown key is an error",
    "label": "what the result is filed under",
    "retries": "how often a failed attempt is repeated",
    "separator": "what stands between two fields",
    "depth": "how many levels are followed",
    "encoding": "how the text is written",
}
_NOUNS = tuple(
    noun for noun in NOUNS if noun.isidentifier() and not iskeyword(noun) and noun not in _PARAMETERS
)
_ERRORS = ("ValueError", "KeyError", "LookupError", "RuntimeError")
_OUTDATED = 0.004
"""The share of documented defaults that are no longer so."""


class Parameter(NamedTuple):
    name: str
    annotation: str
    default: str
    documented: str
    """The default that documents give."""


class Written(NamedTuple):
    """What came of it."""

    lines: int
    names: tuple[str, ...]
    """Of functions, each of which occurs in the code."""


def write_project(folder: Path, lines: int, seed: int = SEED) -> Written:
    """Writes a project of at least so many lines into a folder, which is made."""
    author = _Author(Random(seed))
    written = 0
    names: list[str] = []
    number = 0
    while written < lines:
        part = folder / PACKAGE / f"part{number // _PART:03}"
        part.mkdir(parents=True, exist_ok=True)
        if number % _PART == 0:
            written += _write(part / "__init__.py", [f'"""Part {number // _PART} of the stockyard."""'])
            written += _write(folder / "docs" / f"{part.name}.md", author.page(part.name))
        module = author.module()
        written += _write(part / f"module{number:04}.py", module)
        names += author.names
        number += 1
    written += _write(folder / "README.md", author.readme())
    written += _write(
        folder / "pyproject.toml",
        ["[project]", f'name = "{PACKAGE}"', 'version = "3.2.0"', 'requires-python = ">=3.11"'],
    )
    return Written(written, tuple(names))


def _call(name: str, parameters: Sequence[Parameter]) -> str:
    defaults = ", ".join(f"{parameter.name}={parameter.documented}" for parameter in parameters)
    return f"{name}(items, {defaults})"


def _write(file: Path, lines: Sequence[str]) -> int:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


class _Author:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._functions: list[tuple[str, list[Parameter]]] = []
        self._made = 0
        self.names: list[str] = []
        """The functions of the last module."""

    def module(self) -> list[str]:
        """Some four hundred lines."""
        first = len(self._functions)
        subject = self._noun()
        lines = [f'"""What is done with every {subject}."""', "", "from dataclasses import dataclass", ""]
        lines += self._constants()
        lines += self._class()
        for _ in range(self._random.randint(11, 17)):
            lines += ["", "", *self._function()]
        self.names = [name for name, _ in self._functions[first:]]
        return lines

    def page(self, part: str) -> list[str]:
        """A page on functions that have been written so far."""
        lines = [f"# {part}", "", f"The modules of `{PACKAGE}/{part}` and some that they build on.", ""]
        for name, parameters in self._random.sample(self._functions, min(6, len(self._functions))):
            lines += [
                f"## {name}",
                "",
                f"`{_call(name, parameters)}` works on one {self._noun()} at a time.",
                "",
            ]
            lines += [f"- `{parameter.name}`: {_MEANINGS[parameter.name]}." for parameter in parameters]
            lines += [""]
        return lines

    def readme(self) -> list[str]:
        shown = self._random.sample(self._functions, min(20, len(self._functions)))
        rows = [f"| `{_call(name, parameters)}` | {self._noun()} |" for name, parameters in shown]
        return [
            "# Stockyard",
            "",
            "Keeps track of what is where. Needs Python 3.11 or newer.",
            "",
            f"The code is in `{PACKAGE}/`, the pages are in `docs/`.",
            "",
            "| function | for every |",
            "| --- | --- |",
            *rows,
        ]

    def _constants(self) -> Iterator[str]:
        for _ in range(self._random.randint(2, 6)):
            name = f"MOST_{self._noun()}_{self._noun()}".upper()
            yield f"{name} = {self._random.choice((5, 10, 25, 50, 100, 1000))}"
            if self._random.random() < 0.4:
                yield f"# More than that has never been seen of any {self._noun()}."
        yield ""

    def _class(self) -> Iterator[str]:
        name = f"{self._random.choice(ADJECTIVES).title()}{self._noun().title()}".replace("-", "")
        fields = self._random.sample(sorted(_PARAMETERS), 4)
        yield from ("", "@dataclass", f"class {name}:", f'    """One {self._noun()} as it is kept."""', "")
        for field in fields:
            annotation, values = _PARAMETERS[field]
            yield f"    {field}: {annotation} = {self._random.choice(values)}"
        for field in fields[: self._random.randint(1, 3)]:
            yield from ("", f"    def has_{field}(self) -> bool:")
            yield from (
                f'        """Whether there is any {field}."""',
                f"        return bool(self.{field})",
            )

    def _function(self) -> Iterator[str]:
        self._made += 1
        name = f"{self._random.choice(_VERBS)}_{self._noun()}{self._random.choice(_SUFFIXES)}_{self._made}"
        parameters = [self._parameter(p) for p in self._random.sample(sorted(_PARAMETERS), 2)]
        self._functions.append((name, parameters))
        shown = ", ".join(f"{p.name}: {p.annotation} = {p.default}" for p in parameters)
        error = self._random.choice(_ERRORS)
        yield f"def {name}(items: list[str], {shown}) -> list[str]:"
        yield from self._docstring(name, parameters, error)
        yield from ("    if not items:", f'        raise {error}("there is no {self._noun()}")')
        yield from self._body(parameters)
        yield "    return kept"

    def _docstring(self, name: str, parameters: Sequence[Parameter], error: str) -> Iterator[str]:
        kind = self._random.random()
        verb = name.partition("_")[0]
        if kind < 0.45:
            return
        first = f'    """{verb.title()} every {self._noun()} of a {self._noun()}.'
        if kind < 0.85:
            yield f'{first}"""'
            return
        yield from (first, "", "    Args:", f"        items: the {self._noun()} to begin with.")
        for parameter in parameters:
            meaning = _MEANINGS[parameter.name]
            yield f"        {parameter.name}: {meaning}. Defaults to {parameter.documented}."
        yield from ("", "    Raises:", f"        {error}: if there is nothing to {verb}.", '    """')

    def _body(self, parameters: Sequence[Parameter]) -> Iterator[str]:
        yield "    kept: list[str] = []"
        for _ in range(self._random.randint(4, 12)):
            noun = self._noun()
            match self._random.randrange(4):
                case 0:
                    yield f"    for {noun} in items:"
                    yield f"        if {noun}.startswith({self._random.choice('abcdefgh')!r}):"
                    yield f"            kept.append({noun}.strip())"
                case 1:
                    yield f"    {noun} = [item for item in items if len(item) > {self._random.randint(1, 9)}]"
                    yield f"    kept.extend({noun})"
                case 2:
                    yield f"    # The {noun} comes last, because it is the longest."
                    yield f"    {noun} = sorted(kept, key=len)"
                    yield f"    kept = {noun}[: {self._random.randint(10, 99)}]"
                case _:
                    yield f"    if {parameters[0].name}:"
                    yield f"        {noun} = str({parameters[1].name})"
                    yield f"        kept = [{noun} + item for item in kept]"

    def _parameter(self, name: str) -> Parameter:
        annotation, values = _PARAMETERS[name]
        default, other = self._random.sample(values, 2)
        return Parameter(name, annotation, default, other if self._random.random() < _OUTDATED else default)

    def _noun(self) -> str:
        return self._random.choice(_NOUNS)
