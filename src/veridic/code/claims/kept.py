"""The claims of a repository as they were found last.

All are the same as long as no file has changed. Those of a file are the same as long as it has not changed itself and
the names that the repository's files offer are what they were.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from secrets import token_hex

from pydantic import BaseModel, ValidationError

from veridic.code.index import FactIndex
from veridic.domain.code import DocClaim


class _KeptDocument(BaseModel):
    digest: str | None
    """Of the file; a commit has none."""
    claims: list[DocClaim]


class _Kept(BaseModel):
    key: str
    offer: str
    documents: dict[str, _KeptDocument]
    left_out: list[str]
    """Ids of claims that are not plausible beside the others."""


class KeptClaims:
    """One repository's, in one file, which may be missing, old, damaged or written by somebody else: then it is empty."""

    def __init__(self, file: Path, index: FactIndex, *conditions: str) -> None:
        """`conditions` is whatever else the claims depend on: the version of the rules, the choice of documents."""
        self._file = file
        self._digests = index.digests
        self._offer = _digest([*conditions, index.offer])
        self._key = _digest(
            [self._offer, *(f"{path}\0{digest}" for path, digest in sorted(index.digests.items()))]
        )

    def load(self) -> list[DocClaim] | None:
        """All of them; None where some must be found anew."""
        kept = self._kept
        if kept is None or kept.key != self._key:
            return None
        left_out = frozenset(kept.left_out)
        everything = (claim for document in kept.documents.values() for claim in document.claims)
        return [claim for claim in everything if claim.id not in left_out]

    def of_unchanged_files(self) -> dict[str, list[DocClaim]]:
        """What each file says whose claims still hold, plausible or not."""
        kept = self._kept
        if kept is None or kept.offer != self._offer:
            return {}
        return {
            path: document.claims
            for path, document in kept.documents.items()
            if document.digest is not None and document.digest == self._digests.get(path)
        }

    def save(self, found: Mapping[str, list[DocClaim]], plausible: Sequence[DocClaim]) -> None:
        """Keep what each document says, and which of it is plausible; a disk that does not take it costs only time."""
        shown = {claim.id for claim in plausible}
        kept = _Kept(
            key=self._key,
            offer=self._offer,
            documents={
                path: _KeptDocument(digest=self._digests.get(path), claims=claims)
                for path, claims in found.items()
            },
            left_out=[claim.id for claims in found.values() for claim in claims if claim.id not in shown],
        )
        beside = self._file.with_name(f"{self._file.name}.{token_hex(4)}")
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(kept.model_dump_json(), encoding="utf-8")
            beside.replace(self._file)

    @cached_property
    def _kept(self) -> _Kept | None:
        try:
            return _Kept.model_validate_json(self._file.read_bytes())
        except (OSError, ValidationError):
            return None


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
