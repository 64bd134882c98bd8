"""`veridic verify`: what the documents of a repository say, against what its code shows.

Facts are read once, claims are found, and the agents of their domains look at them; each verdict passes the gates,
goes deeper where it must, and is corrected where it can be.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256

from veridic.code.agents import Agent, domains_of, embedded_agents
from veridic.code.changes import changes_since
from veridic.code.claims.find import find_claims
from veridic.code.claims.kept import KeptClaims
from veridic.code.corrections import correction
from veridic.code.finding_cache import FindingCache, FindingStore, rules_version
from veridic.code.history import CommitText, History, open_history
from veridic.code.index import FactIndex, build_index
from veridic.code.links import check_links
from veridic.code.repository import Repository
from veridic.config.settings import Settings
from veridic.decision.code_gates import finding
from veridic.decision.escalation import needs_second_look, next_depth
from veridic.domain.code import (
    AgentVerdict,
    Depth,
    DocClaim,
    Finding,
    VerifyReport,
)
from veridic.domain.errors import NotFoundError, UsageError
from veridic.domain.evidence import Stance
from veridic.pipeline.sandbox import evidence_of, run_in_sandbox
from veridic.pipeline.threads import in_thread
from veridic.pipeline.verify_order import VerifyOrder
from veridic.providers.fetch.base import Answer
from veridic.providers.fetch.http import HttpFetcher

Progress = Callable[[int, int | None, str], None]
"""How much is done, of how much if that is known, and of what."""


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
        self._history = history if isinstance(history, History) else None
        self._no_history = "" if isinstance(history, History) else history.reason
        self.head = self._history.head() if self._history else None
        self.claims = tuple(self._find(order))

    def _find(self, order: VerifyOrder) -> list[DocClaim]:
        for document in order.documents:
            if not self.index.repository.exists(document):
                raise NotFoundError(f"There is no file {document!r} in the repository.")
        messages = self._needed_history().messages(order.commits) if order.commits else ()
        claims = self._all_claims(order, messages)
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

    def _needed_history(self) -> History:
        if self._history is None:
            raise UsageError(f"What has changed can't be told: {self._no_history.rstrip('.')}.")
        return self._history


def _name_of(repository: Repository) -> str:
    """Every repository has a file of facts of its own, which the others don't write over."""
    return sha256(str(repository.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def verify_repository(
    order: VerifyOrder,
    settings: Settings,
    progress: Progress = ignore_progress,
    *,
    store: FindingStore | None = None,
) -> VerifyReport:
    """What every claim came to that can be compared with anything.

    Findings of earlier runs come from `store`, as long as nothing they rest on has changed. Agents that can't be
    started fail the whole run: there are no verdicts from half of them.
    """
    started = time.monotonic()
    examined = Examined(order, settings, progress)
    cache = _cache(order, examined, store) if order.use_cache else None
    known = {claim.id: found for claim in examined.claims if cache and (found := cache.find(claim))}
    fresh = _Verifier(order, settings, examined.index).verify(
        [claim for claim in examined.claims if claim.id not in known], progress
    )
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


def _cache(order: VerifyOrder, examined: Examined, store: FindingStore | None) -> FindingCache:
    ways = [order.engine.value]
    ways += [name for name, is_on in (("tests", order.run_tests), ("links", order.check_links)) if is_on]
    return FindingCache(
        examined.index, method=" ".join(ways), store=store, folder=examined.folder, head=examined.head
    )


class _Verifier:
    """Has the agents look at claims in rounds: each round those whose verdict asks for more depth."""

    def __init__(self, order: VerifyOrder, settings: Settings, index: FactIndex) -> None:
        self._order = order
        self._settings = settings
        self._agents: Mapping[str, Agent] = embedded_agents(index)
        self._tests = run_in_sandbox(order.run_tests, order.root) if order.run_tests else None

    def verify(self, claims: Sequence[DocClaim], progress: Progress) -> list[Finding]:
        """A finding for each claim that somebody could say anything about, in the order of the claims."""
        outside = self._look_outside(claims)
        found: dict[str, Finding] = {}
        pending = {claim.id: (claim, claim.depth) for claim in claims}
        while pending:
            progress(len(claims) - len(pending), len(claims), "claims")
            verdicts = self._ask_all(list(pending.values()))
            deeper: dict[str, tuple[DocClaim, Depth]] = {}
            for claim, depth in pending.values():
                said = [*verdicts.get(claim.id, ()), *outside.get(claim.id, ())]
                if depth is Depth.DEEP:
                    said = [self._beside_tests(verdict) for verdict in said]
                if said:
                    found[claim.id] = self._finding(claim, said)
                if claim.id in found and (next_one := self._deeper(found[claim.id], depth)):
                    deeper[claim.id] = claim, next_one
            pending = deeper
        return [found[claim.id] for claim in claims if claim.id in found]

    def _look_outside(self, claims: Sequence[DocClaim]) -> dict[str, list[AgentVerdict]]:
        """What can only be known by asking somebody else; nobody is asked unless the order says so."""
        together: dict[str, list[AgentVerdict]] = defaultdict(list)
        if self._order.check_links:
            for claim_id, verdict in asyncio.run(check_links(claims, self._ask_status)).items():
                together[claim_id].append(verdict)
        return together

    async def _ask_status(self, address: str) -> Answer:
        return await in_thread(partial(HttpFetcher(self._settings).status, address))

    def _ask_all(self, asked: Sequence[tuple[DocClaim, Depth]]) -> dict[str, list[AgentVerdict]]:
        """What the agents of its domains say of every claim; they work side by side."""
        by_domain: dict[str, list[tuple[DocClaim, Depth]]] = defaultdict(list)
        for claim, depth in asked:
            for domain in domains_of(claim):
                by_domain[domain].append((claim, depth))
        agents = [(self._agents[domain], own) for domain, own in by_domain.items()]
        together: dict[str, list[AgentVerdict]] = defaultdict(list)
        with ThreadPoolExecutor(max(len(agents), 1)) as workers:
            for answers in workers.map(_verdicts, agents):
                for claim_id, verdict in answers:
                    together[claim_id].append(verdict)
        return together

    def _beside_tests(self, verdict: AgentVerdict) -> AgentVerdict:
        """With what the project's tests said: a reader of the finding should know whether they pass."""
        if self._tests is None:
            return verdict
        ran = evidence_of(self._tests, Stance.CONTEXTUAL)
        return verdict.model_copy(update={"evidence": (*verdict.evidence, ran), "depth": Depth.DEEP})

    def _deeper(self, found: Finding, depth: Depth) -> Depth | None:
        """Where a verdict must be looked at again, or a second look might settle what the first left open."""
        if needs_second_look(found.verdict) and depth is Depth.SHALLOW:
            return Depth.MEDIUM
        return next_depth(found.verdict, depth, deep_is_feasible=self._order.run_tests is not None)

    def _finding(self, claim: DocClaim, verdicts: Sequence[AgentVerdict]) -> Finding:
        found = finding(
            claim, verdicts, ran_tests=self._tests is not None, looked_outside=self._order.check_links
        )
        behind_it = next((verdict for verdict in verdicts if verdict.verdict is found.verdict), None)
        return found.model_copy(update={"correction": behind_it and correction(claim, behind_it)})


def _verdicts(work: tuple[Agent, Sequence[tuple[DocClaim, Depth]]]) -> list[tuple[str, AgentVerdict]]:
    agent, asked = work
    given = ((claim.id, agent.verify(claim, depth)) for claim, depth in asked)
    return [(claim_id, verdict) for claim_id, verdict in given if verdict is not None]
