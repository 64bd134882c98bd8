"""One run of `veridic verify`: verify, set aside what is silenced, correct, write, and say how it ended."""

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
from veridic.cli.verify import VerifyFormat
from veridic.cli.verify_wish import (
    Wish,
    baseline_file,
    failing_verdicts,
    order_for,
    refuse_contradictions,
)
from veridic.code.baseline import baseline_of, compare_with, load_baseline, to_text
from veridic.code.documents import Documents
from veridic.code.suppression import silence
from veridic.config.project import ProjectSettings, load_project
from veridic.config.settings import Settings, load_settings
from veridic.domain.code import VerifyReport
from veridic.domain.errors import NotFoundError
from veridic.pipeline.examined import Examined
from veridic.pipeline.verify import verify_repository
from veridic.pipeline.verify_order import VerifyOrder
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.reporting.code_wording import where
from veridic.reporting.outside import one_line, visible
from veridic.reporting.wording import count

if TYPE_CHECKING:
    from veridic.cli.verify_fix import Flagged
    from veridic.store.code_findings import CodeFindings

_TEXT_WIDTH = 100


def carry_out(wish: Wish) -> int:
    """Do what was asked; the exit code is 1 where a verdict that fails occurred, else 0."""
    refuse_contradictions(wish)
    if not wish.repo.is_dir():
        raise NotFoundError(f"There is no folder {str(wish.repo)!r}; --repo names the repository.")
    for document in wish.documents:
        refuse_to_overwrite(wish.output, document)
    project = load_project(wish.repo)
    failing = failing_verdicts(wish, project)
    known = baseline_file(wish, project)
    run = _Run(wish, order_for(wish, project), load_settings(), known)
    _say_what_is_not_run(wish, project)
    with _no_looking_for_garbage():
        if wish.plan:
            run.plan()
            return 0
        if wish.write_baseline and known is not None:
            run.write_baseline(known)
            return 0
        report = run.fix() if wish.fix else run.report()
        return int(any(finding.verdict in failing for finding in report.findings))


