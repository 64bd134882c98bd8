"""`veridic batch`: check many articles, and go on after an interruption."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.check import AgainstOption, FailOnOption
from veridic.domain.claim import Priority
from veridic.domain.modes import EngineChoice, FirstLook, Mode

if TYPE_CHECKING:
    from veridic.batch.plan import BatchPlan
    from veridic.batch.session import BatchSession, Ended, Manner
    from veridic.config.settings import Settings
    from veridic.domain.verdicts import Verdict
    from veridic.store.batches import BatchSummary

_MODELS = "Models"
_WORK = "How it works"
_LISTED = 20
_FOLDER_SECONDS = 5.0
_FEED_SECONDS = 15 * 60.0


def batch(
    source: Annotated[str | None, typer.Argument(metavar="ARTICLES", help="Where the articles are: JSON lines (.jsonl; objects with text, or with the url of a page, and where known id, title, date), a folder, or an RSS or Atom feed (.xml or its address).", show_default=False)] = None,
    output: Annotated[Path | None, typer.Option("--output", help="The file for the results, one row for each article: .jsonl, .csv or .parquet. The same command with the same file goes on where it was.", show_default=False)] = None,
    against: AgainstOption = None,
    mode: Annotated[Mode | None, typer.Option(help="How each article is checked, as in `veridic check`. [default: thorough]", show_default=False)] = None,
    engine: Annotated[EngineChoice, typer.Option(help="The engine to use; auto takes the best that is set up.")] = EngineChoice.AUTO,
    triage: Annotated[FirstLook | None, typer.Option(help="Look at every article in summary mode, or with the embedded engine, and check only those as --mode says that this look flags. VERIDIC_BATCH_FLAGS says what is flagged: by default FALSE, MISLEADING and claims of high risk.", show_default=False)] = None,
    as_of: Annotated[datetime | None, typer.Option("--as-of", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="Check as of a day in the past: nothing later is evidence.", show_default=False)] = None,
    fail_on: FailOnOption = None,
    extractor: Annotated[str | None, typer.Option(metavar="MODEL", help="Who finds the claims.", show_default=False, rich_help_panel=_MODELS)] = None,
    checker: Annotated[list[str] | None, typer.Option(metavar="MODEL", help="Who checks them; in consensus mode repeat for up to four.", show_default=False, rich_help_panel=_MODELS)] = None,
    reporter: Annotated[str | None, typer.Option(metavar="MODEL", help="Consensus mode: who writes the reports.", show_default=False, rich_help_panel=_MODELS)] = None,
    max_cost: Annotated[float | None, typer.Option(metavar="USD", min=0.0, help="Begin no article that could make the whole batch cost more than this. It holds until another limit is given.", show_default=False, rich_help_panel=_MODELS)] = None,
    resume: Annotated[int | None, typer.Option(metavar="ID", help="Go on with this batch as it was started; only a limit of cost, and how it works, can be given anew.", show_default=False, rich_help_panel=_WORK)] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Check again what failed or is incomplete.", rich_help_panel=_WORK)] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Keep looking for new articles until Ctrl-C: in a folder every 5 seconds, in a feed every 15 minutes.", rich_help_panel=_WORK)] = False,
    every: Annotated[str | None, typer.Option(metavar="TIME", help="Look as often as this, such as 90s, 15m or 2h; with it, --watch can be left out.", show_default=False, rich_help_panel=_WORK)] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Processes that read articles. By default one for each core if the embedded engine reads them, else 1.", show_default=False, rich_help_panel=_WORK)] = None,
    at_once: Annotated[int | None, typer.Option(min=1, max=500, help="Articles checked at once. By default 2 for each worker, and 8 with language models.", show_default=False, rich_help_panel=_WORK)] = None,
    priority: Annotated[Priority, typer.Option(help="Where its checks stand among all that wait in the database. By default people's go first; batches of one priority take turns.", rich_help_panel=_WORK)] = Priority.LOW,
    listing: Annotated[bool, typer.Option("--list", help="List the newest batches, and check nothing.")] = False,
) -> None:  # fmt: skip
    """Check many articles, and write one row for each.

    Ctrl-C or a kill loses nothing: the same command goes on where it was, and pays for nothing twice. An article that
    can't be checked costs itself, and its row says why. The same text is checked once.

    Examples:

      veridic batch articles.jsonl --against sources/ --output results.csv

      veridic batch articles/ --output results.jsonl --watch

      veridic batch https://example.org/feed.xml --output feed.jsonl --every 15m

      veridic batch articles.jsonl --checker openai/o3 --triage embedded --max-cost 20 --output results.jsonl

      veridic batch --resume 3
    """
    from veridic.batch.plan import BatchPlan
    from veridic.batch.session import Manner
    from veridic.cli.check import day_of, model_choice
    from veridic.cli.fail_on import read_verdicts
    from veridic.config.settings import load_settings

    settings = load_settings()
    if listing:
        _list(settings)
        return
    failing = read_verdicts(fail_on)
    pause = _seconds(every) if every else None
    plan = BatchPlan(
        mode=mode or (Mode.THOROUGH if settings.use_thorough_validation else Mode.SUMMARY),
        engine=engine,
        models=model_choice(None, extractor, checker, reporter),
        against=tuple(against or ()),
        as_of=day_of(as_of),
        triage=triage,
        folder=str(Path.cwd()),
        max_cost_usd=max_cost,
    )
    found = _open(source, output, resume, plan, settings)
    manner = Manner(
        workers=workers,
        at_once=at_once,
        every_seconds=pause or (_usual_pause(found.source) if watch else None),
        retry_failed=retry_failed,
        priority=priority,
    )
    raise typer.Exit(_exit_code(_work(found, manner, settings), failing))


def _open(
    source: str | None, output: Path | None, resume: int | None, plan: BatchPlan, settings: Settings
) -> BatchSummary:
    """Return the batch to work on; nothing is saved of one that can't be worked on."""
    from veridic.batch.inputs import open_input
    from veridic.batch.results import writer_for
    from veridic.batch.session import limited, open_batch
    from veridic.domain.errors import UsageError
    from veridic.store import batches
    from veridic.store.runs import RunStore

    if resume is not None:
        if source is not None or output is not None:
            raise UsageError(
                "--resume goes on with a batch as it was started; leave ARTICLES and --output out."
            )
        with RunStore(settings.database) as store:
            with store.read() as session:
                found = batches.find(session, resume)
            return limited(store, found, plan.max_cost_usd)
    if source is None or output is None:
        raise UsageError(
            "Name where the articles are and the file for the results: ARTICLES --output results.jsonl."
        )
    writer_for(output.absolute())
    open_input(source, settings)
    plan.uses_embedded_engine(settings)
    with RunStore(settings.database) as store:
        return open_batch(store, source, output, plan)


