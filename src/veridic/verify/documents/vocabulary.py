"""The vocabulary of a project's documents: its own name, and the names that they write as code."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.domain.code import EntityKind
from veridic.verify.documents.commands import SHELLS, commands_in, installed
from veridic.verify.documents.names import names_in
from veridic.verify.documents.unit import Unit, UnitKind

_TITLE = re.compile(r"[A-Za-z][\w.+-]{1,40}")
_IMAGE = re.compile(r"!?\[[^\]]*\]\([^)]*\)|`")
_WORD = re.compile(r"[A-Za-z][\w+-]{1,40}")
_ARTIFACT = re.compile(r"<artifactId>([\w.-]+)</artifactId>")
_MANUAL = re.compile(r"\.[1-9](?:\.\w+)?$")
_FEWEST_MENTIONS = 4
_DOCUMENTED = frozenset({EntityKind.SYMBOL, EntityKind.FUNCTION, EntityKind.SETTING, EntityKind.CONSTANT})


class Vocabulary(NamedTuple):
    own: frozenset[str] = frozenset()
    """Names of the project, its packages and programs, in lower case; empty if the documents don't say."""
    named: frozenset[str] = frozenset()
    """Names that prose, tables or headings write as code, by the last part of dotted ones."""
    documented: frozenset[str] = frozenset()
    """The names that a heading, a list item or a row is about, and those whose form shows that they are code."""

    def is_own(self, name: str) -> bool:
        """Whether a program or package is the project's own, as far as the documents say."""
        plain = plain_name(name)
        return not self.own or any(plain == own or plain.startswith(f"{own}_") for own in self.own)


def plain_name(name: str) -> str:
    """A package's or program's name without case, scope, `-` and `_`."""
    return name.lower().rpartition("/")[2].replace("-", "_").removesuffix(".js").removesuffix(".exe")


def vocabulary(units: Iterable[Unit]) -> Vocabulary:
    """The vocabulary of all documents of a project together."""
    units = list(units)
    named: set[str] = set()
    documented: set[str] = set()
    for unit in units:
        if unit.is_code:
            continue
        for number, name in enumerate(names_in(unit.text)):
            if name.entity.kind not in _DOCUMENTED:
                continue
            last = name.entity.name.rpartition(".")[2]
            named.add(last)
            begins = number == 0 and not unit.text[: name.start].strip(" |`")
            if name.is_formal or (begins and unit.kind is not UnitKind.SENTENCE):
                documented.add(last)
    return Vocabulary(_own_names(units), frozenset(named), frozenset(documented))


def _own_names(units: list[Unit]) -> frozenset[str]:
    """The names that the README gives the project and that it installs or runs, and the programs that man pages document."""
    titles: dict[str, None] = {}
    packages: dict[str, None] = {}
    mentions: Counter[str] = Counter()
    titled: set[str] = set()
    for unit in units:
        is_readme, is_manual = _role(unit.path)
        if unit.is_heading and unit.path not in titled and (is_readme or is_manual):
            titled.add(unit.path)
            title = _TITLE.search(_IMAGE.sub("", unit.text))
            if title:
                titles[plain_name(title[0])] = None
        if unit.is_code and unit.language in SHELLS:
            mentions.update(plain_name(command.program) for command in commands_in(unit.text))
        if is_readme:
            mentions.update({plain_name(word) for word in _WORD.findall(unit.text)})
            lines = [unit.text] if unit.is_code else re.findall(r"`([^`]+)`", unit.text)
            for command in (one for line in lines for one in commands_in(line)):
                packages.update(dict.fromkeys(plain_name(package.name) for package in installed(command)))
            packages.update(dict.fromkeys(map(plain_name, _ARTIFACT.findall(unit.text))))
    # A title such as "Quickstart" is not mentioned again; among packages, the one mentioned most is the project's.
    own = [title for title in titles if mentions[title] >= _FEWEST_MENTIONS or not mentions]
    own += [
        package for package in packages if package in own or any(package.startswith(name) for name in own)
    ]
    if not own and packages:
        own = [max(packages, key=lambda package: mentions[package])]
    return frozenset(own)


@lru_cache(maxsize=4096)
def _role(path: str) -> tuple[bool, bool]:
    """Whether a document introduces the project, and whether it is a man page."""
    parts = PurePosixPath(path).parts
    depth = 2 if parts[:1] in (("doc",), ("docs",)) else 1
    is_readme = PurePosixPath(path).stem.lower() in ("readme", "index") and len(parts) <= depth
    return is_readme, bool(_MANUAL.search(path))
