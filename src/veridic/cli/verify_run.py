"""One run of `veridic verify`: turns options into an order, and writes its report or corrections; returns the exit code."""

import gc
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from veridic import __version__
from veridic.cli.output import refuse_to_overwrite, write_file
from veridic.cli.progress import ProgressBar
from veridic.cli.verify import VerifyFormat, VerifyOptions
from veridic.config.project import ProjectSettings, load_project, read_verdict
from veridic.config.settings import Settings, load_settings
from veridic.domain.code import CodeVerdict, VerifyReport
from veridic.domain.errors import NotFoundError, UsageError
from veridic.domain.phrases import count
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.reporting.escaping import one_line, visible
from veridic.verify.baseline import baseline_of, baseline_text, configured_baseline, load_baseline
from veridic.verify.folder import Folder
from veridic.verify.order import VerifyOrder
from veridic.verify.report.wording import where
from veridic.verify.run import plan_claims, verify_repository
from veridic.verify.selection import choose_documents
from veridic.verify.silencing import silence

if TYPE_CHECKING:
    from veridic.store.code_findings import CodeFindings
    from veridic.verify.fixing import Flagged

DEFAULT_BASELINE = "veridic-baseline.json"
_TEXT_WIDTH = 100
_DEFAULT_FAILING = (CodeVerdict.REFUTED, CodeVerdict.STALE)
"""The verdicts that fail by default: a document that was once right misleads its reader just as much."""


def run_verify(options: VerifyOptions) -> int:
    """Carry out the command; the exit code is 1 if there is a failing verdict, otherwise 0."""
    refuse_contradictions(options)
    if not options.repo.is_dir():
        raise NotFoundError(f"There is no folder {str(options.repo)!r}; --repo names the repository.")
    for document in options.documents:
        refuse_to_overwrite(options.output, document)
    project = load_project(options.repo)
    failing = failing_verdicts(options, project)
    known = baseline_file(options, project)
    run = _Run(options, make_order(options, project), load_settings(), known)
    _note_skipped_commands(options, project)
    with _without_garbage_collection():
        if options.plan:
            run.plan()
            return 0
        if options.write_baseline and known is not None:
            run.write_baseline(known)
            return 0
        report = run.fix() if options.fix else run.report()
        return int(any(finding.verdict in failing for finding in report.findings))


def refuse_contradictions(options: VerifyOptions) -> None:
    """Raise `UsageError` for options that can't be combined."""
    refused = {
        "--apply writes what --fix proposes; give both.": options.apply and not options.fix,
        "--plan checks nothing, so there is nothing to fix or to write to a baseline.": options.plan
        and (options.fix or options.write_baseline),
        "--plan is written as text or json.": options.plan
        and options.format not in (VerifyFormat.TEXT, VerifyFormat.JSON),
        "--fix prints a diff; --output says where the report in that format goes.": options.fix
        and options.format is not VerifyFormat.TEXT
        and options.output is None,
        "Give either --since or --changed: the first covers the second.": options.only_changed
        and options.since is not None,
        "Give either --fix or --write-baseline: what is fixed needs no baseline.": options.fix
        and options.write_baseline,
        "--write-baseline is about the whole repository; leave out DOC, --since and --changed.": options.write_baseline
        and bool(options.documents or options.since is not None or options.only_changed),
    }
    for sentence, applies in refused.items():
        if applies:
            raise UsageError(sentence)


def make_order(options: VerifyOptions, project: ProjectSettings) -> VerifyOrder:
    """The order for these options. What only the repository's settings ask to run is not run unless the user allows it."""
    may_run = options.run_configured
    return VerifyOrder(
        root=options.repo,
        documents=choose_documents(options.repo, options.documents, project),
        exclude=project.exclude,
        since=options.since,
        only_changed=options.only_changed,
        with_unsure=options.everything,
        commits=options.commits,
        run_tests=options.run_tests or (project.run_tests if may_run else None),
        run_examples=options.run_examples or (may_run and project.run_examples),
        check_links=options.check_links,
        databases=options.databases,
        apis=options.apis,
        engine=options.engine,
        use_cache=options.use_cache,
    )


def failing_verdicts(options: VerifyOptions, project: ProjectSettings) -> frozenset[CodeVerdict]:
    """The verdicts that end a run with exit code 1: the option's, otherwise the project's, otherwise Refuted and Stale."""
    if options.fail_on is None:
        return frozenset(_DEFAULT_FAILING if project.fail_on is None else project.fail_on)
    try:
        return frozenset(read_verdict(word) for word in options.fail_on.split(",") if word.strip())
    except ValueError as error:
        raise UsageError(f"--fail-on: {error}.") from None


