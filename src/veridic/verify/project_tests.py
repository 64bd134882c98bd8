"""The project's own tests: those that bear on a claim, where they can be told apart, else all of them."""

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
"""Where more name it, nearly all tests bear on it."""
_MOST_RUNS = 10
_RAN_NOTHING = (4, 5)
"""What pytest says where it can't use a path or finds no test there."""


class ProjectTests:
    """Runs each command once, in a sandbox; all tests only where a claim asks for them."""

    def __init__(self, command: str, context: Context, root: Path, *, is_confined: bool) -> None:
        self._command = command
        self._context = context
        self._sources = TestSources(context)
        self._root = root
        self._is_confined = is_confined
        self._ran: dict[str, Ran] = {}

    def evidence(self, claim: DocClaim) -> CodeEvidence:
        """What came of the tests that name the claim's subject, or of all; `UsageError` where they can't be run."""
        only = narrowed(self._command, self._files(claim), self._context.text("package.json"))
        if only is not None and (only.command in self._ran or len(self._ran) < _MOST_RUNS):
            ran = self._run(only.command)
            if ran.exit_code not in _RAN_NOTHING:
                shown = evidence_of(ran, Stance.CONTEXTUAL)
                subject = claim.assertion.subject.name if claim.assertion.subject else ""
                told = f"(only the tests that name `{subject}`: {', '.join(only.files)})"
                return shown.model_copy(update={"quote": f"{shown.quote}\n{told}"})
        return evidence_of(self._run(self._command), Stance.CONTEXTUAL)

    def run_some(self) -> None:
        """Where no claim asked for any, all are run: the user wants to know whether they pass."""
        if not self._ran:
            self._run(self._command)

    @property
    def failures(self) -> list[VerifyFailure]:
        """Those that were run and fail, for the report."""
        return [_failure(ran) for ran in self._ran.values() if not self._is_fine(ran)]

    def _is_fine(self, ran: Ran) -> bool:
        return ran.has_succeeded or (ran.command != self._command and ran.exit_code in _RAN_NOTHING)

    def _files(self, claim: DocClaim) -> Sequence[str]:
        """The tests that name what the claim is about, if that is something the code has."""
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
