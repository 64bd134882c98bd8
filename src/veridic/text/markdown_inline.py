"""Parses inline Markdown into tokens that record their position in the block's content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal

from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline

from veridic.domain.document import Span
from veridic.text.markup import breaks_line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markdown_it.utils import EnvType

_AT = "at"
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\s\[]{1,64}\]")


class _TracingState(StateInline):
    """Records on each token the position at which it was read."""

    def __init__(self, src: str, md: MarkdownIt, env: EnvType, outTokens: list[Token]) -> None:  # noqa: N803
        super().__init__(src, md, env, outTokens)
        self._pending_at = 0
        self._pushed: tuple[int, Token] | None = None

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self._pending_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802
        token = super().pushPending()
        token.meta[_AT] = self._pending_at
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta[_AT] = self.pos
        if self._pushed and ttype == "text":
            # A rule pushes the delimiters of one series (`***`) one by one, and advances at the end.
            position, previous = self._pushed
            if position == self.pos and previous.type == "text":
                token.meta[_AT] = previous.meta[_AT] + len(previous.content)
        self._pushed = self.pos, token
        return token


class TracingInlineParser(ParserInline):
    """markdown-it's inline parser with a state that records positions."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _TracingState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def footnote_mark(state: StateInline, silent: bool) -> bool:
    """Inline rule: `[^1]` refers to a footnote and is not visible text."""
    match = _FOOTNOTE_MARK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("footnote_mark", "", 0)
    state.pos = match.end()
    return True


def visible_stretches(content: str, parser: MarkdownIt, environment: EnvType) -> Iterator[list[Span]]:
    """Yield the visible parts of a block's `content`, one list for each stretch of prose without a break."""
    children = parser.inline.parse(content, parser, environment, [])
    pieces = pairwise([None, *children])
    for breaks, group in groupby(pieces, key=lambda piece: _is_line_break(piece[1])):
        if not breaks:
            spans = (_visible_span(child, before, content) for before, child in group if child)
            yield sorted(span for span in spans if span)


def _is_line_break(token: Token | None) -> bool:
    """Whether prose ends here although the block continues: `<br>`."""
    return token is not None and token.type == "html_inline" and breaks_line(token.content)


def _visible_span(token: Token, previous: Token | None, content: str) -> Span | None:
    """Return the part of the block's `content` that is visible of this token."""
    if not token.content and token.type not in ("softbreak", "hardbreak"):
        return None
    at: int = token.meta.get(_AT, 0)
    match token.type:
        case "text" if previous is not None and previous.type == "link_open" and previous.info == "auto":
            return at + 1, content.index(">", at)
        case "text":
            return at, at + len(token.content)
        case "text_special":
            hidden = 1 if token.info == "escape" and token.content != token.markup else 0
            return at + hidden, at + len(token.markup)
        case "code_inline":
            return _code_span(token, at, content)
        case "softbreak" | "hardbreak":
            newline = content.index("\n", at)
            return newline, newline + 1
        case _:
            return None


def _code_span(token: Token, at: int, content: str) -> Span:
    first = at + len(token.markup)
    if content[first : first + len(token.content)].replace("\n", " ") != token.content:
        first += 1  # one space inside the backticks is not part of the code
    return first, first + len(token.content)
