"""`veridic verify`: what the documents of a repository say, against what its code shows.

Facts are read once, claims are found, and the agents of their domains look at them; each verdict passes the gates,
goes deeper where it must, and is corrected where it can be.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from veridic.code.agents import Agent, domains_of, embedded_agents
from veridic.code.claims.find import find_claims
from veridic.code.corrections import correction
from veridic.code.index import FactIndex, build_index
from veridic.code.repository import Repository
from veridic.config.settings import Settings
from veridic.decision.code_gates import finding
from veridic.decision.escalation import next_depth
from veridic.domain.code import AgentVerdict, CodeVerdict, Depth, DocClaim, Finding, VerifyReport
from veridic.domain.errors import NotFoundError
from veridic.pipeline.verify_order import VerifyOrder

Progress = Callable[[int, int | None, str], None]

_UNSETTLED = (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)


def ignore_progress(_done: int, _total: int | None, _what: str) -> None:
    """For callers that show none."""


def plan_verification(
    order: VerifyOrder, settings: Settings, progress: Progress = ignore_progress
) -> tuple[DocClaim, ...]:
    """Everything that would be looked at, each with its proposed depth."""
    return tuple(_claims(order, _index(order, settings, progress)))


def verify_repository(
    order: VerifyOrder, settings: Settings, progress: Progress = ignore_progress
) -> VerifyReport:
    """What every claim came to that can be compared with anything.

    Raises `NotFoundError` where there is no such folder. Agents that can't be started fail the whole run: there are
    no verdicts from half of them.
    """
    started = time.monotonic()
    index = _index(order, settings, progress)
    claims = _claims(order, index)
    findings = _Verifier(order, index).verify(claims, progress)
    return VerifyReport(
        repo=index.repository.root.name,
        findings=tuple(findings),
        errors=index.repository.failures,
        files_read=len(index.files),
        claims_found=len(claims),
        processing_time_ms=round((time.monotonic() - started) * 1000),
    )


def _index(order: VerifyOrder, settings: Settings, progress: Progress) -> FactIndex:
    if not order.root.is_dir():
        raise NotFoundError(f"There is no folder {str(order.root)!r}; --repo names the repository.")
    repository = Repository(order.root, exclude=order.exclude)
    cache = settings.home / "cache" / "code" if order.use_cache else None
    return build_index(repository, cache=cache, progress=progress)


def _claims(order: VerifyOrder, index: FactIndex) -> list[DocClaim]:
    for document in order.documents:
        if not index.repository.exists(document):
            raise NotFoundError(f"There is no file {document!r} in the repository.")
    return find_claims(index, documents=order.documents or None)


class _Verifier:
    """Has the agents look at claims in rounds: each round those whose verdict asks for more depth."""

    def __init__(self, order: VerifyOrder, index: FactIndex) -> None:
        self._order = order
        self._agents: Mapping[str, Agent] = embedded_agents(index)

    def verify(self, claims: Sequence[DocClaim], progress: Progress) -> list[Finding]:
        """A finding for each claim that somebody could say anything about, in the order of the claims."""
        found: dict[str, Finding] = {}
        pending = {claim.id: (claim, claim.depth) for claim in claims}
        while pending:
            progress(len(claims) - len(pending), len(claims), "claims")
            verdicts = self._ask_all(list(pending.values()))
            deeper: dict[str, tuple[DocClaim, Depth]] = {}
            for claim, depth in pending.values():
                if claim.id in verdicts:
                    found[claim.id] = self._finding(claim, verdicts[claim.id])
                if claim.id in found and (next_one := self._deeper(found[claim.id], depth)):
                    deeper[claim.id] = claim, next_one
            pending = deeper
        return [found[claim.id] for claim in claims if claim.id in found]

    def _ask_all(self, asked: Sequence[tuple[DocClaim, Depth]]) -> dict[str, list[AgentVerdict]]:
        """What the agents of its domains say of every claim; they work side by side."""
        by_domain: dict[str, list[tuple[DocClaim, Depth]]] = defaultdict(list)
        for claim, depth in asked:
            for domain in domains_of(claim):
                by_domain[domain].append((claim, depth))
        agents = [(self._agents[domain], own) for domain, own in by_domain.items()]
        together: dict[str, list[AgentVerdict]] = defaultdict(list)
        with ThreadPoolExecutor(len(agents)) as workers:
            for answers in workers.map(_verdicts, agents):
                for claim_id, verdict in answers:
                    together[claim_id].append(verdict)
        return together

    def _deeper(self, found: Finding, depth: Depth) -> Depth | None:
        """Where a verdict must be looked at again, or a second look might settle what the first left open."""
        if found.verdict in _UNSETTLED and depth is Depth.SHALLOW:
            return Depth.MEDIUM
        return next_depth(found.verdict, depth, deep_is_feasible=self._order.run_tests is not None)

    def _finding(self, claim: DocClaim, verdicts: Sequence[AgentVerdict]) -> Finding:
        found = finding(claim, verdicts, ran_tests=False, looked_outside=False)
        behind_it = next((verdict for verdict in verdicts if verdict.verdict is found.verdict), None)
        return found.model_copy(update={"correction": behind_it and correction(claim, behind_it)})


def _verdicts(work: tuple[Agent, Sequence[tuple[DocClaim, Depth]]]) -> list[tuple[str, AgentVerdict]]:
    agent, asked = work
    given = ((claim.id, agent.verify(claim, depth)) for claim, depth in asked)
    return [(claim_id, verdict) for claim_id, verdict in given if verdict is not None]
