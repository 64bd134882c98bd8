"""What a finding rests on: it stays valid for as long as none of that changes."""

import hashlib
from collections.abc import Mapping

from veridic.domain.code import CodeVerdict, EvidenceTier, Finding

WHOLE = "//all"
"""Stands for all files together; no path within a repository begins like this."""
HEAD = "//head"
"""Stands for the commit that is checked out."""
_NOT_KEPT = (EvidenceTier.TESTS, EvidenceTier.EXTERNAL)


class Basis:
    """The state of a repository, as far as findings can rest on it."""

    def __init__(self, digests: Mapping[str, str], head: str | None) -> None:
        """`digests` has every file's SHA-256 by its path; a word for files that are not read, and for folders."""
        self._digests = digests
        together = hashlib.sha256()
        for path in sorted(digests):
            together.update(f"{path}\0{digests[path]}\n".encode("utf-8", "surrogatepass"))
        self.whole = together.hexdigest()
        self._head = head or ""

    def of(self, finding: Finding) -> dict[str, str] | None:
        """What must stay as it is; None for what was run or asked outside, which may answer differently next time.

        What was found to be so stays so while the files that show it stay as they are. Everything else, such as that
        something is nowhere, rests on all files, and where the history was asked, on the commit.
        """
        if any(evidence.tier in _NOT_KEPT for evidence in finding.evidence):
            return None
        paths = {evidence.path for evidence in finding.evidence}
        if finding.verdict is CodeVerdict.VERIFIED and paths and paths <= self._digests.keys():
            return {path: self._digests[path] for path in paths}
        return {WHOLE: self.whole, HEAD: self._head}

    def is_unchanged(self, digests: Mapping[str, str]) -> bool:
        """Whether everything is as it was."""
        return all(self._state(name) == state for name, state in digests.items())

    def _state(self, name: str) -> str | None:
        return {WHOLE: self.whole, HEAD: self._head}.get(name) or self._digests.get(name, "")
