"""Finds code blocks that are marked as examples, and runs them in the sandbox (tier 2)."""

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
"""Higher exit codes mean that the process was killed."""
_MISSING_REQUIREMENT = re.compile(
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
    """A code block that should run."""

    document: str
    line: int
    """The line of the first line of code."""
    language: str
    """`python`, `shell` or `javascript`."""
    code: str

    @property
    def claim(self) -> DocClaim:
        """The claim that the example runs."""
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
    """Return the blocks of a Markdown text that have the word `example` after the language in the info string, or the
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
    """The indexes of the opening and closing line of each fenced block; unclosed blocks are skipped."""
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

    The verdict is inconclusive if it fails because a package, the network, disk space, memory or a permission is missing.
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
        return _agent_verdict(
            CodeVerdict.VERIFIED, 0.95, "The example runs to its end.", ran, Stance.SUPPORTING
        )
    if ran.exit_code is None:
        return _inconclusive("The example did not finish within its time limit.", ran)
    if ran.exit_code >= _NO_SUCH_PROGRAM or _is_requirement_missing(ran.output, root):
        return _inconclusive("The example could not run because something that it needs is missing.", ran)
    reason = f"The example fails with exit code {ran.exit_code}."
    return _agent_verdict(CodeVerdict.REFUTED, 0.9, reason, ran, Stance.CONTRADICTING)


def _is_requirement_missing(output: str, root: Path) -> bool:
    """Whether it failed because something outside the project is missing."""
    modules = _MISSING_MODULE.findall(output)
    if any(not _is_own(module, root) for module in modules):
        return True
    return _MISSING_REQUIREMENT.search(output) is not None


def _is_own(module: str, root: Path) -> bool:
    places = (root / module, root / "src" / module)
    return any(place.is_dir() or place.with_suffix(".py").is_file() for place in places)


def _inconclusive(reason: str, ran: Ran) -> AgentVerdict:
    settled = "Run it where everything is installed that it needs."
    return _agent_verdict(CodeVerdict.INCONCLUSIVE, 0.0, reason, ran, Stance.CONTEXTUAL, would_settle=settled)


def _agent_verdict(
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
