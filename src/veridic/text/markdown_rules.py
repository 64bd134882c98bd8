"""The supported Markdown: CommonMark with tables, strikethrough, footnotes, `!!! note` and `::: tip` containers, and MDX."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt, rules_block

from veridic.text.markdown_inline import TracingInlineParser, footnote_mark

if TYPE_CHECKING:
    from markdown_it.parser_block import RuleFuncBlockType
    from markdown_it.rules_block import StateBlock

LINE_STARTS = "line_starts"
"""Key in a block token's `meta`: the positions in the source where its lines begin."""
_MAX_NESTING = 60
_FOOTNOTE_DEFINITION = re.compile(r"\[\^[^\]\s\[]{1,64}\]:[ \t]*")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?|===)[ \t]+\S")
_TITLED = re.compile(r"\S+[ \t]+(?:[\w-]+[ \t]+)*\"[^\"]*\"[ \t]*$")
_FENCED_DIV = re.compile(r":{3}")
_MDX_STATEMENT = re.compile(r"(?:import|export)\s")
_BODY_INDENT = 4


@lru_cache(maxsize=2)
def parser(*, is_mdx: bool) -> MarkdownIt:
    """Return a parser that finds the blocks; inline text is left to `markdown_inline`."""
    made = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
    made.inline = TracingInlineParser()
    made.configure("commonmark", {"maxNesting": _MAX_NESTING})
    made.enable(["table", "strikethrough"])
    made.disable("fragments_join")  # it would join texts and lose their positions
    made.core.ruler.enableOnly(["normalize", "block"])
    made.inline.ruler.before("link", "footnote_mark", footnote_mark)
    interrupts = ["paragraph", "reference", "blockquote"]
    for name, rule, alt in (
        ("table", rules_block.table, ["paragraph", "reference"]),
        ("code", rules_block.code, []),
        ("fence", rules_block.fence, [*interrupts, "list"]),
        ("html_block", rules_block.html_block, interrupts),
        ("heading", rules_block.heading, interrupts),
        ("lheading", rules_block.lheading, []),
        ("paragraph", rules_block.paragraph, []),
    ):
        made.block.ruler.at(name, _recording_lines(rule), {"alt": alt})
    made.block.ruler.at("blockquote", _not_too_deep(rules_block.blockquote), {"alt": [*interrupts, "list"]})
    made.block.ruler.at("list", _not_too_deep(rules_block.list_block), {"alt": interrupts})
    for name, rule, alt in (
        ("footnote_definition", _not_too_deep(_footnote_definition), interrupts[:2]),
        ("admonition", _not_too_deep(_admonition), [*interrupts, "list"]),
        ("fenced_div", _fenced_div, [*interrupts, "list"]),
        *([("mdx_statement", _mdx_statement, [])] if is_mdx else []),
    ):
        made.block.ruler.before("reference", name, rule, {"alt": alt})
    return made


def _recording_lines(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Wrap a rule so that each of its tokens records where its lines begin."""

    def recording(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        before = len(state.tokens)
        matched = rule(state, start, end, silent)
        if matched and not silent:
            for token in state.tokens[before:]:
                if token.map:
                    token.meta[LINE_STARTS] = tuple(
                        state.bMarks[line] + state.tShift[line] for line in range(*token.map)
                    )
        return matched

    return recording


def _not_too_deep(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Wrap the rule of a container so that its mark is text if nested too deeply: there the parser would drop all that follows."""

    def limited(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < _MAX_NESTING - 2 and rule(state, start, end, silent)

    return limited


def _footnote_definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: `[^1]: text`, with the indented text below it."""
    match = _begins(state, start, _FOOTNOTE_DEFINITION)
    if match is None:
        return False
    if silent:
        return True
    marks = state.bMarks[start], state.tShift[start], state.sCount[start]
    container = state.blkIndent, state.parentType
    state.push("footnote_open", "", 1)
    state.blkIndent += _BODY_INDENT
    state.bMarks[start], state.tShift[start], state.sCount[start] = match.end(), 0, state.blkIndent
    state.parentType = "footnote"
    if match.end() < state.eMarks[start]:
        state.md.block.tokenize(state, start, end)
    else:
        state.line = start + 1
    state.bMarks[start], state.tShift[start], state.sCount[start] = marks
    state.blkIndent, state.parentType = container
    state.push("footnote_close", "", -1)
    return True


def _admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: `!!! note "Title"`, `??? note` and `=== "Tab"` with the indented text below. Without that and a title, they are text."""
    if _begins(state, start, _ADMONITION) is None:
        return False
    indent = state.sCount[start] + _BODY_INDENT
    body = after = start + 1
    while after < end and (state.isEmpty(after) or state.sCount[after] >= indent):
        after += 1
        if state.isEmpty(body):
            body += 1
    if body >= after and _begins(state, start, _TITLED) is None:
        return False
    if silent:
        return True
    container = state.blkIndent, state.parentType, state.lineMax
    state.push("admonition_open", "", 1)
    state.blkIndent, state.parentType, state.lineMax = indent, "admonition", after
    state.md.block.tokenize(state, body, after)
    state.blkIndent, state.parentType, state.lineMax = container
    state.line = after
    state.push("admonition_close", "", -1)
    return True


def _fenced_div(state: StateBlock, start: int, _: int, silent: bool) -> bool:
    """Block rule: a line of `:::` begins or ends a container; the content is read as if it were outside."""
    if _begins(state, start, _FENCED_DIV) is None:
        return False
    if not silent:
        state.line = start + 1
    return True


def _mdx_statement(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: `import` and `export` up to the next empty line."""
    if state.level or state.sCount[start] or _begins(state, start, _MDX_STATEMENT) is None:
        return False
    if not silent:
        state.line = next((line for line in range(start + 1, end) if state.isEmpty(line)), end)
    return True


def _begins(state: StateBlock, line: int, mark: re.Pattern[str]) -> re.Match[str] | None:
    if state.is_code_block(line):
        return None
    return mark.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])