def _work(found: BatchSummary, manner: Manner, settings: Settings) -> Ended:
    import contextlib

    from veridic.batch.plan import BatchPlan
    from veridic.batch.session import BatchSession
    from veridic.cli.batch_progress import BatchProgress

    folder = BatchPlan.model_validate(found.plan).folder
    with contextlib.chdir(folder), BatchProgress(found.id) as progress:
        session = BatchSession(
            found, manner, settings, on_progress=progress.follow, on_trouble=progress.trouble
        )
        return _run(session, found)


def _run(session: BatchSession, found: BatchSummary) -> Ended:
    """Run the session; Ctrl-C and a request to terminate leave it so that it can go on."""
    import asyncio
    import signal
    import sys
    from contextlib import suppress

    async def main() -> Ended:
        task = asyncio.current_task()
        with suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # type: ignore[union-attr]
        return await session.run()

    try:
        return asyncio.run(main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.stderr.write(f"`veridic batch --resume {found.id}` goes on with it.\n")
        raise KeyboardInterrupt from None


def _exit_code(ended: Ended, failing: frozenset[Verdict]) -> int:
    """Tell how it ended; return 3 if articles could not be checked, 1 if one of the verdicts occurred, else 0."""
    from veridic.cli.batch_progress import summary

    for line in summary(ended):
        typer.echo(line, err=True)
    if ended.totals.failed or ended.is_out_of_money:
        return 3
    return int(bool(ended.verdicts & failing))


def _seconds(every: str) -> float:
    """Return the seconds of a time such as `15m`."""
    from veridic.domain.errors import UsageError

    unit = {"s": 1, "m": 60, "h": 3600, "d": 86_400}.get(every[-1:].lower())
    number = every[:-1] if unit else every
    if not number.isascii() or not number.isdecimal() or int(number) == 0:
        raise UsageError(f"--every takes a time such as 90s, 15m, 2h or 1d, not {every!r}.")
    return float(int(number) * (unit or 1))


def _usual_pause(source: str) -> float:
    return _FOLDER_SECONDS if Path(source).is_dir() else _FEED_SECONDS


def _list(settings: Settings) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from veridic.runtime.leases import is_dead
    from veridic.store import batches
    from veridic.store.runs import RunStore

    with RunStore(settings.database) as store:
        store.release_dead(is_dead)  # so that no batch of a process that is gone is called running
        with store.read() as session:
            found = batches.newest(session, _LISTED)
    console = Console()
    if not found:
        typer.echo("No batches yet; `veridic batch ARTICLES --output FILE` makes the first.", err=True)
    elif console.is_terminal:
        table = Table("id", "date", "articles", "state", "done", "failed", "cost", "results", box=None, pad_edge=False, header_style="bold")  # fmt: skip
        for one in found:
            table.add_row(*(Text(cell) for cell in _cells(one)))
        console.print(table)
    else:
        for one in found:
            typer.echo("\t".join(_cells(one)))


def _cells(batch: BatchSummary) -> tuple[str, ...]:
    from veridic.reporting.escaping import one_line

    state = "running" if batch.is_under_way else "finished" if batch.finished_at else "interrupted"
    return (
        str(batch.id),
        f"{batch.created_at:%Y-%m-%d %H:%M}",
        one_line(batch.source),
        state,
        f"{batch.ended} of {batch.articles}",
        str(batch.failed),
        f"${batch.cost_usd:.4f}",
        one_line(batch.output),
    )
