"""The progress of a batch on standard error, and what it came to."""

import sys
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from veridic.batch.run import Progress as BatchProgressed
from veridic.batch.session import Ended
from veridic.domain.phrases import count
from veridic.reporting.escaping import one_line

_LINE_SECONDS = 60.0
"""How often a line is written where there is no terminal."""
_MINUTE = 60.0


class BatchProgress:
    """A bar in a terminal; elsewhere a line each minute, so that a log shows it too."""

    def __init__(self, batch_id: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._batch_id = batch_id
        self._now = now
        self._next_line = now() + _LINE_SECONDS
        console = Console(stderr=True)
        self._is_terminal = console.is_terminal
        self._bar = Progress(
            SpinnerColumn(),
            BarColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def follow(self, progress: BatchProgressed) -> None:
        """Show how far the batch is."""
        if self._is_terminal:
            self._bar.update(
                self._task,
                completed=progress.ended,
                total=progress.total,
                description=f"batch {self._batch_id}: {line(progress)}",
            )
        elif self._now() >= self._next_line:
            self._next_line = self._now() + _LINE_SECONDS
            sys.stderr.write(f"batch {self._batch_id}: {line(progress)}\n")
            sys.stderr.flush()

    def trouble(self, message: str) -> None:
        """Say what went wrong with an input that will be looked at again."""
        sys.stderr.write(f"veridic: {one_line(message)} It is tried again.\n")
        sys.stderr.flush()


def line(progress: BatchProgressed) -> str:
    """Return the progress in one line: `412 of 10,000 · 38 a minute · $1.24 · 4 failed · 4 h 12 min left`."""
    of_all = f" of {progress.total:,}" if progress.total is not None else ""
    parts = [f"{progress.ended:,}{of_all}"]
    rate = progress.ended_now / progress.seconds * _MINUTE if progress.seconds > 0 else 0.0
    if rate:
        parts.append(f"{rate:.0f} a minute" if rate >= 10 else f"{rate:.1f} a minute")
    if progress.spent_usd:
        parts.append(f"${progress.spent_usd:.2f}")
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    if rate and progress.total is not None and progress.total > progress.ended:
        parts.append(f"{_duration((progress.total - progress.ended) / rate)} left")
    return " · ".join(parts)


def summary(ended: Ended) -> Iterator[str]:
    """Yield what a batch came to, in one or two lines."""
    totals = ended.totals
    parts = [f"{totals.ended - totals.failed:,} of {count(totals.listed, 'article')} checked"]
    if totals.failed:
        parts.append(f"{totals.failed:,} failed or incomplete")
    if ended.copies:
        parts.append(f"{count(ended.copies, 'copy', 'copies')} not checked again")
    if ended.flagged is not None:
        parts.append(f"{ended.flagged:,} flagged and checked thoroughly")
    cost = f", ${totals.spent_usd:.4f}" if totals.spent_usd else ""
    yield f"Batch {ended.batch.id}: {', '.join(parts)}{cost}. Results: {one_line(ended.batch.output)}"
    if ended.is_out_of_money:
        waiting = totals.listed - totals.ended
        yield (
            f"Too little is left of --max-cost for the next article; {count(waiting, 'article')} not checked. "
            f"`veridic batch --resume {ended.batch.id} --max-cost USD` goes on."
        )


def _duration(minutes: float) -> str:
    if minutes < 1:
        return "less than a minute"
    hours, rest = divmod(round(minutes), 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"
