"""Tags of JSDoc and Javadoc: `@param {number} [timeout=30] - seconds`."""

import re
from collections.abc import Iterator, Sequence

from veridic.code.claims.blocks import Field, FieldKind
from veridic.code.claims.passage import Passage, SourceLine, verbatim

_KINDS = {
    "param": FieldKind.PARAMETER, "arg": FieldKind.PARAMETER, "argument": FieldKind.PARAMETER, "returns": FieldKind.RETURNS,
    "return": FieldKind.RETURNS, "throws": FieldKind.RAISES, "exception": FieldKind.RAISES,
}  # fmt: skip
_TAG = re.compile(r"\s*@(?P<tag>[a-zA-Z]+)\b(?![.(\w])[ \t]*(?P<type>\{[^{}]{0,120}\})?[ \t]*")
"""Not `@app.route("/")`, which is a decorator in an example."""
_DECORATED = re.compile(r"\s*(?:@|(?:async )?def |class )")
_NAME = re.compile(
    r"\[?(?P<name>[A-Za-z_$][\w$.]*)(?:[ ]?=[ ]?(?P<default>(?:[^\[\]]|\[[^\[\]]*\]){1,80}))?\]?(?![\w-])[ \t]*(?:[-–:][ \t]+)?"
)
_SENTENCE = re.compile(r"[A-Z][a-z]+ [a-z]{2,} [a-z]")
_ARTICLES = frozenset({"A", "An", "The", "a", "an", "the"})
"""Begin a description: the name was forgotten."""
_TYPED_NAME = re.compile(
    r"(?P<type>string|str|boolean|bool|integer|int|float|double|number|array|list|dict|struct|object|tuple|function|callable)"
    r"[ \t]+(?=[A-Za-z_]\w*)"
)

_TYPED_IN_CAPITALS = re.compile(r"(?P<type>String|Number|Boolean|Object|Array|Function)[ \t]+(?=[a-z_$])")


def split_tags(lines: Sequence[SourceLine], *, names_first: bool) -> tuple[list[SourceLine], list[Field]]:
    """The lines before the first tag, and the tags that say what is taken, given and thrown."""
    first = next((number for number in range(len(lines)) if _is_tag(lines, number)), len(lines))
    return list(lines[:first]), list(_fields(lines[first:], names_first=names_first))


def _is_tag(lines: Sequence[SourceLine], number: int) -> bool:
    tag = _TAG.match(lines[number].text)
    if tag is None or tag["tag"].lower() in _KINDS:
        return tag is not None
    below = lines[number + 1].text if number + 1 < len(lines) else ""
    return not _DECORATED.match(below)


def _fields(lines: Sequence[SourceLine], *, names_first: bool) -> Iterator[Field]:
    entry: list[SourceLine] = []
    for line in lines:
        if _TAG.match(line.text) and entry:
            yield from _field(entry, names_first=names_first)
            entry = []
        entry.append(line)
    if entry:
        yield from _field(entry, names_first=names_first)


def _field(lines: list[SourceLine], *, names_first: bool) -> Iterator[Field]:
    head = lines[0]
    tag = _TAG.match(head.text)
    kind = _KINDS.get(tag["tag"].lower()) if tag else None
    if tag is None or kind is None:
        return
    type_ = _part(head, tag.start("type") + 1, tag.end("type") - 1) if tag["type"] else None
    if kind is FieldKind.RETURNS:
        yield Field(kind, "", None, head.line, type_, _rest(lines, tag.end()))
        return
    types = _TYPED_IN_CAPITALS if names_first else _TYPED_NAME
    typed = types.match(head.text, tag.end()) if type_ is None else None
    name = _NAME.match(head.text, typed.end() if typed else tag.end())
    if kind is FieldKind.RAISES and type_ is not None:
        yield Field(
            kind, type_.text, type_.place(0, len(type_.text)), head.line, None, _rest(lines, tag.end())
        )
    elif name is not None and "." not in name["name"] and not _is_description(name, type_):
        place = _part(head, *name.span("name")).place(0, len(name["name"]))
        default = _part(head, *name.span("default")) if name["default"] else None
        yield Field(kind, name["name"], place, head.line, type_, _rest(lines, name.end()), default)


def _is_description(match: re.Match[str], type_: Passage | None) -> bool:
    """Whether what stands in the place of the name begins a description: "The ship", "Ships to moor", the type once more."""
    name = match["name"]
    begins = _SENTENCE.match(match.string, match.start("name")) is not None
    return name in _ARTICLES or (type_ is not None and (begins or type_.text.strip("?.") == name))


def _part(line: SourceLine, start: int, end: int) -> Passage:
    return verbatim([SourceLine(line.text[start:end], line.line, line.column + start)])


def _rest(lines: list[SourceLine], start: int) -> Passage:
    head = SourceLine(lines[0].text[start:], lines[0].line, lines[0].column + start)
    return verbatim([head, *lines[1:]])
