"""Tables: the headings say what the cells of a row say about its first one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridic.code.claims.blocks import Table
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.names import is_placeholder
from veridic.code.claims.passage import Passage
from veridic.code.claims.prose import sentence_drafts
from veridic.code.claims.said_defaults import cell_default
from veridic.code.claims.sentence import Sentence, sentences, whole
from veridic.code.claims.subjects import has_parameter, owned, value_holder
from veridic.code.claims.values import Value
from veridic.domain.code import AssertionKind, Entity, EntityKind, FactKind

_ROLES = (
    ("default", re.compile(r"\bdefaults?(?: values?)?\b", re.IGNORECASE)),
    ("environment", re.compile(r"\benv(?:ironment)?\b|\bvariables?\b", re.IGNORECASE)),
    ("command", re.compile(r"\A(?:sub)?commands?\Z", re.IGNORECASE)),
    ("parameter", re.compile(r"\b(?:param(?:eter)?s?|arg(?:ument)?s?|kwargs?)\b", re.IGNORECASE)),
    ("flag", re.compile(r"\b(?:flags?|options?|switch(?:es)?|cli)\b", re.IGNORECASE)),
    (
        "setting",
        re.compile(r"\b(?:settings?|keys?|fields?|propert(?:y|ies)|names?|attributes?)\b", re.IGNORECASE),
    ),
    ("constant", re.compile(r"\b(?:constants?|limits?)\b", re.IGNORECASE)),
    ("value", re.compile(r"\Avalue\Z", re.IGNORECASE)),
    ("choices", re.compile(r"\b(?:choices|values|allowed|accepted|possible)\b", re.IGNORECASE)),
)
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]{1,60}\Z")
_SERIES = re.compile(
    r"`[^`]{1,60}`(?:\s?(?:,|/|\||\\\|)\s?(?:or |and )?`[^`]{1,60}`|,? (?:or|and) `[^`]{1,60}`){1,24}\.?\Z"
)
_SUBJECT_ROLES = ("flag", "environment", "parameter", "setting", "constant", "")
_METHOD_HEADERS = ("method", "verb", "http method")
_PATH_HEADERS = ("path", "endpoint", "route", "url", "uri")
_CHOOSERS = frozenset({EntityKind.FLAG, EntityKind.PARAMETER, EntityKind.ENVIRONMENT})
_LEAST_KNOWN = 2


def table_drafts(table: Table, context: Context) -> Iterator[Draft]:
    """What every row says."""
    roles = [_role(header.text) for header in table.headers]
    if not roles:
        return
    rows = [(row, _subject(row, roles, context)) for row in table.rows]
    if not _is_about_owner(rows, context):
        context = replace(context, owner=None)
        rows = [(row, _subject(row, roles, context)) for row in table.rows]
    flags = [entity.name for _, entity in rows if entity and entity.kind is EntityKind.FLAG]
    known = sum(context.names.is_known(flag, FactKind.OPTION) for flag in flags)
    is_own = known >= _LEAST_KNOWN and 2 * known >= len(flags)
    context = replace(context, has_own_flags=context.has_own_flags or is_own)
    for row, subject in rows:
        yield from _row(row, roles, subject, context)
        yield from _endpoint(row, table.headers, context)


def _is_about_owner(rows: Sequence[tuple[tuple[Passage, ...], Entity | None]], context: Context) -> bool:
    """Whether any row names a parameter of the section's function: else the table speaks of something else."""
    return any(
        entity and entity.owner and has_parameter(context, entity.owner, entity.name) for _, entity in rows
    )


def _role(header: str) -> str:
    return next((role for role, pattern in _ROLES if pattern.search(header)), "")


def _subject(row: tuple[Passage, ...], roles: list[str], context: Context) -> Entity | None:
    """What a row is about: its first cell that names something."""
    for cell, role in zip(row, roles, strict=False):
        if role in _SUBJECT_ROLES:
            entity = _named(cell.text, role, context)
            if entity is not None:
                command = next(
                    (other for other, kind in zip(row, roles, strict=False) if kind == "command"), None
                )
                return _of_command(entity, command, context)
            if role:
                return None
    return None


