"""Agents look at claims in rounds: each round those whose verdict asks for more depth."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

from veridic.code.agents import Agent, domains_of, embedded_agents
from veridic.code.corrections import correction
from veridic.code.history import History
from veridic.code.history_agent import until_when
from veridic.code.index import FactIndex
from veridic.decision.code_gates import finding, is_about_runtime, with_history
from veridic.decision.escalation import needs_second_look, next_depth
from veridic.domain.code import AgentVerdict, CodeVerdict, Depth, DocClaim, Finding, VerifyFailure
from veridic.domain.errors import UsageError
from veridic.domain.evidence import Stance
from veridic.pipeline.model_agents import ModelAgents
from veridic.pipeline.sandbox import Ran, evidence_of, run_in_sandbox
from veridic.pipeline.verify_order import Progress
from veridic.pipeline.verify_outside import Outside

Verdicts = Mapping[str, Sequence[AgentVerdict]]


class Tests:
    """The project's own tests, run once."""

    def __init__(self, command: str, root: Path, *, is_confined: bool) -> None:
        self._command = command
        self._root = root
        self._is_confined = is_confined

    @cached_property
    def ran(self) -> Ran:
        """What came of them; `UsageError` where there is no such command."""
        ran = run_in_sandbox(self._command, self._root, is_confined=self._is_confined)
        if not ran.has_started:
            raise UsageError(f"The tests could not be run with `{self._command}`: {ran.last_line[:200]}")
        return ran

    @property
    def failure(self) -> VerifyFailure | None:
        """That they fail, for the report; None where they pass."""
        if self.ran.has_succeeded:
            return None
        ended = "took too long" if self.ran.exit_code is None else "fail"
        message = f"The tests {ended}: {self.ran.last_line[:200]}"
        return VerifyFailure(what=f"$ {self._command}", message=message)


class Verifier:
    """Comes to a finding on every claim that somebody can say anything about."""

    def __init__(
        self,
        index: FactIndex,
        outside: Outside,
        *,
        history: History | None = None,
        tests: Tests | None = None,
        models: ModelAgents | None = None,
        looked_outside: bool = False,
    ) -> None:
        self._agents: Mapping[str, Agent] = embedded_agents(index)
        self._outside = outside
        self._history = history
        self._tests = tests
        self._models = models
        self._looked_outside = looked_outside
        self.failures: list[VerifyFailure] = []
        """What else a reader of the findings should know: that the tests fail."""

    def verify(self, claims: Sequence[DocClaim], progress: Progress) -> list[Finding]:
        """The findings in the order of the claims. Agents that can't be started raise: there are none from half of them."""
        if not claims:
            return []
        if self._tests is not None and (failure := self._tests.failure):
            self.failures.append(failure)
        outside = self._outside.verdicts(claims)
        found: dict[str, Finding] = {}
        pending = {claim.id: (claim, claim.depth) for claim in claims}
        while pending:
            progress(len(claims) - len(pending), len(claims), "claims")
            verdicts = self._ask_all(list(pending.values()))
            deeper: dict[str, tuple[DocClaim, Depth]] = {}
            for claim, depth in pending.values():
                said = [*verdicts.get(claim.id, ()), *outside.get(claim.id, ())]
                if said:
                    found[claim.id] = self._finding(claim, said, depth)
                if claim.id in found and (next_one := self._deeper(found[claim.id], depth)):
                    deeper[claim.id] = claim, next_one
            pending = deeper
        found |= self._second_look([c for c in claims if _is_open(found.get(c.id))], found)
        for claim in claims:
            if claim.id not in found and is_about_runtime(claim):
                found[claim.id] = self._finding(claim, (), claim.depth)
        return [found[claim.id] for claim in claims if claim.id in found]

    def _ask_all(self, asked: Sequence[tuple[DocClaim, Depth]]) -> Verdicts:
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

    def _deeper(self, found: Finding, depth: Depth) -> Depth | None:
        """Where a verdict must be looked at again, or a second look might settle what the first left open."""
        if needs_second_look(found.verdict) and depth is Depth.SHALLOW:
            return Depth.MEDIUM
        return next_depth(found.verdict, depth, deep_is_feasible=self._tests is not None)

    def _second_look(self, left_open: Sequence[DocClaim], found: Mapping[str, Finding]) -> dict[str, Finding]:
        """What a model makes of claims that comparing with facts has not settled; what it leaves open too stays as it was."""
        if self._models is None or not left_open:
            return {}
        answers = asyncio.run(self._models.verify(left_open, Depth.MEDIUM))
        settled: dict[str, Finding] = {}
        for claim in left_open:
            if claim.id not in answers:
                continue
            read = self._finding(claim, [answers[claim.id]], Depth.MEDIUM)
            if not _is_open(read) or (claim.id in found and read.flags):
                settled[claim.id] = read
        return settled

    def _finding(self, claim: DocClaim, verdicts: Sequence[AgentVerdict], depth: Depth) -> Finding:
        said = [self._in_time(claim, verdict) for verdict in verdicts]
        ran_tests = self._tests is not None and (depth is Depth.DEEP or is_about_runtime(claim))
        if ran_tests and self._tests is not None:
            # A reader of the finding should know whether the tests pass.
            ran = evidence_of(self._tests.ran, Stance.CONTEXTUAL)
            said = [
                verdict.model_copy(update={"evidence": (*verdict.evidence, ran), "depth": Depth.DEEP})
                for verdict in said
            ]
        found = finding(
            claim,
            said,
            ran_tests=ran_tests,
            looked_outside=self._looked_outside,
            notes=self._models.notes.get(claim.id) if self._models else None,
        )
        behind_it = next((verdict for verdict in said if verdict.verdict is found.verdict), None)
        corrected = behind_it and correction(claim, behind_it)
        return found.model_copy(update={"correction": corrected}) if corrected else found

    def _in_time(self, claim: DocClaim, verdict: AgentVerdict) -> AgentVerdict:
        """What is refuted now and was true once is stale, where the history shows until when."""
        if self._history is None or verdict.verdict is not CodeVerdict.REFUTED:
            return verdict
        return with_history(verdict, until_when(claim, verdict, self._history))


def _is_open(found: Finding | None) -> bool:
    return found is None or needs_second_look(found.verdict)


def _verdicts(work: tuple[Agent, Sequence[tuple[DocClaim, Depth]]]) -> list[tuple[str, AgentVerdict]]:
    agent, asked = work
    given = ((claim.id, agent.verify(claim, depth)) for claim, depth in asked)
    return [(claim_id, verdict) for claim_id, verdict in given if verdict is not None]
