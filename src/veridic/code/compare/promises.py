"""PROMISE, DEPRECATED and the two kinds of BEHAVES that a definition shows: ancestry, and whether it is asynchronous."""

import re

from veridic.code.compare.classes import bases_named, is_a
from veridic.code.compare.looking import FAIRLY_SURE, Look, at, last_part
from veridic.code.compare.result_types import type_of_returned, types_of_annotation
from veridic.domain.code import AgentVerdict, CodeVerdict, EntityKind, Fact, FactKind
from veridic.domain.evidence import Stance

_ASKS = re.compile(
    r"(?:is|has|can|should|was|are|will|did)_\w+|(?:is|has|can|should|Is|Has|Can|Should)[A-Z]\w*"
)
_CHECKS = re.compile(
    r"(?:validate|ensure|check|require|assert|verify|safe)_\w+|(?:validate|ensure|check|require|assert)[A-Z]\w*"
)
_NEVER_A_TRUTH_VALUE = frozenset({"str", "bytes", "float"})
"""A list or a mapping may hold one answer for each thing that was asked about."""
_ASYNCHRONOUS = re.compile(r"async(?:hronous)?|coroutine", re.IGNORECASE)


def compare_promise(look: Look) -> AgentVerdict | None:
    """Whether a function does what its name promises, as far as its definition shows."""
    found = [fact for fact in look.callables() if fact.kind is FactKind.FUNCTION]
    if len(found) != 1:
        return None
    fact = found[0]
    if _ASKS.fullmatch(fact.name):
        return _answers(look, fact)
    if _CHECKS.fullmatch(fact.name) and fact.raises:
        return look.verified(f"`{fact.name}` raises `{last_part(fact.raises[0])}` ({at(fact)}).", fact)
    return None


def _answers(look: Look, fact: Fact) -> AgentVerdict | None:
    """`is_` and its like: a truth value is promised."""
    if fact.annotation:
        types, is_whole = types_of_annotation(fact.annotation)
    else:
        returned = [type_of_returned(source, fact.path) for source in fact.returns]
        types, is_whole = (
            frozenset(kind for kind in returned if kind),
            bool(returned) and None not in returned,
        )
    if types == {"bool"} and is_whole:
        return look.verified(f"`{fact.name}` returns a truth value ({at(fact)}).", fact)
    if not is_whole or not types <= _NEVER_A_TRUTH_VALUE or fact.decorators:
        return None
    evidence = [look.evidence(fact, Stance.CONTRADICTING, fact.annotation)]
    reason = f"The name `{fact.name}` promises a truth value, and a {' or '.join(sorted(types))} is returned ({at(fact)})."
    return look.verdict(CodeVerdict.MISLEADING, reason, evidence, FAIRLY_SURE)


def compare_deprecated(look: Look) -> AgentVerdict | None:
    """Whether the code marks as deprecated what the document calls deprecated; an unmarked one refutes nothing."""
    subject = look.subject
    if subject is None or look.claim.assertion.is_negated:
        return None
    facts = look.named(subject.name, FactKind.FUNCTION, FactKind.CLASS)
    marked = [fact for fact in facts if _is_marked(fact)]
    return (
        look.verified(f"`{marked[0].name}` is marked as deprecated ({at(marked[0])}).", *marked[:3])
        if marked
        else None
    )


def _is_marked(fact: Fact) -> bool:
    if any("deprecat" in decorator.lower() for decorator in fact.decorators):
        return True
    return any("deprecat" in call.lower() for call in fact.calls) or "warn" in {
        last_part(call) for call in fact.calls
    }


def compare_definition(look: Look) -> AgentVerdict | None:
    """ "`A` inherits from `B`" and "`f` is asynchronous"; None for any other behaviour."""
    subject = look.subject
    if subject is None or len(look.expected) != 1:
        return None
    if subject.kind is EntityKind.CLASS:
        return _ancestry(look, subject.name, look.expected[0])
    if subject.kind is EntityKind.FUNCTION and _ASYNCHRONOUS.match(look.expected[0]):
        return _asynchronous(look)
    return None


def _ancestry(look: Look, name: str, ancestor: str) -> AgentVerdict | None:
    classes = look.named(name, FactKind.CLASS, FactKind.ENUM)
    if len(classes) != 1 or look.claim.assertion.is_negated:
        return None
    fact = classes[0]
    if is_a(look, fact.name, ancestor):
        return look.verified(f"`{fact.name}` derives from `{last_part(ancestor)}` ({at(fact)}).", fact)
    if not _is_closed(look, fact) or not fact.path.endswith(".py"):
        return None
    bases = ", ".join(fact.bases) or "nothing"
    value = fact.bases[0] if len(fact.bases) == 1 else None
    return look.refuted(
        f"`{fact.name}` derives from {bases} ({at(fact)}), not `{last_part(ancestor)}`.", fact, value=value
    )


def _is_closed(look: Look, fact: Fact) -> bool:
    """Whether all ancestors are the project's own, so that none can hide another."""
    return all(
        (found := bases_named(look, base)) and all(_is_closed_at_the_top(one) for one in found)
        for base in fact.bases
    )


def _is_closed_at_the_top(fact: Fact) -> bool:
    return all(
        last_part(base) in ("object", "ABC", "Exception", "Enum", "StrEnum", "Protocol")
        for base in fact.bases
    )


def _asynchronous(look: Look) -> AgentVerdict | None:
    found = [fact for fact in look.callables() if fact.kind is FactKind.FUNCTION]
    if len({fact.is_async for fact in found}) != 1:
        return None
    fact = found[0]
    is_true = fact.is_async is not look.claim.assertion.is_negated
    how = "is" if fact.is_async else "is not"
    if is_true:
        return look.verified(f"`{fact.name}` {how} asynchronous ({at(fact)}).", *found[:3])
    returns = fact.annotation or ""
    if (
        fact.decorators
        or re.search(r"Awaitable|Coroutine|Future|Promise|Task", returns)
        or not fact.path.endswith(".py")
    ):
        return None
    return look.refuted(f"`{fact.name}` {how} asynchronous ({at(fact)}).", *found[:3])
