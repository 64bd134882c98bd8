"""Runs the project's own tests: those that mention a claim's subject if they can be selected, otherwise all of them."""

from collections.abc import Sequence
from pathlib import Path

from veridic.domain.code import CodeEvidence, DocClaim, VerifyFailure
from veridic.domain.errors import UsageError
from veridic.domain.evidence import Stance
from veridic.verify.models.excerpts import subject_facts
from veridic.verify.rules.context import Context
from veridic.verify.sandbox.narrowing import narrowed
from veridic.verify.sandbox.run import Ran, evidence_of, run_in_sandbox
from veridic.verify.test_sources import TestSources

_MOST_FILES = 20
"""If more files mention it, nearly all tests are about it."""
_MOST_RUNS = 10
_NO_TESTS_RUN = (4, 5)
"""pytest's exit codes for a path that it can't use and for no tests found."""


class ProjectTests:
    """Runs each test command once, in a sandbox; all tests only if a claim needs them."""

    def __init__(self, command: str, context: Context, root: Path, *, is_confined: bool) -> None:
        self._command = command
        self._context = context
        self._sources = TestSources(context)
        self._root = root
        self._is_confined = is_confined
        self._ran: dict[str, Ran] = {}

    def evidence(self, claim: DocClaim) -> CodeEvidence:
        """The result of the tests that mention the claim's subject, or of all tests; `UsageError` if they can't be run."""
        only = narrowed(self._command, self._files(claim), self._context.text("package.json"))
        if only is not None and (only.command in self._ran or len(self._ran) < _MOST_RUNS):
            ran = self._run(only.command)
            if ran.exit_code not in _NO_TESTS_RUN:
                evidence = evidence_of(ran, Stance.CONTEXTUAL)
                subject = claim.assertion.subject.name if claim.assertion.subject else ""
                note = f"(only the tests that name `{subject}`: {', '.join(only.files)})"
                return evidence.model_copy(update={"quote": f"{evidence.quote}\n{note}"})
        return evidence_of(self._run(self._command), Stance.CONTEXTUAL)

    def ensure_run(self) -> None:
        """Run all tests if no claim needed any: the user wants to know whether they pass."""
        if not self._ran:
            self._run(self._command)

    @property
    def failures(self) -> list[VerifyFailure]:
        """The runs that failed, for the report."""
        return [_failure(ran) for ran in self._ran.values() if not self._has_passed(ran)]

    def _has_passed(self, ran: Ran) -> bool:
        return ran.has_succeeded or (ran.command != self._command and ran.exit_code in _NO_TESTS_RUN)

    def _files(self, claim: DocClaim) -> Sequence[str]:
        """The test files that mention the claim's subject, if the code defines it."""
        subject = claim.assertion.subject
        if subject is None or not subject_facts(claim, self._context):
            return ()
        files = self._sources.files_about(subject.name.removesuffix("()").rpartition(".")[2])
        return files if len(files) <= _MOST_FILES else ()

    def _run(self, command: str) -> Ran:
        if command not in self._ran:
            ran = run_in_sandbox(command, self._root, is_confined=self._is_confined)
            if not ran.has_started:
                raise UsageError(f"The tests could not be run with `{command}`: {ran.last_line[:200]}")
            self._ran[command] = ran
        return self._ran[command]


def _failure(ran: Ran) -> VerifyFailure:
    ended = "took too long" if ran.exit_code is None else "fail"
    return VerifyFailure(what=f"$ {ran.command}", message=f"The tests {ended}: {ran.last_line[:200]}")
