"""Small repositories for tests of `veridic verify`, and claims about them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from veridic.config.settings import Settings
from veridic.domain.code import (
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    DocClaim,
    Entity,
    EntityKind,
    KeptFinding,
    Origin,
    Place,
    VerifyReport,
)
from veridic.domain.errors import StorageError
from veridic.domain.modes import EngineChoice
from veridic.verify.order import VerifyOrder
from veridic.verify.repository import Repository
from veridic.verify.rules.context import Context
from veridic.verify.run import verify_repository


def write(root: Path, files: Mapping[str, str]) -> Path:
    """A repository with these files."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    return root


def context_of(root: Path, files: Mapping[str, str]) -> Context:
    return Context(Repository(write(root, files)))


def verify(root: Path, files: Mapping[str, str] | None = None, **order: object) -> VerifyReport:
    """Verify a repository with these files: every alarm, no cache, no model."""
    write(root, files or {})
    plain: dict[str, object] = {
        "root": root,
        "use_cache": False,
        "with_unsure": True,
        "engine": EngineChoice.EMBEDDED,
    }
    return verify_repository(VerifyOrder.model_validate(plain | order), Settings(home=root.parent / "home"))


class MemoryStore:
    """Stores findings like a database; can be switched off."""

    def __init__(self) -> None:
        self.is_down = False
        self.opened = 0
        self._rows: dict[int, tuple[str, KeptFinding]] = {}
        self._ids = count(1)

    def open(self) -> "MemoryStore":
        self.opened += 1
        return self

    def load(self, repo: str) -> list[KeptFinding]:
        self._check()
        return [row for owner, row in self._rows.values() if owner == repo]

    def replace(self, repo: str, *, drop: Sequence[int], add: Sequence[KeptFinding]) -> None:
        self._check()
        for row_id in drop:
            del self._rows[row_id]
        for row in add:
            row_id = next(self._ids)
            self._rows[row_id] = repo, replace(row, id=row_id)

    @property
    def rows(self) -> list[KeptFinding]:
        return [row for _, row in self._rows.values()]

    def _check(self) -> None:
        if self.is_down:
            raise StorageError("The database can't be used.")


def a(kind: EntityKind, name: str, owner: str | None = None) -> Entity:
    return Entity(kind=kind, name=name, owner=owner)


def claim_of(
    kind: AssertionKind,
    subject: Entity | None,
    *expected: str,
    text: str = "What the document says.",
    domain: str = ClaimDomain.CORRECTNESS,
    category: ClaimCategory = ClaimCategory.CODEBASE,
    place: Place | None = None,
) -> DocClaim:
    return DocClaim(
        id="c1",
        text=text,
        document="README.md",
        line=1,
        end_line=1,
        origin=Origin.MARKDOWN,
        category=category,
        domain=domain,
        assertion=Assertion(kind=kind, subject=subject, expected=expected, expected_place=place),
    )
