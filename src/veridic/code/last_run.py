"""The findings of the last run as a whole: given again where nothing at all has changed since.

Then nothing need be compared, neither claim by claim nor file by file, and no database opened. Where anything has
changed, `finding_cache` says which findings still hold.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from pydantic import TypeAdapter

from veridic.code.resting import Basis
from veridic.domain.code import DocClaim, Finding
from veridic.domain.kept_findings import content_of

_FINDINGS = TypeAdapter(tuple[Finding, ...])


class LastRun:
    """One repository's, in one file, which may be missing, old, damaged or written by somebody else: then it is empty.

    `method` is how findings are reached, by rules and means that never ask anybody outside the repository.
    """

    def __init__(self, file: Path, basis: Basis, method: str) -> None:
        self._file = file
        self._basis = basis
        self._method = method

    def load(self, claims: Sequence[DocClaim]) -> tuple[Finding, ...] | None:
        """What these claims came to, in their order, without those that came to nothing; None where that may have changed."""
        try:
            kept = json.loads(self._file.read_bytes())
            if kept["key"] != self._key(claims) or not self._basis.is_unchanged(kept["beside"]):
                return None
            by_id = {claim.id: claim for claim in claims}
            return _FINDINGS.validate_python(
                [
                    content | {"claim": by_id[of], "is_cached": True}
                    for of, content in kept["findings"].items()
                ]
            )
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def save(self, claims: Sequence[DocClaim], findings: Sequence[Finding]) -> None:
        """Keep them for the next run; a disk that does not take them costs only time."""
        kept: dict[str, Any] = {
            "key": self._key(claims),
            "beside": self._basis.beside(claims),
            "findings": {},
        }
        head = json.dumps(kept).removesuffix("{}}")
        contents = ",".join(f"{json.dumps(found.claim.id)}:{content_of(found)}" for found in findings)
        draft = self._file.with_name(f"{self._file.name}.{token_hex(4)}")
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(f"{head}{{{contents}}}}}", encoding="utf-8")
            draft.replace(self._file)

    def _key(self, claims: Sequence[DocClaim]) -> str:
        parts = (self._method, self._basis.whole, *(claim.id for claim in claims))
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
