"""Docstrings to blocks: sections as Google and NumPy write them, fields as Sphinx does, and prose."""

import re
from collections.abc import Iterator, Sequence

from veridic.code.claims.blocks import Block, Field, FieldKind
from veridic.code.claims.doc_tags import split_tags
from veridic.code.claims.inline import rst_inline
from veridic.code.claims.passage import Passage, SourceLine, dedented, indent_of, stripped, verbatim
from veridic.code.claims.rst import rst_lines

_KINDS = {
    "args": FieldKind.PARAMETER, "arguments": FieldKind.PARAMETER, "parameters": FieldKind.PARAMETER,
    "params": FieldKind.PARAMETER, "keyword args": FieldKind.PARAMETER, "keyword arguments": FieldKind.PARAMETER,
    "other parameters": FieldKind.PARAMETER, "returns": FieldKind.RETURNS, "return": FieldKind.RETURNS,
    "attributes": FieldKind.ATTRIBUTE, "yields": FieldKind.RETURNS, "raises": FieldKind.RAISES, "exceptions": FieldKind.RAISES,
}  # fmt: skip
_OTHER_SECTIONS = frozenset(
    "example examples note notes warning warnings see also references todo usage methods".split()
) | {"see also", "warns", "receives"}
_GOOGLE_HEADER = re.compile(r"(?P<name>[A-Z][A-Za-z]+(?: [A-Za-z]+)?):\s*\Z")
_NUMPY_RULE = re.compile(r"-{3,}\s*\Z")
_GOOGLE_PARAMETER = re.compile(
    r"(?P<name>\*{0,2}[A-Za-z_]\w*(?:, \*{0,2}[A-Za-z_]\w*)*)\s*(?:\((?P<type>[^()]{0,120}(?:\([^()]{0,80}\)[^()]{0,80})?)\))?\s*:(?:\s+|\Z)"
)
_BRACED_PARAMETER = re.compile(r"(?P<name>\*{0,2}[A-Za-z_]\w*) \{(?P<type>[^{}]{1,120})\} -{1,2}(?:\s+|\Z)")
_GOOGLE_RESULT = re.compile(
    r"(?P<type>[A-Za-z_][\w.]*(?:\[[^\]]{0,80}\]{1,3})?(?: \| [\w.\[\]]{1,60})*)\s*:\s+(?=\S)"
)
_GOOGLE_ERROR = re.compile(r"\(?`{0,2}(?P<name>[A-Za-z_][\w.]*)`{0,2}\)?\s*(?::(?:\s+|\Z)|\Z)")
_NUMPY_PARAMETER = re.compile(
    r"(?P<name>\*{0,2}[A-Za-z_]\w*(?:, \*{0,2}[A-Za-z_]\w*)*)\s*(?: ?: ?(?P<type>.{1,200}))?\Z"
)
_EXAMPLES = frozenset({"example", "examples", "usage", "see also", "references", "todo"})


def docstring_blocks(lines: Sequence[SourceLine], *, names_first: bool = False) -> list[Block]:
    """The blocks of a docstring, its first line included, whose indentation is another than that of the rest.

    `names_first`: a tag that names a parameter does so with its first word, as in Java, unless that is a type of
    JavaScript's, such as `String`.
    """
    if not lines:
        return []
    prose, tags = split_tags(lines, names_first=names_first)
    if not prose:
        return list(tags)
    return [*_blocks([stripped(prose[0]), *dedented(prose[1:])]), *tags]


def _blocks(lines: list[SourceLine]) -> Iterator[Block]:
    prose: list[SourceLine] = []
    at = 0
    while at < len(lines):
        section = _section_at(lines, at)
        if section is None:
            prose.append(lines[at])
            at += 1
            continue
        yield from rst_lines(prose)
        prose = []
        name, start, end, is_numpy = section
        yield from _section(name, lines[start:end], is_numpy=is_numpy)
        at = end
    yield from rst_lines(prose)


