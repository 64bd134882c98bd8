"""`veridic check` and `veridic claim`: check a document's claims, or one claim, against evidence or with several models."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.output import FormatOption, OutputOption
from veridic.domain.modes import EngineChoice, Mode, ReportFormat

if TYPE_CHECKING:
    from pathlib import Path

    from veridic.config.settings import Settings
    from veridic.domain.document import Document
    from veridic.domain.usage import CostEstimate
    from veridic.engine.order import CheckOrder, ModelChoice


AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        metavar="PATH|NAME",
        help="What to check against: a folder, a file, JSON lines, or a corpus by name; repeat for several. "
        "Without it, the web where a search provider is set up, and the built-in reference library (the CIA World Factbook).",
        show_default=False,
    ),
]
FailOnOption = Annotated[
    str | None,
    typer.Option(
        metavar="VERDICT,...",
        help="End with exit code 1 if a claim gets one of these verdicts, such as REFUTED,OUTDATED.",
        show_default=False,
    ),
]
_MODELS = "Models"
MOST_CHECKERS = 4


def check(
    target: Annotated[str | None, typer.Argument(metavar="PATH|URL|-", help="The text to check: a file (plain text, Markdown, HTML, PDF, DOCX), a web address, or - for standard input.", show_default=False)] = None,
    against: AgainstOption = None,
    mode: Annotated[Mode | None, typer.Option(help="summary: the article's one or two main statements, for a quick look. thorough: each claim against evidence of its own. consensus: several models check every claim, and the majority is counted. [default: thorough]", show_default=False)] = None,
    engine: Annotated[EngineChoice, typer.Option(help="The engine to use; auto takes the best that is set up.")] = EngineChoice.AUTO,
    format: FormatOption = ReportFormat.TEXT,  # noqa: A002
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    as_of: Annotated[datetime | None, typer.Option("--as-of", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="Check as of a day in the past: nothing later is evidence.", show_default=False)] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Print the likely cost of the check, and spend nothing.")] = False,
    question: Annotated[str | None, typer.Option(help="Consensus mode: check a model's answer to this question instead of a text.", show_default=False, rich_help_panel=_MODELS)] = None,
    generator: Annotated[str | None, typer.Option(metavar="MODEL", help="Who answers --question.", show_default=False, rich_help_panel=_MODELS)] = None,
    extractor: Annotated[str | None, typer.Option(metavar="MODEL", help="Who finds the claims, such as openai/o3 or embedded/extractor.", show_default=False, rich_help_panel=_MODELS)] = None,
    checker: Annotated[list[str] | None, typer.Option(metavar="MODEL", help="Who checks them; in consensus mode repeat for up to four. embedded/verifier reads evidence and needs no key.", show_default=False, rich_help_panel=_MODELS)] = None,
    reporter: Annotated[str | None, typer.Option(metavar="MODEL", help="Consensus mode: who writes the report.", show_default=False, rich_help_panel=_MODELS)] = None,
    max_cost: Annotated[float | None, typer.Option(metavar="USD", min=0.0, help="Stop before the call that would cost more than this in all.", show_default=False, rich_help_panel=_MODELS)] = None,
    max_content_length: Annotated[int, typer.Option(metavar="CHARACTERS", min=500, max=50_000, help="Consensus mode: cut content off after this many characters; the report says so.", rich_help_panel=_MODELS)] = 20_000,
    stage_timeout: Annotated[int | None, typer.Option(metavar="SECONDS", min=1, max=86_400, help="How long a model may take for its answer. [default: VERIDIC_LLM_TIMEOUT_SECONDS, or 120]", show_default=False, rich_help_panel=_MODELS)] = None,
) -> None:  # fmt: skip
    """Check the claims of a document, and cite the evidence for each verdict.

    Examples:

      veridic check article.md

      veridic check article.md --against sources/ --format html --output report.html

      veridic check article.md --mode summary --as-of 2021-06-30

      veridic check article.md --checker google/gemini-2.5-flash --estimate

      veridic check article.md --mode consensus --checker openai/o3 --checker embedded/verifier

      curl -s https://example.org/speech.txt | veridic check - --fail-on REFUTED
    """
    from veridic.cli.fail_on import exit_code, read_verdicts
    from veridic.cli.output import write_report
    from veridic.cli.running import run_check
    from veridic.config.settings import load_settings
    from veridic.domain.errors import UsageError
    from veridic.engine.order import CheckOrder

    failing = read_verdicts(fail_on)
    settings = load_settings()
    mode = mode or (Mode.THOROUGH if settings.use_thorough_validation else Mode.SUMMARY)
    document = _document(target, question, mode, output, settings)
    if document is None and not (generator or settings.generator_model):
        raise UsageError("Say who answers the question: --generator MODEL, such as openai/o3.")
    order = CheckOrder(
        mode=mode,
        engine=engine,
        document=document,
        question=question or "",
        models=model_choice(generator, extractor, checker, reporter),
        against=tuple(against or ()),
        as_of=day_of(as_of),
        max_content_length=max_content_length,
        stage_timeout_ms=stage_timeout and stage_timeout * 1000,
        max_cost_usd=max_cost,
    )
    if estimate:
        _print_estimate(order, settings)
        return
    report = run_check(order, settings)
    write_report(report, format, output)
    raise typer.Exit(exit_code(report, failing))


def _document(
    target: str | None, question: str | None, mode: Mode, output: Path | None, settings: Settings
) -> Document | None:
    """Return the document to check; None if a question has to be answered first."""
    from veridic.cli.output import refuse_to_overwrite
    from veridic.domain.errors import UsageError
    from veridic.ingest.read import read_document

    if target is None and question and mode is Mode.CONSENSUS:
        return None
    if target is None:
        raise UsageError(
            "Name what to check (PATH|URL|-); --question works in consensus mode (--mode consensus)."
        )
    if question:
        raise UsageError("Give either a text to check or --question, not both.")
    refuse_to_overwrite(output, target)
    return read_document(target, settings=settings)


def day_of(as_of: datetime | None) -> date | None:
    """Return the day of `--as-of`; raise `UsageError` for one in the future."""
    from veridic.domain.errors import UsageError

    if as_of is not None and as_of.date() > datetime.now(UTC).date():
        raise UsageError(f"--as-of can't be in the future, but {as_of.date()} is.")
    return as_of.date() if as_of else None


def model_choice(
    generator: str | None,
    extractor: str | None,
    checkers: list[str] | None,
    reporter: str | None,
) -> ModelChoice:
    """Return the models that options name; raise `UsageError` for too many."""
    from veridic.domain.errors import UsageError
    from veridic.engine.order import ModelChoice

    if checkers and len(checkers) > MOST_CHECKERS:
        raise UsageError(
            f"At most {MOST_CHECKERS} checkers can be asked, and --checker names {len(checkers)}."
        )
    return ModelChoice(
        generator=generator,
        extractor=extractor,
        checkers=tuple(checkers) if checkers else None,
        reporter=reporter,
    )


def claim(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The claim, as one sentence.", show_default=False)],
    against: AgainstOption = None,
    threshold: Annotated[float, typer.Option(min=0.0, max=1.0, help="The confidence a clear verdict needs; below it, the claim is partly true at most.")] = 0.85,
    format: FormatOption = ReportFormat.TEXT,  # noqa: A002
    output: OutputOption = None,
    fail_on: FailOnOption = None,
) -> None:  # fmt: skip
    """Check one claim, and show the evidence for and against it.

    Example:

      veridic claim "The capital of Australia is Sydney."
    """
    from veridic.cli.fail_on import exit_code, read_verdicts
    from veridic.cli.output import write_report
    from veridic.cli.running import run_check
    from veridic.config.settings import load_settings
    from veridic.engine.order import CheckOrder
    from veridic.ingest.read import document_from_text

    failing = read_verdicts(fail_on)
    order = CheckOrder(
        document=document_from_text(text, source="Claim"),
        against=tuple(against or ()),
        threshold=threshold,
    )
    report = run_check(order, load_settings())
    write_report(report, format, output)
    raise typer.Exit(exit_code(report, failing))


def _print_estimate(order: CheckOrder, settings: Settings) -> None:
    """Print the likely cost of an order, without any request to a provider."""
    from veridic.check.estimate import estimate

    for line in _estimate_lines(estimate(order, settings)):
        typer.echo(line)


def _estimate_lines(likely: CostEstimate) -> list[str]:
    from veridic.domain.phrases import count

    claims = count(likely.claims, "claim")
    if not likely.calls and not likely.searches:
        return [f"Free: {claims}, read by the embedded engine on this machine."]
    asked = [
        f"{count(likely.calls, 'call')} of language models"
        f" (about {likely.input_tokens:,} tokens in, {likely.output_tokens:,} out)"
        if likely.calls
        else "",
        count(likely.searches, "search", "searches") if likely.searches else "",
    ]
    details = f"{claims}, {' and '.join(filter(None, asked))}."
    if likely.unpriced_models:
        unknown = ", ".join(likely.unpriced_models)
        return [f"About ${likely.cost_usd:.4f}, plus the unknown cost of {unknown}: {details}"]
    if likely.is_free:
        return [f"Free: {details}"]
    return [
        f"About ${likely.cost_usd:.4f}: {details}",
        f"Models ${likely.model_cost_usd:.4f}, searches ${likely.search_cost_usd:.4f}; to set a limit, add --max-cost USD.",
    ]
