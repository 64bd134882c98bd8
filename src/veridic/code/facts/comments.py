"""Comments of a source file, found with one pattern that knows what is a string and what is not."""

import re
from collections.abc import Iterator

from veridic.code.facts.source import Source

_PYTHON = re.compile(
    r"\"\"\"[^\"\\]*+(?:(?:\\.|\"(?!\"\"))[^\"\\]*+)*+\"\"\"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''"
    r"|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
    r"|(?P<comment>\#[^\r\n]*+)",
    re.DOTALL,
)


def split_comments(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The text with strings and comments blanked out, all else where it was; and the comments with their offsets."""
    comments: list[tuple[int, str]] = []
    code: list[str] = []
    at = 0
    for found in _PYTHON.finditer(text):
        start, end = found.span()
        if found.lastgroup:
            comments.append((start, text[start:end]))
        code += (text[at:start], " " * (end - start))
        at = end
    code.append(text[at:])
    return "".join(code), comments


def merge_comments(comments: list[tuple[int, str]], source: Source) -> Iterator[tuple[str, int, int]]:
    """Text, first and last line of each comment; whole-line comments on consecutive lines are one."""
    block: list[str] = []
    first = last = 0
    for offset, comment in comments:
        line = source.line_at(offset)
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
