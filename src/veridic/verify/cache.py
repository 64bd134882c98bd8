"""Findings of earlier runs, reused as long as nothing that they rest on has changed.

They are stored in the database. If the database can't be used, the run continues without it and saves its findings to a
file; the next run with a database imports them.
"""

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Protocol
from uuid import uuid4

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from rapidfuzz import fuzz

from veridic.domain.code import (
    AssertionKind,
    CodeVerdict,
    DocClaim,
    EvidenceTier,
    Finding,
    KeptFinding,
    VerifyFailure,
    content_of,
)
from veridic.domain.errors import StorageError

ALL_FILES = "//all"
"""A key for all files together; no path within a repository starts like this."""
HEAD = "//head"
"""A key for the commit that is checked out."""
_NOT_CACHED = (EvidenceTier.TESTS, EvidenceTier.EXTERNAL)


class Basis:
    """The state of a repository that findings depend on."""

    def __init__(self, digests: Mapping[str, str], head: str | None) -> None:
        """`digests` maps each path to the file's SHA-256, or to a word for folders and files that are not read."""
        self._digests = digests
        together = hashlib.sha256()
        for path in sorted(digests):
            together.update(f"{path}\0{digests[path]}\n".encode("utf-8", "surrogatepass"))
        self.whole = together.hexdigest()
        self._head = head or ""

    def of(self, finding: Finding) -> dict[str, str] | None:
        """The digests that must stay the same; None if tests or external sources were involved, which may answer differently next time.

        A Verified finding depends only on the files in its evidence. Every other finding, such as "it is nowhere in the code",
        depends on all files and, if there is one, on the checked-out commit.
        """
        if any(evidence.tier in _NOT_CACHED for evidence in finding.evidence):
            return None
        paths = {evidence.path for evidence in finding.evidence}
        if finding.verdict is CodeVerdict.VERIFIED and paths and paths <= self._digests.keys():
            return {path: self._digests[path] for path in paths}
        return {ALL_FILES: self.whole, HEAD: self._head}

    def is_unchanged(self, digests: Mapping[str, str]) -> bool:
        """Whether all these digests are still the same."""
        return all(self._state(name) == state for name, state in digests.items())

    def _state(self, name: str) -> str | None:
        return {ALL_FILES: self.whole, HEAD: self._head}.get(name) or self._digests.get(name, "")


_RULE_PACKAGES = ("verify", "text")
"""The packages that verdicts depend on."""
_RULE_SUFFIXES = (".py", ".toml", ".json")


@lru_cache(maxsize=1)
def rules_version() -> str:
    """Veridic's version with a digest of its rules and of the Python version, whose parser reads the code."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(str(sys.implementation.cache_tag).encode())
    for name in _RULE_PACKAGES:
        for file in sorted((package / name).rglob("*.*")):
            if file.suffix in _RULE_SUFFIXES:
                digest.update(file.read_bytes())
    return f"{version('veridic')}-{digest.hexdigest()[:12]}"


class CachedRun(BaseModel):
    """The result of a run."""

    claims_found: int
    findings: tuple[Finding, ...]


class LastRun:
    """The last run on one repository, in one file. A missing, old, damaged or foreign file counts as empty.

    `conditions` are everything else that findings depend on: the rules, the selection of documents. Only for runs that asked
    nothing outside the repository.
    """

    def __init__(self, file: Path, basis: Basis, *conditions: str) -> None:
        self._file = file
        parts = "\n".join((basis.whole, *conditions))
        self._key = hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest().encode("ascii")

    def load(self) -> CachedRun | None:
        """The last run, or None if anything has changed."""
        try:
            with self._file.open("rb") as file:
                if file.readline(100).rstrip() != self._key:
                    return None
                return CachedRun.model_validate_json(file.read())
        except (OSError, ValidationError):
            return None

    def save(self, findings: Sequence[Finding]) -> None:
        """Save findings for the next run. If the disk or the file name doesn't allow it, the next run only takes longer."""
        draft = self._file.with_name(f"{self._file.name}.{token_hex(4)}")
        head = f'"claims_found":{len(findings)}'
        with suppress(OSError, PydanticSerializationError):
            contents = ",".join(map(_as_cached_json, findings))
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(self._key + f'\n{{{head},"findings":[{contents}]}}'.encode())
            draft.replace(self._file)