def _section_at(lines: list[SourceLine], at: int) -> tuple[str, int, int, bool] | None:
    """Name, first and last line of the section whose header stands there, and whether it is NumPy's."""
    text = lines[at].text
    if at + 1 < len(lines) and _NUMPY_RULE.match(lines[at + 1].text) and _is_section(text.strip()):
        end = at + 2
        while end < len(lines) and not (
            end + 1 < len(lines) and _NUMPY_RULE.match(lines[end + 1].text) and not indent_of(lines[end])
        ):
            end += 1
        return text.strip().lower(), at + 2, end, True
    header = _GOOGLE_HEADER.match(text)
    if header is None or not _is_section(header["name"]):
        return None
    end = at + 1
    while end < len(lines) and (not lines[end].text.strip() or indent_of(lines[end])):
        end += 1
    return header["name"].lower(), at + 1, end, False


def _is_section(name: str) -> bool:
    return name.lower() in _KINDS or name.lower() in _OTHER_SECTIONS


def _section(name: str, lines: list[SourceLine], *, is_numpy: bool) -> Iterator[Block]:
    kind = _KINDS.get(name)
    body = dedented(lines)
    if kind is None:
        if name not in _EXAMPLES:
            yield from rst_lines(body)
        return
    if kind is FieldKind.RETURNS and not is_numpy:
        entries = [[line for line in body if line.text.strip()]]
    else:
        entries = list(_entries(body))
    if kind is FieldKind.RETURNS and len(entries) > 1:
        return  # Several results are one tuple, which no entry describes.
    for entry in entries:
        if entry and not _is_section(entry[0].text.strip().rstrip(":")):
            field = _numpy_entry(kind, entry) if is_numpy else _google_entry(kind, entry)
            if field is not None:
                yield from field


def _entries(lines: list[SourceLine]) -> Iterator[list[SourceLine]]:
    """Lines at the margin with those indented below them."""
    entry: list[SourceLine] = []
    for line in lines:
        if not line.text.strip():
            continue
        if not indent_of(line) and entry:
            yield entry
            entry = []
        entry.append(line)
    if entry:
        yield entry


def _google_entry(kind: FieldKind, lines: list[SourceLine]) -> list[Field] | None:
    pattern = {
        FieldKind.PARAMETER: _GOOGLE_PARAMETER, FieldKind.ATTRIBUTE: _GOOGLE_PARAMETER,
        FieldKind.RETURNS: _GOOGLE_RESULT, FieldKind.RAISES: _GOOGLE_ERROR,
    }[kind]  # fmt: skip
    head = lines[0]
    match = pattern.match(head.text)
    if match is None and kind is FieldKind.PARAMETER:
        match = _BRACED_PARAMETER.match(head.text)
    if match is None:
        return [Field(kind, "", None, head.line, None, _prose(lines))] if kind is FieldKind.RETURNS else None
    type_ = _part(head, match, "type") if kind is not FieldKind.RAISES else None
    text = _prose([stripped(head, match.end()), *lines[1:]])
    if kind is FieldKind.RETURNS:
        return [Field(kind, "", None, head.line, type_, text)]
    return _named(kind, head, match, type_, text)


def _numpy_entry(kind: FieldKind, lines: list[SourceLine]) -> list[Field] | None:
    head, text = lines[0], _prose(lines[1:])
    if kind is FieldKind.RAISES:
        match = _GOOGLE_ERROR.match(head.text.strip())
        return _named(kind, head, match, None, text) if match else None
    match = _NUMPY_PARAMETER.match(head.text.rstrip())
    if kind is FieldKind.RETURNS:
        type_ = _part(head, match, "type") if match and match["type"] else verbatim([stripped(head)])
        return [Field(kind, "", None, head.line, type_, text)]
    return _named(kind, head, match, _part(head, match, "type"), text) if match else None


def _named(
    kind: FieldKind, head: SourceLine, match: re.Match[str], type_: Passage | None, text: Passage
) -> list[Field]:
    """One field for each of the names before the colon."""
    names = list(re.finditer(r"[A-Za-z_][\w.]*", match["name"]))
    fields = []
    for name in names:
        line = SourceLine(name[0], head.line, head.column + match.start("name") + name.start())
        place = verbatim([line]).place(0, len(name[0]))
        fields.append(Field(kind, name[0], place, head.line, type_, text, is_shared=len(names) > 1))
    return fields


def _part(line: SourceLine, match: re.Match[str], group: str) -> Passage | None:
    if not match[group]:
        return None
    return verbatim([SourceLine(match[group], line.line, line.column + match.start(group))])


def _prose(lines: Sequence[SourceLine]) -> Passage:
    return rst_inline([stripped(line) for line in lines])[0]
