"""`veridic verify`: what the documents of a repository say, against what its code shows.

Facts are read once, claims are found, and the agents of their domains look at them; each verdict passes the gates,
goes deeper where it must, and is corrected where it can be.
"""

import time
from collections.abc import Iterator, Sequence
from hashlib import sha256

from veridic.code.changes import changes_since
from veridic.code.claims.find import find_claims
from veridic.code.claims.kept import KeptClaims
from veridic.code.data_claims import find_data_claims
from veridic.code.examples import Example, find_examples
from veridic.code.finding_cache import FindingCache, FindingStore, rules_version
from veridic.code.history import CommitText, History, open_history
from veridic.code.index import build_index
from veridic.code.repository import Repository
from veridic.config.settings import Settings
from veridic.domain.code import DocClaim, VerifyReport
from veridic.domain.errors import NotFoundError, UsageError
from veridic.domain.modes import EngineChoice
from veridic.pipeline.model_agents import ModelAgents
from veridic.pipeline.verifier import Progress, Tests, Verifier
from veridic.pipeline.verify_order import VerifyOrder
from veridic.pipeline.verify_outside import Outside
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.roles import validation_models

_PROSE = ("markdown", "rst")
_MODEL_SECONDS = 120.0


def ignore_progress(_done: int, _total: int | None, _what: str) -> None:
    """For callers that show none."""


class Examined:
    """A repository, read: its facts, its history and its claims. The same for a plan and for a verification."""

    def __init__(self, order: VerifyOrder, settings: Settings, progress: Progress = ignore_progress) -> None:
        """Raises `NotFoundError` where a folder or document is missing, `UsageError` where a revision is."""
        if not order.root.is_dir():
            raise NotFoundError(f"There is no folder {str(order.root)!r}; --repo names the repository.")
        self.folder = settings.home / "cache" / "code"
        repository = Repository(order.root, exclude=order.exclude)
        facts = self.folder / f"facts-{_name_of(repository)}"
        self.index = build_index(repository, cache=facts if order.use_cache else None, progress=progress)
        history = open_history(order.root)
        self.history = history if isinstance(history, History) else None
        self._no_history = "" if isinstance(history, History) else history.reason
        self.head = self.history.head() if self.history else None
        self.examples = self._examples() if order.run_examples else {}
        """What is shown to run, by the id of its claim."""
        self.claims = tuple(self._find(order))

    def _find(self, order: VerifyOrder) -> list[DocClaim]:
        for document in order.documents:
            if not self.index.repository.exists(document):
                raise NotFoundError(f"There is no file {document!r} in the repository.")
        messages = self._needed_history().messages(order.commits) if order.commits else ()
        claims = [*self._all_claims(order, messages), *(one.claim for one in self.examples.values())]
        if order.databases:
            claims += [claim for path, text in self._documents() for claim in find_data_claims(path, text)]
        revision = "HEAD" if order.only_changed else order.since
        if revision is None:
            return claims
        changes = changes_since(revision, self.index, self._needed_history())
        return [claim for claim in claims if changes.could_concern(claim)]

    def _all_claims(self, order: VerifyOrder, messages: Sequence[CommitText]) -> list[DocClaim]:
        def find() -> list[DocClaim]:
            return find_claims(self.index, documents=order.documents or None, commits=messages)

        if not order.use_cache:
            return find()
        file = self.folder / f"claims-{_name_of(self.index.repository)}.json"
        kept = KeptClaims(file, self.index, rules_version(), *order.documents, *map(str, messages))
        known = kept.load()
        if known is None:
            known = find()
            kept.save(known)
        return known

    def _examples(self) -> dict[str, Example]:
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


def _name_of(repository: Repository) -> str:
    """Every repository has a file of facts of its own, which the others don't write over."""
    return sha256(str(repository.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def verify_repository(
    order: VerifyOrder,
    settings: Settings,
    progress: Progress = ignore_progress,
    *,
    store: FindingStore | None = None,
    models: LanguageModels | None = None,
) -> VerifyReport:
    """What every claim came to that can be compared with anything.

    Findings of earlier runs come from `store`, as long as nothing they rest on has changed. Where `models` are given
    and one is set up, it takes on what comparing leaves open. Agents that can't be started fail the whole run:
    there are no verdicts from half of them.
    """
    started = time.monotonic()
    examined = Examined(order, settings, progress)
    model = _model(order, settings) if models else None
    cache = _cache(order, examined, store, model) if order.use_cache else None
    known = {claim.id: found for claim in examined.claims if cache and (found := cache.find(claim))}
    verifier = _verifier(order, settings, examined, models, model)
    fresh = verifier.verify([claim for claim in examined.claims if claim.id not in known], progress)
    if cache:
        for found in fresh:
            cache.keep(found)
        cache.save()
    findings = known | {found.claim.id: found for found in fresh}
    return VerifyReport(
        repo=examined.index.repository.root.name,
        commit=examined.head,
        findings=tuple(findings[claim.id] for claim in examined.claims if claim.id in findings),
        errors=(*examined.index.repository.failures, *(cache.failures if cache else ())),
        files_read=len(examined.index.files),
        claims_found=len(examined.claims),
        processing_time_ms=round((time.monotonic() - started) * 1000),
    )


def _model(order: VerifyOrder, settings: Settings) -> str | None:
    """The language model that is asked, if one is; `UsageError` where one must be and none is set up."""
    if order.engine is EngineChoice.EMBEDDED:
        return None
    name = validation_models(settings).validator
    if not name.startswith("embedded/"):
        return name
    if order.engine is EngineChoice.LLM:
        raise UsageError(
            "No language model is set up: give OPENROUTER_API_KEY, or VERIDIC_LLM_BASE_URL and VERIDIC_LLM_MODEL."
        )
    return None


def _verifier(
    order: VerifyOrder,
    settings: Settings,
    examined: Examined,
    models: LanguageModels | None,
    model: str | None,
) -> Verifier:
    is_confined = not settings.unconfined_tests
    return Verifier(
        examined.index,
        Outside(order, settings, history=examined.history, examples=examined.examples),
        history=examined.history,
        tests=Tests(order.run_tests, order.root, is_confined=is_confined) if order.run_tests else None,
        models=ModelAgents(models, model, examined.index, timeout_seconds=_MODEL_SECONDS)
        if models and model
        else None,
        looked_outside=order.check_links or bool(order.apis) or bool(order.databases),
    )


def _cache(
    order: VerifyOrder, examined: Examined, store: FindingStore | None, model: str | None
) -> FindingCache:
    ways = {
        "tests": order.run_tests,
        "links": order.check_links,
        "examples": order.run_examples,
        "databases": order.databases,
        "apis": order.apis,
    }
    method = " ".join([model or "embedded", *(name for name, is_on in ways.items() if is_on)])
    return FindingCache(
        examined.index, method=method, store=store, folder=examined.folder, head=examined.head
    )
