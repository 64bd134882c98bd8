"""Code blocks of documents that are marked as examples which run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from veridic.domain.code import (
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    Depth,
    DocClaim,
    Origin,
)

LANGUAGES = {
    "python": "python",
    "py": "python",
    "pycon": "python",
    "sh": "shell",
    "shell": "shell",
    "bash": "shell",
    "javascript": "javascript",
    "js": "javascript",
}
_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
_MARK = re.compile(r"<!--\s*veridic:\s*example\s*-->", re.IGNORECASE)
_MOST_EXAMPLES = 200


@dataclass(frozen=True, slots=True)
class Example:
    document: str
    line: int
    """Of the block's first line of code."""
    language: str
    """One of the values of `LANGUAGES`."""
    code: str

    @property
    def claim(self) -> DocClaim:
        """What a document says by showing it."""
        words = f"{self.document}\0{self.line}\0{self.code}".encode("utf-8", "surrogatepass")
        return DocClaim(
            id=f"example-{sha256(words).hexdigest()[:16]}",
            text=f"This {self.language} example runs: {_first_line(self.code)}",
            document=self.document,
            line=self.line,
            end_line=self.line + max(0, self.code.count("\n") - 1),
            origin=Origin.MARKDOWN,
            category=ClaimCategory.CODEBASE,
            domain=ClaimDomain.CORRECTNESS,
            assertion=Assertion(kind=AssertionKind.BEHAVES),
            depth=Depth.DEEP,
        )


def find_examples(document: str, text: str) -> list[Example]:
    """The blocks of a Markdown text whose info string has the word `example` behind the language, or that have the
    comment `<!-- veridic: example -->` above them."""
    lines = text.splitlines()
    found: list[Example] = []
    for opening, closing in _blocks(lines):
        fence = _FENCE.match(lines[opening])
        words = fence["info"].split() if fence else []
        language = LANGUAGES.get(words[0].lower()) if words else None
        if fence and language and ("example" in words[1:] or _is_marked(lines, opening)):
            indent = len(fence["indent"])
            code = "\n".join(_without_indent(line, indent) for line in lines[opening + 1 : closing])
            found.append(Example(document, opening + 2, language, f"{code}\n"))
    return found[:_MOST_EXAMPLES]


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The numbers of the opening and the closing line of each fenced block; one that is never closed is none."""
    opening, marks = None, ""
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence is None:
            continue
        if opening is None:
            opening, marks = number, fence["marks"]
        elif fence["marks"].startswith(marks) and not fence["info"].strip():
            yield opening, number
            opening = None


def _is_marked(lines: list[str], opening: int) -> bool:
    above = next((line for line in reversed(lines[max(0, opening - 3) : opening]) if line.strip()), "")
    return _MARK.search(above) is not None


def _without_indent(line: str, indent: int) -> str:
    return line[min(indent, len(line) - len(line.lstrip(" \t"))) :]


def _first_line(code: str) -> str:
    return next((line.strip() for line in code.splitlines() if line.strip()), "")[:120]
