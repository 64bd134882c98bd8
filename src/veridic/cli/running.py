"""One check from the command line: open the sources, follow the events, save the run."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from veridic.cli.progress import ProgressBar
from veridic.config.settings import Settings
from veridic.decision.weighing import DEFAULT_THRESHOLD
from veridic.domain.claim import Claim
from veridic.domain.document import Document
from veridic.domain.errors import StorageError
from veridic.domain.events import Event, EventName
from veridic.domain.report import Failure, Report
from veridic.evidence.corpus import Corpus
from veridic.pipeline.corpora import open_against, open_reference
from veridic.pipeline.engine import EmbeddedEngine
from veridic.pipeline.library import follow
from veridic.pipeline.thorough import MODE, check_document
from veridic.store.runs import RunStore


def run_check(
    document: Document,
    against: Sequence[str],
    settings: Settings,
    *,
    threshold: float = DEFAULT_THRESHOLD,
) -> Report:
    """Check a document and save the run; a database that can't be written never costs the report."""
    as_of = datetime.now(UTC).date()
    with ProgressBar() as bar:
        corpora, failures = _open_corpora(against, settings, bar)
        engine = EmbeddedEngine(corpora, settings, as_of=as_of)
        events = check_document(document, engine, as_of=as_of, threshold=threshold)
        with _Saving(settings.database, document, engine.name) as saving:
            report = follow(events, saving.follow, bar.follow)
            report = report.model_copy(update={"errors": (*failures, *report.errors)})
            return saving.complete(report)


def _open_corpora(
    against: Sequence[str], settings: Settings, bar: ProgressBar
) -> tuple[list[Corpus], tuple[Failure, ...]]:
    """The sources to search, and what of them could not be read."""
    if not against:
        return [open_reference(settings, bar.indexing)], ()
    opened = [open_against(target, settings, bar.indexing) for target in against]
    unread = {path: reason for one in opened for path, reason in one.failures.items()}
    failures = tuple(Failure(stage="reading sources", message=reason) for reason in unread.values())
    return [one.corpus for one in opened], failures


class _Saving:
    """Writes a run to the database as it goes; a database that fails is given up on, and the report says why."""

    def __init__(self, database: str, document: Document, engine: str) -> None:
        self._document = document
        self._engine = engine
        self._store: RunStore | None = None
        self._id = ""
        self._failures: list[Failure] = []
        self._closing = ExitStack()
        self._database = database

    def __enter__(self) -> Self:
        with self._giving_up():
            self._store = self._closing.enter_context(RunStore(self._database))
            self._id = self._store.begin(self._document, mode=MODE, engine=self._engine)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._giving_up():
            if error is not None and self._store is not None:
                self._store.fail(self._id, str(error) or "It was interrupted.")
        self._closing.close()

    def follow(self, event: Event) -> None:
        if event.name is EventName.CLAIMS_EXTRACTED:
            with self._giving_up():
                if self._store is not None:
                    claims = [Claim.model_validate(claim) for claim in event.data["claims"]]
                    self._store.claims_extracted(self._id, claims)

    def complete(self, report: Report) -> Report:
        """The report as saved, or with the reason why it was not."""
        with self._giving_up():
            if self._store is not None:
                return self._store.complete(self._id, report)
        return report.model_copy(update={"errors": (*report.errors, *self._failures)})

    @contextmanager
    def _giving_up(self) -> Iterator[None]:
        try:
            yield
        except StorageError as error:
            self._store = None
            message = f"The run was not saved: {error}"
            self._failures.append(Failure(stage="saving", message=message))
            sys.stderr.write(f"veridic: {message}\n")
