"""Resolves a model's subject to an entity by how the document writes it, not by what the model calls it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridic.domain.code import DocClaim, Entity, EntityKind
from veridic.text.markdown import code_spans
from veridic.verify.documents.names import name_of, names_in
from veridic.verify.documents.statement import speaks_of_environment, topic_of
from veridic.verify.documents.unit import Unit
from veridic.verify.proposals.answer import Proposal
from veridic.verify.proposals.placing import find_word

_KINDS_FROM_MODEL = frozenset(
    {EntityKind.FUNCTION, EntityKind.CLASS, EntityKind.MODULE, EntityKind.PARAMETER, EntityKind.SETTING}
)
"""What a name written as code may be if its form doesn't show it."""


class Subject(NamedTuple):
    entity: Entity
    is_resolved: bool
    """The document writes it as code there or right above, or as the language or package that it is: rules can use it."""


def subject_of(proposal: Proposal, unit: Unit, beside: Sequence[DocClaim], text: str) -> Subject | None:
    """The subject of a proposal; None if the document, whose text is `text`, never names it.

    `beside` are the claims that were found in the unit without a model: their entity takes precedence. The owner of an option or a
    command is never taken from the model, because rules depend on it.
    """
    name = proposal.subject
    for entity in (entity for claim in beside for entity in _entities(claim)):
        if _same_name(entity.name, name):
            return Subject(_refined(entity, proposal, unit), True)
    topic = topic_of(unit)
    if topic and _same_name(topic.entity.name, name):
        return Subject(_refined(topic.entity, proposal, unit), True)
    above = _above(unit)
    for place in (unit.text, *above):
        for written in names_in(place, is_environment=speaks_of_environment(unit)):
            if _same_name(written.entity.name, name):
                return Subject(_refined(written.entity, proposal, unit), True)
    if proposal.kind is EntityKind.COMMAND and _is_in_code(name, unit):
        return Subject(Entity(kind=EntityKind.COMMAND, name=name), True)
    if proposal.kind is EntityKind.PACKAGE and find_word(name, unit.text) >= 0:
        return Subject(Entity(kind=EntityKind.PACKAGE, name=name), True)
    if unit.is_code and find_word(name, unit.text) >= 0:
        shape = name_of(name)
        if shape is not None and shape.is_formal:
            return Subject(shape.entity, True)
    if find_word(name, text) < 0 and not any(_same_name(place, name) for place in above):
        return None
    return Subject(Entity(kind=EntityKind.SYMBOL, name=name), False)


def _entities(claim: DocClaim) -> Iterator[Entity]:
    if claim.assertion.subject:
        yield claim.assertion.subject
    yield from claim.entities


def _above(unit: Unit) -> list[str]:
    return [*reversed(unit.under), unit.before, *reversed(unit.headings)]


def _same_name(one: str, other: str) -> bool:
    return one.removesuffix("()").casefold() == other.removesuffix("()").casefold()


def _refined(entity: Entity, proposal: Proposal, unit: Unit) -> Entity:
    """If a name's form shows nothing, the model's kind is used; a name in capitals may be an environment variable."""
    if entity.kind is EntityKind.CONSTANT and proposal.kind is EntityKind.ENVIRONMENT:
        return Entity(kind=EntityKind.ENVIRONMENT, name=entity.name)
    if entity.kind is not EntityKind.SYMBOL or proposal.kind not in _KINDS_FROM_MODEL:
        return entity
    owner = entity.owner
    function = proposal.belongs_to.partition("(")[0].strip()
    if proposal.kind is EntityKind.PARAMETER and owner is None:
        is_named = any(find_word(function, place) >= 0 for place in (unit.text, *_above(unit)))
        owner = function if is_named else None
    return Entity(kind=proposal.kind, name=entity.name, owner=owner)


def _is_in_code(name: str, unit: Unit) -> bool:
    """Whether a command is in a line of code or in a code span."""
    if unit.is_code:
        return find_word(name, unit.text) >= 0
    return any(find_word(name, unit.text[start:end]) >= 0 for start, end in code_spans(unit.text))
