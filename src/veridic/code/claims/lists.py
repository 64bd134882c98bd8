"""Lists of parameters below a text that names whose they are."""

import re
from collections.abc import Iterator, Sequence

from veridic.code.claims.blocks import Block, Paragraph, Snippet
from veridic.code.claims.drafts import Context
from veridic.code.claims.names import called
from veridic.code.claims.subjects import has_parameter
from veridic.domain.code import FactKind

_CODE = re.compile(r"`([^`\n]{1,160})`")
_CALLS = re.compile(r"\b([A-Za-z_][\w.]*)\(")
_LEADING = re.compile(r"\W{0,4}`\*{0,2}(?P<name>[A-Za-z_]\w*)`")
_LEAST_ITEMS = 2
_MOST_ITEMS = 60
_FURTHEST_BACK = 2
_MOST_LINES = 200


def owner_of_list(blocks: Sequence[Block], at: int, context: Context) -> str | None:
    """The function or class whose parameters the items from `at` on begin with; None where they are not one's own."""
    names = list(_leading_names(blocks, at))
    if len(names) < _LEAST_ITEMS:
        return None
    for candidate in _named_before(blocks, at, context):
        if all(has_parameter(context, candidate, name) for name in names):
            return candidate
    return None


def _leading_names(blocks: Sequence[Block], at: int) -> Iterator[str]:
    """What each item of the list begins with; empty where that is no name."""
    for block in blocks[at : at + _MOST_ITEMS]:
        if not isinstance(block, Paragraph) or not block.is_item:
            return
        match = _LEADING.match(block.passage.text)
        yield match["name"] if match else ""


def _named_before(blocks: Sequence[Block], at: int, context: Context) -> Iterator[str]:
    """Functions and classes that the text or the example right above names."""
    for block in reversed(blocks[max(0, at - _FURTHEST_BACK) : at]):
        if isinstance(block, Paragraph):
            written = [(called(code) or (code.strip(),))[0] for code in _CODE.findall(block.passage.text)]
        elif isinstance(block, Snippet):
            written = [name for line in block.lines[:_MOST_LINES] for name in _CALLS.findall(line.text)]
        else:
            return
        for name in dict.fromkeys(written):
            if context.names.is_known(name, FactKind.FUNCTION, FactKind.CLASS):
                yield name