@contextmanager
def _no_looking_for_garbage() -> Iterator[None]:
    """A run makes millions of small values, hardly one of them in a circle: looking for those takes a third of it."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # or all that there is now would be looked through at once
        gc.enable()


def _say_what_is_not_run(wish: Wish, project: ProjectSettings) -> None:
    if (project.run_tests or project.run_examples) and not (
        wish.run_configured or wish.run_tests or wish.plan
    ):
        _say("What the project's table asks to be run is not run; --run-configured lets it.")


class _Run:
    def __init__(self, wish: Wish, order: VerifyOrder, settings: Settings, baseline: Path | None) -> None:
        self.wish = wish
        self.order = order
        self.settings = settings
        self.documents = Documents(wish.repo)
        self.meter = Meter(max_cost_usd=settings.max_cost_usd, max_tokens=settings.max_tokens)
        # A baseline that can't be used is told before the work, not after it.
        self.known = load_baseline(baseline) if baseline is not None and not wish.write_baseline else None

    def plan(self) -> None:
        """Shows what would be checked."""
        with ProgressBar() as bar:
            claims = Examined(self.order, self.settings, bar.reading).claims
        if self.wish.format is VerifyFormat.JSON:
            from veridic.reporting.code_json import plan_json

            self._write(_as_json(plan_json(self.wish.repo.resolve().name, claims)))
        else:
            from veridic.reporting.code_text import print_plan

            self._print(lambda console: print_plan(claims, console))

    def report(self) -> VerifyReport:
        """Shows what was found."""
        report = self._verify_and_silence()
        self._write_report(report)
        return report

    def write_baseline(self, file: Path) -> None:
        """Writes what is wrong now to the baseline."""
        made = baseline_of(self._verify_and_silence().findings)
        write_file(file, to_text(made))
        known = sum(one.count for one in made.findings)
        sys.stdout.write(f"{one_line(str(file))}: {count(known, 'known finding')}.\n")

    def fix(self) -> VerifyReport:
        """Shows the corrections as a diff, or writes them and shows what was written."""
        from veridic.cli.verify_fix import Applying, diff, sort_corrections

        report = self._verify_and_silence()
        corrections = sort_corrections(report.findings, self.documents)
        if self.wish.apply:
            before = {path: self.documents.read(path) for path in corrections.documents}
            applied = Applying(self.documents, self._verify_again).run(corrections)
            _print_diff(diff(applied.corrected, before.get))
            _tell([*corrections.flagged, *applied.flagged])
            self.documents = Documents(self.wish.repo)
            report = applied.updated(report)
        else:
            _print_diff(diff(corrections.proposed, self.documents.read))
            _tell(corrections.flagged)
        if self.wish.output is not None:
            self._write_report(report)
        return report

    def _verify_and_silence(self) -> VerifyReport:
        """The report without what comments or the baseline silence, which it lists apart."""
        report = self._verify(self.order)
        is_whole = self.order.since is None and not self.order.only_changed
        silencing = silence(
            report.findings, self.documents.read, self.order.documents, all_were_looked_at=is_whole
        )
        kept, silenced = silencing.kept, silencing.silenced
        if self.known is not None:
            compared = compare_with(self.known, kept)
            kept, silenced = compared.kept, (*silenced, *compared.known)
        changes = {"findings": kept, "silenced": silenced, "notices": silencing.notices}
        return report.model_copy(update=changes)

    def _verify(self, order: VerifyOrder) -> VerifyReport:
        with ProgressBar() as bar:
            return verify_repository(
                order,
                self.settings,
                bar.reading,
                open_store=lambda: _findings(self.settings),
                models=connect_models(self.settings, self.meter),
            )

    def _verify_again(self, documents: tuple[str, ...]) -> VerifyReport:
        narrowed = {"documents": documents, "since": None, "only_changed": False, "commits": None}
        return self._verify(self.order.model_copy(update=narrowed))

    def _write_report(self, report: VerifyReport) -> None:
        """What a format needs is only imported for it."""
        read, everything = self.documents.read, self.wish.everything
        match self.wish.format:
            case VerifyFormat.JSON:
                from veridic.reporting.code_json import findings_json

                self._write(_as_json(findings_json(report)))
            case VerifyFormat.SARIF:
                from veridic.reporting.sarif import findings_sarif

                self._write(_as_json(findings_sarif(report, version=__version__, everything=everything)))
            case VerifyFormat.MARKDOWN:
                from veridic.reporting.code_markdown import findings_markdown

                self._write(findings_markdown(report, read, everything=everything))
            case VerifyFormat.TEXT:
                from veridic.reporting.code_text import print_findings

                self._print(
                    lambda console: print_findings(report, console, read, self._locate, everything=everything)
                )

    def _locate(self, path: str) -> str:
        """A path of the repository as it leads there from here; what is no path of it stays."""
        return str(self.wish.repo / path) if self.documents.exists(path) else path

    def _print(self, show: Callable[[Console], None]) -> None:
        """To the terminal with colours, to a file without."""
        if self.wish.output is None:
            show(Console())
        else:
            text = io.StringIO()
            show(Console(file=text, width=_TEXT_WIDTH))
            self._write(text.getvalue())

    def _write(self, content: str) -> None:
        if self.wish.output is None:
            sys.stdout.write(content)
        else:
            write_file(self.wish.output, content)


def _findings(settings: Settings) -> "CodeFindings":
    """The database takes a while to import, and is not needed where nothing has changed."""
    from veridic.store.code_findings import CodeFindings

    return CodeFindings(settings.database)


def _as_json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _print_diff(changes: str) -> None:
    """As it is for programs; on a terminal with colours, and with nothing in it that could steer one."""
    console = Console()
    if not console.is_terminal:
        sys.stdout.write(changes)
        return
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in visible(changes).splitlines():
        console.print(Text(line, colours.get(line[:1], "")), soft_wrap=True)


def _tell(flagged: "Sequence[Flagged]") -> None:
    """The corrections that are left to a person, on standard error."""
    for one in flagged:
        correction = one.finding.correction
        change = f"{correction.original} → {correction.corrected}" if correction is not None else ""
        place = where(one.finding.claim.document, one.finding.claim.line)
        _say(f"{place}: please look at {change} yourself: {one.why}.")


def _say(sentence: str) -> None:
    sys.stderr.write(f"veridic: {one_line(sentence)}\n")
