"""The tool that compares a repository's documents with its code."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Self

from anyio import from_thread
from anyio.to_thread import run_sync
from pydantic import BaseModel, Field

from veridic.config.project import load_project
from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict, Finding, VerifyReport
from veridic.domain.errors import TimeLimitError, UsageError
from veridic.domain.modes import EngineChoice
from veridic.domain.people import Right
from veridic.domain.progress import Progress
from veridic.mcp.callers import ToolContext, require
from veridic.mcp.checking import MaxCost, MaxSeconds
from veridic.mcp.errors import as_tool_errors
from veridic.mcp.results import NOTICE
from veridic.mcp.roots import Roots
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.store.code_findings import CodeFindings
from veridic.verify.baseline import configured_baseline, load_baseline
from veridic.verify.folder import Folder
from veridic.verify.order import VerifyOrder
from veridic.verify.report.wording import by_severity, is_reported, summary
from veridic.verify.run import verify_repository
from veridic.verify.selection import choose_documents
from veridic.verify.silencing import silence


class CodeCitation(BaseModel):
    """A place in the code, the tests or the history that bears on the claim."""

    tier: int = Field(description="The kind of evidence: 1 is the strongest, 6 the weakest.")
    path: str
    line: int | None
    quote: str


class DocumentFinding(BaseModel):
    """What a document says, and what the code shows."""

    document: str
    line: int
    claim: str = Field(description="The document's words.")
    verdict: str = Field(
        description="Refuted, Stale, Misleading, Contested, Incomplete, Ambiguous, Inconclusive or Verified."
    )
    confidence: float = Field(description="From 0 to 1: how often such verdicts are right.")
    reason: str
    evidence: list[CodeCitation]
    corrected: str | None = Field(description="What should stand there in place of `original`.")
    original: str | None

    @classmethod
    def of(cls, finding: Finding) -> Self:
        claim, correction = finding.claim, finding.correction
        return cls(
            document=claim.document,
            line=claim.line,
            claim=claim.text,
            verdict=finding.verdict.value,
            confidence=round(finding.confidence, 4),
            reason=finding.reason,
            evidence=[
                CodeCitation(tier=one.tier.value, path=one.path, line=one.line, quote=one.quote)
                for one in finding.evidence
            ],
            corrected=correction.corrected if correction else None,
            original=correction.original if correction else None,
        )


class RepositoryFindings(BaseModel):
    """What of a repository's documents does not hold."""

    notice: str = Field(default=NOTICE, description="How to treat the text below.")
    repository: str
    commit: str | None
    summary: str = Field(description="The number of claims with each verdict.")
    findings: list[DocumentFinding] = Field(
        description="Worst first. Claims that hold or stay open are only counted, unless `everything` was asked for."
    )
    findings_left_out: int = Field(description="Further findings over `max_findings`.")
    silenced: int = Field(description="Known findings: accepted by a comment or the project's baseline.")
    problems: list[str] = Field(description="What could not be read or checked.")

    @classmethod
    def of(cls, report: VerifyReport, *, everything: bool, most: int) -> Self:
        shown = [f for f in by_severity(report.findings) if everything or _is_wrong(f)]
        return cls(
            repository=report.repo,
            commit=report.commit,
            summary=summary(report),
            findings=[DocumentFinding.of(finding) for finding in shown[:most]],
            findings_left_out=len(shown[most:]),
            silenced=len(report.silenced),
            problems=[f"{failure.what}: {failure.message}" for failure in report.errors],
        )


