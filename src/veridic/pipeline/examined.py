"""What a verification begins with: the facts, the history and the claims of a repository.

Most runs find a repository nearly as the last one left it. What only the others need is imported where they do.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from veridic.code.changes import ChangedFile, changes_since
from veridic.code.claims.kept import KeptClaims
from veridic.code.history import CommitText, History, open_history
from veridic.code.index import build_index
from veridic.code.repository import Repository
from veridic.code.rules import rules_version
from veridic.config.settings import Settings
from veridic.domain.code import AgentVerdict, DocClaim, Origin
from veridic.domain.errors import InputError, NotFoundError, UsageError
from veridic.pipeline.unused import keep_used
from veridic.pipeline.verify_order import Progress, VerifyOrder, ignore_progress
from veridic.verify.changed import written_lines

if TYPE_CHECKING:
    from veridic.code.examples import Example

_PROSE = ("markdown", "rst")


class Examined:
    """A repository, read: its facts, its history and its claims. The same for a plan and for a verification."""

    def __init__(self, order: VerifyOrder, settings: Settings, progress: Progress = ignore_progress) -> None:
        """Raises `NotFoundError` where a folder or document is missing."""
        if not order.root.is_dir():
            raise NotFoundError(f"There is no folder {str(order.root)!r}; --repo names the repository.")
        self.folder = settings.home / "cache" / "code"
        repository = Repository(order.root, exclude=order.exclude)
        for document in order.documents:
            if not repository.exists(document):
                raise NotFoundError(f"There is no file {document!r} in the repository.")
        facts = self.folder / f"facts-{name_of(repository)}"
        self.index = build_index(repository, cache=facts if order.use_cache else None, progress=progress)
        if order.use_cache:
            keep_used(self.folder, [file.name for file in self.folder.glob(f"*-{name_of(repository)}*")])
        history = open_history(order.root)
        self.history = history if isinstance(history, History) else None
        self._no_history = "" if isinstance(history, History) else history.reason
        self.head = self.history.head() if self.history else None
        self.examples = self._examples() if order.run_examples else {}
        """What is shown to run, by the id of its claim."""
        self.stale: dict[str, AgentVerdict] = {}
        """What a change made of claims that are out of date, by their ids."""
        self._order = order

    @cached_property
    def claims(self) -> tuple[DocClaim, ...]:
        """Everything that is to be verified; `UsageError` where a revision is missing."""
        return tuple(self._find(self._order))

    def _find(self, order: VerifyOrder) -> list[DocClaim]:
        messages = self._needed_history().messages(order.commits) if order.commits else ()
        stated = self._all_claims(order, messages)
        revision = "HEAD" if order.only_changed else order.since
        stale: list[DocClaim] = []
        if revision is not None:
            changed = changes_since(revision, self.index.repository, self._needed_history())
            stated = _in_what_changed(stated, changed)
            stale += self._stale_claims(changed, revision)
        claims = [*stated, *stale, *(one.claim for one in self.examples.values())]
        if order.databases:
            from veridic.code.data_claims import find_data_claims

            claims += [claim for path, text in self._documents() for claim in find_data_claims(path, text)]
        if order.apis:
            from veridic.code.api_claims import find_api_claims

            claims += [claim for path, text in self._documents() for claim in find_api_claims(path, text)]
        return claims

    def _stale_claims(self, changed: Sequence[ChangedFile], revision: str) -> Iterator[DocClaim]:
        """What the documents still say and the change has made false."""
        from veridic.verify.findings import as_claim
        from veridic.verify.revisions import Revised
        from veridic.verify.stale import SURE, UNSURE, find_stale

        commit = self._needed_history().commit(revision)
        now = dict(self._texts())
        chosen = self._order.documents
        least = UNSURE if self._order.with_unsure else SURE
        for stale in find_stale([Revised(*file) for file in changed], now):
            path = stale.unit.path
            if stale.likelihood >= least and (not chosen or path in chosen):
                digest = self.index.digest(stale.change.path)
                claim, verdict = as_claim(stale, now[path], commit, digest)
                self.stale[claim.id] = verdict
                yield claim

    def _texts(self) -> Iterator[tuple[str, str]]:
        repository = self.index.repository
        for file in repository.files:
            with suppress(InputError):
                yield file.path, repository.read(file.path)

    def _all_claims(self, order: VerifyOrder, messages: Sequence[CommitText]) -> list[DocClaim]:
        def find(kept: KeptClaims | None) -> list[DocClaim]:
            from veridic.code.claims.find import find_claims

            return find_claims(self.index, documents=order.documents or None, commits=messages, kept=kept)

        if not order.use_cache:
            return find(None)
        file = self.folder / f"claims-{name_of(self.index.repository)}.json"
        kept = KeptClaims(file, self.index, rules_version(), *order.documents, *map(str, messages))
        known = kept.load()
        return find(kept) if known is None else known

    def _examples(self) -> "dict[str, Example]":
        from veridic.code.examples import find_examples

        found = (example for path, text in self._documents() for example in find_examples(path, text))
        return {example.claim.id: example for example in found}

    def _documents(self) -> Iterator[tuple[str, str]]:
        repository = self.index.repository
        for file in repository.files:
            if file.language in _PROSE:
                yield file.path, repository.read(file.path)

    def _needed_history(self) -> History:
        if self.history is None:
            raise UsageError(f"What has changed can't be told: {self._no_history.rstrip('.')}.")
        return self.history


def _in_what_changed(claims: Sequence[DocClaim], changed: Sequence[ChangedFile]) -> list[DocClaim]:
    """Those that stand on lines that a change wrote, and those of commits."""
    written = {path: written_lines(before, after) for path, before, after in changed}
    return [
        claim
        for claim in claims
        if claim.origin is Origin.COMMIT
        or not written.get(claim.document, set()).isdisjoint(range(claim.line, claim.end_line + 1))
    ]


def name_of(repository: Repository) -> str:
    """Every repository has files of its own, which the others don't write over."""
    return sha256(str(repository.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
