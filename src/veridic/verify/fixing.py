"""`veridic verify --fix`: shows corrections as a diff, and writes the certain ones into the documents."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from veridic.domain.code import CodeCorrection, CodeVerdict, Finding, VerifyReport
from veridic.domain.errors import UsageError
from veridic.ingest.formats import replace_file
from veridic.verify.corrections import corrected_text, may_be_applied
from veridic.verify.folder import Folder

_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BYTE_ORDER_MARK = "\ufeff"

VerifyAgain = Callable[[tuple[str, ...]], VerifyReport]
"""Verifies some documents again, as they are now."""


@dataclass(frozen=True, slots=True)
class Flagged:
    """A correction that a person has to review, and why."""

    finding: Finding
    why: str


@dataclass(slots=True)
class Corrections:
    """The findings whose corrections fit their documents, and those left to a person."""

    proposed: list[Finding] = field(default_factory=list)
    flagged: list[Flagged] = field(default_factory=list)

    @property
    def documents(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(finding.claim.document for finding in self.proposed))


def sort_corrections(findings: Iterable[Finding], documents: Folder) -> Corrections:
    """Separate the corrections that can be written from those that a person must review."""
    corrections = Corrections()
    for finding in findings:
        if finding.correction is None:
            continue
        if not _fits(finding.correction, documents.text(finding.claim.document)):
            corrections.flagged.append(Flagged(finding, "its words don't stand there any more"))
        elif any(_conflict(finding, other) for other in corrections.proposed):
            corrections.flagged.append(Flagged(finding, "another correction changes the same words"))
        else:
            corrections.proposed.append(finding)
            if not may_be_applied(finding.correction):
                corrections.flagged.append(Flagged(finding, "it needs a person's review"))
    return corrections


def _fits(correction: CodeCorrection, text: str | None) -> bool:
    lines = _LINE_END.split(text or "")
    place = correction.place
    return place.line <= len(lines) and lines[place.line - 1][place.start : place.end] == correction.original


def _conflict(one: Finding, other: Finding) -> bool:
    """Whether two corrections would change the same words in different ways."""
    if one.correction is None or other.correction is None or one.claim.document != other.claim.document:
        return False
    if one.correction == other.correction:
        return False
    here, there = one.correction.place, other.correction.place
    return here.line == there.line and here.start < there.end and there.start < here.end


def correction_diff(findings: Iterable[Finding], read: Callable[[str], str | None]) -> str:
    """A unified diff of all these corrections, for `git apply` or `patch -p1`."""
    shown: list[str] = []
    for path, corrections in _by_document(findings).items():
        before = read(path) or ""
        after = corrected_text(before, corrections)
        lines = unified_diff(_LINE.findall(before), _LINE.findall(after), f"a/{path}", f"b/{path}")
        shown += map(_with_end, lines)
    return "".join(shown)


def _with_end(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _by_document(findings: Iterable[Finding]) -> dict[str, list[CodeCorrection]]:
    grouped: dict[str, list[CodeCorrection]] = {}
    for finding in findings:
        if finding.correction is not None:
            grouped.setdefault(finding.claim.document, []).append(finding.correction)
    return grouped


def apply_corrections(corrections: Corrections, documents: Folder, verify: VerifyAgain) -> "Applied":
    """Write the corrections that are certain enough, verify their documents again, and revert what does not verify.

    If anything fails on the way, every file is restored.
    """
    return _Writer(documents, verify).run(corrections)


@dataclass(slots=True)
class Applied:
    """Which corrections were written, and which were not."""

    corrected: list[Finding] = field(default_factory=list)
    verified: list[Finding] = field(default_factory=list)
    """For each of those, the new finding on its claim."""
    flagged: list[Flagged] = field(default_factory=list)

    def updated(self, report: VerifyReport) -> VerifyReport:
        """The report with these corrections taken into account."""
        now = {id(old): new for old, new in zip(self.corrected, self.verified, strict=True)}
        findings = tuple(now.get(id(finding), finding) for finding in report.findings)
        return report.model_copy(update={"findings": findings})


class _Writer:
    """Writes corrections into documents and can restore them."""

    def __init__(self, documents: Folder, verify: VerifyAgain) -> None:
        self._documents = documents
        self._verify = verify
        self._files: dict[str, tuple[Path, bytes]] = {}
        """The documents that may be written, each with its original content."""

    def run(self, corrections: Corrections) -> Applied:
        done = Applied()
        self._open(corrections.documents)
        for finding in corrections.proposed:
            if finding.correction is None or not may_be_applied(finding.correction):
                continue
            if finding.claim.document in self._files:
                done.corrected.append(finding)
            else:
                done.flagged.append(Flagged(finding, "its document is not UTF-8, and is left as it is"))
        try:
            self._revert_unverified(done)
        except BaseException:
            self._write([])
            raise
        return done

    def _revert_unverified(self, done: Applied) -> None:
        """Revert corrections until everything that is written verifies."""
        while True:
            again = self._written_and_verified(done.corrected)
            results = [_verified(finding, again) for finding in done.corrected]
            failed = [old for old, new in zip(done.corrected, results, strict=True) if new is None]
            if not failed:
                done.verified = [new for new in results if new is not None]
                return
            done.corrected = [old for old, new in zip(done.corrected, results, strict=True) if new]
            done.flagged += [Flagged(old, "it did not verify and was reverted") for old in failed]

    def _open(self, paths: Iterable[str]) -> None:
        for path in paths:
            file = self._documents.inside(path)
            if file is None:
                continue
            content = file.read_bytes()
            try:
                content.decode("utf-8")
            except UnicodeDecodeError:
                continue
            self._files[path] = (file, content)

    def _written_and_verified(self, findings: Sequence[Finding]) -> Sequence[Finding]:
        self._write(findings)
        touched = tuple(dict.fromkeys(finding.claim.document for finding in findings))
        return self._verify(touched).findings if touched else ()

    def _write(self, findings: Iterable[Finding]) -> None:
        """Write every document with exactly these corrections; all other bytes stay the same."""
        corrections = _by_document(findings)
        for path, (file, content) in self._files.items():
            text = content.decode("utf-8")
            mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
            changed = (mark + corrected_text(text.removeprefix(mark), corrections.get(path, []))).encode(
                "utf-8"
            )
            if changed == file.read_bytes():
                continue
            try:
                replace_file(file, changed)
            except OSError as error:
                raise UsageError(f"{path} can't be written: {error.strerror or error}.") from None


def _verified(before: Finding, again: Iterable[Finding]) -> Finding | None:
    """The finding on the corrected claim, if it and everything that says the same on its line is Verified now."""
    same = [finding for finding in again if _is_same(before, finding)]
    holds = bool(same) and all(finding.verdict is CodeVerdict.VERIFIED for finding in same)
    return same[0] if holds else None


def _is_same(before: Finding, after: Finding) -> bool:
    """Whether a finding is about what another corrected: it has the same subject, or has the corrected words."""
    old, new = before.claim, after.claim
    if (old.document, old.line, old.assertion.kind) != (new.document, new.line, new.assertion.kind):
        return False
    if old.assertion.subject == new.assertion.subject:
        return True
    corrected = before.correction.corrected if before.correction is not None else ""
    subject = new.assertion.subject.name if new.assertion.subject is not None else ""
    return bool(corrected) and (corrected in subject or corrected in new.assertion.expected)