def _named(cell: str, role: str, context: Context) -> Entity | None:
    written = cell.replace("`", "").strip()
    if is_placeholder(written) and not written.startswith("-"):
        return None
    flags = context.names.entity(written) if written.startswith("-") else None
    if flags is not None:
        return flags
    codes = re.findall(r"`([^`]{1,160})`", cell)
    name = codes[0] if codes else written if _PLAIN_NAME.match(written) and role else ""
    entity = value_holder(name, context) if name else None
    if entity is None or entity.kind is not EntityKind.SYMBOL:
        return entity
    kinds = {"parameter": EntityKind.PARAMETER, "setting": EntityKind.SETTING, "flag": EntityKind.SETTING}
    owner = context.owner if role == "parameter" else entity.owner
    return Entity(kind=kinds.get(role, entity.kind), name=entity.name, owner=owner)


def _of_command(entity: Entity, command: Passage | None, context: Context) -> Entity:
    if command is None or entity.kind is not EntityKind.FLAG:
        return entity
    name = command.text.strip("` ")
    if name.split(" ")[-1] not in context.names.subcommands | context.names.commands:
        return entity
    own = context.command
    return entity.model_copy(
        update={"owner": name if " " in name or not own or name == own else f"{own} {name}"}
    )


def _endpoint(row: tuple[Passage, ...], headers: tuple[Passage, ...], context: Context) -> Iterator[Draft]:
    """A method in one cell and a path in another."""
    cells = {header.text.strip("` ").lower(): cell for header, cell in zip(headers, row, strict=False)}
    method = next((cells[name] for name in _METHOD_HEADERS if name in cells), None)
    path = next((cells[name] for name in _PATH_HEADERS if name in cells), None)
    if method is None or path is None or not context.names.index.of_kind(FactKind.ROUTE):
        return
    written = path.text.strip("` ")
    entity = context.names.entity(f"{method.text.strip('` ').upper()} {written}")
    sentence = whole(path, context)
    if entity is not None and entity.kind is EntityKind.ENDPOINT and sentence is not None:
        at = path.text.index(written)
        draft = sentence.draft(
            AssertionKind.EXISTS, entity, [Value(written, at, at + len(written))], quantifiers=()
        )
        yield replace(draft, text=" | ".join(cell.text for cell in row))


def _row(
    row: tuple[Passage, ...], roles: list[str], subject: Entity | None, context: Context
) -> Iterator[Draft]:
    topic = owned(subject, context) if subject else None
    line = " | ".join(cell.text for cell in row)
    context = context.about(topic)
    for number, cell in enumerate(row):
        role = roles[number] if number < len(roles) else ""
        for draft in _cell(cell, role, topic, context, is_first=number == 0):
            yield replace(draft, text=line)


def _cell(
    cell: Passage, role: str, topic: Entity | None, context: Context, *, is_first: bool
) -> Iterator[Draft]:
    sentence = whole(cell, context)
    if sentence is None:
        return
    if role == "default":
        draft = cell_default(sentence, topic) if topic else None
        if draft is not None:
            yield draft
    elif role == "value" and topic and topic.kind is EntityKind.CONSTANT:
        draft = cell_default(sentence, topic)
        if draft is not None:
            assertion = draft.assertion.model_copy(update={"kind": AssertionKind.EQUALS})
            yield replace(draft, assertion=assertion)
    elif topic and not is_first and _lists_choices(cell.text.strip(), role, topic):
        yield _choices(sentence, topic)
    elif is_first and topic and topic.kind is EntityKind.PARAMETER and topic.owner:
        at = cell.text.find(topic.name)
        yield sentence.draft(AssertionKind.PARAMETER, topic, [Value(topic.name, at, at + len(topic.name))])
    else:
        for part in sentences(cell, context):
            yield from sentence_drafts(part, defines=is_first)


def _lists_choices(cell: str, role: str, topic: Entity) -> bool:
    """Whether a cell is nothing but values that the row's option can have."""
    if _SERIES.match(cell) is None or topic.kind not in _CHOOSERS:
        return False
    return role == "choices" or " or " in cell


def _choices(sentence: Sentence, topic: Entity) -> Draft:
    values = [
        Value(match[1], match.start(1), match.end(1))
        for match in re.finditer(r"`([^`]{1,60})`", sentence.text)
    ]
    return sentence.draft(AssertionKind.MEMBERS, topic, values, quantifiers=())
