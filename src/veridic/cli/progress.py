"""Progress bars on standard error, in a terminal only."""

from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from veridic.domain.events import Event, EventName
from veridic.reporting.escaping import one_line

_STAGES = {
    EventName.GENERATE_START: "Answering the question",
    EventName.EXTRACT_START: "Finding claims",
    EventName.VERIFY_START: "Asking the checkers",
    EventName.REPORT_START: "Writing the report",
}


_MAX_DESCRIPTION = 76


class CheckProgress:
    """The progress of a check in one line: `claim 3 of 12 · news 5 · research 10 · general failed · $0.021`."""

    def __init__(self) -> None:
        self.claims: list[str] = []
        self.done: set[str] = set()
        self._searches: dict[str | None, dict[str, int | None]] = {}
        """The number of results of each channel, by claim; None if it failed."""
        self._current: str | None = None
        self._cost = 0.0

    def follow(self, event: Event) -> None:
        """Update the progress; other events are ignored."""
        match event.name:
            case EventName.CLAIMS_EXTRACTED:
                self.claims = [claim["id"] for claim in event.data["claims"]]
            case EventName.CLAIM_STARTED:
                self._current = event.data["claim_id"]
            case EventName.SEARCH_COMPLETED:
                self._searched(event.data)
            case EventName.USAGE_UPDATED:
                self._cost = event.data["cost_usd"]
            case EventName.CLAIM_DECIDED:
                self.done.add(event.data["decision"].claim.id)
            case EventName.STAGE_FAILED if claim_id := event.data["failure"].get("claim_id"):
                self.done.add(claim_id)

    def _searched(self, data: dict[str, Any]) -> None:
        self._current = data["claim_id"]
        channels = self._searches.setdefault(self._current, {})
        before = channels.get(data["channel"])
        channels[data["channel"]] = (before or 0) + data["results"] if data["succeeded"] else before

    def __str__(self) -> str:
        parts = []
        if self._current in self.claims:
            parts.append(f"claim {self.claims.index(self._current) + 1} of {len(self.claims)}")
        for channel, results in self._searches.get(self._current, {}).items():
            parts.append(f"{channel} {'failed' if results is None else results}")
        if self._cost:
            parts.append(f"${self._cost:.3f}")
        return " · ".join(parts) or "Checking claims"


class ProgressBar:
    """A progress bar that shows one stage at a time: reading sources, then checking claims."""

    def __init__(self) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not Console(stderr=True).is_terminal,
        )
        self._task = self._progress.add_task("Reading", total=None, visible=False)
        self._check = CheckProgress()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def indexing(self, done: int, total: int | None, what: str) -> None:
        """Show the progress of an index; the evidence stage calls it."""
        self.show(done, total, f"Indexing {what}")

    def reading(self, done: int, total: int | None, what: str) -> None:
        """Show the progress of reading a repository; its paths are escaped."""
        self.show(done, total, one_line(what))

    def show(self, done: int, total: int | None, what: str) -> None:
        """Show the progress of anything else."""
        self._progress.update(
            self._task, description=what[:_MAX_DESCRIPTION], completed=done, total=total, visible=True
        )

    def follow(self, event: Event) -> None:
        """Show the progress of a check."""
        if event.name in _STAGES:
            self.show(0, event.data.get("checkerCount"), _STAGES[event.name])
        elif event.name is EventName.CHECKER_COMPLETE:
            self._progress.advance(self._task)
        else:
            self._check.follow(event)
            if self._check.claims:
                self.show(len(self._check.done), len(self._check.claims), str(self._check))
