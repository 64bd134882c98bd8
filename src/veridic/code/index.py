"""All facts of a repository, found by name, by kind and by file."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from veridic.code.facts.across import join_files
from veridic.code.facts.cache import FactCache, content_key, save_cache
from veridic.code.facts.codec import decode_facts, offer_of
from veridic.code.facts.pool import Unread, read_all, without_facts
from veridic.code.facts.read import read_facts
from veridic.code.facts.routes import route_keys, route_parts
from veridic.code.repository import RepoFile, Repository, decode
from veridic.domain.code import Fact, FactKind, FileFacts, VerifyFailure
from veridic.domain.errors import InputError

_MOST_TEXT_AT_ONCE = 60_000_000
_MOST_FAILURES = 20
_WITHOUT_DASHES = (".go", ".rs", ".js", ".mjs", ".cjs", ".ts", ".java")
_SHORT_TEXT = re.compile(r"[\"'`:]([A-Za-z0-9][\w-]{0,50})[\"'`]")

Progress = Callable[[int, int | None, str], None]


class FactIndex:
    """What the files of a repository show. Tables are made when they are first asked for."""

    def __init__(
        self,
        repository: Repository,
        files: "_Files",
        kept_in: Path | None = None,
    ) -> None:
        self.repository = repository
        self.files: Mapping[str, FileFacts] = files
        self.digests: Mapping[str, str] = files.digests()
        """SHA-256 of every file when it was read; asking for one decodes no facts."""
        self.offer = files.offer()
        """A digest of the files' and folders' paths and of the names that they offer: as long as it is the same, what a file says
        about the others means the same."""
        self.failures: tuple[VerifyFailure, ...] = tuple(
            VerifyFailure(
                what=path, message="The file was not read: no process for its parser could be started."
            )
            for path in files.unread[:_MOST_FAILURES]
        )
        self.kept_in = kept_in
        """The file in which the facts are, if they are kept."""
        self._asked: dict[tuple[str, tuple[FactKind, ...]], tuple[Fact, ...]] = {}
        self._by_holder: dict[str, dict[str, list[Fact]]] = {}

    def named(self, name: str, *kinds: FactKind) -> tuple[Fact, ...]:
        """Facts of that name, in the order of their files.

        A name is simple (`fetch`), qualified or the dotted end of a qualified name (`Client.fetch`), what a
        package's `__init__` offers (`package.fetch`), a flag in any spelling, a variable, or a route with or
        without its method, whatever its parameters are called. A function inside a function is found by its full
        qualified name only.
        """
        asked = (name, kinds)
        if asked not in self._asked:
            self._asked[asked] = tuple(
                [fact for fact in self._named(name) if not kinds or fact.kind in kinds]
            )
        return self._asked[asked]

    def of_kind(self, kind: FactKind) -> tuple[Fact, ...]:
        """All facts of a kind, in the order of their files."""
        return tuple(self._by_kind.get(kind, ()))

    def mentioning(self, identifier: str) -> tuple[str, ...]:
        """The files in which a name occurs."""
        return tuple(self._by_identifier.get(identifier, ()))

    def digest(self, path: str) -> str | None:
        """SHA-256 of a file when it was read; None where it was not."""
        return self.digests.get(path)

    def _named(self, name: str) -> list[Fact]:
        return self._by_name.get(name) or (
            self._routes_named(name) if "/" in name else self._symbols_named(name)
        )

    def _symbols_named(self, name: str) -> list[Fact]:
        if "." not in name:
            return []
        holder, last = name.rsplit(".", 2)[-2:]
        ends = [fact for fact in self._held_by(holder, last) if f".{fact.qualified}".endswith(f".{name}")]
        return ends or self._offered(name)

    def _held_by(self, holder: str, last: str) -> list[Fact]:
        """Facts whose qualified name ends in these two: half of all classes may have a method of the same name."""
        if last not in self._by_holder:
            table: dict[str, list[Fact]] = defaultdict(list)
            for fact in self._by_name.get(last, ()):
                table[f".{fact.qualified}".rsplit(".", 2)[-2]].append(fact)
            self._by_holder[last] = table
        return self._by_holder[last].get(holder, [])

    def _offered(self, name: str) -> list[Fact]:
        """`package.fetch` where fetch is defined further down and the package's `__init__` names it."""
        package, _, rest = name.partition(".")
        first, owner = rest.split(".", 1)[0], rest.rpartition(".")[0]
        inits = [path for path in self._inits.get(package, ()) if first in self.files[path].identifiers]
        known = {identifier for path in inits for identifier in self.files[path].identifiers}
        offered = [
            fact
            for fact in self._by_name.get(rest.rsplit(".", 1)[-1], ())
            if inits and fact.owner == owner and _is_in_package(fact, package, rest)
        ]
        # The modules that it names are those it takes its names from.
        from_named = [
            fact for fact in offered if fact.qualified.removesuffix(f".{rest}").rsplit(".", 1)[-1] in known
        ]
        return from_named or offered

    def _routes_named(self, name: str) -> list[Fact]:
        exact = [fact for key in route_keys(name) for fact in self._by_name.get(key, ())]
        if exact:
            return list(dict.fromkeys(exact))
        method, path = route_parts(name)
        # A router is mounted somewhere: its routes may have anything in front.
        return [
            fact
            for fact in self._by_kind.get(FactKind.ROUTE, ())
            if fact.owner and _fits_end(route_parts(fact.name), method, path)
        ]

    @cached_property
    def option_like_texts(self) -> frozenset[str]:
        """Short texts in the code of languages that name options without dashes; each with dashes between its words."""
        found: set[str] = set()
        for file in self.repository.files:
            if file.path.endswith(_WITHOUT_DASHES) and not file.path.endswith("_test.go"):
                with suppress(InputError):
                    found.update(_SHORT_TEXT.findall(self.repository.read(file.path)))
        return frozenset(text.replace("_", "-") for text in found)

    @cached_property
    def _facts(self) -> list[Fact]:
        return join_files(fact for file in self.files.values() for fact in file.facts)

    @cached_property
    def _by_name(self) -> dict[str, list[Fact]]:
        table: dict[str, list[Fact]] = defaultdict(list)
        for fact in self._facts:
            for name in _keys(fact):
                table[name].append(fact)
        return table

    @cached_property
    def _by_kind(self) -> dict[FactKind, list[Fact]]:
        table: dict[FactKind, list[Fact]] = defaultdict(list)
        for fact in self._facts:
            table[fact.kind].append(fact)
        return table

    @cached_property
    def _inits(self) -> dict[str, list[str]]:
        """The `__init__` files of each package, by its simple name."""
        table: dict[str, list[str]] = defaultdict(list)
        for path in self.files:
            *_, package, name = ("", *path.split("/"))
            if name == "__init__.py" and package:
                table[package].append(path)
        return table

    @cached_property
    def _by_identifier(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = defaultdict(list)
        for path, file in self.files.items():
            for identifier in file.identifiers:
                table[identifier].append(path)
        return table


def _silent(done: int, total: int | None, what: str) -> None:
    """No progress is shown."""


def build_index(
    repository: Repository, *, cache: Path | None = None, progress: Progress = _silent
) -> FactIndex:
    """Reads every file of the repository, those that have not changed from the file `cache`.

    `progress` hears how many files are done, how many there are, and what is going on. What can't be read is left out.
    """
    known = FactCache(cache) if cache else {}
    files = _Files(repository)
    total = len(repository.files)
    unread: list[Unread] = []
    waiting = 0
    for file in repository.files:
        content = _content(repository, file)
        if content is None:
            continue
        digest, text = content
        key = content_key(file.path, file.language, digest)
        if key in known:
            files.add(file.path, digest, key, known[key])
            continue
        unread.append(Unread(file.path, file.language or "", text, digest))
        waiting += len(text)
        if waiting > _MOST_TEXT_AT_ONCE:
            _read(unread, files, total, progress)
            unread, waiting = [], 0
    is_new = _read(unread, files, total, progress) or len(files) != len(known)
    progress(total, total, "code")
    if cache is not None and is_new:
        save_cache(cache, files.encoded())
    return FactIndex(repository, files, cache)


def open_index(repository: Repository, cache: Path, digests: Mapping[str, str]) -> FactIndex:
    """The index that `build_index` has made of the same files a moment ago; `KeyError` where the cache has it no more."""
    known = FactCache(cache)
    files = _Files(repository)
    for file in repository.files:
        if file.path in digests:
            digest = digests[file.path]
            key = content_key(file.path, file.language, digest)
            files.add(file.path, digest, key, known[key])
    return FactIndex(repository, files, cache)


def _content(repository: Repository, file: RepoFile) -> tuple[str, str] | None:
    try:
        content = repository.read_bytes(file.path)
        return hashlib.sha256(content).hexdigest(), decode(content, file.path)
    except InputError:
        return None


def _read(unread: list[Unread], files: "_Files", total: int, progress: Progress) -> bool:
    before = len(files)
    for file, packed in read_all(unread, lambda done: progress(before + done, total, "code")):
        key = content_key(file.path, file.language, file.digest)
        files.add(file.path, file.digest, key, packed or without_facts(file), is_read=packed is not None)
    return bool(unread)


class _Files(Mapping[str, FileFacts]):
    """Facts by path, in the order of the repository's files; bytes until they are asked for."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._packed: dict[str, tuple[str, str, bytes | memoryview]] = {}
        self._decoded: dict[str, FileFacts] = {}
        self.unread: list[str] = []

    def add(
        self, path: str, digest: str, key: str, packed: bytes | memoryview, *, is_read: bool = True
    ) -> None:
        self._packed[path] = (digest, key, packed)
        if not is_read:
            self.unread.append(path)

    def encoded(self) -> Iterator[tuple[str, bytes | memoryview]]:
        """What the cache keeps: a file that was left unread may be read the next time."""
        left_out = frozenset(self.unread)
        return ((key, packed) for path, (_, key, packed) in self._packed.items() if path not in left_out)

    def digests(self) -> dict[str, str]:
        return {path: digest for path, (digest, _, _) in self._packed.items()}

    def offer(self) -> str:
        digest = hashlib.sha256()
        for file in self._repository.files:
            offered = offer_of(self._packed[file.path][2]) if file.path in self._packed else b""
            digest.update(file.path.encode("utf-8", "surrogatepass") + b"\0" + offered)
        for folder in self._repository.folders:
            digest.update(folder.encode("utf-8", "surrogatepass") + b"/\0")
        return digest.hexdigest()

    def __getitem__(self, path: str) -> FileFacts:
        if path not in self._decoded:
            digest, _, packed = self._packed[path]
            try:
                self._decoded[path] = decode_facts(packed, path, digest)
            except ValueError:
                self._decoded[path] = self._read_again(path)
        return self._decoded[path]

    def _read_again(self, path: str) -> FileFacts:
        """A cache that someone has tampered with is not worth more than no cache."""
        file = next(file for file in self._repository.files if file.path == path)
        digest, text = _content(self._repository, file) or ("", "")
        return read_facts(path, file.language or "", text, digest)

    def __iter__(self) -> Iterator[str]:
        return (file.path for file in self._repository.files if file.path in self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def __contains__(self, path: object) -> bool:
        return path in self._packed


def _keys(fact: Fact) -> set[str]:
    """What a fact can be asked for by."""
    if fact.kind is FactKind.ROUTE:
        method, path = route_parts(fact.name)
        return {f"{method} {path}", path}
    if "<locals>" in fact.qualified:
        return {fact.qualified}
    return {fact.name, *fact.aliases} - {""}


def _is_in_package(fact: Fact, package: str, rest: str) -> bool:
    return fact.qualified.startswith(f"{package}.") and fact.qualified.endswith(f".{rest}")


def _fits_end(route: tuple[str, str], method: str, path: str) -> bool:
    route_method, route_path = route
    is_method = not method or route_method in {method, "ANY"}
    return is_method and route_path.count("/") >= 1 and route_path != "/" and path.endswith(route_path)
