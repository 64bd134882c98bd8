"""Stores what a model has listed: a part of a document is not asked about again while it and the prompt are the same."""

import hashlib
import json
from pathlib import Path
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from veridic.domain.code import VerifyFailure
from veridic.verify.proposals.answer import ProposalList
from veridic.verify.proposals.prompt import VERSION, Part

_MOST_KEPT = 5_000
_KEPT = TypeAdapter(dict[str, ProposalList])


class CachedProposals:
    """The lists for one repository, in one file; a missing or damaged file counts as empty. Lines are relative to the part's first."""

    def __init__(self, file: Path, model: str) -> None:
        self.failures: list[VerifyFailure] = []
        self._file = file
        self._model = model
        self._has_changed = False
        try:
            self._kept = _KEPT.validate_json(file.read_bytes())
        except (OSError, ValidationError):
            self._kept = {}

    def find(self, path: str, part: Part) -> ProposalList | None:
        key = self._key(path, part)
        kept = self._kept.pop(key, None)
        if kept is None:
            return None
        self._kept[key] = kept  # move it to the end: least recently used entries are dropped first
        return _moved(kept, part.first - 1)

    def keep(self, path: str, part: Part, listed: ProposalList) -> None:
        self._kept[self._key(path, part)] = _moved(listed, 1 - part.first)
        self._has_changed = True

    def save(self) -> None:
        """Write the file. What can't be saved is asked again, which costs money: `failures` says so."""
        if not self._has_changed:
            return
        draft = self._file.with_name(f"{self._file.name}.{uuid4().hex}.tmp")
        newest = dict(list(self._kept.items())[-_MOST_KEPT:])
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(_KEPT.dump_json(newest))
            draft.replace(self._file)
        except OSError as error:
            draft.unlink(missing_ok=True)
            message = f"What the model listed can't be kept in {self._file} ({error.strerror})."
            self.failures.append(VerifyFailure(what="proposal cache", message=message))

    def _key(self, path: str, part: Part) -> str:
        identity = json.dumps([VERSION, self._model, path, part.headings, part.lines])
        return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _moved(listed: ProposalList, lines: int) -> ProposalList:
    moved = (
        one.model_copy(update={"line": one.line + lines}) if one.line else one for one in listed.proposals
    )
    return listed.model_copy(update={"proposals": tuple(moved)})
