"""All facts of a repository, found by name, by kind and by file."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

from veridic.code.facts.read import read_facts
from veridic.code.repository import Repository, decode
from veridic.domain.code import Fact, FactKind, FileFacts
from veridic.domain.errors import InputError

_ROUTE_PARAMETER = re.compile(r"\{[^}/]*\}|<[^>/]*>|:\w+|\*\w*")


class FactIndex:
    """What the files of a repository show."""

    def __init__(self, repository: Repository, files: Mapping[str, FileFacts]) -> None:
        self.repository = repository
        self.files = files
        self._by_name: dict[str, list[Fact]] = defaultdict(list)
        self._by_kind: dict[FactKind, list[Fact]] = defaultdict(list)
        self._by_identifier: dict[str, list[str]] = defaultdict(list)
        for path, file in files.items():
            for fact in file.facts:
                self._by_kind[fact.kind].append(fact)
                for name in {_key(fact.name), *(_key(alias) for alias in fact.aliases)}:
                    self._by_name[name].append(fact)
            for identifier in file.identifiers:
                self._by_identifier[identifier].append(path)

    def named(self, name: str, *kinds: FactKind) -> tuple[Fact, ...]:
        """Facts of that simple name, qualified name or dotted end of it (`Client.fetch`), flag, variable or route."""
        found = self._by_name.get(_key(name))
        if found is None:
            last = name.rsplit(".", 1)[-1]
            found = [
                fact for fact in self._by_name.get(last, ()) if f".{fact.qualified}".endswith(f".{name}")
            ]
        return tuple(fact for fact in found if not kinds or fact.kind in kinds)

    def of_kind(self, kind: FactKind) -> tuple[Fact, ...]:
        return tuple(self._by_kind.get(kind, ()))

    def mentioning(self, identifier: str) -> tuple[str, ...]:
        """The files in which a name occurs."""
        return tuple(self._by_identifier.get(identifier, ()))

    def digest(self, path: str) -> str | None:
        """SHA-256 of a file when it was read; None where it was not."""
        file = self.files.get(path)
        return file.digest if file else None


def _key(name: str) -> str:
    """Routes are the same whatever their parameters are called."""
    return _ROUTE_PARAMETER.sub("{}", name) if "/" in name else name


def _silent(done: int, total: int | None, what: str) -> None:
    """No progress is shown."""


def build_index(
    repository: Repository,
    *,
    cache: Path | None = None,
    progress: Callable[[int, int | None, str], None] = _silent,
) -> FactIndex:
    """Reads every file of the repository once."""
    files: dict[str, FileFacts] = {}
    for number, file in enumerate(repository.files):
        progress(number, len(repository.files), file.path)
        try:
            content = repository.read_bytes(file.path)
            text = decode(content, file.path)
        except InputError:
            continue
        files[file.path] = read_facts(
            file.path, file.language or "", text, hashlib.sha256(content).hexdigest()
        )
    return FactIndex(repository, files)
