"""What names promise: a question is answered by yes or no, a check checks."""

import re
from collections.abc import Iterable, Iterator

from veridic.code.claims.drafts import Draft
from veridic.domain.code import Assertion, AssertionKind, Entity, EntityKind, Fact, FactKind

_PROMISES = (
    (re.compile(r"_{0,2}(?:is|has|can|should|Is|Has|Can|Should)(?:_[a-z]|[A-Z])"), "bool"),
    (re.compile(r"_{0,2}(?:validate|check|verify|ensure|assert|require)(?:_[a-z]|[A-Z]|\Z)"), "check"),
    (re.compile(r"_{0,2}safe(?:_[a-z]|[A-Z])"), "safe"),
)


def promised(name: str) -> str | None:
    """`bool` for `is_valid`, `check` for `validate_name`, `safe` for `safe_load`; None if a name promises nothing."""
    return next((promise for pattern, promise in _PROMISES if pattern.match(name)), None)


def promise_drafts(facts: Iterable[Fact]) -> Iterator[Draft]:
    """One claim for each function whose name promises something."""
    for fact in facts:
        promise = promised(fact.name) if fact.kind is FactKind.FUNCTION else None
        if promise is not None:
            subject = Entity(kind=EntityKind.FUNCTION, name=fact.qualified or fact.name)
            assertion = Assertion(kind=AssertionKind.PROMISE, subject=subject, expected=(promise,))
            line = max(fact.line, 1)
            yield Draft(assertion, fact.quote.strip().split("\n")[0], line, line, (subject,))
