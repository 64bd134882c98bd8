"""The fields of docstrings: parameters, what is returned, what is raised."""

import re
from collections.abc import Iterator

from veridic.domain.code import AssertionKind, Entity, EntityKind, Origin
from veridic.verify.documents.prose import value_statements
from veridic.verify.documents.statement import Statement, Topic
from veridic.verify.documents.unit import Unit, UnitKind

_SPHINX = re.compile(r"^:(?P<tag>\w+)(?:\s+(?P<name>[^:]+?))?:(?:\s+(?P<text>.*))?$", re.DOTALL)
_TYPE_PARAMETER = re.compile(r"[\s/*]*@param\s+<")
"""`@param <T> the type`: not a parameter that a caller passes."""
_TAG = re.compile(r"^@(?P<tag>\w+)\s*(?:\{(?P<type>[^{}]*)\}\s*)?(?P<rest>.*)$", re.DOTALL)
_GOOGLE = re.compile(
    r"^\*{0,2}(?P<name>[A-Za-z_][\w.]*)\s*(?:\((?P<type>[^)]*)\))?\s*:(?!:)\s*(?P<text>.*)$", re.DOTALL
)
_NUMPY = re.compile(r"^`?\*{0,2}(?P<name>[A-Za-z_][\w]*(?:,\s*\w+)*)`?\s*(?::\s*(?P<type>.*))?$")
_PARAMETERS = frozenset(
    "args arguments params parameters keyword-args keyword-arguments other-parameters".split()
)
_PARAMETER_TAGS = frozenset("param parameter arg argument key keyword kwarg".split())
_RETURNS = frozenset("return returns rtype yield yields".split())
_RAISES = frozenset("raise raises throws exception except exceptions".split())
_DEFAULTS = frozenset(("default", "defaultvalue"))
_EXCEPTION = re.compile(r"^`?([A-Za-z_][\w.]*)`?")
_FORMAL_RETURN = re.compile(
    r"^(?:an? |the )?(`[^`]+`|\"[^\"]*\"|True|False|None|true|false|null|undefined|[\w.]+(?:\[[^\]]*\])?(?=:))"
)


def field_statements(unit: Unit) -> Iterator[Statement] | None:
    """What a field says about the function that it documents; None if the unit is not a field.

    A comment that documents nothing has no fields: they belong to code that is commented out.
    """
    if not unit.owner or unit.kind is not UnitKind.ITEM or unit.origin is not Origin.DOCSTRING:
        return None
    owner = Entity(kind=EntityKind.FUNCTION, name=unit.owner)
    if sphinx := _SPHINX.match(unit.text):
        words = (sphinx["name"] or "").split()
        return _field(unit, owner, sphinx["tag"].lower(), words[-1] if words else "", sphinx["text"] or "")
    if tag := _TAG.match(unit.text):
        if _TYPE_PARAMETER.match("\n".join(unit.source)):
            return iter(())
        name, _, text = tag["rest"].partition(" ")
        if tag["type"] and tag["tag"].lower() in _RAISES:
            name, text = tag["type"], tag["rest"]
        return _field(unit, owner, tag["tag"].lower(), name, text, whole=tag["rest"])
    section = unit.headings[-1].strip().lower().replace(" ", "-") if unit.headings else ""
    if section not in _PARAMETERS | _RETURNS | _RAISES or unit.under:
        return None
    if section in _RETURNS:
        return _field(unit, owner, section, "", unit.text)
    entry = _GOOGLE.match(unit.text) or _NUMPY.match(unit.text)
    if entry is None:
        return None
    text = entry.groupdict().get("text") or ""
    return _field(unit, owner, "raises" if section in _RAISES else "param", entry["name"], text)


def _field(
    unit: Unit, owner: Entity, tag: str, name: str, text: str, *, whole: str = ""
) -> Iterator[Statement]:
    if tag in _PARAMETER_TAGS:
        optional = re.match(r"^\[([\w$.]+)(?:=([^\]]*))?\]?", name)
        plain = optional[1] if optional else name.strip("`*:,")
        if not re.match(r"^[A-Za-z_$][\w$.]*$", plain):
            return
        subject = Entity(kind=EntityKind.PARAMETER, name=plain, owner=owner.name)
        yield Statement(unit, AssertionKind.PARAMETER, owner, (plain,), unit.text.find(plain))
        if optional and optional[2]:
            yield Statement(
                unit,
                AssertionKind.DEFAULT,
                subject,
                (optional[2],),
                unit.text.find(optional[2], unit.text.find("=")),
            )
        else:
            yield from value_statements(unit, Topic(subject, True))
        if len(text.split()) > 3:
            yield Statement(unit, AssertionKind.BEHAVES, subject)
    elif tag in _DEFAULTS and (value := (whole or text).strip().strip("`\"'")) and "\n" not in value:
        subject = Entity(kind=EntityKind.SYMBOL, name=owner.name)
        yield Statement(unit, AssertionKind.DEFAULT, subject, (value,), unit.text.find(value))
    elif tag in _RETURNS:
        said = whole or text
        formal = _FORMAL_RETURN.match(said)
        if formal:
            value = formal[1].strip('`"')
            yield Statement(unit, AssertionKind.RETURNS, owner, (value,), unit.text.find(value))
        elif len(said.split()) > 2:
            yield Statement(unit, AssertionKind.RETURNS, owner)
    elif tag in _RAISES:
        raised = _EXCEPTION.match(name or text)
        if raised:
            yield Statement(unit, AssertionKind.RAISES, owner, (raised[1],), unit.text.find(raised[1]))
