"""The findings of the last run as a whole: given again where nothing at all has changed since.

Then nothing is compared, neither claim by claim nor file by file, and no database opened. Where anything has
changed, `cache` says which findings still hold.
"""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError

from veridic.domain.code import Finding
from veridic.verify.basis import Basis


class KeptRun(BaseModel):
    """What a run came to."""

    claims_found: int
    findings: tuple[Finding, ...]


class LastRun:
    """One repository's, in one file, which may be missing, old, damaged or written by somebody else: then it is empty.

    `conditions` is whatever findings depend on besides the repository: the rules, the choice of documents. They must
    have been reached without asking anybody outside the repository.
    """

    def __init__(self, file: Path, basis: Basis, *conditions: str) -> None:
        self._file = file
        parts = "\n".join((basis.whole, *conditions))
        self._key = hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest().encode("ascii")

    def load(self) -> KeptRun | None:
        """None where anything has changed."""
        try:
            with self._file.open("rb") as file:
                if file.readline(100).rstrip() != self._key:
                    return None
                return KeptRun.model_validate_json(file.read())
        except (OSError, ValidationError):
            return None

    def save(self, findings: Sequence[Finding]) -> None:
        """Keep them for the next run; a disk or a file's name that stands against it costs only time."""
        draft = self._file.with_name(f"{self._file.name}.{token_hex(4)}")
        head = f'"claims_found":{len(findings)}'
        with suppress(OSError, PydanticSerializationError):
            contents = ",".join(map(_as_given_again, findings))
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(self._key + f'\n{{{head},"findings":[{contents}]}}'.encode())
            draft.replace(self._file)


def _as_given_again(finding: Finding) -> str:
    content = finding.model_dump_json(exclude={"is_cached"})
    return f'{content.removesuffix("}")},"is_cached":true}}'