class VerifyTool:
    """Reads repositories below the roots. Nothing of a repository is run, and no address in it is fetched."""

    def __init__(self, settings: Settings, roots: Roots) -> None:
        self._settings = settings
        self._roots = roots

    async def verify_repository(
        self,
        context: ToolContext,
        path: Annotated[
            str,
            Field(max_length=4000, description="The repository's folder: `.` or a path below the roots."),
        ] = ".",
        documents: Annotated[
            tuple[str, ...],
            Field(max_length=100, description="Only these files or folders of it, such as README.md."),
        ] = (),
        since: Annotated[
            str | None,
            Field(
                max_length=200, description="Only what the changes since this revision wrote or made false."
            ),
        ] = None,
        everything: Annotated[
            bool,
            Field(
                description="Also claims that hold or stay open, and alarms from 60% confidence on, not 90%."
            ),
        ] = False,
        engine: Annotated[
            EngineChoice,
            Field(description="embedded: only this machine, free. auto: a language model if one is set up."),
        ] = EngineChoice.EMBEDDED,
        max_cost_usd: MaxCost = None,
        max_seconds: MaxSeconds = None,
        max_findings: Annotated[int, Field(ge=1, le=1000)] = 50,
    ) -> RepositoryFindings:
        """Check what a repository's documents, docstrings and comments say against its code.

        Returns what does not hold, each with the place in the document, the evidence in the code, and a correction where
        the code settles it. Reads files only: nothing of the repository is run.
        """
        with as_tool_errors():
            require(context, Right.CHECK)
            root = await run_sync(self._roots.place, path)
            if not root.is_dir():
                raise UsageError(
                    f"{path!r} is a file; name the repository's folder, and the file in documents."
                )
            progress = _progress(context, max_seconds)
            meter = self._meter(max_cost_usd)

            def verify() -> VerifyReport:
                order = _order(root, documents, since, engine, everything=everything)
                return self._verify(order, progress, meter)

            report = await run_sync(verify)
            return RepositoryFindings.of(report, everything=everything, most=max_findings)

    def _meter(self, max_cost_usd: float | None) -> Meter:
        limits = [limit for limit in (max_cost_usd, self._settings.max_cost_usd) if limit is not None]
        return Meter(max_cost_usd=min(limits, default=None), max_tokens=self._settings.max_tokens)

    def _verify(self, order: VerifyOrder, progress: Progress, meter: Meter) -> VerifyReport:
        baseline = load_project(order.root).baseline
        known = None if baseline is None else load_baseline(configured_baseline(order.root, baseline))
        report = verify_repository(
            order,
            self._settings,
            progress,
            open_store=lambda: CodeFindings(self._settings.database),
            models=connect_models(self._settings, meter),
        )
        return silence(
            report,
            Folder(order.root).text,
            order.documents,
            baseline=known,
            all_were_looked_at=order.since is None,
        )


def _is_wrong(finding: Finding) -> bool:
    return finding.verdict is not CodeVerdict.INCONCLUSIVE and is_reported(finding, everything=False)


def _order(
    root: Path, documents: tuple[str, ...], since: str | None, engine: EngineChoice, *, everything: bool
) -> VerifyOrder:
    project = load_project(root)
    return VerifyOrder(
        root=root,
        documents=choose_documents(root, documents, project),
        exclude=project.exclude,
        since=since,
        with_unsure=everything,
        engine=engine,
    )


def _progress(context: ToolContext, max_seconds: float | None) -> Progress:
    """Return what the verifying thread calls: it tells the agent, and ends the run when it is cancelled or out of time."""
    deadline = None if max_seconds is None else time.monotonic() + max_seconds
    tell = _teller(context)

    def progress(done: int, total: int | None, what: str) -> None:
        from_thread.check_cancelled()
        if deadline is not None and time.monotonic() > deadline:
            raise TimeLimitError(
                f"The time limit of {max_seconds:g} seconds was reached; name fewer documents, or allow more."
            )
        tell(done, total, what)

    return progress


def _teller(context: ToolContext) -> Callable[[int, int | None, str], None]:
    """Return a function that reports each stage once, with a value that grows from stage to stage."""
    stages: list[str] = []

    def tell(_done: int, _total: int | None, what: str) -> None:
        if what not in stages:
            stages.append(what)
            from_thread.run(context.report_progress, len(stages), None, what)

    return tell
