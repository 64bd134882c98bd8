"""What a sentence about a value speaks of."""

import re

from veridic.code.claims.drafts import Context
from veridic.domain.code import Entity, EntityKind, FactKind

_HOLDERS = frozenset(
    {
        EntityKind.SYMBOL,
        EntityKind.PARAMETER,
        EntityKind.FLAG,
        EntityKind.ENVIRONMENT,
        EntityKind.SETTING,
        EntityKind.CONSTANT,
    }
)
_OWNERS = (FactKind.FUNCTION, FactKind.CLASS)
_WORD = re.compile(r"[A-Za-z]+")


def value_holder(written: str, context: Context) -> Entity | None:
    """The parameter, flag, variable or setting that inline code names; None if that is no such thing."""
    entity = context.names.entity(written)
    if entity is None:
        return None
    if (
        entity.kind in (EntityKind.FUNCTION, EntityKind.CLASS)
        and "(" not in written
        and written[:1].islower()
    ):
        # A parameter may bear the name of some function.
        entity = Entity(kind=EntityKind.SYMBOL, name=entity.name)
    return owned(entity, context) if entity.kind in _HOLDERS else None


def owned(entity: Entity, context: Context) -> Entity:
    """The entity with its owner, where the section or docstring is about a function that has such a parameter."""
    if entity.owner or entity.kind not in (
        EntityKind.SYMBOL,
        EntityKind.CONSTANT,
        EntityKind.SETTING,
        EntityKind.PARAMETER,
    ):
        return entity
    owners = (context.owner, *context.nearby) if context.is_in_code else (*context.nearby, context.owner)
    for owner in owners:
        if owner and has_parameter(context, owner, entity.name):
            return Entity(kind=EntityKind.PARAMETER, name=entity.name, owner=owner)
    return entity


def has_parameter(context: Context, owner: str, name: str) -> bool:
    """Whether a function or class of the project takes a parameter of that name."""
    return any(
        parameter.name.lstrip("*") == name
        for fact in context.names.facts(owner, *_OWNERS)
        for parameter in fact.parameters
    )


def enumeration(noun: str, context: Context) -> Entity | None:
    """The enumeration that is called like the noun: "status" is `Status`."""
    name = noun.title().replace(" ", "")
    if context.names.is_known(name, FactKind.ENUM):
        return Entity(kind=EntityKind.CLASS, name=name)
    return None


def _noun_of_its_file(snake: str, context: Context) -> Entity | None:
    """What a comment or docstring means by it: a parameter of its function, or a constant beside it."""
    if context.owner and has_parameter(context, context.owner, snake):
        return Entity(kind=EntityKind.PARAMETER, name=snake, owner=context.owner)
    constant = f"DEFAULT_{snake.upper()}"
    is_here = any(fact.path == context.document for fact in context.names.facts(constant, FactKind.CONSTANT))
    return Entity(kind=EntityKind.CONSTANT, name=constant) if is_here else None


def noun_subject(noun: str, context: Context) -> Entity | None:
    """The one thing that "the default log level" can mean; None where the project has none, or several kinds."""
    words = _WORD.findall(noun.lower())
    if not words or words[0] in ("the", "value", "values", "behaviour", "behavior"):
        return None
    if context.is_in_code:
        return _noun_of_its_file("_".join(words), context)
    names = context.names
    flag, snake = "--" + "-".join(words), "_".join(words)
    if context.owner and has_parameter(context, context.owner, snake):
        return Entity(kind=EntityKind.PARAMETER, name=snake, owner=context.owner)
    if names.is_known(flag, FactKind.OPTION):
        return Entity(kind=EntityKind.FLAG, name=flag)
    constant = f"DEFAULT_{snake.upper()}"
    if names.is_known(constant, FactKind.CONSTANT):
        return Entity(kind=EntityKind.CONSTANT, name=constant)
    if names.is_known(snake, FactKind.SETTING):
        return Entity(kind=EntityKind.SETTING, name=snake)
    return None
