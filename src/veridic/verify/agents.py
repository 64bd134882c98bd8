"""The agents of the embedded engine. Each uses its own kind of evidence, so agents can disagree.

- configuration: what programs declare and manifests say
- correctness: definitions and signatures; on a second look, what the tests expect
- documentation: links and paths; on a second look, what other documents say about the same thing
- history: until when something was true

There is no embedded agent for security, performance or concurrency: only running tests, or a model that reads the code, can check them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Protocol

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EntityKind,
    EvidenceTier,
    Origin,
)
from veridic.domain.evidence import Stance
from veridic.verify.facts.literals import same_value
from veridic.verify.gates import EVIDENCE_CONTRADICTS
from veridic.verify.rules.context import Context
from veridic.verify.rules.rule import Rule, short_line
from veridic.verify.rules.table import RULES
from veridic.verify.test_sources import TestSources

_PAST_ORIGINS = (Origin.CHANGELOG, Origin.COMMIT)
_VALUE_KINDS = (AssertionKind.DEFAULT, AssertionKind.EQUALS)
_OPEN_VERDICTS = (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
_TEST_CONFIDENCE, _DOCUMENT_CONFIDENCE = 0.7, 0.6
_LITERAL = re.compile(
    r"\"[^\"\n]*\"|'[^'\n]*'|(?<![\w.])-?\d[\w.]*|(?<!\w)(?:true|false|none|null|nil)(?!\w)", re.IGNORECASE
)


class Agent(Protocol):
    """Gives its own verdict on the claims that its evidence covers."""

    @property
    def name(self) -> str: ...

    def verify(self, claim: DocClaim, depth: Depth) -> AgentVerdict | None:
        """Return a verdict with its evidence, or None if the agent can't say anything about the claim."""
        ...


def embedded_agents(context: Context, claims: Sequence[DocClaim]) -> tuple[Agent, ...]:
    """The agents that need no model and run nothing."""
    return (
        RuleAgent(ClaimDomain.CONFIGURATION, context),
        RuleAgent(ClaimDomain.CORRECTNESS, context),
        RuleAgent(ClaimDomain.DOCUMENTATION, context),
        TestReader(context),
        DocumentReader(context, claims),
    )


class RuleAgent:
    """Applies the rules of one domain."""

    def __init__(self, domain: ClaimDomain, context: Context) -> None:
        self.name = str(domain)
        self._context = context
        self._rules: dict[tuple[AssertionKind, EntityKind], list[Rule]] = defaultdict(list)
        for rule in RULES:
            for key in product(rule.asserts, rule.subjects) if rule.agent is domain else ():
                self._rules[key].append(rule)

    def verify(self, claim: DocClaim, depth: Depth) -> AgentVerdict | None:
        """Check a claim by the rules for its kind. In changelogs and commits only links are checked: the rest describes the past."""
        if claim.category is ClaimCategory.EXTERNAL:
            return None
        if claim.origin in _PAST_ORIGINS and claim.assertion.kind is not AssertionKind.LINKS:
            return None
        subject = claim.assertion.subject
        rules = self._rules.get((claim.assertion.kind, subject.kind), ()) if subject else ()
        found = [rule.verdict(claim, self._context, depth) for rule in rules]
        said = [verdict for verdict in found if verdict is not None]
        settled = [verdict for verdict in said if verdict.verdict not in _OPEN_VERDICTS]
        if len({verdict.verdict for verdict in settled}) > 1:
            return _contradictory(settled)
        return next(iter(settled or said), None)


