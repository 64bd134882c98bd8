"""What a rule is, what it may look at, and the words for what comes of it."""

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
from veridic.verify.confidence import confidence_in
from veridic.verify.facts.model import Fact
from veridic.verify.revisions import is_document

if TYPE_CHECKING:
    from veridic.verify.rules.context import Context

_LONGEST_SHOWN = 120
_MOST_SHOWN = 3


class Outcome(NamedTuple):
    """What a rule finds."""

    verdict: CodeVerdict
    reason: str
    """One sentence."""
    evidence: tuple[CodeEvidence, ...] = ()
    basis: str = ""
    """What an alarm rests on, by a word of the rule: how often such alarms are right was counted for each."""
    would_settle: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A small repository that shows a rule: its README and its code."""

    says: str
    code: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """One comparison of a claim with facts."""

    name: str
    agent: ClaimDomain
    """Whose evidence it looks at."""
    reads: str
    """What it holds the claim against, in one sentence."""
    asserts: frozenset[AssertionKind]
    subjects: frozenset[EntityKind]
    check: Callable[["Look"], Outcome | None] = field(repr=False)
    holds: Example = field(repr=False)
    fails: Example | None = field(repr=False)
    """None for a rule that only ever bears out."""

    def concerns(self, claim: DocClaim) -> bool:
        """Whether it has anything to say of such claims."""
        subject = claim.assertion.subject
        return claim.assertion.kind in self.asserts and subject is not None and subject.kind in self.subjects

    def verdict(self, claim: DocClaim, context: "Context", depth: Depth) -> AgentVerdict | None:
        """What it makes of the claim; None where it has nothing to hold against it."""
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
    """One claim, and all that it can be held against."""

    claim: DocClaim
    subject: Entity
    context: "Context"

    @property
    def expected(self) -> tuple[str, ...]:
        return self.claim.assertion.expected

    @property
    def is_in_document(self) -> bool:
        """Not in a comment or a docstring: those speak of other programs, places and versions as often as of their own."""
        return is_document(self.claim.document)

    @property
    def is_listed(self) -> bool:
        """Whether the claim's text begins with its subject: a row, an item, a heading of its own."""
        return self.claim.text.lstrip("`*|#[ -").startswith(self.subject.name.lstrip("-"))

    def holds(self, reason: str, *facts: Fact) -> Outcome:
        """The code shows what the document says."""
        shown = tuple(self.shows(fact, Stance.SUPPORTING) for fact in facts[:_MOST_SHOWN])
        return Outcome(CodeVerdict.VERIFIED, reason, shown)

    def fails(self, reason: str, *facts: Fact, value: str | None = None, basis: str) -> Outcome:
        """The code shows something else: `value` in place of what the document says."""
        shown = tuple(self.shows(fact, Stance.CONTRADICTING, value) for fact in facts[:_MOST_SHOWN])
        return Outcome(CodeVerdict.REFUTED, reason, shown, basis)

    def missing(self, reason: str, path: str, quote: str, *, basis: str, value: str | None = None) -> Outcome:
        """What should be there is not: `path` is where it would stand, `quote` what is there instead."""
        evidence = CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=Stance.CONTRADICTING,
            path=path,
            quote=shortened(quote),
            value=value,
            digest=self.context.digest(path),
        )
        return Outcome(CodeVerdict.REFUTED, reason, (evidence,), basis)

    def stays_open(self, reason: str, would_settle: str, *facts: Fact) -> Outcome:
        """What was looked at does not settle it."""
        shown = tuple(self.shows(fact, Stance.CONTEXTUAL) for fact in facts[:_MOST_SHOWN])
        return Outcome(CodeVerdict.INCONCLUSIVE, reason, shown, would_settle=would_settle)

    def shows(self, fact: Fact, stance: Stance, value: str | None = None) -> CodeEvidence:
        """A fact as evidence."""
        return CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=stance,
            path=fact.path,
            line=fact.line,
            quote=fact.quote,
            value=value,
            digest=self.context.digest(fact.path),
        )


def shortened(text: str) -> str:
    """On one line, and not longer than a line."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"


def at(fact: Fact) -> str:
    """Where a fact stands, as people write it."""
    return f"{fact.path}:{fact.line}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Some names for a sentence."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
