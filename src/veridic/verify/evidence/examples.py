"""Code blocks of documents that are marked as examples: found, and run one by one in the sandbox (tier 2)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    CodeVerdict,
    Depth,
    DocClaim,
    Origin,
)
from veridic.domain.evidence import Stance
from veridic.verify.sandbox.run import DEFAULT_LIMITS, Limits, Ran, evidence_of, run_in_sandbox

AGENT = "examples"
_LIMITS = DEFAULT_LIMITS.model_copy(update={"seconds": 60})
_FILE_NAMES = {"python": "example.py", "shell": "example.sh", "javascript": "example.mjs"}
_COMMANDS = {
    "python": "python3 ../example.py",
    "shell": "sh -eu ../example.sh",
    "javascript": "node ../example.mjs",
}
_DOCTEST = ("example.txt", "python3 -m doctest ../example.txt")
_NO_SUCH_PROGRAM = 127
"""From here on also the codes of a process that was killed."""
_LACKING = re.compile(
    r"ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)|: not found$"
    r"|Network is unreachable|name resolution|Name or service not known|getaddrinfo|ConnectError|ConnectionError"
    r"|Connection refused|ECONNREFUSED|ENETUNREACH|EAI_AGAIN|MemoryError|Read-only file system|No space left"
    r"|Permission denied|Operation not permitted|Resource temporarily unavailable",
    re.MULTILINE,
)

_MISSING_MODULE = re.compile(r"No module named '(\w+)")
_LANGUAGES = {
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
_EXAMPLE_COMMENT = re.compile(r"<!--\s*veridic:\s*example\s*-->", re.IGNORECASE)
_MOST_EXAMPLES = 200


@dataclass(frozen=True, slots=True)
class Example:
    """A code block that is shown to run."""

    document: str
    line: int
    """Of the block's first line of code."""
    language: str
    """`python`, `shell` or `javascript`."""
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
        language = _LANGUAGES.get(words[0].lower()) if words else None
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
    return _EXAMPLE_COMMENT.search(above) is not None


def _without_indent(line: str, indent: int) -> str:
    return line[min(indent, len(line) - len(line.lstrip(" \t"))) :]


def _first_line(code: str) -> str:
    return next((line.strip() for line in code.splitlines() if line.strip()), "")[:120]


def check_example(
    example: Example, root: Path, *, limits: Limits = _LIMITS, is_confined: bool = True
) -> AgentVerdict:
    """Run one example in a copy of the repository.

    Where it fails for want of a package, of the network, of room or of a permission, that says nothing about the example.
    """
    name, command = _FILE_NAMES[example.language], _COMMANDS[example.language]
    if example.language == "python" and re.search(r"^\s*>>> ", example.code, re.MULTILINE):
        name, command = _DOCTEST
    ran = run_in_sandbox(
        command,
        root,
        limits=limits,
        extra_files={name: example.code},
        variables={"PYTHONPATH": "{repo}/src:{repo}"},
        is_confined=is_confined,
    )
    return _verdict(ran, root)


def _verdict(ran: Ran, root: Path) -> AgentVerdict:
    if ran.has_succeeded:
        return _said(CodeVerdict.VERIFIED, 0.95, "The example runs to its end.", ran, Stance.SUPPORTING)
    if ran.exit_code is None:
        return _open("The example did not end in its time.", ran)
    if ran.exit_code >= _NO_SUCH_PROGRAM or _lacks_something(ran.output, root):
        return _open("The example could not be run as it needs something that is not there.", ran)
    reason = f"The example fails with exit code {ran.exit_code}."
    return _said(CodeVerdict.REFUTED, 0.9, reason, ran, Stance.CONTRADICTING)


def _lacks_something(output: str, root: Path) -> bool:
    """Whether it failed for want of something that is not the project's own."""
    modules = _MISSING_MODULE.findall(output)
    if any(not _is_own(module, root) for module in modules):
        return True
    return _LACKING.search(output) is not None


def _is_own(module: str, root: Path) -> bool:
    places = (root / module, root / "src" / module)
    return any(place.is_dir() or place.with_suffix(".py").is_file() for place in places)


def _open(reason: str, ran: Ran) -> AgentVerdict:
    settled = "Run it where everything is installed that it needs."
    return _said(CodeVerdict.INCONCLUSIVE, 0.0, reason, ran, Stance.CONTEXTUAL, would_settle=settled)


def _said(
    verdict: CodeVerdict,
    confidence: float,
    reason: str,
    ran: Ran,
    stance: Stance,
    would_settle: str | None = None,
) -> AgentVerdict:
    return AgentVerdict(
        agent=AGENT,
        verdict=verdict,
        confidence=confidence,
        reason=reason,
        evidence=(evidence_of(ran, stance),),
        depth=Depth.DEEP,
        would_settle=would_settle,
    )
