"""Which agent a claim is for, how deep it should be looked into, and which quantifiers it carries."""

import re

from veridic.code.claims.cues import cue
from veridic.domain.code import Assertion, AssertionKind, ClaimDomain, Depth, EntityKind, Quantifier

_WORDS: tuple[tuple[ClaimDomain, re.Pattern[str]], ...] = (
    (
        ClaimDomain.SECURITY,
        re.compile(
            r"\b(?:secur(?:e|ely|ity)|encrypt\w*|decrypt\w*|saniti[sz]\w*|escap(?:e|es|ed) (?:html|sql|user|all|every)"
            r"|password|credential|secrets?\b|api key|token is|authenticat\w*|authori[sz]\w*|injection|xss|csrf"
            r"|tls|hash(?:es|ed) (?:the )?pass|untrusted|sandbox\w*|vulnerab\w*|privilege)",
            re.IGNORECASE,
        ),
    ),
    (
        ClaimDomain.CONCURRENCY,
        re.compile(
            r"\b(?:thread[- ]?safe\w*|race[- ]conditions?|deadlock\w*|atomic(?:ally)?|lock[- ]free|re-?entrant"
            r"|concurren\w+|goroutine[- ]safe|non-?blocking|in parallel|mutex)",
            re.IGNORECASE,
        ),
    ),
    (
        ClaimDomain.PERFORMANCE,
        re.compile(
            r"(?<!\w)O\((?:1|n|log n|n log n|n\^?2|n²|n\*m)\)|\b(?:constant[- ]time|linear[- ]time|quadratic|faster"
            r"|zero[- ]copy|lazily|lazy evaluation|cached|memoi[sz]ed|low[- ]latency|high[- ]performance|throughput)\b",
            re.IGNORECASE,
        ),
    ),
    (
        ClaimDomain.CORRECTNESS,
        re.compile(
            r"\b(?:back(?:wards?|ward)[- ]compatible|breaking change|all callers|api contract|(?:no|without|free of) "
            r"side[- ]effects?|side-effect[- ]free|idempotent|deterministic|pure function|immutable|never (?:raises|"
            r"returns|mutates|modifies|blocks|fails|logs)|always (?:raises|returns|closes|validates))",
            re.IGNORECASE,
        ),
    ),
)
may_have_domain = cue(
    "secur crypt saniti escap passw credential secret token authen authori injection xss csrf tls hash untrusted sandbox "
    "vulnerab privilege thread race deadlock atomic lock entrant concurr parallel mutex o( -time quadratic faster zero laz "
    "cached memo latency performance throughput compatib breaking caller contract side idempot determinis pure immutab "
    "never always",
    "api key",
    "t time",
    "r time",
)
_QUANTIFIERS: tuple[tuple[Quantifier, re.Pattern[str]], ...] = tuple(
    (quantifier, re.compile(pattern, re.IGNORECASE))
    for quantifier, pattern in (
        (Quantifier.ALWAYS, r"\balways\b"),
        (Quantifier.NEVER, r"\bnever\b"),
        (Quantifier.ALL, r"\b(?:all|every|each)\b"),
        (Quantifier.ONLY, r"\bonly\b"),
        (
            Quantifier.AT_LEAST,
            r"\b(?:at least|minimum of|no fewer than|or (?:later|newer|above|higher|greater|more))\b",
        ),
        (Quantifier.UP_TO, r"\b(?:at most|up to|maximum of|no more than|or (?:fewer|less))\b"),
        (Quantifier.EXACTLY, r"\bexactly\b"),
    )
)
_ANY_QUANTIFIER = re.compile("|".join(pattern.pattern for _, pattern in _QUANTIFIERS), re.IGNORECASE)
_CONFIGURED = frozenset(
    {EntityKind.FLAG, EntityKind.ENVIRONMENT, EntityKind.SETTING, EntityKind.PACKAGE, EntityKind.COMMAND}
)
_BY_KIND = {
    AssertionKind.LINKS: ClaimDomain.DOCUMENTATION,
    AssertionKind.EXISTS: ClaimDomain.DOCUMENTATION,
    AssertionKind.DEPRECATED: ClaimDomain.HISTORY,
    AssertionKind.REQUIRES: ClaimDomain.CONFIGURATION,
}
_MEDIUM = frozenset(
    {AssertionKind.RETURNS, AssertionKind.RAISES, AssertionKind.PROMISE, AssertionKind.DEPRECATED}
)


def quantifiers_of(text: str) -> tuple[Quantifier, ...]:
    """The quantifiers that occur in a sentence."""
    if not _ANY_QUANTIFIER.search(text):
        return ()
    return tuple(quantifier for quantifier, pattern in _QUANTIFIERS if pattern.search(text))


def domain_in_words(text: str) -> ClaimDomain | None:
    """The domain that a sentence about behaviour calls for; None if its words call for none."""
    if not may_have_domain(text):
        return None
    return next((domain for domain, pattern in _WORDS if pattern.search(text)), None)


def domain_of(assertion: Assertion) -> ClaimDomain:
    """The domain of a claim whose words don't decide it."""
    if assertion.subject is not None and assertion.subject.kind in _CONFIGURED:
        return ClaimDomain.CONFIGURATION
    return _BY_KIND.get(assertion.kind, ClaimDomain.CORRECTNESS)


def depth_of(assertion: Assertion, domain: str) -> Depth:
    """How deep a claim is proposed to be looked into."""
    if assertion.kind is AssertionKind.BEHAVES:
        is_runtime = domain in (ClaimDomain.PERFORMANCE, ClaimDomain.CONCURRENCY)
        return Depth.DEEP if is_runtime else Depth.MEDIUM
    return Depth.MEDIUM if assertion.kind in _MEDIUM else Depth.SHALLOW