def _as_cached_json(finding: Finding) -> str:
    content = finding.model_dump_json(exclude={"is_cached"})
    return f'{content.removesuffix("}")},"is_cached":true}}'


SIMILARITY = 0.92
_MAX_SIMILAR = 50
_KEPT_FINDINGS = TypeAdapter(list[KeptFinding])
_IDENTICAL_WORDS_ONLY = frozenset({AssertionKind.BEHAVES})
"""One word can reverse such a claim, so only identical words count as similar."""


class FindingStore(Protocol):
    """Stores findings; both methods raise `StorageError` if the storage can't be used."""

    def load(self, repo: str) -> list[KeptFinding]: ...

    def replace(self, repo: str, *, drop: Sequence[int], add: Sequence[KeptFinding]) -> None:
        """Delete the rows with the ids in `drop` and add the rows in `add`, in one transaction."""
        ...


class FindingCache:
    """The findings of one repository: call `find` before verifying a claim, `keep` afterwards, and `save` at the end.

    `method` names the engine and everything else (tests, links) that can change a verdict; the version of the rules is
    added to it. `folder` is for the file used when there is no database. Without `keeps_all`, findings that depend on all
    files are not stored: if nothing has changed, `LastRun` has them. `failures` has an entry if the database could not be used.
    """

    def __init__(
        self,
        root: Path,
        basis: Basis,
        *,
        method: str,
        store: FindingStore | None,
        folder: Path,
        keeps_all: bool = True,
    ) -> None:
        self.failures: list[VerifyFailure] = []
        self._repo = str(root)
        self._method = f"{method} {rules_version()}"
        self._basis = basis
        self._store = store
        self._keeps_all = keeps_all
        self._file = folder / f"findings-{hashlib.sha256(_bytes(self._repo)).hexdigest()[:16]}.json"
        self._exact: dict[tuple[str, str, int, str], KeptFinding] = {}
        self._alike: dict[str, list[KeptFinding]] = defaultdict(list)
        self._drop: list[int] = []
        self._add: list[KeptFinding] = []
        self._load()

    def find(self, claim: DocClaim) -> Finding | None:
        """The finding of an earlier run on this claim, if it still holds."""
        if not self._exact:
            return None
        likeness, text = _likeness(claim), normalised(claim.text)
        kept = self._exact.get((likeness, claim.document, claim.line, text))
        if kept is not None and self._basis.is_unchanged(kept.digests):
            return _finding(kept, claim)
        return self._most_similar(claim, likeness, text)

    def keep(self, finding: Finding) -> None:
        """Store a finding for the next run, unless it depends on something outside the repository."""
        digests = self._basis.of(finding)
        if digests is None or finding.is_cached or (ALL_FILES in digests and not self._keeps_all):
            return
        claim = finding.claim
        self._add.append(
            KeptFinding(
                method=self._method,
                likeness=_likeness(claim),
                document=claim.document,
                line=claim.line,
                text=normalised(claim.text),
                digests=digests,
                content=content_of(finding),
            )
        )

    def save(self) -> None:
        """Write to the database; without one, to a file until there is one."""
        if not self._add and not self._drop:
            return
        try:
            if self._store is None:
                raise StorageError("There is no database to keep findings in.")
            self._store.replace(self._repo, drop=self._drop, add=self._add)
        except StorageError as error:
            self._fail(error)
            self._write(self._add)
        else:
            self._file.unlink(missing_ok=True)
        self._drop, self._add = [], []

    def _load(self) -> None:
        kept: list[KeptFinding] = []
        if self._store is not None:
            try:
                kept = self._store.load(self._repo)
            except StorageError as error:
                self._fail(error)
        for finding in [*kept, *self._read()]:
            self._add_to_index(finding)
        for finding in self._exact.values():
            self._alike[finding.likeness].append(finding)

    def _add_to_index(self, finding: KeptFinding) -> None:
        """Index a stored finding; drop it if it no longer holds, or replace an older one on the same claim."""
        if not finding.method.endswith(rules_version()) or not self._basis.is_unchanged(finding.digests):
            if finding.id is not None:
                self._drop.append(finding.id)
            return
        if finding.id is None:
            self._add.append(finding)
        if finding.method == self._method:
            key = (finding.likeness, finding.document, finding.line, finding.text)
            if key in self._exact:
                self._forget(self._exact[key])
            self._exact[key] = finding

    def _forget(self, finding: KeptFinding) -> None:
        if finding.id is not None:
            self._drop.append(finding.id)
        else:
            self._add.remove(finding)

    def _most_similar(self, claim: DocClaim, likeness: str, text: str) -> Finding | None:
        """A finding on the same assertion in similar words, unless it has a correction, which applies to one place only."""
        least = 1.0 if claim.assertion.kind in _IDENTICAL_WORDS_ONLY else SIMILARITY
        alike = self._alike.get(likeness, [])[:_MAX_SIMILAR]
        scored = [(fuzz.ratio(text, kept.text) / 100, kept) for kept in alike]
        for score, kept in sorted(scored, key=lambda pair: -pair[0]):
            if score < 1 and score <= least:
                return None
            finding = _finding(kept, claim) if self._basis.is_unchanged(kept.digests) else None
            if finding is not None and finding.correction is None:
                return finding
        return None

    def _read(self) -> list[KeptFinding]:
        try:
            return _KEPT_FINDINGS.validate_json(self._file.read_bytes())
        except (OSError, ValidationError):
            return []

    def _write(self, findings: list[KeptFinding]) -> None:
        draft = self._file.with_name(f"{self._file.name}.{uuid4().hex}.tmp")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps([asdict(finding) for finding in findings]))
            draft.replace(self._file)
        except OSError as error:
            draft.unlink(missing_ok=True)
            self._fail(StorageError(f"Findings can't be kept in {self._file} ({error.strerror})."))

    def _fail(self, error: StorageError) -> None:
        failure = VerifyFailure(what="finding cache", message=str(error))
        if self._store is not None and failure not in self.failures:
            self.failures.append(failure)


