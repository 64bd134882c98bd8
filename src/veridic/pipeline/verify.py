"""`veridic verify`: what the documents of a repository say, against what its code shows.

Facts are read once, claims are found, and the agents of their domains look at them; each verdict passes the gates,
goes deeper where it must, and is corrected where it can be.
"""

import time
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from veridic.code.last_run import LastRun
from veridic.code.resting import Basis
from veridic.code.rules import rules_version
from veridic.config.settings import Settings
from veridic.domain.code import VerifyReport
from veridic.domain.errors import UsageError
from veridic.domain.modes import EngineChoice
from veridic.pipeline.examined import Examined, name_of
from veridic.pipeline.verify_order import Progress, VerifyOrder, ignore_progress

if TYPE_CHECKING:
    from veridic.code.finding_cache import FindingStore
    from veridic.providers.llm.base import LanguageModels

_ALONE = "embedded"
"""The method of a run that asks nobody and runs nothing."""


def verify_repository(
    order: VerifyOrder,
    settings: Settings,
    progress: Progress = ignore_progress,
    *,
    open_store: "Callable[[], FindingStore] | None" = None,
    models: "LanguageModels | None" = None,
) -> VerifyReport:
    """What every claim came to that can be compared with anything.

    Findings of earlier runs come from the store, as long as nothing they rest on has changed; it is not opened where
    nothing at all has. Where `models` are given and one is set up, it takes on what comparing leaves open. Agents
    that can't be started fail the whole run: there are no verdicts from half of them.
    """
    started = time.monotonic()
    examined = Examined(order, settings, progress)
    model = _model(order, settings) if models else None
    method = _method(order, model)
    last = _last_run(order, examined) if method == _ALONE else None
    known = last.load() if last else None
    index = examined.index
    failures = (*index.repository.failures, *index.failures)
    if known:
        findings, claims_found = known.findings, known.claims_found
    else:
        from veridic.pipeline.verify_anew import verify_anew

        store = open_store() if open_store and order.use_cache else None
        anew = verify_anew(
            order, settings, examined, progress, method=method, store=store, models=models, model=model
        )
        findings, claims_found = anew.findings, len(examined.claims)
        failures = (*failures, *anew.failures)
        if last and store and not (anew.failures or index.failures):
            last.save(examined.claims, findings)
    return VerifyReport(
        repo=index.repository.root.name,
        commit=examined.head,
        findings=findings,
        errors=failures,
        files_read=len(index.files),
        claims_found=claims_found,
        processing_time_ms=round((time.monotonic() - started) * 1000),
    )


def _model(order: VerifyOrder, settings: Settings) -> str | None:
    """The language model that is asked, if one is; `UsageError` where one must be and none is set up."""
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
    """What can lead to another verdict: the engine, and what else may be run or asked."""
    ways = {
        f"tests-{_digest(order.run_tests)}": order.run_tests,
        "links": order.check_links,
        "examples": order.run_examples,
        "databases": order.databases,
        "apis": order.apis,
    }
    return " ".join([model or _ALONE, *(name for name, is_on in ways.items() if is_on)])


def _digest(command: str | None) -> str:
    """Stands for a command in what is kept: it may hold a key."""
    return sha256((command or "").encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _last_run(order: VerifyOrder, examined: Examined) -> LastRun | None:
    """None where the claims depend on more than the files and what is checked out: a branch moves by itself."""
    if not order.use_cache or order.since or order.only_changed or order.commits:
        return None
    file = examined.folder / f"run-{name_of(examined.index.repository)}.json"
    return LastRun(file, Basis(examined.index, examined.head), rules_version(), *order.documents)
