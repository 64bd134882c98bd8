"""Comments of a source file, found with one pattern that knows what is a string and what is not."""

import re
from collections.abc import Iterator

from veridic.code.facts.source import Source

_PYTHON = re.compile(
    r"\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
    r"|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?"
    r"|(?P<comment>\#[^\r\n]*)",
    re.DOTALL,
)


def mask(text: str) -> str:
    """The text with strings and comments blanked out, every other character where it was."""
    return _PYTHON.sub(lambda found: " " * len(found[0]), text)


def find_comments(source: Source) -> Iterator[tuple[str, int, int]]:
    """Text, first and last line of each comment; whole-line comments on consecutive lines are one."""
    block: list[str] = []
    first = last = 0
    for found in _PYTHON.finditer(source.text):
        comment = found["comment"]
        if comment is None:
            continue
        line = source.line_at(found.start())
        is_whole_line = source.line(line).lstrip().startswith("#")
        text = comment.lstrip("#!:").strip()
        if block and is_whole_line and line == last + 1:
            block.append(text)
            last = line
            continue
        if block:
            yield "\n".join(block), first, last
            block = []
        if is_whole_line:
            block, first, last = [text], line, line
        else:
            yield text, line, line
    if block:
        yield "\n".join(block), first, last
