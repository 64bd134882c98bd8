"""The facts of one repository for the rules, each read on first use."""

import hashlib
import posixpath
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from veridic.domain.code import AssertionKind, DocClaim, EntityKind
from veridic.domain.errors import InputError
from veridic.verify.documents.anchors import anchors_of
from veridic.verify.documents.read import read_units
from veridic.verify.documents.sites import site_in
from veridic.verify.documents.unit import Unit
from veridic.verify.facts.declarations import collect, is_not_product_code
from veridic.verify.facts.fallbacks import read_fallbacks
from veridic.verify.facts.manifests import read_manifest
from veridic.verify.facts.model import Fact, FactKind, FileFacts, Gap, Table, join_file_facts
from veridic.verify.facts.names import Names, is_code
from veridic.verify.facts.symbols import complete_classes, family, read_symbols
from veridic.verify.repository import Repository
from veridic.verify.revisions import is_test
from veridic.verify.source_text import read_source

_MOST_FILES_WITH_A_NAME = 400
_MOST_BASES = 30
_MOST_LINES_BETWEEN = 6
"""The most lines between two claims of one list."""
_MOST_AROUND = 200
_MAJOR = re.compile(r"/v\d+$")
"""The major version at the end of a Go module path."""
_MAIN = re.compile(r"(?:^|/)(?:cmd/([\w.-]+)/[^/]+\.go|src/bin/([\w.-]+)(?:\.rs|/main\.rs))$")
_WITH_ADDRESS = frozenset(
    ("package.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "go.mod", "pom.xml")
)
_ADDRESS = re.compile(
    r"^(?:module\s+|\s*<(?:url|connection)>|\s*[\"']?(?:url|repository|source|source code|homepage|github)[\"']?\s*[:=]\s*)"
    r"[^\n]{0,60}?\b(?:github|gitlab|codeberg)\.(?:com|org)[/:]([\w.-]+/[\w-]+(?:\.(?!git\b)[\w-]+)*)",
    re.IGNORECASE | re.MULTILINE,
)
_REFERENCE = re.compile(r"(?:[A-Za-z_]\w*(?:\.|::))*([A-Za-z_]\w{2,})")
_NAME_IN_CODE = (
    r"^[ \t]*(?:(?:export|public|private|protected|static|final|const|let|var|def|class|func|fn|function|pub|async|type|interface|struct|enum)"
    r"[ \t]+)*[\w.@&*]*(?<![\w-]){}(?![\w-])[ \t]*[(=,;{{]"
)
"""A line that starts with code and has the name, so it is not in a comment or a string."""


class KnownCount(NamedTuple):
    """How many of the other names in a list or a document the project has."""

    known: int
    """The names that the project has."""
    of: int

    @property
    def is_nearly_all(self) -> bool:
        """Whether the project has nearly all of them, so a missing one was meant to be the project's, too."""
        return self.of >= 4 and self.known >= 0.8 * self.of


class Context:
    """The facts of a repository that rules compare with."""

    def __init__(
        self,
        repository: Repository,
        claims: Sequence[DocClaim] = (),
        *,
        headings: Mapping[str, Sequence[Unit]] | None = None,
        symbols: Mapping[str, FileFacts] | None = None,
    ) -> None:
        """`headings` and `symbols` are of files that were already read, by path."""
        self.repository = repository
        self._claims = claims
        self._headings = headings or {}
        self._classes: dict[str, Fact | None] = {}
        self._known: dict[tuple[str, EntityKind, int], frozenset[str]] = {}
        self._texts: dict[str, str] = {}
        self._digests: dict[str, str | None] = {}
        self._symbols: dict[str, FileFacts] = dict(symbols or {})
        self._anchors: dict[str, frozenset[str]] = {}
        self._used: dict[str, bool] = {}
        self._fallbacks: dict[str, tuple[Fact, ...]] = {}

    def text(self, path: str) -> str:
        """The text of a file; empty if it can't be read."""
        if path not in self._texts:
            try:
                self._texts[path] = self.repository.read(path)
            except InputError:
                self._texts[path] = ""
        return self._texts[path]

    def digest(self, path: str) -> str | None:
        """The SHA-256 of a file in the repository; None if it can't be read."""
        if path not in self._digests:
            try:
                self._digests[path] = hashlib.sha256(self.repository.read_bytes(path)).hexdigest()
            except InputError:
                self._digests[path] = None
        return self._digests[path]

    @cached_property
    def code_files(self) -> tuple[str, ...]:
        """The code files of the project, without documents, tests, data and changelogs."""
        paths = (file.path for file in self.repository.files)
        return tuple(path for path in paths if is_code(path))

    @cached_property
    def declared(self) -> Mapping[FactKind, Table]:
        """What programs declare: options, commands, environment variables, routes."""
        return collect((path, self.text(path)) for path in self.code_files)

    @cached_property
    def manifests(self) -> Mapping[FactKind, Table]:
        """What manifests declare: versions, dependencies, extras, scripts, targets, programs."""
        read = join_file_facts(
            read_manifest(file.path, self.text(file.path)) for file in self.repository.files
        )
        facts: dict[FactKind, list[Fact]] = defaultdict(list)
        gaps: dict[FactKind, list[Gap]] = defaultdict(list)
        for fact in read.facts:
            facts[fact.kind].append(fact)
        for gap in read.gaps:
            gaps[gap.kind].append(gap)
        return {
            kind: Table(kind, tuple(facts[kind]), tuple(gaps[kind]), is_known=bool(facts[kind]))
            for kind in FactKind
        }

    def table(self, kind: FactKind) -> Table:
        """All facts of a kind, from code and manifests."""
        declared, said = self.declared.get(kind), self.manifests[kind]
        return declared if declared is not None and declared.facts else said

    @cached_property
    def programs(self) -> frozenset[str]:
        """The names of the programs that run this project."""
        named = {fact.name for fact in self.manifests[FactKind.PROGRAM].facts}
        packages = {
            _MAJOR.sub("", fact.name).rpartition("/")[2] for fact in self.manifests[FactKind.PACKAGE].facts
        }
        folders = {found[1] or found[2] for path in self.code_files if (found := _MAIN.search(path))}
        return frozenset(named | packages | folders)

    @cached_property
    def addresses(self) -> frozenset[str]:
        """Owner and name of the project on its host, in lower case, from the remote of the clone or a top-level manifest."""
        texts = [self.text(file.path) for file in self.repository.files if file.path in _WITH_ADDRESS]
        with suppress(OSError, UnicodeDecodeError):
            texts.append((self.repository.root / ".git" / "config").read_text(encoding="utf-8"))
        return frozenset(found.lower() for text in texts for found in _ADDRESS.findall(text))

    @cached_property
    def names(self) -> Names:
        """The index of names in the code."""
        return Names({path: self.text(path) for path in self.code_files})

    def tests_have(self, name: str) -> bool:
        """Whether tests or their files have a name, which may then belong to them."""
        return any(name in self.text(file.path) for file in self.repository.files if is_test(file.path))

    def uses(self, name: str) -> bool:
        """Whether code has the name alone, in this spelling, and not only in a comment or within a longer string."""
        if name not in self._used:
            texts = [(path, self.text(path)) for path in self.names.files_with(name)]
            texts = [(path, text) for path, text in texts if name in text]
            in_code = re.compile(_NAME_IN_CODE.format(re.escape(name)), re.MULTILINE)
            self._used[name] = any(in_code.search(text) for _, text in texts) or any(
                token.text == name for path, text in texts for token in read_source(path, text).tokens
            )
        return self._used[name]

    def is_own_variable(self, name: str) -> bool:
        """Whether an environment variable has the prefix of others that the code reads, or the name of a program of the project."""
        start = prefix_of(name)
        read = {fact.name for fact in self.table(FactKind.ENVIRONMENT).facts} - {name}
        programs = {program.lower().replace("-", "") for program in self.programs}
        return any(one.startswith(f"{start}_") for one in read) or start.strip("_").lower() in programs

    def may_read(self, variable: str) -> bool:
        """Whether the code may read an environment variable: it has its name, or its prefix and the rest separately."""
        start = f"{prefix_of(variable)}_"
        is_made = self.names.has(start) and self.names.spells(variable.removeprefix(start))
        return is_made or self.uses(variable)

    def may_be_own_option(self, claim: DocClaim) -> bool:
        """Whether a flag may be the project's: one of its programs comes before it, or most flags around it or in its document are."""
        subject = claim.assertion.subject
        if subject is None or subject.owner:
            return subject is not None and (subject.owner or "").partition(" ")[0] in self.programs
        table = self.table(FactKind.OPTION)
        around = self.neighbours(claim)
        in_document = self.known_in_document(claim, table)
        near = KnownCount(sum(1 for name in around if table.named(name)), len(around))
        return any(one.of and one.known > 0.7 * one.of for one in (near, in_document))

    def symbols(self, name: str) -> tuple[Fact, ...]:
        """Functions, classes and constants with this simple name, in file order."""
        files = self._files_with(name)
        return tuple(fact for path in files for fact in self._read(path).facts if fact.name == name)

    def class_named(self, name: str) -> Fact | None:
        """The only class of the project with this name, with the members of its bases; None if there is none or there are several."""
        if name not in self._classes:
            self._classes[name] = self._class_named(name)
        return self._classes[name]

    def _class_named(self, name: str) -> Fact | None:
        facts: dict[Fact, None] = {}
        waiting: list[str] = [name]
        seen: set[str] = set()
        while waiting and len(seen) < _MOST_BASES:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            for path in self._files_with(one):
                facts.update(dict.fromkeys(self._read(path).facts))
            waiting += [
                base.replace("::", ".").rpartition(".")[2]
                for fact in facts
                if fact.name == one or fact.owner == one
                for base in fact.bases
            ]
        found = [
            fact for fact in complete_classes(facts) if fact.kind is FactKind.CLASS and fact.name == name
        ]
        return found[0] if len(found) == 1 else None

    def documented(self, path: str, line: int, end_line: int) -> Fact | None:
        """The definition that a text in a source file documents: the innermost one that it opens, or the next one below."""
        kinds = (FactKind.FUNCTION, FactKind.CLASS)
        facts = [fact for fact in self._read(path).facts if fact.kind in kinds]
        if path.endswith((".py", ".pyi")):
            around = [fact for fact in facts if fact.line < line <= fact.end_line]
            return max(around, key=lambda fact: fact.line, default=None)
        below = [fact for fact in facts if fact.line > end_line]
        return min(below, key=lambda fact: fact.line, default=None)

    def constants(self, files: Iterable[str]) -> Iterator[Fact]:
        """Yield the constants of these files."""
        for path in files:
            if path in self._own and not is_not_product_code(path):
                constants = [fact for fact in self._read(path).facts if fact.kind is FactKind.CONSTANT]
                yield from (*constants, *_setting_classes(constants))

    def followed(self, fact: Fact) -> Fact:
        """Replace a value that names a constant by the literal of that constant, if there is exactly one such value."""
        name = _REFERENCE.fullmatch(fact.value or "") if not fact.is_literal else None
        if name is None:
            return fact
        found = {
            (one.value, one.is_literal)
            for one in self.constants(self.names.files_with(name[1]))
            if one.name == name[1] and family(one.path) == family(fact.path)
        }
        value, is_literal = found.pop() if len(found) == 1 else (None, False)
        return replace(fact, value=value, is_literal=True) if is_literal else fact

    def fallbacks(self, files: Iterable[str]) -> Iterator[Fact]:
        """Yield the fallback values in these files."""
        for path in files:
            if path in self._own and not is_not_product_code(path):
                if path not in self._fallbacks:
                    self._fallbacks[path] = tuple(read_fallbacks(path, self.text(path)))
                yield from self._fallbacks[path]

    def project_of(self, document: str) -> str:
        """The folder, with a slash at its end, of the innermost project around a document; empty if that is the whole repository.

        A folder with a manifest is a project, but not one with a site's configuration: that is the manual of the project around it.
        """
        folder = posixpath.dirname(document)
        while folder and folder not in self._manifest_folders:
            folder = posixpath.dirname(folder)
        return f"{folder}/" if folder else ""

    @cached_property
    def _manifest_folders(self) -> frozenset[str]:
        paths = (file.path for file in self.repository.files)
        folders = {posixpath.dirname(path) for path in paths if posixpath.basename(path) in _WITH_ADDRESS}
        return frozenset(folder for folder in folders if not site_in(folder, self.paths))

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths of all files and folders."""
        return frozenset((*(file.path for file in self.repository.files), *self.repository.folders))

    def anchors(self, path: str) -> frozenset[str]:
        """The anchors of a document, as code hosts generate them from headings."""
        if path not in self._anchors:
            text = self.text(path)
            units = self._headings.get(path) or read_units(path, text)
            self._anchors[path] = anchors_of(units, text)
        return self._anchors[path]

    def known_in_document(self, claim: DocClaim, table: Table) -> KnownCount:
        """How many of the other subjects of this kind in the document are in the table."""
        subject = claim.assertion.subject
        if subject is None:
            return KnownCount(0, 0)
        names = self._subjects[claim.document, subject.kind]
        key = (claim.document, subject.kind, id(table))
        if key not in self._known:
            self._known[key] = frozenset(name for name in names if table.named(name))
        known = self._known[key]
        return KnownCount(len(known) - (subject.name in known), len(names) - (subject.name in names))

    def raised_by_documents(self, claim: DocClaim) -> frozenset[str]:
        """The simple names of the exceptions in the docstring of the claim."""
        return frozenset(self._raised[claim.document, claim.owner or ""])

    def subjects(self, claim: DocClaim) -> frozenset[str]:
        """The other subjects of this kind in the document of the claim."""
        subject = claim.assertion.subject
        return (
            frozenset(self._subjects[claim.document, subject.kind] - {subject.name})
            if subject
            else frozenset()
        )

    def neighbours(self, claim: DocClaim) -> frozenset[str]:
        """The subjects of this kind in the lines around the claim, without a gap: the rest of its list or table."""
        subject = claim.assertion.subject
        if subject is None:
            return frozenset()
        lines = self._lines[claim.document, subject.kind]
        numbers = self._numbers[claim.document, subject.kind]
        found: set[str] = set()
        for step in (1, -1):
            last, at = claim.line, bisect_left(numbers, claim.line)
            while (
                0 <= at < len(numbers)
                and abs(numbers[at] - last) <= _MOST_LINES_BETWEEN
                and len(found) < _MOST_AROUND
            ):
                found |= lines[numbers[at]]
                last, at = numbers[at], at + step
        return frozenset(found - {subject.name})

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(self.code_files)

    @cached_property
    def _subjects(self) -> Mapping[tuple[str, EntityKind], set[str]]:
        found: dict[tuple[str, EntityKind], set[str]] = defaultdict(set)
        for claim in self._claims:
            if subject := claim.assertion.subject:
                found[claim.document, subject.kind].add(subject.name)
        return found

    @cached_property
    def _raised(self) -> Mapping[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for claim in self._claims:
            if claim.assertion.kind is AssertionKind.RAISES:
                names = {name.replace("::", ".").rpartition(".")[2] for name in claim.assertion.expected}
                found[claim.document, claim.owner or ""] |= names
        return found

    @cached_property
    def _lines(self) -> Mapping[tuple[str, EntityKind], Mapping[int, set[str]]]:
        found: dict[tuple[str, EntityKind], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for claim in self._claims:
            if subject := claim.assertion.subject:
                found[claim.document, subject.kind][claim.line].add(subject.name)
        return found

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, EntityKind], list[int]]:
        return {key: sorted(lines) for key, lines in self._lines.items()}

    def _files_with(self, name: str) -> list[str]:
        """Code files of the project with this name; none if it is too common to mean anything."""
        files = [path for path in self.names.files_with(name) if path in self._own]
        return files if len(files) <= _MOST_FILES_WITH_A_NAME else []

    def _read(self, path: str) -> FileFacts:
        if path not in self._symbols:
            self._symbols[path] = read_symbols(path, self.text(path))
        return self._symbols[path]


def _setting_classes(constants: Iterable[Fact]) -> Iterator[Fact]:
    """Settings declared as a class with a name and a default: `class Timeout(Setting): name = "timeout"; default = 30`."""
    by_owner: dict[str, dict[str, Fact]] = defaultdict(dict)
    for fact in constants:
        if fact.owner and fact.name in ("name", "default"):
            by_owner[fact.owner][fact.name] = fact
    for of in by_owner.values():
        if len(of) == 2 and of["name"].is_literal and of["name"].value:
            yield replace(of["default"], name=of["name"].value)


def prefix_of(variable: str) -> str:
    """The prefix of an environment variable: `APP` in `APP_TOKEN`."""
    return "_" * variable.startswith("_") + variable.strip("_").partition("_")[0]


def resolved(document: str, target: str) -> str:
    """Resolve a relative path in a document to a path from the root of the repository."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(document), target))
