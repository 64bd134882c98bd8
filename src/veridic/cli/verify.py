"""`veridic verify`: compares what documents say about a repository with what its code shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from veridic.cli.output import OutputOption
from veridic.domain.modes import EngineChoice

_SCOPE = "What is checked"
_RUNNING = "What may be run or asked"
_CORRECTING = "Corrections"
_ADOPTING = "Adopting it in an old repository"


class VerifyFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """The options as given on the command line."""

    documents: tuple[str, ...]
    repo: Path
    format: VerifyFormat
    output: Path | None
    fail_on: str | None
    everything: bool
    plan: bool
    engine: EngineChoice
    use_cache: bool
    since: str | None
    only_changed: bool
    commits: str | None
    run_tests: str | None
    run_examples: bool
    run_configured: bool
    check_links: bool
    databases: tuple[str, ...]
    apis: tuple[str, ...]
    fix: bool
    apply: bool
    baseline: Path | None
    write_baseline: bool


def verify(
    documents: Annotated[list[str] | None, typer.Argument(metavar="DOC", help="Only these files or folders; by default every document, docstring, comment and help text, except those of tests.", show_default=False)] = None,
    repo: Annotated[Path, typer.Option("--repo", metavar="DIR", help="The repository.")] = Path(),
    format: Annotated[VerifyFormat, typer.Option("--format", help="How the report is written: json for scripts, sarif for code scanning, markdown for a comment on a pull request.")] = VerifyFormat.TEXT,  # noqa: A002
    output: OutputOption = None,
    fail_on: Annotated[str | None, typer.Option(metavar="VERDICT,...", help="End with exit code 1 if a claim gets one of these verdicts; '' for none. Without it, Refuted and Stale do", show_default=False)] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show everything: claims that hold, all that stay open, and alarms from 50% on (60% about a change) instead of 90%.")] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Show every claim with its category, domain and depth, and check nothing.")] = False,
    engine: Annotated[EngineChoice, typer.Option(help="Who does the work; auto has a language model, where one is set up, list more claims and take on what code alone can't settle.")] = EngineChoice.AUTO,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Look at everything again, even where nothing has changed.")] = False,
    since: Annotated[str | None, typer.Option(metavar="REV", help="Only what the changes since this revision, such as main, wrote or made false.", show_default=False, rich_help_panel=_SCOPE)] = None,
    changed: Annotated[bool, typer.Option("--changed", help="Only what the uncommitted changes wrote or made false.", rich_help_panel=_SCOPE)] = False,
    commits: Annotated[str | None, typer.Option(metavar="RANGE", help="Also whether the commits exist that the messages of this range name, such as v1.0..HEAD.", show_default=False, rich_help_panel=_SCOPE)] = None,
    run_tests: Annotated[str | None, typer.Option(metavar="CMD", help="Run the project's tests in a sandbox with this command, such as 'pytest -q', and take their output as evidence.", show_default=False, rich_help_panel=_RUNNING)] = None,
    run_examples: Annotated[bool, typer.Option("--run-examples", help="Run code blocks that are marked as examples, in the sandbox.", rich_help_panel=_RUNNING)] = False,
    run_configured: Annotated[bool, typer.Option("--run-configured", help="Run the tests and examples that the project's own table names (run-tests, run-examples). Without it nothing of the repository is run unless you name it here.", rich_help_panel=_RUNNING)] = False,
    check_links: Annotated[bool, typer.Option("--check-links", help="Fetch the addresses that documents link to; a dead link is refuted.", rich_help_panel=_RUNNING)] = False,
    database: Annotated[list[str] | None, typer.Option(metavar="URL", help="A database that claims about data are checked with; only ever read. Repeat for several.", show_default=False, rich_help_panel=_RUNNING)] = None,
    api: Annotated[list[str] | None, typer.Option(metavar="URL", help="A live endpoint that may be asked. Repeat for several.", show_default=False, rich_help_panel=_RUNNING)] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Print all corrections as a diff, and change nothing.", rich_help_panel=_CORRECTING)] = False,
    apply: Annotated[bool, typer.Option("--apply", help="With --fix: write those that are at least 90% sure and put in exactly what the code has, verify each again, and revert those that fail.", rich_help_panel=_CORRECTING)] = False,
    baseline: Annotated[Path | None, typer.Option(metavar="FILE", help="Findings that are known already: listed, but they don't fail the run.", show_default=False, rich_help_panel=_ADOPTING)] = None,
    write_baseline: Annotated[bool, typer.Option("--write-baseline", help="Write everything that is wrong now to the baseline, and end with exit code 0.", rich_help_panel=_ADOPTING)] = False,
) -> None:  # fmt: skip
    """Check what documents say about a repository against its code, and show both sides of what doesn't hold.

    Reads Markdown, reStructuredText, AsciiDoc, man pages, docstrings, comments and help texts; of changelogs only the
    links. Compares links, paths, options with their defaults and choices, commands, environment variables, routes,
    required versions, extras, scripts, class members, parameters, constants and settings with the code itself. Nothing
    of the repository is run and no address in it is fetched unless an option says so.

    Examples:

      veridic verify

      veridic verify README.md docs/ --repo ../project

      veridic verify --since main --format markdown --output comment.md

      veridic verify --fail-on Refuted,Stale,Misleading --format sarif --output v.sarif

      veridic verify --fix | git apply

      veridic verify --write-baseline --baseline veridic-baseline.json

    A comment on its line or on the line above silences a finding: "veridic: ignore", and the reason in square
    brackets. A project's own settings stand in the table "tool.veridic" of its pyproject.toml.
    """
    from veridic.cli.verify_run import run_verify

    options = VerifyOptions(
        documents=tuple(documents or ()),
        repo=repo,
        format=format,
        output=output,
        fail_on=fail_on,
        everything=everything,
        plan=plan,
        engine=engine,
        use_cache=not no_cache,
        since=since,
        only_changed=changed,
        commits=commits,
        run_tests=run_tests,
        run_examples=run_examples,
        run_configured=run_configured,
        check_links=check_links,
        databases=tuple(database or ()),
        apis=tuple(api or ()),
        fix=fix,
        apply=apply,
        baseline=baseline,
        write_baseline=write_baseline,
    )
    raise typer.Exit(run_verify(options))
