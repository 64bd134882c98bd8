"""Drawings of a folder's content, and variables that a configuration block sets."""

import re
from collections.abc import Iterator

from veridic.code.claims.blocks import Snippet
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.names import is_placeholder
from veridic.code.claims.passage import SourceLine
from veridic.domain.code import Assertion, AssertionKind, Entity, EntityKind, Place

_BRANCH = re.compile(r"(?P<lead>[│|\s]*)(?:[├└|+`]\s?(?:─+|--+))\s*(?P<name>[\w.@+-]+/?)(?=\s|\Z)")
_ROOT = re.compile(r"(?P<name>[\w.@+-]+(?:/[\w.@+-]+)*)/?\s*\Z")
_COMMAND = re.compile(r"\s*[$❯➜%>] \w")
_LEAST_ENTRIES = 3
_LEAST_SHARE = 0.6
_VARIABLE_BLOCKS = frozenset(
    {"env", "dotenv", "ini", "properties", "yaml", "yml", "dockerfile", "docker", "toml", "systemd"}
)
_VARIABLE = re.compile(r"(?<![\w$])(?P<name>[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,6})\s*[=:]")
_LONGEST_LINE = 500


def layout_drafts(snippet: Snippet, context: Context) -> Iterator[Draft]:
    """Files and folders of a drawn tree, if it is this repository's: most of what it shows is there."""
    if any(_COMMAND.match(line.text) for line in snippet.lines):
        return  # An example of what a command prints, somewhere and some day.
    entries = list(_entries(snippet))
    repository = context.names.index.repository
    there = sum(repository.exists(path) for path, _, _ in entries)
    if len(entries) < _LEAST_ENTRIES or there < _LEAST_SHARE * len(entries):
        return
    for path, line, start in entries:
        name = path.rpartition("/")[2]
        yield _exists(Entity(kind=EntityKind.PATH, name=path), name, line, start)


def _entries(snippet: Snippet) -> Iterator[tuple[str, SourceLine, int]]:
    """Path, line and column of each branch; a first line above them may be the folder that is drawn."""
    open_folders: list[tuple[int, str]] = []
    root = ""
    for line in snippet.lines:
        if len(line.text) > _LONGEST_LINE:
            continue
        match = _BRANCH.match(line.text)
        if match is None:
            found = _ROOT.match(line.text.strip())
            if found and not open_folders:
                root = found["name"]
            continue
        depth = len(match["lead"])
        while open_folders and open_folders[-1][0] >= depth:
            open_folders.pop()
        name = match["name"].rstrip("/")
        parents = [folder for _, folder in open_folders]
        open_folders.append((depth, name))
        if not is_placeholder(name):
            below = [*parents, name]
            yield "/".join(_below_root(root, below)), line, match.start("name")


def _below_root(root: str, parts: list[str]) -> list[str]:
    """The repository's own name above the tree is no folder in it."""
    return [root, *parts] if root in ("src", "docs", "tests", "lib", "app", "packages") else parts


def variable_drafts(snippet: Snippet, context: Context) -> Iterator[Draft]:
    """The project's own environment variables that a block of configuration sets."""
    if snippet.language not in _VARIABLE_BLOCKS:
        return
    for line in snippet.lines:
        for match in _VARIABLE.finditer(line.text[:_LONGEST_LINE]):
            entity = context.names.entity(match["name"])
            if entity is not None and entity.kind is EntityKind.ENVIRONMENT:
                yield _exists(entity, match["name"], line, match.start("name"))


def _exists(entity: Entity, name: str, line: SourceLine, start: int) -> Draft:
    column = line.column + start
    place = Place(line=line.line, start=column, end=column + len(name))
    assertion = Assertion(kind=AssertionKind.EXISTS, subject=entity, expected=(name,), expected_place=place)
    return Draft(assertion, line.text.strip(), line.line, line.line, (entity,))
