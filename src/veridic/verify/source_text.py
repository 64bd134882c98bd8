"""Splits a source file into code, as tokens, and prose: comments and texts for users.

No grammar is needed to see what a change did: a token was replaced, and the tokens around it show what it belongs to. The syntax tree
only shows where comments and strings are.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.verify.syntax import GRAMMARS, has_grammars, nodes_of, syntax_tree

_GRAMMARS = GRAMMARS | {
    "kt": "kotlin",
    "kts": "kotlin",
    "c": "c",
    "h": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "hpp": "cpp",
    "cs": "csharp",
    "rb": "ruby",
    "php": "php",
    "swift": "swift",
    "scala": "scala",
    "lua": "lua",
    "sh": "bash",
    "bash": "bash",
}
_COMMENTS = ("comment", "line_comment", "block_comment", "doc_comment", "multiline_comment")
_STRINGS = (
    "string",
    "string_literal",
    "raw_string_literal",
    "interpreted_string_literal",
    "template_string",
    "raw_string",
    "line_string_literal",
    "multi_line_string_literal",
    "encapsed_string",
    "char_literal",
    "character_literal",
    "rune_literal",
)
_TOKEN = re.compile(
    r"[a-z]{2,8}://[^\s\"'`<>()]+"  # an address
    r"|(?:\.{1,2}|~|\$\w+)?(?:/[\w.-]+){1,}|(?:[\w.-]{1,60}/){2,8}[\w.-]{1,60}"  # a path
    r"|--?[A-Za-z][\w-]*"  # an option
    r"|0[xXoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)*(?:e-?\d+)?[A-Za-z%]*"  # a number, a version, with its unit
    r"|[^\W\d]\w*(?:-[^\W\d]\w*)*"
    r"|[<>=!]=|\S"
)
_TAG = re.compile(r":\"([^\"\s,]+)")
_LONGEST_LINE = 2_000
"""A file with longer lines is data or generated."""
_WORDY = 3
"""A string with at least this many words is a text for people."""
_QUOTES = "\"'`"
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_PYTHON_TEXT = re.compile(
    r"#[^\n]*"
    r"|\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    r"|[\"']",
    re.DOTALL,
)
_FORMATTED = frozenset("fFrRtT")
"""The last character of a prefix of strings with placeholders."""
_LINE_COMMENTS = ("#", ";", "//")


class TokenKind(StrEnum):
    NAME = "name"
    NUMBER = "number"
    TEXT = "text"
    """A string that is not prose."""
    MARK = "mark"


class Token(NamedTuple):
    text: str
    kind: TokenKind
    line: int
    """From 0."""


class Prose(NamedTuple):
    """A comment or a text for users."""

    line: int
    """From 0."""
    text: str
    """With its line ends and comment marks."""
    is_comment: bool = True


class SourceText(NamedTuple):
    tokens: tuple[Token, ...]
    prose: tuple[Prose, ...]


@lru_cache(maxsize=128)
def read_source(path: str, text: str) -> SourceText:
    """The tokens of the code and the prose between them, each in the order of the file."""
    tokens: list[Token] = []
    prose: list[Prose] = []
    at, line = 0, 0
    for start, end, is_comment in _joined(_spans_of(path, text), text):
        tokens += tokens_of(text[at:start], line)
        line += text.count("\n", at, start)
        inside = text[start:end]
        if _is_prose(inside, is_comment):
            prose.append(Prose(line, inside, is_comment))
            # For example the tags of a Go struct: `toml:"port" usage:"The port to listen on"`.
            tokens += [] if is_comment else [Token(tag, TokenKind.TEXT, line) for tag in _TAG.findall(inside)]
        else:
            tokens.append(Token(_unquoted(inside), TokenKind.TEXT, line))
        line += text.count("\n", start, end)
        at = end
    tokens += tokens_of(text[at:], line)
    return SourceText(tuple(tokens), tuple(prose))


def read_prose(path: str, text: str) -> list[Prose]:
    """The comments and texts for users in a source file."""
    found: list[Prose] = []
    at, line = 0, 0
    for start, end, is_comment in _joined(_spans_of(path, text), text):
        line += text.count("\n", at, start)
        at = start
        inside = text[start:end]
        if _is_prose(inside, is_comment):
            found.append(Prose(line, inside, is_comment))
    return found


def may_be_prose(path: str, text: str) -> str:
    """A text that contains at least all comments and texts for users of a source file, to search before parsing, which takes much longer.

    If finding them needs a parser, it is the whole text.
    """
    if _grammar_of(path) != "python":
        return text
    found: list[str] = []
    for match in _PYTHON_TEXT.finditer(text):
        if len(match[0]) == 1:
            return text  # an unclosed quote
        end = match.end()
        if text[match.start() - 1 : match.start()] in _FORMATTED and "{" in match[0]:
            end = text.find("\n", end)  # what looks like its end may be the start of a string inside it
        found.append(text[match.start() : end if end >= 0 else len(text)])
    return "\n".join(found)


def _is_prose(inside: str, is_comment: bool) -> bool:
    return is_comment or len(inside.split(None, _WORDY - 1)) >= _WORDY


def _spans_of(path: str, text: str) -> list[tuple[int, int, bool]]:
    """Where comments and strings are."""
    grammar = _grammar_of(path)
    # Long lines are not written by people, and may be too much for parsers.
    is_written = max(map(len, text.split("\n"))) <= _LONGEST_LINE
    return _spans(grammar, text) if grammar and is_written and has_grammars() else _spans_by_line(text)


def _grammar_of(path: str) -> str | None:
    return _GRAMMARS.get(PurePosixPath(path).suffix.removeprefix(".").lower())


def _spans(grammar: str, text: str) -> list[tuple[int, int, bool]]:
    found: list[tuple[int, int, bool]] = []
    for node in nodes_of(syntax_tree(text, grammar), grammar, (*_COMMENTS, *_STRINGS)):
        place = node.range()
        found.append((place.start.index, place.end.index, node.kind() in _COMMENTS))
    found.sort()
    outer: list[tuple[int, int, bool]] = []
    for span in found:
        if not outer or span[0] >= outer[-1][1]:
            outer.append(span)
    return outer


def _joined(spans: Sequence[tuple[int, int, bool]], text: str) -> Iterator[tuple[int, int, bool]]:
    """The spans with comments on consecutive lines joined."""
    pending: tuple[int, int, bool] | None = None
    for span in spans:
        if pending and pending[2] and span[2] and _is_next_line(text[pending[1] - 1 : span[0]]):
            pending = (pending[0], span[1], True)
            continue
        if pending:
            yield pending
        pending = span
    if pending:
        yield pending


def _is_next_line(between: str) -> bool:
    return between.count("\n") == 1 and not between[1:].strip()


def _spans_by_line(text: str) -> list[tuple[int, int, bool]]:
    """Without a grammar: lines that are comments, and what is between quotes within a line."""
    found: list[tuple[int, int, bool]] = []
    at = 0
    for line in text.split("\n"):
        if line.lstrip().startswith(_LINE_COMMENTS):
            found.append((at, at + len(line), True))
        elif len(line) <= _LONGEST_LINE:
            found += [(at + match.start(), at + match.end(), False) for match in _QUOTED.finditer(line)]
        at += len(line) + 1
    return found


def tokens_of(text: str, line: int = 0) -> Iterator[Token]:
    """The tokens of a text without comments and quotes, or of the inside of a string."""
    for number, part in enumerate(text.split("\n"), line):
        for match in _TOKEN.finditer(part if len(part) <= _LONGEST_LINE else ""):
            word = match[0]
            if word[0].isdigit():
                kind = TokenKind.NUMBER
            elif word[0].isalpha() or word[0] == "_" or (len(word) > 2 and word[0] in "-./~$"):
                kind = TokenKind.NAME
            else:
                kind = TokenKind.MARK
            yield Token(word, kind, number)


def _unquoted(text: str) -> str:
    return text.lstrip("rbfuRBFU#").rstrip("#").strip(_QUOTES) if text[-1:] in "\"'`#" else text
