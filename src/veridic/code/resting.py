"""What a finding rests on: it stays valid for as long as none of that changes."""

import builtins
import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from veridic.code.index import FactIndex
from veridic.domain.code import (
    AssertionKind,
    CodeVerdict,
    DocClaim,
    EntityKind,
    EvidenceTier,
    Fact,
    Finding,
)

WHOLE_INDEX = "//index"
"""Stands for all files together; no path within a repository begins like this."""
HEAD = "//head"
"""Stands for the commit that is checked out."""
_PRESENT, _ABSENT = "present", "absent"
_MOST_FILES = 20
_ROUNDS = 4
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_BUILTIN = frozenset(dir(builtins))
_SHOWN_BY_ONE_DEFINITION = frozenset(
    {
        AssertionKind.EXISTS,
        AssertionKind.SIGNATURE,
        AssertionKind.DEFAULT,
        AssertionKind.EQUALS,
        AssertionKind.REQUIRES,
        AssertionKind.PARAMETER,
        AssertionKind.DEPRECATED,
    }
)
_REFUTED_BY_ONE_DEFINITION = frozenset(
    {AssertionKind.SIGNATURE, AssertionKind.DEFAULT, AssertionKind.EQUALS, AssertionKind.REQUIRES}
)
_A_MATTER_OF_TIME = (CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.CONTESTED)
"""For these the history was asked whether the claim was true once."""


class _Definition(NamedTuple):
    """The files that define a name, and the words that its definitions are written with."""

    paths: frozenset[str]
    words: frozenset[str]


class Basis:
    """The state of everything that findings can rest on, at one moment."""

    def __init__(self, index: FactIndex, head: str | None = None) -> None:
        self._index = index
        self._states: dict[str, str] = {WHOLE_INDEX: _digest_of_all(index), HEAD: head or _ABSENT}
        self._definitions: dict[str, _Definition] = {}

    @property
    def whole(self) -> str:
        """The state of all files that were read, and of what is checked out."""
        return f"{self._states[WHOLE_INDEX]} {self._states[HEAD]}"

    def beside(self, claims: Iterable[DocClaim]) -> dict[str, str]:
        """The state of everything that claims name and that was not read."""
        paths = {path for claim in claims for path in _paths_named(claim)}
        return {path: self.state(path) for path in sorted(paths) if self._index.digest(path) is None}

    def holds(self, claim: DocClaim, digests: Mapping[str, str]) -> bool:
        """Whether everything is still as it was, and nothing else now defines what the claim names."""
        if not self.is_unchanged(digests):
            return False
        return WHOLE_INDEX in digests or all(
            self._defined(name).paths <= digests.keys() for name in _names(claim)
        )

    def is_unchanged(self, digests: Mapping[str, str]) -> bool:
        return all(self.state(path) == digest for path, digest in digests.items())

    def of(self, finding: Finding) -> dict[str, str] | None:
        """What a finding rests on; None where that is something outside, which can change without notice."""
        if any(piece.tier is EvidenceTier.EXTERNAL or "://" in piece.path for piece in finding.evidence):
            return None
        paths = {WHOLE_INDEX} if not _shows_all(finding) else self._defining(finding.claim)
        if finding.verdict in _A_MATTER_OF_TIME or finding.gates:
            paths.add(HEAD)
        for piece in finding.evidence:
            if piece.tier is EvidenceTier.HISTORY:
                paths.add(HEAD)
            elif self._index.digest(piece.path) is not None:
                paths.add(piece.path)
        if self._index.digest(finding.claim.document) is not None:
            paths.add(finding.claim.document)
        paths.update(_paths_named(finding.claim))
        if WHOLE_INDEX in paths:
            paths = {path for path in paths if self._index.digest(path) is None}
        return {path: self.state(path) for path in sorted(paths)}

    def state(self, path: str) -> str:
        """The digest of a file that was read; of another whether it is there."""
        if path not in self._states:
            digest = self._index.digest(path)
            self._states[path] = digest or (_PRESENT if self._index.repository.exists(path) else _ABSENT)
        return self._states[path]

    def _defining(self, claim: DocClaim) -> set[str]:
        """The files that define what the claim names, and whatever those definitions are written with."""
        paths: set[str] = set()
        names, seen = set(_names(claim)), set[str]()
        for _ in range(_ROUNDS):
            known = [self._defined(name) for name in names]
            paths.update(*(definition.paths for definition in known))
            if len(paths) > _MOST_FILES:
                break
            words = set[str]().union(*(definition.words for definition in known)) - seen
            if not words:
                return paths
            if not all(self._defined(word).paths for word in words):
                break
            seen |= words
            names = words
        # Something is imported under another name, or comes from too many places to follow.
        return {WHOLE_INDEX}

    def _defined(self, name: str) -> "_Definition":
        if name not in self._definitions:
            facts = self._index.named(name)
            words = frozenset(word for fact in facts for word in _words_of(fact)) - _BUILTIN
            self._definitions[name] = _Definition(frozenset(fact.path for fact in facts), words)
        return self._definitions[name]


def _digest_of_all(index: FactIndex) -> str:
    digest = hashlib.sha256()
    for path, own in sorted(index.digests.items()):
        digest.update(f"{path}\0{own}\n".encode("utf-8", "surrogatepass"))
    for folder in index.repository.folders:
        digest.update(f"{folder}/\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _shows_all(finding: Finding) -> bool:
    """Whether the cited code alone decides: then nothing elsewhere could have led to another verdict.

    That something is nowhere, how many there are, and what nobody could find out rest on everything.
    """
    assertion = finding.claim.assertion
    cited = [
        piece for piece in finding.evidence if piece.tier is EvidenceTier.CODE and piece.line is not None
    ]
    if not cited or any(piece.tier is EvidenceTier.TESTS for piece in finding.evidence):
        return False
    if assertion.is_negated or assertion.quantifiers:
        return False
    if finding.verdict is CodeVerdict.VERIFIED:
        return assertion.kind in _SHOWN_BY_ONE_DEFINITION
    if finding.verdict in (CodeVerdict.REFUTED, CodeVerdict.STALE):
        return assertion.kind in _REFUTED_BY_ONE_DEFINITION and any(piece.value for piece in cited)
    return False


def _names(claim: DocClaim) -> Iterator[str]:
    subject = claim.assertion.subject
    entities = claim.entities if subject is None else (subject, *claim.entities)
    for entity in entities:
        if entity.kind is EntityKind.PARAMETER:
            # Others may have parameters, fields and variables of that name: they are never looked at.
            yield from (f"{owner}.{entity.name}" for owner in (entity.owner, claim.owner) if owner)
        else:
            yield entity.name
        if entity.owner:
            yield entity.owner
    if claim.owner:
        yield claim.owner


def _words_of(fact: Fact) -> Iterator[str]:
    defaults = (parameter.default for parameter in fact.parameters)
    sources: Iterable[str | None] = (fact.value, *defaults, *fact.bases)
    for source in sources:
        if source:
            yield from _IDENTIFIER.findall(_QUOTED.sub("", source))


def _paths_named(claim: DocClaim) -> Iterator[str]:
    """Where the paths that a claim names could lead: from the root, and from the document's own folder."""
    subject = claim.assertion.subject
    folder = posixpath.dirname(claim.document)
    for entity in claim.entities if subject is None else (subject, *claim.entities):
        name = entity.name.partition("#")[0]
        if entity.kind in (EntityKind.PATH, EntityKind.LINK) and name and "://" not in name:
            for start in ("", folder):
                path = posixpath.normpath(posixpath.join(start, name))
                if not path.startswith(("..", "/")):
                    yield path
