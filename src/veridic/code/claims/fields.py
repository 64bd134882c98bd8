"""Fields of docstrings: documented parameters, results and exceptions."""

import re
from collections.abc import Iterator

from veridic.code.claims.blocks import Field, FieldKind
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.passage import Passage
from veridic.code.claims.said_contracts import names_result, other_result
from veridic.code.claims.said_defaults import may_say_values, said_defaults
from veridic.code.claims.said_members import may_say_members, said_members
from veridic.code.claims.sentence import sentences, whole
from veridic.code.claims.subjects import has_parameter
from veridic.code.claims.values import LOOSE_VALUE, Value, value_in, value_of
from veridic.domain.code import Assertion, AssertionKind, Entity, EntityKind, FactKind

_TYPE_DEFAULT = re.compile(
    rf"\bdefaults?(?: to| is)?\s*[:=]?\s*{LOOSE_VALUE}(?=\s*(?:[,;)]|\Z))", re.IGNORECASE
)
_TYPE_CHOICES = re.compile(r"\{(?P<choices>[^{}]{1,200})\}")
_SIMPLE_TYPE = re.compile(
    r"`?(?P<type>[A-Za-z_][\w.]*(?:\[[^`]{0,80}\])?(?: \| [\w.\[\]]{1,60})*)`?(?:,? optional)?\.?\Z"
)
_LEADING_TYPE = re.compile(
    r"(?:[-*] )?(?:Returns? )?(?:An? |The )?`?(?P<type>None|True|False|bool(?:ean)?|str(?:ing)?|int(?:eger)?|float|list|dict(?:ionary)?"
    r"|tuple|set|bytes|iterator|generator|-?\d{1,4}(?=`? (?:if|when|on|otherwise)\b))`?(?=[\s.,;:]|\Z)",
    re.IGNORECASE,
)
_AS_TYPE = re.compile(
    r"\A[^.`]{1,60} as (?:an? )?`?(?P<type>bytes|str|string|int|float|list|dict|tuple|set)`?(?=[\s.,;:]|\Z)"
)
_OF_ITS_PARTS = re.compile(r"\b(?:mapping|maps|each|values?|keys?|pairs?)\b", re.IGNORECASE)
_OR_NONE = re.compile(r"(?:,|\A\W*(?:The |An? )?`?[\w.]{1,60}`?) or `?(?P<type>None)\b`?")


def field_drafts(field: Field, context: Context) -> Iterator[Draft]:
    """What one entry of a docstring says."""
    owner = context.owner
    if owner is None:
        return
    match field.kind:
        case FieldKind.PARAMETER:
            yield from _parameter(field, owner, context)
        case FieldKind.ATTRIBUTE if has_parameter(context, owner, field.name):
            yield from _values(
                field, Entity(kind=EntityKind.PARAMETER, name=field.name, owner=owner), context
            )
        case FieldKind.RETURNS:
            yield from _result(field, Entity(kind=EntityKind.FUNCTION, name=owner))
        case FieldKind.RAISES if _is_raised(field.name):
            subject = Entity(kind=EntityKind.FUNCTION, name=owner)
            assertion = Assertion(
                kind=AssertionKind.RAISES,
                subject=subject,
                expected=(field.name,),
                expected_place=field.name_place,
            )
            yield Draft(assertion, _text(field), field.line, field.line, (subject,))
        case _:
            pass


def _is_raised(name: str) -> bool:
    """Warnings are given, mostly, and not raised."""
    return name.rpartition(".")[2][:1].isupper() and not name.endswith("Warning")


def _parameter(field: Field, owner: str, context: Context) -> Iterator[Draft]:
    name = field.name.lstrip("*")
    if not name:
        return
    subject = Entity(kind=EntityKind.PARAMETER, name=name, owner=owner)
    if context.names.is_known(owner, FactKind.FUNCTION, FactKind.CLASS):
        assertion = Assertion(
            kind=AssertionKind.PARAMETER, subject=subject, expected=(name,), expected_place=field.name_place
        )
        yield Draft(assertion, _text(field), field.line, field.line, (subject,))
    yield from _values(field, subject, context)


def _values(field: Field, subject: Entity, context: Context) -> Iterator[Draft]:
    """The default and the choices that an entry tells."""
    context = context.about(subject)
    if field.default is not None and (default := whole(field.default, context)) is not None:
        value = value_of(field.default.text)
        yield default.draft(AssertionKind.DEFAULT, subject, [value], quantifiers=())
    if field.type is not None:
        yield from _in_type(field.type, subject, context)
    if field.is_shared and field.text.text.lower().count("default") > 1:
        return  # Which of them is whose can't be told.
    if may_say_values(field.text.text) or may_say_members(field.text.text):
        for sentence in sentences(field.text, context):
            yield from said_defaults(sentence)
            yield from said_members(sentence)


def _in_type(type_: Passage, subject: Entity, context: Context) -> Iterator[Draft]:
    """`int, optional, default: 5` and `{"a", "b"}`."""
    sentence = whole(type_, context)
    if sentence is None:
        return
    if match := _TYPE_DEFAULT.search(type_.text):
        yield sentence.draft(AssertionKind.DEFAULT, subject, [value_in(match)], quantifiers=())
    if match := _TYPE_CHOICES.search(type_.text):
        choices = [choice.strip().strip("`'\"‘’") for choice in match["choices"].split(",")]
        if len(choices) > 1 and all(choices):
            yield sentence.draft(AssertionKind.MEMBERS, subject, expected=choices, quantifiers=())


def _result(field: Field, subject: Entity) -> Iterator[Draft]:
    if field.type is not None and (match := _SIMPLE_TYPE.match(field.type.text.strip())):
        at = field.type.text.index(match["type"])
        yield _returned(field, subject, field.type, Value(match["type"], at, at + len(match["type"])))
        return
    passage = field.type or field.text  # What stands in the place of a type may be a sentence.
    text = passage.text[:300]
    patterns = (
        (_LEADING_TYPE.match,) if field.type else (_LEADING_TYPE.match, _AS_TYPE.search, _OR_NONE.search)
    )
    for pattern in patterns:
        found = pattern(text)
        if found and names_result(text[found.end() :]) and not _OF_ITS_PARTS.search(text[: found.start()]):
            yield _returned(field, subject, passage, Value(found["type"], *found.span("type")))
            if other := other_result(text, found.end(), found["type"]):
                yield _returned(field, subject, passage, other)


def _returned(field: Field, subject: Entity, passage: Passage, value: Value) -> Draft:
    assertion = Assertion(
        kind=AssertionKind.RETURNS,
        subject=subject,
        expected=(value.text,),
        expected_place=passage.place(value.start, value.end),
    )
    return Draft(assertion, _text(field), field.line, field.line, (subject,))


def _text(field: Field) -> str:
    """The entry in a line, as a reader would say it."""
    type_ = f" ({field.type.text})" if field.type is not None else ""
    heading = {FieldKind.RETURNS: "Returns", FieldKind.RAISES: "Raises"}.get(field.kind, "")
    name = f"{heading} {field.name}".strip() + type_
    return f"{name}: {field.text.text}"[:500] if field.text.text else name
