"""The statements of table rows: the first cell names a thing, and the header says what the other cells are."""

import re
from collections.abc import Iterator

from veridic.domain.code import AssertionKind, Entity, EntityKind
from veridic.verify.documents.names import Name, name_of, names_in
from veridic.verify.documents.prose import prose_statements, value_statements
from veridic.verify.documents.statement import Statement, Topic, leading_name
from veridic.verify.documents.unit import Unit
from veridic.verify.documents.vocabulary import Vocabulary

_NAMING = re.compile(
    r"^\W*(?:options?|flags?|names?|arguments?|parameters?|params?|property|properties|keys?|settings?|fields?|attributes?|variables?|env\w*|"
    r"(?:environment|env|command|config\w*|cli)[\s-]*(?:variables?|vars?|line)?[\s-]*(?:options?|flags?|names?|keys?|arguments?)?|methods?|functions?|commands?|subcommands?)\W*$",
    re.IGNORECASE,
)
_DEFAULT = re.compile(r"\bdefaults?\b", re.IGNORECASE)
_CHOICES = re.compile(r"\b(?:values|choices|options|allowed|accepts?|possible)\b", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"\benv|environment|variable", re.IGNORECASE)
_EXIT = re.compile(r"^\W*(?:exit[\s-]*)?(?:codes?|status)\W*$", re.IGNORECASE)
_EMPTY = frozenset({"", "-", "--", "—", "–", "n/a", "none", "✓", "✗", "x"})


def row_statements(unit: Unit, words: Vocabulary) -> Iterator[Statement]:
    """The statements of a row; without a name in its first cell, its text is read as a sentence."""
    columns = unit.columns
    first = unit.cells[0] if unit.cells else ""
    head = columns[0] if columns else ""
    if (
        _EXIT.match(head)
        and re.match(r"^`?\d{1,3}`?$", first)
        and "exit" in " ".join((head, *unit.headings, *unit.under)).lower()
    ):
        value = first.strip("`")
        yield Statement(
            unit,
            AssertionKind.EQUALS,
            Entity(kind=EntityKind.VALUE, name="exit code"),
            (value,),
            unit.text.find(value),
        )
        return
    name = _named(first, head)
    if name is None:
        yield from prose_statements(unit, words)
        return
    above = [leading_name(text, is_heading=True) for text in reversed(unit.headings)]
    owner = next((one.entity.name for one in above if one), unit.owner or None)
    is_plain = name.entity.kind not in (EntityKind.FLAG, EntityKind.ENVIRONMENT, EntityKind.PATH)
    subject = Entity(kind=name.entity.kind, name=name.entity.name, owner=owner if is_plain else None)
    yield Statement(unit, AssertionKind.EXISTS, subject)
    for number, cell in enumerate(unit.cells[1:], 1):
        yield from _cell(unit, subject, cell, columns[number] if number < len(columns) else "")


def _named(first: str, head: str) -> Name | None:
    is_environment = bool(_ENVIRONMENT.search(head))
    names = names_in(first, is_environment=is_environment)
    if (
        names
        and not re.search(r"\w", first[: names[0].start])
        and (names[0].is_formal or not head or _NAMING.match(head))
    ):
        flags = [one for one in names if one.entity.kind is EntityKind.FLAG]
        return max(flags, key=lambda one: len(one.entity.name)) if flags else names[0]
    if _NAMING.match(head) and re.match(r"^[A-Za-z_$][\w$.-]*$", first):
        return name_of(first, is_environment=is_environment)
    return None


def _cell(unit: Unit, subject: Entity, cell: str, column: str) -> Iterator[Statement]:
    plain = cell.strip()
    at = unit.text.find(plain, unit.text.find("|", 1)) if plain else -1
    if plain.lower() in _EMPTY and not _DEFAULT.search(column):
        return
    if _DEFAULT.search(column):
        value = plain.strip("`\"' ")
        if plain.lower() not in _EMPTY - {"none"} and len(value) <= 80 and "`" not in value:
            yield Statement(unit, AssertionKind.DEFAULT, subject, (value,), at + plain.find(value))
        return
    names = names_in(plain, is_environment=bool(_ENVIRONMENT.search(column)))
    if _CHOICES.search(column):
        members = re.findall(r"`([^`]+)`", plain)
        if len(members) > 1:
            yield Statement(unit, AssertionKind.MEMBERS, subject, tuple(members))
        return
    for name in names:
        if name.entity.kind in (EntityKind.FLAG, EntityKind.ENVIRONMENT) and name.entity != subject:
            yield Statement(unit, AssertionKind.EXISTS, name.entity)
    for found in value_statements(unit._replace(text=plain), Topic(subject, True)):
        shift = at + found.start if found.start >= 0 and at >= 0 else -1
        yield found._replace(unit=unit, start=shift)
    if len(re.findall(r"[A-Za-z]{2,}", plain)) > 3:
        yield Statement(
            unit, AssertionKind.BEHAVES, subject, (), -1, (), tuple(name.entity for name in names)
        )
