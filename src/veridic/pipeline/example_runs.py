"""Examples of documents, run one by one in the sandbox."""

import re
from pathlib import Path

from veridic.code.examples import Example
from veridic.domain.code import AgentVerdict, CodeVerdict, Depth
from veridic.domain.evidence import Stance
from veridic.pipeline.sandbox import DEFAULT_LIMITS, Limits, Ran, evidence_of, run_in_sandbox

AGENT = "examples"
LIMITS = DEFAULT_LIMITS.model_copy(update={"seconds": 60})
_FILES = {"python": "example.py", "shell": "example.sh", "javascript": "example.mjs"}
_COMMANDS = {
    "python": "python3 ../example.py",
    "shell": "sh -eu ../example.sh",
    "javascript": "node ../example.mjs",
}
_SESSION = ("example.txt", "python3 -m doctest ../example.txt")
_NO_SUCH_PROGRAM = 127
"""From here on also the codes of a process that was killed."""
_NOT_THE_EXAMPLES_FAULT = re.compile(
    r"ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)|: not found$"
    r"|Network is unreachable|name resolution|Name or service not known|getaddrinfo|ConnectError|ConnectionError"
    r"|Connection refused|ECONNREFUSED|ENETUNREACH|EAI_AGAIN|MemoryError|Read-only file system|No space left"
    r"|Permission denied|Operation not permitted|Resource temporarily unavailable",
    re.MULTILINE,
)

_MISSING_MODULE = re.compile(r"No module named '(\w+)")


def check_example(
    example: Example, root: Path, *, limits: Limits = LIMITS, is_confined: bool = True
) -> AgentVerdict:
    """Run one example in a copy of the repository.

    Where it fails for want of a package, of the network, of room or of a permission, that says nothing about the example.
    """
    name, command = _FILES[example.language], _COMMANDS[example.language]
    if example.language == "python" and re.search(r"^\s*>>> ", example.code, re.MULTILINE):
        name, command = _SESSION
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
    return _NOT_THE_EXAMPLES_FAULT.search(output) is not None


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