def normalised(text: str) -> str:
    """A claim's words without case, white space and emphasis."""
    return " ".join(text.replace("**", "").replace("__", "").casefold().split())


def _likeness(claim: DocClaim) -> str:
    """A key that two claims share only if comparing them with the code must give the same result.

    Words may differ, the assertion may not: a sentence about 30 seconds and one about 31 look much alike. The folder is part
    of the key because names and paths can mean different things in different folders.
    """
    assertion = claim.assertion
    subject = assertion.subject
    parts = (
        assertion.kind,
        *((subject.kind, subject.name, subject.owner or "") if subject else ("", "", "")),
        str(assertion.is_negated),
        " ".join(assertion.quantifiers),
        claim.origin,
        claim.category,
        claim.domain,
        claim.owner or "",
        claim.proposed_by or "",
        claim.document.rpartition("/")[0],
        *assertion.expected,
        "",
        *(f"{entity.kind} {entity.name} {entity.owner}" for entity in claim.entities),
    )
    return hashlib.sha256(_bytes("\0".join(parts))).hexdigest()


def _finding(kept: KeptFinding, claim: DocClaim) -> Finding | None:
    try:
        return Finding.model_validate({**json.loads(kept.content), "claim": claim, "is_cached": True})
    except (ValueError, TypeError):
        return None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