def baseline_file(options: VerifyOptions, project: ProjectSettings) -> Path | None:
    """The baseline that the option names, otherwise the one in the project's settings."""
    if options.baseline is not None:
        return options.baseline
    name = project.baseline or (DEFAULT_BASELINE if options.write_baseline else None)
    return None if name is None else configured_baseline(options.repo, name)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """A run creates millions of small objects, hardly any of them in cycles: garbage collection would take a third of its time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # otherwise the next collection would scan everything
        gc.enable()


def _note_skipped_commands(options: VerifyOptions, project: ProjectSettings) -> None:
    if (project.run_tests or project.run_examples) and not (
        options.run_configured or options.run_tests or options.plan
    ):
        _note("The tests or examples in the project's own table are not run; --run-configured allows it.")


class _Run:
    def __init__(
        self, options: VerifyOptions, order: VerifyOrder, settings: Settings, baseline: Path | None
    ) -> None:
        self.options = options
        self.order = order
        self.settings = settings
        self.documents = Folder(options.repo)
        self.meter = Meter(max_cost_usd=settings.max_cost_usd, max_tokens=settings.max_tokens)
        # A baseline that can't be used is reported before the work, not after it.
        self.known = load_baseline(baseline) if baseline is not None and not options.write_baseline else None

    def plan(self) -> None:
        """Show what would be checked."""
        with ProgressBar() as bar:
            claims = plan_claims(self.order, self.settings, bar.reading)
        if self.options.format is VerifyFormat.JSON:
            from veridic.verify.report.json_report import plan_json

            self._write(_as_json(plan_json(self.options.repo.resolve().name, claims)))
        else:
            from veridic.verify.report.text import print_plan

            self._print(lambda console: print_plan(claims, console))

    def report(self) -> VerifyReport:
        """Show what was found."""
        report = self._verify_and_silence()
        self._write_report(report)
        return report

    def write_baseline(self, file: Path) -> None:
        """Write what is wrong now to the baseline."""
        made = baseline_of(self._verify_and_silence().findings)
        write_file(file, baseline_text(made))
        known = sum(one.count for one in made.findings)
        sys.stdout.write(f"{one_line(str(file))}: {count(known, 'known finding')}.\n")

    def fix(self) -> VerifyReport:
        """Show the corrections as a diff, or write them and show what was written."""
        from veridic.verify.fixing import apply_corrections, correction_diff, sort_corrections

        report = self._verify_and_silence()
        corrections = sort_corrections(report.findings, self.documents)
        if self.options.apply:
            before = {path: self.documents.text(path) for path in corrections.documents}
            applied = apply_corrections(corrections, self.documents, self._verify_again)
            _print_diff(correction_diff(applied.corrected, before.get))
            _note_flagged([*corrections.flagged, *applied.flagged])
            self.documents = Folder(self.options.repo)
            report = applied.updated(report)
        else:
            _print_diff(correction_diff(corrections.proposed, self.documents.text))
            _note_flagged(corrections.flagged)
        if self.options.output is not None:
            self._write_report(report)
        return report

    def _verify_and_silence(self) -> VerifyReport:
        """The report with what comments or the baseline silence in a separate list."""
        report = self._verify(self.order)
        is_whole = self.order.since is None and not self.order.only_changed
        return silence(
            report,
            self.documents.text,
            self.order.documents,
            baseline=self.known,
            all_were_looked_at=is_whole,
        )

    def _verify(self, order: VerifyOrder) -> VerifyReport:
        with ProgressBar() as bar:
            return verify_repository(
                order,
                self.settings,
                bar.reading,
                open_store=lambda: _open_findings(self.settings),
                models=connect_models(self.settings, self.meter),
            )

    def _verify_again(self, documents: tuple[str, ...]) -> VerifyReport:
        narrowed = {"documents": documents, "since": None, "only_changed": False, "commits": None}
        return self._verify(self.order.model_copy(update=narrowed))

    def _write_report(self, report: VerifyReport) -> None:
        """Write the report; the modules for a format are imported on demand."""
        read, everything = self.documents.text, self.options.everything
        match self.options.format:
            case VerifyFormat.JSON:
                from veridic.verify.report.json_report import findings_json

                self._write(_as_json(findings_json(report)))
            case VerifyFormat.SARIF:
                from veridic.verify.report.sarif import findings_sarif

                self._write(_as_json(findings_sarif(report, version=__version__, everything=everything)))
            case VerifyFormat.MARKDOWN:
                from veridic.verify.report.markdown import findings_markdown

                self._write(findings_markdown(report, read, everything=everything))
            case VerifyFormat.TEXT:
                from veridic.verify.report.text import print_findings

                self._print(
                    lambda console: print_findings(report, console, read, self._locate, everything=everything)
                )

    def _locate(self, path: str) -> str:
        """A path of the repository relative to the current folder; anything else unchanged."""
        return str(self.options.repo / path) if self.documents.exists(path) else path

    def _print(self, show: Callable[[Console], None]) -> None:
        """Print to the terminal in colour, or to a file without."""
        if self.options.output is None:
            show(Console())
        else:
            text = io.StringIO()
            show(Console(file=text, width=_TEXT_WIDTH))
            self._write(text.getvalue())

    def _write(self, content: str) -> None:
        if self.options.output is None:
            sys.stdout.write(content)
        else:
            write_file(self.options.output, content)


def _open_findings(settings: Settings) -> "CodeFindings":
    """Open the database on demand: importing it takes a while, and it is not needed if nothing has changed."""
    from veridic.store.code_findings import CodeFindings

    return CodeFindings(settings.database)


def _as_json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _print_diff(changes: str) -> None:
    """Print a diff unchanged for programs; on a terminal in colour, without control characters."""
    console = Console()
    if not console.is_terminal:
        sys.stdout.write(changes)
        return
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in visible(changes).splitlines():
        console.print(Text(line, colours.get(line[:1], "")), soft_wrap=True)


def _note_flagged(flagged: "Sequence[Flagged]") -> None:
    """Print the corrections that are left to a person, on standard error."""
    for one in flagged:
        correction = one.finding.correction
        change = f"{correction.original} → {correction.corrected}" if correction is not None else ""
        place = where(one.finding.claim.document, one.finding.claim.line)
        _note(f"{place}: please look at {change} yourself: {one.why}.")


def _note(sentence: str) -> None:
    sys.stderr.write(f"veridic: {one_line(sentence)}\n")