class TestReader:
    """Reads what the project's tests expect, for claims where the code differs from the document or shows no value."""

    name = str(ClaimDomain.CORRECTNESS)
    __test__ = False  # not a pytest test class

    def __init__(self, context: Context) -> None:
        self._context = context
        self._sources = TestSources(context)

    def verify(self, claim: DocClaim, depth: Depth) -> AgentVerdict | None:
        """Check a value, only on a second look: some line of a test must have it together with the subject's name."""
        subject, expected = claim.assertion.subject, claim.assertion.expected
        if (
            depth is Depth.SHALLOW
            or claim.assertion.kind not in _VALUE_KINDS
            or subject is None
            or len(expected) != 1
        ):
            return None
        lines = list(self._sources.lines_about(subject.name))
        agreeing = [line for line in lines if _has_value(line[2], expected[0])]
        if not agreeing:
            return None
        evidence = tuple(
            CodeEvidence(
                tier=EvidenceTier.CODE,
                stance=Stance.SUPPORTING,
                path=path,
                line=number,
                quote=short_line(line),
                digest=self._context.digest(path),
            )
            for path, number, line in agreeing[:3]
        )
        path, number, _ = agreeing[0]
        return AgentVerdict(
            agent=self.name,
            verdict=CodeVerdict.VERIFIED,
            confidence=_TEST_CONFIDENCE,
            reason=f"The tests expect {short_line(expected[0])} for `{subject.name}` ({path}:{number}).",
            evidence=evidence,
            depth=depth,
        )


class DocumentReader:
    """Compares documents with each other: finds another one that says something different about the same thing."""

    name = str(ClaimDomain.DOCUMENTATION)

    def __init__(self, context: Context, claims: Sequence[DocClaim]) -> None:
        self._context = context
        self._claims = claims

    def verify(self, claim: DocClaim, depth: Depth) -> AgentVerdict | None:
        """Check a value, only on a second look. Another document proves nothing: the claim stays open, and both are shown."""
        key, expected = _key(claim), claim.assertion.expected
        if depth is Depth.SHALLOW or key is None or len(expected) != 1:
            return None
        others = [
            other
            for other in self._by_key.get(key, ())
            if other.document != claim.document
            and same_value(expected[0], other.assertion.expected[0]) is False
        ]
        if not others:
            return None
        other = others[0]
        evidence = CodeEvidence(
            tier=EvidenceTier.DOCUMENTATION,
            stance=Stance.CONTRADICTING,
            path=other.document,
            line=other.line,
            quote=short_line(other.text),
            digest=self._context.digest(other.document),
        )
        return AgentVerdict(
            agent=self.name,
            verdict=CodeVerdict.INCONCLUSIVE,
            confidence=_DOCUMENT_CONFIDENCE,
            reason=f"{other.document}:{other.line} says {short_line(other.assertion.expected[0])}, this says {short_line(expected[0])}.",
            evidence=(evidence,),
            depth=depth,
            would_settle="What the code has: one of the two documents is wrong.",
        )

    @cached_property
    def _by_key(self) -> Mapping[tuple[str, ...], list[DocClaim]]:
        found: dict[tuple[str, ...], list[DocClaim]] = defaultdict(list)
        for claim in self._claims:
            if (key := _key(claim)) and len(claim.assertion.expected) == 1:
                found[key].append(claim)
        return found


def _key(claim: DocClaim) -> tuple[str, ...] | None:
    """A key that two claims share if they are about the same value of the same thing."""
    subject = claim.assertion.subject
    if subject is None or claim.assertion.kind not in _VALUE_KINDS or claim.origin in _PAST_ORIGINS:
        return None
    return str(claim.assertion.kind), str(subject.kind), subject.name, subject.owner or ""


def _has_value(line: str, value: str) -> bool:
    return any(same_value(value, found.strip("\"'")) for found in _LITERAL.findall(line))


def _contradictory(said: Sequence[AgentVerdict]) -> AgentVerdict:
    """Inconclusive, because the facts point both ways and the document doesn't say which one it means."""
    reasons = " ".join(verdict.reason for verdict in said)
    return said[0].model_copy(
        update={
            "verdict": CodeVerdict.INCONCLUSIVE,
            "confidence": 0.0,
            "reason": f"{reasons} ({EVIDENCE_CONTRADICTS})",
            "evidence": tuple(evidence for verdict in said for evidence in verdict.evidence),
            "would_settle": "The full name in the document.",
        }
    )
