"""The category agents of the embedded engine: one for each domain, each with a verdict of its own.

A claim belongs to the agent of its domain. It is shown to the agent of another one too where its words or what it
names touch that domain, so that two look at it independently.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from veridic.code.compare.compare import compare
from veridic.code.index import FactIndex
from veridic.domain.code import AgentVerdict, AssertionKind, ClaimDomain, Depth, DocClaim, EntityKind

_TOUCHED_BY_WORDS = {
    ClaimDomain.SECURITY: {
        "password": r"s?\b", "secret": r"s?\b", "credential": r"s?\b", "encrypt": "", "sanitis": "", "sanitiz": "",
        "authenticat": "", "authoris": "", "authoriz": "", "tls": r"\b", "csrf": r"\b", "xss": r"\b",
        "injection": r"\b", "untrusted": r"\b",
    },
    ClaimDomain.CONCURRENCY: {
        "thread": "[- ]?safe", "race condition": r"s?\b", "deadlock": r"s?\b", "concurren": r"\w",
        "atomic": r"(?:ally)?\b", "lock": r"s?\b", "mutex": r"\b",
    },
    ClaimDomain.PERFORMANCE: {
        "latency": r"\b", "throughput": r"\b", "constant time": r"\b", "linear time": r"\b", "memory use": r"\b",
        "faster": r"\b", "cached": r"\b", "benchmark": r"s?\b", "o(": r"[^)]{1,12}\)",
    },
}  # fmt: skip
"""How a word begins, in lower case, and as a pattern how it goes on."""
_PATTERNS = {
    domain: re.compile("|".join(rf"\b{re.escape(start)}{rest}" for start, rest in words.items()))
    for domain, words in _TOUCHED_BY_WORDS.items()
}
_TOUCHED_BY_ENTITIES = {
    EntityKind.FLAG: ClaimDomain.CONFIGURATION,
    EntityKind.ENVIRONMENT: ClaimDomain.CONFIGURATION,
    EntityKind.SETTING: ClaimDomain.CONFIGURATION,
    EntityKind.PACKAGE: ClaimDomain.CONFIGURATION,
    EntityKind.LINK: ClaimDomain.DOCUMENTATION,
    EntityKind.PATH: ClaimDomain.DOCUMENTATION,
    EntityKind.COMMIT: ClaimDomain.HISTORY,
    EntityKind.ISSUE: ClaimDomain.HISTORY,
}
_TOUCHED_BY_ASSERTION = {
    AssertionKind.RETURNS: ClaimDomain.CORRECTNESS,
    AssertionKind.RAISES: ClaimDomain.CORRECTNESS,
    AssertionKind.SIGNATURE: ClaimDomain.CORRECTNESS,
    AssertionKind.REQUIRES: ClaimDomain.CONFIGURATION,
    AssertionKind.DEPRECATED: ClaimDomain.HISTORY,
    AssertionKind.LINKS: ClaimDomain.DOCUMENTATION,
}


class Agent(Protocol):
    """Verifies the claims of one domain."""

    @property
    def domain(self) -> str: ...

    def verify(self, claim: DocClaim, depth: Depth) -> AgentVerdict | None:
        """A verdict with its evidence; None where the agent has nothing to say of the claim."""
        ...


class EmbeddedAgent:
    """Looks at the facts of the code; it says nothing of claims that don't touch its domain."""

    def __init__(self, domain: str, index: FactIndex) -> None:
        self.domain = domain
        self._index = index

    def verify(self, claim: DocClaim, depth: Depth) -> AgentVerdict | None:
        if self.domain not in domains_of(claim):
            return None
        verdict = compare(claim, self._index, depth)
        if verdict is None or verdict.agent == self.domain:
            return verdict
        return verdict.model_copy(update={"agent": self.domain})


class _Agents(dict[str, Agent]):
    """Has an agent for every domain that is asked for: claims may call for one that nobody thought of."""

    def __init__(self, index: FactIndex, domains: Iterable[str]) -> None:
        super().__init__({domain: EmbeddedAgent(domain, index) for domain in domains})
        self._index = index

    def __missing__(self, domain: str) -> Agent:
        agent = self[domain] = EmbeddedAgent(domain, self._index)
        return agent


def embedded_agents(index: FactIndex) -> Mapping[str, Agent]:
    """An agent for each standard domain; asking for another domain makes one of that name."""
    return _Agents(index, [str(domain) for domain in ClaimDomain])


def domains_of(claim: DocClaim) -> tuple[str, ...]:
    """The claim's own domain first, then every other one that it touches."""
    assertion = claim.assertion
    subject = [assertion.subject] if assertion.subject else []
    touched: list[str | None] = [claim.domain, _TOUCHED_BY_ASSERTION.get(assertion.kind)]
    touched += [_TOUCHED_BY_ENTITIES.get(entity.kind) for entity in subject]
    touched += _touched_by_words(claim.text)
    return tuple(dict.fromkeys(str(domain) for domain in touched if domain))


@lru_cache(maxsize=100)
def _touched_by_words(text: str) -> tuple[str, ...]:
    """One sentence makes several claims, and each of their agents asks."""
    lowered = text.lower()
    return tuple(
        domain
        for domain, words in _TOUCHED_BY_WORDS.items()
        # Most sentences have none of them, which is quickly seen.
        if any(start in lowered for start in words) and _PATTERNS[domain].search(lowered)
    )
