"""Asks agents about claims in rounds: each round has the claims whose verdict must be checked deeper."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from veridic.domain.code import (
    AgentVerdict,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EvidenceTier,
    Finding,
    VerifyFailure,
)
from veridic.domain.evidence import Stance
from veridic.domain.progress import Progress
from veridic.verify.agents import Agent
from veridic.verify.confidence import LISTED_FROM, confidence_in
from veridic.verify.corrections import propose_correction
from veridic.verify.evidence.history import until_when
from veridic.verify.gates import (
    IN_DOUBT,
    finding,
    is_about_runtime,
    needs_second_look,
    next_depth,
    with_history,
)
from veridic.verify.history import History
from veridic.verify.models.agents import ModelAgents
from veridic.verify.project_tests import ProjectTests
from veridic.verify.rules.context import Context
from veridic.verify.scope import BEYOND_SCOPE, MOST_FILES, expansion

_ALARMS = (CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.MISLEADING)
_MAX_EVIDENCE_FILES = 5


class OutsideChecks(Protocol):
    """Checks that look beyond the files of the repository."""

    def verdicts(self, claims: Sequence[DocClaim]) -> Mapping[str, Sequence[AgentVerdict]]:
        """The verdicts of all these checks, by claim id."""
        ...


class Verifier:
    """Produces a finding for every claim."""

    def __init__(
        self,
        context: Context,
        agents: Sequence[Agent],
        outside: OutsideChecks,
        *,
        history: History | None = None,
        tests: ProjectTests | None = None,
        models: ModelAgents | None = None,
        looked_outside: bool = False,
        alarms_from: float = 0.0,
    ) -> None:
        """Alarms of the embedded agents with a confidence below `alarms_from` become Inconclusive."""
        self._context = context
        self._agents = agents
        self._outside = outside
        self._history = history
        self._tests = tests
        self._models = models
        self._looked_outside = looked_outside
        self._alarms_from = alarms_from
        self.failures: list[VerifyFailure] = []
        """What else a reader of the findings should know, such as that the tests fail."""

    def verify(self, claims: Sequence[DocClaim], progress: Progress) -> list[Finding]:
        """The findings in the order of the claims. Raises if an agent can't be started: there are no partial findings."""
        if not claims:
            return []
        outside = self._outside.verdicts(claims)
        found: dict[str, Finding] = {}
        pending = {claim.id: (claim, claim.depth) for claim in claims}
        while pending:
            progress(len(claims) - len(pending), len(claims), "claims")
            deeper: dict[str, tuple[DocClaim, Depth]] = {}
            for claim, depth in pending.values():
                said = [*self._ask(claim, depth), *outside.get(claim.id, ())]
                found[claim.id] = self._finding(claim, said, depth)
                if said and (next_one := self._next_depth(found[claim.id], depth)):
                    deeper[claim.id] = claim, next_one
            pending = deeper
        if self._tests is not None:
            self._tests.ensure_run()
        found |= self._ask_models([c for c in claims if needs_second_look(found[c.id].verdict)], found)
        if self._tests is not None:
            self.failures += self._tests.failures
        if self.unasked:
            message = f"{len(self.unasked)} claims that are open were not shown to the model: it has had the most of one run. --all lists them."
            self.failures.append(VerifyFailure(what="verdicts by a model", message=message))
        return [found[claim.id] for claim in claims]

    @property
    def unasked(self) -> AbstractSet[str]:
        """The ids of claims that the model was not asked about because there were too many: another run may ask."""
        return self._models.left_out if self._models else frozenset()

    def _ask(self, claim: DocClaim, depth: Depth) -> list[AgentVerdict]:
        """The verdicts of all agents whose evidence covers the claim."""
        if depth is not Depth.SHALLOW and (beyond := self._beyond_scope(claim, depth)):
            return [beyond]
        said = (agent.verify(claim, depth) for agent in self._agents)
        return [verdict for verdict in said if verdict is not None]

    def _beyond_scope(self, claim: DocClaim, depth: Depth) -> AgentVerdict | None:
        """Inconclusive for a claim about a whole system that concerns too many files to read."""
        scope = expansion(claim, self._context)
        if scope is None or not scope.is_beyond_scope:
            return None
        evidence = tuple(
            CodeEvidence(
                tier=EvidenceTier.CODE,
                stance=Stance.CONTEXTUAL,
                path=path,
                quote=f"One of {len(scope.files)} files that the claim depends on.",
                digest=self._context.digest(path),
            )
            for path in scope.files[:_MAX_EVIDENCE_FILES]
        )
        return AgentVerdict(
            agent="correctness",
            verdict=CodeVerdict.INCONCLUSIVE,
            confidence=0.0,
            reason=f"{BEYOND_SCOPE}: “{scope.keyword}” concerns {len(scope.files)} files, more than {MOST_FILES}.",
            evidence=evidence,
            depth=depth,
            would_settle="A narrower claim, or a test of what it says.",
        )

    def _next_depth(self, found: Finding, depth: Depth) -> Depth | None:
        """The next depth, if the verdict must be checked again or a second look might settle an open claim."""
        if needs_second_look(found.verdict) and depth is Depth.SHALLOW:
            return Depth.MEDIUM
        return next_depth(found.verdict, depth, deep_is_feasible=self._tests is not None)

    def _ask_models(self, left_open: Sequence[DocClaim], found: Mapping[str, Finding]) -> dict[str, Finding]:
        """A model's findings on claims that facts have left open, without those that the model leaves open too and has no flags for."""
        if self._models is None or not left_open:
            return {}
        # The model can't be asked about all: claims that facts contradict go first.
        left_open = sorted(left_open, key=lambda claim: not _is_doubted(found[claim.id]))
        answers = asyncio.run(self._models.verify(left_open, Depth.MEDIUM))
        settled: dict[str, Finding] = {}
        for claim in left_open:
            if claim.id not in answers:
                continue
            read = self._finding(claim, [answers[claim.id]], Depth.MEDIUM)
            if not needs_second_look(read.verdict) or read.flags:
                settled[claim.id] = read
        return settled

    def _finding(self, claim: DocClaim, verdicts: Sequence[AgentVerdict], depth: Depth) -> Finding:
        said = [
            self._inconclusive_if_unsure(self._stale_if_once_true(claim, _with_proposal_rule(claim, verdict)))
            for verdict in verdicts
        ]
        ran_tests = self._tests is not None and (depth is Depth.DEEP or is_about_runtime(claim))
        if ran_tests and self._tests is not None:
            # The finding shows whether the tests pass.
            ran = self._tests.evidence(claim)
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
        corrected = behind_it and propose_correction(claim, behind_it)
        return found.model_copy(update={"correction": corrected}) if corrected else found

    def _inconclusive_if_unsure(self, verdict: AgentVerdict) -> AgentVerdict:
        """Make a rule's alarm Inconclusive if its confidence is too low to be shown."""
        if not verdict.rule or verdict.verdict not in _ALARMS or verdict.confidence >= self._alarms_from:
            return verdict
        return verdict.model_copy(
            update={
                "verdict": CodeVerdict.INCONCLUSIVE,
                "reason": f"{verdict.reason.rstrip('. ')}; not counted as {verdict.verdict}: {IN_DOUBT}.",
                "would_settle": verdict.would_settle or _settled_by_a_look(verdict.confidence),
            }
        )

    def _stale_if_once_true(self, claim: DocClaim, verdict: AgentVerdict) -> AgentVerdict:
        """Turn Refuted into Stale if the history shows until when the claim was true."""
        if self._history is None or verdict.verdict is not CodeVerdict.REFUTED:
            return verdict
        return with_history(verdict, until_when(claim, verdict, self._history))


def _settled_by_a_look(confidence: float) -> str:
    return "A person's look" + ("; --all shows such alarms." if confidence >= LISTED_FROM else ".")


def _is_doubted(found: Finding) -> bool:
    return any(evidence.stance is Stance.CONTRADICTING for evidence in found.evidence)


def _with_proposal_rule(claim: DocClaim, verdict: AgentVerdict) -> AgentVerdict:
    """Give an alarm on a claim that a model proposed its own rule name and confidence: the model may have misread the document."""
    if claim.proposed_by is None or not verdict.rule or verdict.verdict not in _ALARMS:
        return verdict
    rule = f"{verdict.rule}, proposed"
    sure = min(verdict.confidence, confidence_in(rule, verdict.verdict))
    return verdict.model_copy(update={"rule": rule, "confidence": sure})


def by_claim(given: Iterable[tuple[str, AgentVerdict]]) -> dict[str, list[AgentVerdict]]:
    """Group verdicts by the id of their claim."""
    together: dict[str, list[AgentVerdict]] = defaultdict(list)
    for claim_id, verdict in given:
        together[claim_id].append(verdict)
    return together
