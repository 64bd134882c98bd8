"""A run of `veridic verify`: compares what the documents of a repository say with what its code shows.

Claims are found in the documents without looking at the code. Then the agents compare them with their evidence; each verdict passes the
gates, is checked deeper if it must be, and gets a correction if possible.

Modules that find and check claims are imported on demand: importing them takes longer than returning the findings of the last run.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from veridic.config.settings import Settings
from veridic.domain.code import AgentVerdict, DocClaim, Finding, VerifyFailure, VerifyReport
from veridic.domain.digests import content_digest
from veridic.domain.errors import InputError, NotFoundError, UsageError
from veridic.domain.modes import EngineChoice
from veridic.domain.progress import Progress, ignore_progress
from veridic.engine.cache_expiry import keep_used
from veridic.verify.cache import Basis, LastRun, rules_version
from veridic.verify.confidence import LISTED_FROM, SHOWN_FROM
from veridic.verify.history import ChangedFile, History, changes_since, open_history
from veridic.verify.order import VerifyOrder
from veridic.verify.proposals.proposed import Proposed
from veridic.verify.repository import Repository

if TYPE_CHECKING:
    from veridic.providers.llm.base import LanguageModels
    from veridic.verify.cache import FindingStore
    from veridic.verify.documents.unit import Unit
    from veridic.verify.evidence.examples import Example
    from veridic.verify.facts.model import FileFacts
    from veridic.verify.proposals.asking import Proposer
    from veridic.verify.verifier import Verifier

_EMBEDDED_METHOD = "embedded"
"""The method of a run that asks no model and runs nothing."""


def verify_repository(
    order: VerifyOrder,
    settings: Settings,
    progress: Progress = ignore_progress,
    *,
    open_store: "Callable[[], FindingStore] | None" = None,
    models: "LanguageModels | None" = None,
) -> VerifyReport:
    """Verify every claim of a repository's documents.

    Findings of earlier runs come from the store, as long as nothing they rest on has changed; if nothing at all has changed,
    the store is not opened. If `models` are given and one is set up, it checks the claims that comparing leaves open. If an
    agent can't be started, the whole run fails: there are no partial verdicts.
    """
    started = time.monotonic()
    run = _Run(order, settings, progress)
    model = _model(order, settings) if models else None
    if models and model:
        run.ask_for_claims(models, model)
    method = _method(order, model)
    last = run.last_run() if method == _EMBEDDED_METHOD and order.use_cache else None
    run.forget_unused()
    known = last.load() if last else None
    failures: tuple[VerifyFailure, ...] = run.repository.failures
    if known:
        findings: tuple[Finding, ...] = known.findings
    else:
        store = open_store() if open_store and order.use_cache else None
        findings, more = run.verify(method, store, models, model)
        failures = (*failures, *more)
        if last and store and not more:
            last.save(findings)
    return VerifyReport(
        repo=run.repository.root.name,
        commit=run.head,
        findings=findings,
        errors=failures,
        files_read=len(run.repository.files),
        claims_found=len(findings),
        processing_time_ms=round((time.monotonic() - started) * 1000),
        proposals=run.proposed.counts,
    )


def plan_claims(
    order: VerifyOrder, settings: Settings, progress: Progress = ignore_progress
) -> tuple[DocClaim, ...]:
    """The claims that would be verified, without those that only a model finds."""
    return _Run(order, settings, progress).claims


class _Run:
    def __init__(self, order: VerifyOrder, settings: Settings, progress: Progress) -> None:
        """Raises `NotFoundError` if the folder or a document is missing."""
        if not order.root.is_dir():
            raise NotFoundError(f"There is no folder {str(order.root)!r}; --repo names the repository.")
        self.repository = Repository(order.root, exclude=order.exclude)
        for document in order.documents:
            if not self.repository.exists(document):
                raise NotFoundError(f"There is no file {document!r} in the repository.")
        history = open_history(order.root)
        self.history = history if isinstance(history, History) else None
        self._no_history = "" if isinstance(history, History) else history.reason
        self.head = self.history.head() if self.history else None
        self.stale: dict[str, AgentVerdict] = {}
        """The verdicts on claims that a change made false, by claim id."""
        self.proposed = Proposed()
        """The claims that a model found in documents, and what went wrong."""
        self._written: Mapping[str, AbstractSet[int]] | None = None
        """The lines that a change wrote, by file, if only those are checked."""
        self._proposer: Proposer | None = None
        self._headings: dict[str, list[Unit]] = {}
        self._symbols: dict[str, FileFacts] = {}
        self._order = order
        self._settings = settings
        self._progress = progress
        self._folder = settings.home / "cache" / "verify"

    @cached_property
    def basis(self) -> Basis:
        digests = dict.fromkeys(self.repository.paths, "there")
        for file in self.repository.files:
            with suppress(InputError):
                digests[file.path] = hashlib.sha256(self.repository.read_bytes(file.path)).hexdigest()
        return Basis(digests, self.head)

    @cached_property
    def claims(self) -> tuple[DocClaim, ...]:
        """All claims to verify; `UsageError` if a revision is missing."""
        order = self._order
        found = list(self._stated())
        found += self._proposed(found)
        if order.commits:
            from veridic.verify.evidence.history import find_commit_claims

            found += find_commit_claims(self._required_history().messages(order.commits))
        found += [example.claim for example in self.examples.values()]
        if order.databases:
            from veridic.verify.evidence.database import find_data_claims

            found += [claim for path, text in self._documents() for claim in find_data_claims(path, text)]
        if order.apis:
            from veridic.verify.evidence.api import find_api_claims

            found += [claim for path, text in self._documents() for claim in find_api_claims(path, text)]
        return _with_unique_ids(found)

    def ask_for_claims(self, models: "LanguageModels", model: str) -> None:
        """Set up the model that proposes claims; call this before using `claims`."""
        from veridic.verify.proposals.asking import Proposer
        from veridic.verify.proposals.kept import KeptLists

        kept = KeptLists(self._folder / f"proposals-{self._name}.json", model)
        self._proposer = Proposer(
            models,
            model,
            self._progress,
            timeout_seconds=self._settings.llm_timeout_seconds,
            kept=kept if self._order.use_cache else None,
        )

    def _proposed(self, stated: Sequence[DocClaim]) -> list[DocClaim]:
        """The claims that only a model finds in documents. Changelogs are left out, because they describe the past."""
        if self._proposer is None:
            return []
        from veridic.verify.documents.read import is_changelog
        from veridic.verify.revisions import is_test

        chosen = self._order.documents if self._written is None else tuple(self._written)
        is_all = self._written is None and not chosen
        texts = {
            path: text
            for path, text in self._documents()
            if (not is_test(path) if is_all else path in chosen) and not is_changelog(path)
        }
        self.proposed = self._proposer.propose(texts, stated, self._written)
        return self.proposed.claims

    @cached_property
    def examples(self) -> "Mapping[str, Example]":
        """The examples to run, by claim id."""
        if not self._order.run_examples:
            return {}
        from veridic.verify.evidence.examples import find_examples

        found = (example for path, text in self._documents() for example in find_examples(path, text))
        return {example.claim.id: example for example in found}

    def forget_unused(self) -> None:
        """Delete the cache files of repositories that have not been verified for a month."""
        if self._order.use_cache:
            keep_used(self._folder, [file.name for file in self._folder.glob(f"*-{self._name}*")])

    def last_run(self) -> LastRun:
        order = self._order
        conditions = (rules_version(), self.head or "", *order.documents, "\0", *order.exclude, "\0")
        choices = (order.since or "", str(order.only_changed), str(order.with_unsure), order.commits or "")
        return LastRun(self._folder / f"run-{self._name}.json", self.basis, *conditions, *choices)

    def verify(
        self,
        method: str,
        store: "FindingStore | None",
        models: "LanguageModels | None",
        model: str | None,
    ) -> tuple[tuple[Finding, ...], tuple[VerifyFailure, ...]]:
        """The findings in the order of their claims, and what went wrong."""
        verifier = self._verifier(models, model)
        if not self._order.use_cache:
            findings = tuple(verifier.verify(self.claims, self._progress))
            return findings, (*self.proposed.failures, *verifier.failures)
        from veridic.verify.cache import FindingCache

        cache = FindingCache(
            self.repository.root,
            self.basis,
            method=f"{method} {'all' if self._order.with_unsure else 'sure'}",
            store=store,
            folder=self._folder,
            keeps_all=method != _EMBEDDED_METHOD,
        )
        known = {
            claim.id: found
            for claim in self.claims
            if claim.id not in self.stale and (found := cache.find(claim))
        }
        for found in verifier.verify(
            [claim for claim in self.claims if claim.id not in known], self._progress
        ):
            # Findings about a change hold for that change only, and claims that the model has not seen may be asked next time.
            is_final = found.claim.id not in verifier.unasked and not self.proposed.is_out_of_budget
            if found.claim.id not in self.stale and is_final:
                cache.keep(found)
            known[found.claim.id] = found
        cache.save()
        in_order = tuple(known[claim.id] for claim in self.claims if claim.id in known)
        return in_order, (*self.proposed.failures, *cache.failures, *verifier.failures)

    def _verifier(self, models: "LanguageModels | None", model: str | None) -> "Verifier":
        from veridic.verify.agents import embedded_agents
        from veridic.verify.external_checks import AllowedChecks
        from veridic.verify.models.agents import ModelAgents
        from veridic.verify.project_tests import ProjectTests
        from veridic.verify.rules.context import Context
        from veridic.verify.verifier import Verifier

        order, settings = self._order, self._settings
        # Claims that a model proposed must not make other claims look more certain than they are.
        found = [claim for claim in self.claims if claim.proposed_by is None]
        context = Context(self.repository, found, headings=self._headings, symbols=self._symbols)
        is_confined = not settings.unconfined_tests
        return Verifier(
            context,
            embedded_agents(context, found),
            AllowedChecks(
                order, settings, context, history=self.history, examples=self.examples, stale=self.stale
            ),
            history=self.history,
            tests=ProjectTests(order.run_tests, context, order.root, is_confined=is_confined)
            if order.run_tests
            else None,
            models=ModelAgents(models, model, context, timeout_seconds=settings.llm_timeout_seconds)
            if models and model and not self.proposed.is_out_of_budget
            else None,
            looked_outside=order.check_links or bool(order.apis) or bool(order.databases),
            alarms_from=LISTED_FROM if order.with_unsure else SHOWN_FROM,
        )

    def _stated(self) -> Iterator[DocClaim]:
        """The claims of documents; after a change, those that it wrote and those that it made false."""
        order = self._order
        revision = "HEAD" if order.only_changed else order.since
        if revision is None:
            yield from self._claims_of(order.documents or None)
            return
        from veridic.verify.changed import written_lines

        changed = changes_since(revision, self.repository, self._required_history())
        written = {path: written_lines(before, after) for path, before, after in changed}
        chosen = [path for path in written if not order.documents or path in order.documents]
        self._written = {path: written[path] for path in chosen}
        for claim in self._claims_of(chosen):
            if not written[claim.document].isdisjoint(range(claim.line, claim.end_line + 1)):
                yield claim
        yield from self._stale_claims(changed, revision)

    def _stale_claims(self, changed: Sequence[ChangedFile], revision: str) -> Iterator[DocClaim]:
        """The claims that documents still make and that the change has made false."""
        from veridic.verify.findings import as_claim
        from veridic.verify.revisions import Revised
        from veridic.verify.stale import SURE, UNSURE, find_stale

        commit = self._required_history().commit(revision)
        now = _Texts(self.repository)
        chosen = self._order.documents
        least = UNSURE if self._order.with_unsure else SURE
        for stale in find_stale([Revised(*file) for file in changed], now):
            path = stale.unit.path
            if stale.likelihood >= least and (not chosen or path in chosen):
                digest = _digest_of(self.repository, stale.change.path)
                claim, verdict = as_claim(stale, now[path], commit, digest)
                self.stale[claim.id] = verdict
                yield claim

    def _claims_of(self, paths: Sequence[str] | None) -> Iterator[DocClaim]:
        """The claims of documents, comments and help texts: in these files, or in all except tests."""
        from veridic.verify.documents.claims import find_claims
        from veridic.verify.documents.read import read_units
        from veridic.verify.documents.vocabulary import vocabulary
        from veridic.verify.reading import read_sources
        from veridic.verify.revisions import is_document, is_test

        chosen = None if paths is None else frozenset(paths)
        files = [
            file
            for file in self.repository.files
            if (file.path in chosen if chosen is not None else not is_test(file.path))
        ]
        units: list[Unit] = []
        for file in files:
            if is_document(file.path):
                with suppress(InputError):
                    own = read_units(file.path, self.repository.read(file.path))
                    self._headings[file.path] = [unit for unit in own if unit.is_heading]
                    units += own
        words = vocabulary(units)
        yield from find_claims(units, words)
        sources = [file for file in files if not is_document(file.path)]
        size = sum(file.size for file in sources if file.language)
        total = len(sources)

        def report(done: int) -> None:
            self._progress(done, total, "files")

        for found in read_sources(self.repository.root, [file.path for file in sources], size, words, report):
            if found.symbols is not None:
                self._symbols[found.path] = found.symbols
            yield from found.claims

    def _documents(self) -> Iterator[tuple[str, str]]:
        from veridic.verify.revisions import is_document

        for file in self.repository.files:
            if is_document(file.path):
                with suppress(InputError):
                    yield file.path, self.repository.read(file.path)

    def _required_history(self) -> History:
        if self.history is None:
            raise UsageError(f"The changes can't be determined: {self._no_history.rstrip('.')}.")
        return self.history

    @property
    def _name(self) -> str:
        """The part of cache file names that identifies the repository."""
        return sha256(str(self.repository.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _with_unique_ids(claims: Sequence[DocClaim]) -> tuple[DocClaim, ...]:
    """The claims with unique ids: a document may say the same twice in the same words."""
    seen: Counter[str] = Counter()
    found: list[DocClaim] = []
    for claim in claims:
        number = seen[claim.id]
        seen[claim.id] += 1
        found.append(claim.model_copy(update={"id": f"{claim.id}-{number}"}) if number else claim)
    return tuple(found)


class _Texts(Mapping[str, str]):
    """The texts of a repository's files, read on first use; a file that can't be read is empty."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._paths = {file.path for file in repository.files}
        self._read: dict[str, str] = {}

    def __getitem__(self, path: str) -> str:
        if path not in self._paths:
            raise KeyError(path)
        if path not in self._read:
            try:
                self._read[path] = self._repository.read(path)
            except InputError:
                self._read[path] = ""
        return self._read[path]

    def __iter__(self) -> Iterator[str]:
        return (file.path for file in self._repository.files)

    def __len__(self) -> int:
        return len(self._paths)


