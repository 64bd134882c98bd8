"""What a unit says, before it becomes a claim, and what the units of a document are about."""

import re
from functools import lru_cache
from typing import NamedTuple

from veridic.domain.code import AssertionKind, Entity, EntityKind, Origin, Quantifier
from veridic.verify.documents.names import Name, name_of, names_in, parameters_of
from veridic.verify.documents.unit import Unit, UnitKind

_LABEL = re.compile(r"^\W*([A-Za-z_$][\w$.-]{2,60})\s*(?:\([^)]*\))?\s*(?::(?=\s)|\s[-–—]\s|$)")
_ENVIRONMENT = re.compile(r"environment|\benv\b|\benvvars?\b", re.IGNORECASE)
_WORD_CHARACTER = re.compile(r"\w")


class Statement(NamedTuple):
    unit: Unit
    kind: AssertionKind
    subject: Entity
    expected: tuple[str, ...] = ()
    start: int = -1
    """The offset of the single expected value in the unit's text; -1 if it has no place."""
    quantifiers: tuple[Quantifier, ...] = ()
    entities: tuple[Entity, ...] = ()


class Topic(NamedTuple):
    """What a unit is about."""

    entity: Entity
    is_own: bool
    """It is in the unit itself, at the beginning."""


@lru_cache(maxsize=8192)
def leading_name(text: str, *, is_heading: bool = False) -> Name | None:
    """The name that a heading, item, term or leading sentence is about: at its beginning, or the only one before a colon."""
    names = names_in(text)
    if names:
        first = names[0]
        if not _WORD_CHARACTER.search(text[: first.start]) and not _starts_list(text, first):
            return first
        distinct = {name.entity.name for name in names if name.is_formal}
        if len(distinct) == 1 and (is_heading or text.endswith(":")) and len(text.split()) <= 14:
            return next(name for name in names if name.is_formal)
        return None
    label = _LABEL.match(text)
    if label and (label.end(1) == len(text.strip()) or not is_heading):
        name = name_of(label[1])
        return name._replace(start=label.start(1), end=label.end(1)) if name and name.is_formal else None
    return None


def topic_of(unit: Unit) -> Topic | None:
    """What a unit is about: the name it begins with, otherwise what it is under, otherwise its owner."""
    chain = _chain(unit)
    own = leading_name(unit.text, is_heading=unit.is_heading) if not unit.is_code else None
    if own is not None and (unit.kind in (UnitKind.ITEM, UnitKind.HEADING) or own.is_formal):
        return Topic(_owned(own, chain, unit), True)
    if chain:
        return Topic(_owned(chain[0], chain[1:], unit), False)
    return Topic(owner_entity(unit), False) if unit.owner else None


def speaks_of_environment(unit: Unit) -> bool:
    """Whether names in capitals are environment variables there, according to the text or what it is under."""
    return any(map(_ENVIRONMENT.search, (unit.text, *unit.headings, *unit.under, *unit.columns[:1])))


def owner_entity(unit: Unit) -> Entity:
    """The definition or option that a comment or help text documents."""
    return _owner_entity(unit.owner, unit.origin)


@lru_cache(maxsize=1024)
def _owner_entity(owner: str, origin: Origin) -> Entity:
    kind = EntityKind.FLAG if owner.startswith("-") else EntityKind.SYMBOL
    if origin is Origin.HELP and kind is EntityKind.SYMBOL:
        kind = EntityKind.SETTING
    return Entity(kind=kind, name=owner)


def _chain(unit: Unit) -> list[Name]:
    """The names of what a unit is under, nearest first."""
    above = [leading_name(text) for text in reversed(unit.under)]
    above += [leading_name(text, is_heading=True) for text in reversed(unit.headings)]
    return [name for name in above if name is not None]


def _owned(name: Name, above: list[Name], unit: Unit) -> Entity:
    entity = name.entity
    if entity.kind is EntityKind.CONSTANT and speaks_of_environment(unit):
        entity = Entity(kind=EntityKind.ENVIRONMENT, name=entity.name)
    if entity.kind in (EntityKind.FLAG, EntityKind.ENVIRONMENT, EntityKind.PATH, EntityKind.ENDPOINT):
        above = [other for other in above if other.entity.kind is EntityKind.COMMAND]
    elif entity.kind is EntityKind.SYMBOL:
        call = next((other for other in above if other.parameters), None)
        names = parameters_of(call.parameters or "") if call else None
        if call and names and entity.name in [one.partition("=")[0].lstrip("*.&") for one in names]:
            return Entity(kind=EntityKind.PARAMETER, name=entity.name, owner=call.entity.name)
    owner = next((other.entity.name for other in above if other.entity.name != entity.name), unit.owner)
    return Entity(kind=entity.kind, name=entity.name, owner=owner) if owner else entity


def _starts_list(text: str, first: Name) -> bool:
    """Whether other names follow directly, as in a list of values: `a`, `b` and `c`. Aliases of a flag don't count."""
    rest = text[first.end :]
    if first.entity.kind is EntityKind.FLAG:
        return False
    return bool(re.match(r"^`?,\s*`[^`]+`\s*(?:,|and|or)\b", rest))
