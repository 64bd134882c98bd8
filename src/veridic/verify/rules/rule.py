"""The types of rules: `Rule`, the `Look` that it gets, and the `Outcome` that it returns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    ClaimDomain,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    EvidenceTier,
)
from veridic.domain.evidence import Stance
from veridic.domain.phrases import shortened
from veridic.verify.confidence import confidence_in
from veridic.verify.facts.model import Fact
from veridic.verify.revisions import is_document

if TYPE_CHECKING:
    from veridic.verify.rules.context import Context

_LONGEST_LINE = 120
_MOST_EVIDENCE = 3


class Outcome(NamedTuple):
    """The result of a rule."""

    verdict: CodeVerdict
    reason: str
    """One sentence."""
    evidence: tuple[CodeEvidence, ...] = ()
    basis: str = ""
    """What an alarm rests on, as a key of the rule; confidence is measured for each basis."""
    would_settle: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A small repository that demonstrates a rule: its README and its code."""

    says: str
    code: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """Compares one kind of claim with facts."""

    name: str
    agent: ClaimDomain
    """The agent that applies it."""
    reads: str
    """What it compares the claim with, in one sentence."""
    asserts: frozenset[AssertionKind]
    subjects: frozenset[EntityKind]
    check: Callable[["Look"], Outcome | None] = field(repr=False)
    holds: Example = field(repr=False)
    fails: Example | None = field(repr=False)
    """None for a rule that only confirms."""

    def concerns(self, claim: DocClaim) -> bool:
        """Whether the rule applies to this kind of claim."""
        subject = claim.assertion.subject
        return claim.assertion.kind in self.asserts and subject is not None and subject.kind in self.subjects

    def verdict(self, claim: DocClaim, context: "Context", depth: Depth) -> AgentVerdict | None:
        """Return the verdict on the claim; None if the rule has nothing to compare it with."""
        subject = claim.assertion.subject
        if subject is None or not self.concerns(claim):
            return None
        outcome = self.check(Look(claim, subject, context))
        if outcome is None:
            return None
        is_open = outcome.verdict in (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
        return AgentVerdict(
            agent=str(self.agent),
            verdict=outcome.verdict,
            confidence=0.0 if is_open else confidence_in(f"{self.name}: {outcome.basis}", outcome.verdict),
            reason=outcome.reason,
            evidence=outcome.evidence,
            depth=depth,
            would_settle=outcome.would_settle,
            rule=f"{self.name}: {outcome.basis}" if outcome.basis else self.name,
        )


class Look(NamedTuple):
    """One claim, with everything that a rule may compare it with."""

    claim: DocClaim
    subject: Entity
    context: "Context"

    @property
    def expected(self) -> tuple[str, ...]:
        return self.claim.assertion.expected

    @property
    def is_in_document(self) -> bool:
        """Whether the claim is not in a comment or docstring; those are often about other programs, places and versions."""
        return is_document(self.claim.document)

    @property
    def is_listed(self) -> bool:
        """Whether the text of the claim starts with its subject, as in a table row, list item or heading."""
        return self.claim.text.lstrip("`*|#[ -").startswith(self.subject.name.lstrip("-"))

    def holds(self, reason: str, *facts: Fact) -> Outcome:
        """Outcome: the code shows what the document says."""
        evidence = tuple(self.as_evidence(fact, Stance.SUPPORTING) for fact in facts[:_MOST_EVIDENCE])
        return Outcome(CodeVerdict.VERIFIED, reason, evidence)

    def fails(self, reason: str, *facts: Fact, value: str | None = None, basis: str) -> Outcome:
        """Outcome: the code shows `value` instead of what the document says."""
        evidence = tuple(
            self.as_evidence(fact, Stance.CONTRADICTING, value) for fact in facts[:_MOST_EVIDENCE]
        )
        return Outcome(CodeVerdict.REFUTED, reason, evidence, basis)

    def missing(self, reason: str, path: str, quote: str, *, basis: str, value: str | None = None) -> Outcome:
        """Outcome: something is missing. `path` is where it would be, `quote` is what is there instead."""
        evidence = CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=Stance.CONTRADICTING,
            path=path,
            quote=short_line(quote),
            value=value,
            digest=self.context.digest(path),
        )
        return Outcome(CodeVerdict.REFUTED, reason, (evidence,), basis)

    def stays_open(self, reason: str, would_settle: str, *facts: Fact) -> Outcome:
        """Outcome: the facts don't settle it."""
        evidence = tuple(self.as_evidence(fact, Stance.CONTEXTUAL) for fact in facts[:_MOST_EVIDENCE])
        return Outcome(CodeVerdict.INCONCLUSIVE, reason, evidence, would_settle=would_settle)

    def as_evidence(self, fact: Fact, stance: Stance, value: str | None = None) -> CodeEvidence:
        """Convert a fact to evidence."""
        return CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=stance,
            path=fact.path,
            line=fact.line,
            quote=fact.quote,
            value=value,
            digest=self.context.digest(fact.path),
        )


def short_line(text: str) -> str:
    """Put a text on one line and shorten it for a message."""
    return shortened(text, _LONGEST_LINE)


def at(fact: Fact) -> str:
    """The path and line of a fact, for a message."""
    return f"{fact.path}:{fact.line}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """List some names for a message."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