def _digest_of(repository: Repository, path: str) -> str | None:
    try:
        return hashlib.sha256(repository.read_bytes(path)).hexdigest()
    except InputError:
        return None


def _model(order: VerifyOrder, settings: Settings) -> str | None:
    """The language model to ask, if any; `UsageError` if one is required and none is set up."""
    if order.engine is EngineChoice.EMBEDDED:
        return None
    from veridic.providers.llm.roles import validation_models

    name = validation_models(settings).validator
    if not name.startswith("embedded/"):
        return name
    if order.engine is EngineChoice.LLM:
        raise UsageError(
            "No language model is set up: give OPENROUTER_API_KEY, or VERIDIC_LLM_BASE_URL and VERIDIC_LLM_MODEL."
        )
    return None


def _method(order: VerifyOrder, model: str | None) -> str:
    """Everything that can change a verdict: the engine, and what else may be run or asked."""
    ways = {
        f"tests-{_command_digest(order.run_tests)}": order.run_tests,
        "links": order.check_links,
        "examples": order.run_examples,
        "databases": order.databases,
        "apis": order.apis,
    }
    return " ".join([model or _EMBEDDED_METHOD, *(name for name, is_on in ways.items() if is_on)])


def _command_digest(command: str | None) -> str:
    """A digest to store instead of the command, which may contain a key."""
    return content_digest(command or "")[:12]
