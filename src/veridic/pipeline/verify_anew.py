"""Verifying what earlier runs leave open: the claims of a new repository, or those that a change may concern."""

from collections.abc import Mapping
from typing import NamedTuple

from veridic.code.finding_cache import FindingCache, FindingStore
from veridic.config.settings import Settings
from veridic.domain.code import Finding, VerifyFailure
from veridic.pipeline.examined import Examined
from veridic.pipeline.model_agents import ModelAgents
from veridic.pipeline.verifier import Tests, Verifier
from veridic.pipeline.verify_order import Progress, VerifyOrder
from veridic.pipeline.verify_outside import Outside
from veridic.providers.llm.base import LanguageModels


class Anew(NamedTuple):
    """The findings in the order of their claims, and what went wrong with keeping them."""

    findings: tuple[Finding, ...]
    failures: tuple[VerifyFailure, ...] = ()


def verify_anew(
    order: VerifyOrder,
    settings: Settings,
    examined: Examined,
    progress: Progress,
    *,
    method: str,
    store: FindingStore | None,
    models: LanguageModels | None,
    model: str | None,
) -> Anew:
    """What every claim came to: as it was found before where that still holds, else as it is found now."""
    verifier = _verifier(order, settings, examined, models, model)
    if not order.use_cache:
        findings = tuple(verifier.verify(examined.claims, progress))
        return Anew(findings, tuple(verifier.failures))
    cache = FindingCache(
        examined.index, method=method, store=store, folder=examined.folder, head=examined.head
    )
    known = {
        claim.id: found
        for claim in examined.claims
        if claim.id not in examined.stale and (found := cache.find(claim))
    }
    for found in verifier.verify([claim for claim in examined.claims if claim.id not in known], progress):
        if found.claim.id not in examined.stale:  # another change is another matter
            cache.keep(found)
        known[found.claim.id] = found
    cache.save()
    return Anew(_in_order(examined, known), (*cache.failures, *verifier.failures))


def _in_order(examined: Examined, findings: Mapping[str, Finding]) -> tuple[Finding, ...]:
    return tuple(findings[claim.id] for claim in examined.claims if claim.id in findings)


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
        Outside(order, settings, history=examined.history, examples=examined.examples, stale=examined.stale),
        history=examined.history,
        tests=Tests(order.run_tests, order.root, is_confined=is_confined) if order.run_tests else None,
        models=ModelAgents(models, model, examined.index, timeout_seconds=settings.llm_timeout_seconds)
        if models and model
        else None,
        looked_outside=order.check_links or bool(order.apis) or bool(order.databases),
    )
