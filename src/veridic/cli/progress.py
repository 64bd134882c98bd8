"""Progress on standard error: bars for people at a terminal, nothing for scripts."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from veridic.domain.events import Event, EventName

_DOING = {
    EventName.GENERATE_START: "Answering the question",
    EventName.EXTRACT_START: "Finding claims",
    EventName.VERIFY_START: "Asking the checkers",
    EventName.REPORT_START: "Writing the report",
}


class ProgressBar:
    """One bar at a time: reading sources, then checking claims."""

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

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def indexing(self, done: int, total: int | None, what: str) -> None:
        """Shows how far an index is built; has the shape the evidence stage calls."""
        self.show(done, total, f"Indexing {what}")

    def show(self, done: int, total: int | None, what: str) -> None:
        """Shows how far anything else is."""
        self._progress.update(self._task, description=what[:60], completed=done, total=total, visible=True)

    def follow(self, event: Event) -> None:
        """Shows how far a check is."""
        if event.name is EventName.CLAIMS_EXTRACTED:
            total = len(event.data["claims"])
            self._progress.update(
                self._task, description="Checking claims", completed=0, total=total, visible=True
            )
        elif event.name in (EventName.CLAIM_DECIDED, EventName.CHECKER_COMPLETE):
            self._progress.advance(self._task)
        elif event.name in _DOING:
            self.show(0, event.data.get("checkerCount"), _DOING[event.name])
