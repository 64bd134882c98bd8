"""MEMBERS: the values that something can have."""

import re
from collections.abc import Sequence

from veridic.code.compare.literals import Amount, Text, read_source
from veridic.code.compare.looking import FAIRLY_SURE, Look, at, shown
from veridic.code.compare.words import bare
from veridic.domain.code import (
    AgentVerdict,
    CodeVerdict,
    EntityKind,
    Fact,
    FactKind,
    Quantifier,
)
from veridic.domain.evidence import Stance

_HOLDERS = (FactKind.ENUM, FactKind.OPTION, FactKind.CONSTANT, FactKind.SETTING)
_CLAIMS_ALL = frozenset({Quantifier.EXACTLY, Quantifier.ONLY, Quantifier.ALL})


def compare_members(look: Look) -> AgentVerdict | None:
    """Whether every documented value is one of the code's; and, where the document claims to be complete, all of them."""
    holders = _holders(look)
    if len(holders) != 1 or not look.expected or look.claim.assertion.is_negated:
        return None
    fact, members = holders[0], _spellings(look, holders[0])
    missing = [words for words in look.expected if _folded(words) not in members]
    if len(missing) == len(look.expected) and not _is_given_to_a_program(look):
        return None  # nothing in common: the document speaks of something else
    if missing:
        listed = ", ".join(fact.members)
        return look.refuted(
            f"`{fact.name}` has no {_quoted(missing)}: it has {shown(listed)} ({at(fact)}).",
            fact,
            value=_one_left(look, fact, missing),
        )
    said = {_folded(words) for words in look.expected}
    left_out = [name for name in fact.members if not _names_of(look, fact, name) & said]
    if left_out and _CLAIMS_ALL & set(look.claim.assertion.quantifiers):
        evidence = (
            look.evidence(fact, Stance.SUPPORTING),
            look.evidence(fact, Stance.CONTEXTUAL, value=", ".join(left_out)),
        )
        reason = f"`{fact.name}` has {_quoted(left_out)} too ({at(fact)})."
        return look.verdict(CodeVerdict.INCOMPLETE, reason, evidence, FAIRLY_SURE)
    return look.verified(f"`{fact.name}` has them ({at(fact)}).", fact)


def _is_given_to_a_program(look: Look) -> bool:
    """Whether the value stands behind an option of a command that is typed."""
    subject = look.subject
    return subject is not None and subject.kind is EntityKind.FLAG and subject.owner is not None


def _holders(look: Look) -> list[Fact]:
    """The one thing whose members the code lists; options and parameters lead to the enumeration they are typed with."""
    subject = look.subject
    if subject is None:
        return []
    if subject.kind is EntityKind.PARAMETER:
        annotations = [p.annotation for f in look.callables() for p in f.parameters if p.name == subject.name]
    else:
        found = look.meant(look.named(subject.name, *_HOLDERS))
        owned = [fact for fact in found if subject.owner and fact.owner.endswith(subject.owner)]
        found = tuple(owned) or found
        listed = [fact for fact in found if fact.members]
        if listed or not found:
            return listed if len({fact.members for fact in listed}) > 1 else listed[:1]
        annotations = [fact.annotation for fact in found]
    return _of_annotations(look, [annotation for annotation in annotations if annotation])


def _of_annotations(look: Look, annotations: Sequence[str]) -> list[Fact]:
    names = {name for annotation in annotations for name in re.findall(r"\w+", annotation)}
    enums = [fact for name in sorted(names) for fact in look.named(name, FactKind.ENUM) if fact.members]
    return enums[:2]


def _spellings(look: Look, fact: Fact) -> frozenset[str]:
    return frozenset().union(*(_names_of(look, fact, name) for name in fact.members))


def _names_of(look: Look, fact: Fact, name: str) -> frozenset[str]:
    """What a member may be called: its name, with its owner's, and its value."""
    names = {name, f"{fact.name}.{name}"}
    literal = read_source(name)
    if isinstance(literal, Text):
        names.add(literal.text)
    if fact.kind is FactKind.ENUM:
        for constant in look.index.named(f"{fact.name}.{name}", FactKind.CONSTANT):
            value = read_source(constant.value or "")
            if isinstance(value, Text):
                names.add(value.text)
            elif isinstance(value, Amount):
                names.add(constant.value or "")
    return frozenset(map(_folded, names))


def _folded(words: str) -> str:
    return bare(words).strip("'\"").casefold().replace("-", "_").replace(" ", "_")


def _one_left(look: Look, fact: Fact, missing: Sequence[str]) -> str | None:
    """The one member that the document does not name, in place of the one that is not there."""
    said = {_folded(words) for words in look.expected}
    left = [name for name in fact.members if not _names_of(look, fact, name) & said]
    return left[0] if len(left) == len(missing) == 1 else None


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{shown(name)}`" for name in names)
