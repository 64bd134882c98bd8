"""Findings of earlier runs: given again as long as nothing that they rest on has changed.

They are kept in the database. Where that can't be used, a run goes on without, keeps its findings in a file, and the
next run that can brings them into the database.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError
from rapidfuzz import fuzz

from veridic.domain.code import AssertionKind, DocClaim, Finding, VerifyFailure
from veridic.domain.errors import StorageError
from veridic.domain.kept_findings import KeptFinding, content_of
from veridic.verify.basis import WHOLE, Basis
from veridic.verify.version import rules_version

SIMILARITY = 0.92
_MOST_ALIKE = 50
_KEPT = TypeAdapter(list[KeptFinding])
_SAID_IN_WORDS_ALONE = frozenset({AssertionKind.BEHAVES})
"""One word can turn such a claim into its opposite, so only the very same words count as similar."""


class FindingStore(Protocol):
    """Where findings are kept; both raise `StorageError` where it can't be used."""

    def load(self, repo: str) -> list[KeptFinding]: ...

    def replace(self, repo: str, *, drop: Sequence[int], add: Sequence[KeptFinding]) -> None:
        """Forget the rows with these ids and keep the others, all or nothing."""
        ...


class FindingCache:
    """The findings of one repository: `find` before verifying a claim, `keep` after it, `save` at the end.

    `method` names the engine and whatever else (tests, links) can lead to another verdict; the rules of this
    version are added to it. `folder` is for the file that stands in for a database. Without `keeps_all`, what rests on
    all files is not kept: where nothing has changed, `LastRun` gives it again. `failures` has a line where the database
    could not be used.
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
        """What the claim came to in an earlier run, if that still holds."""
        if not self._exact:
            return None
        likeness, text = _likeness(claim), normalised(claim.text)
        kept = self._exact.get((likeness, claim.document, claim.line, text))
        if kept is not None and self._basis.is_unchanged(kept.digests):
            return _finding(kept, claim)
        return self._most_similar(claim, likeness, text)

    def keep(self, finding: Finding) -> None:
        """Remember a finding for the next run; what rests on something outside is not remembered."""
        digests = self._basis.of(finding)
        if digests is None or finding.is_cached or (WHOLE in digests and not self._keeps_all):
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
        """Keep what was found; without a database in a file, until there is one."""
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
            self._take(finding)
        for finding in self._exact.values():
            self._alike[finding.likeness].append(finding)

    def _take(self, finding: KeptFinding) -> None:
        """Sort one in; what no longer holds, or has been found anew, is forgotten."""
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
        """A finding on the same assertion in other words; one with a correction belongs to its own place."""
        least = 1.0 if claim.assertion.kind in _SAID_IN_WORDS_ALONE else SIMILARITY
        alike = self._alike.get(likeness, [])[:_MOST_ALIKE]
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
            return _KEPT.validate_json(self._file.read_bytes())
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
    """A claim's words without what does not matter to what they say: case, white space, emphasis."""
    return " ".join(text.replace("**", "").replace("__", "").casefold().split())


def _likeness(claim: DocClaim) -> str:
    """The same only where a comparison with the code could come to nothing else.

    Words may differ, the assertion may not: a sentence about 30 seconds and one about 31 are much alike. Names and
    paths can mean another thing in another folder.
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
