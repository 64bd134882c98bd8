"""The claims of a repository as they were found last: they are the same as long as no file has changed."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from pydantic import BaseModel, ValidationError

from veridic.code.index import FactIndex
from veridic.domain.code import DocClaim


class _Kept(BaseModel):
    key: str
    claims: list[DocClaim]


class KeptClaims:
    """One repository's, in one file, which may be missing, old, damaged or written by somebody else: then it is empty."""

    def __init__(self, file: Path, index: FactIndex, *conditions: str) -> None:
        """`conditions` is whatever else the claims depend on: the version of the rules, the choice of documents."""
        self._file = file
        parts = [*conditions, *(f"{path}\0{digest}" for path, digest in sorted(index.digests.items()))]
        self._key = _digest(parts)

    def load(self) -> list[DocClaim] | None:
        """None where they must be found anew."""
        try:
            kept = _Kept.model_validate_json(self._file.read_bytes())
        except (OSError, ValidationError):
            return None
        return kept.claims if kept.key == self._key else None

    def save(self, claims: list[DocClaim]) -> None:
        """Keep them; a disk that does not take them costs only time."""
        beside = self._file.with_name(f"{self._file.name}.{token_hex(4)}")
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(_Kept(key=self._key, claims=claims).model_dump_json(), encoding="utf-8")
            beside.replace(self._file)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
