"""Changing sets of sources in somebody's name: each change is in the audit trail."""

from collections.abc import Sequence
from contextlib import suppress

from veridic.config.settings import Settings
from veridic.domain.errors import NotFoundError, UsageError, VeridicError
from veridic.domain.people import Actor
from veridic.engine import own_sources
from veridic.engine.own_sources import Added, Outcome, SentFile
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.store import audit
from veridic.store.columns import storable
from veridic.store.runs import RunStore

SOURCE_SET = "source_set"


class SourceSets:
    """The sets of one server, as one person changes them. Every method blocks, and raises what `own_sources` raises."""

    def __init__(self, store: RunStore, settings: Settings, actor: Actor) -> None:
        self._store = store
        self._settings = settings
        self._actor = actor

    def create(self, name: str) -> None:
        """Make an empty set."""
        own_sources.create_corpus(name, self._settings)
        self._record("made", name)

    def add_files(self, name: str, files: Sequence[SentFile]) -> list[Added]:
        return self._added(name, own_sources.add_files(name, files, self._settings))

    def add_text(self, name: str, text: str, title: str) -> Added:
        [added] = self._added(name, [own_sources.add_text(name, text, title, self._settings)])
        return added

    def add_addresses(self, name: str, addresses: Sequence[str]) -> list[Added]:
        return self._added(name, own_sources.add_addresses(name, addresses, self._settings))

    def remove_document(self, name: str, document: str) -> None:
        """Take a document out of a set; raise `NotFoundError` if it has none of the name."""
        if not Corpora(self._settings.corpora).drop(name, [document]):
            raise NotFoundError(f"The corpus {name!r} has no document named {document[:200]!r}.")
        self._record("removed_from", name, before=[document])

    def remove(self, name: str) -> None:
        """Remove a set with all its documents."""
        if name == REFERENCE:
            raise UsageError("The built-in library can't be removed.")
        corpora = Corpora(self._settings.corpora)
        documents: list[str] = []
        with suppress(VeridicError):  # a damaged set can be removed, too
            documents = [one.name for one in corpora.documents(name)]
        corpora.remove(name)
        self._record("deleted", name, before=documents)

    def _added(self, name: str, added: list[Added]) -> list[Added]:
        changed = [one.name for one in added if one.outcome is not Outcome.UNCHANGED]
        if changed:
            self._record("added_to", name, after=changed)
        return added

    def _record(
        self, action: str, name: str, *, before: Sequence[str] = (), after: Sequence[str] = ()
    ) -> None:
        self._store.write(
            lambda session: audit.record(
                session,
                self._actor,
                action,
                (SOURCE_SET, name),
                before={"documents": [storable(one) for one in before]} if before else None,
                after={"documents": [storable(one) for one in after]} if after else None,
            )
        )
