"""Turns the events of a run into an agent's progress notifications."""

from collections.abc import Awaitable, Callable
from typing import Any

from veridic.domain.events import EventName

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Sends how much is done, the total or None, and a sentence."""

_STAGES = {
    EventName.GENERATE_START: "Answering the question.",
    EventName.EXTRACT_START: "Finding claims.",
    EventName.VERIFY_START: "Asking the checkers.",
    EventName.REPORT_START: "Writing the report.",
}


class RunProgress:
    """The progress of one run. Each notification has a higher value than the one before, as the protocol demands."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._done = 0
        self._total: int | None = None

    async def started(self, run_id: str) -> None:
        """Tell the run's id, under which it is saved."""
        await self._report(0, None, f"{run_id} has begun.")

    async def follow(self, name: str, data: dict[str, Any]) -> None:
        """Report what an event says of the progress; most say nothing."""
        match name:
            case EventName.CLAIMS_EXTRACTED:
                number = len(data["claims"])
                self._total = self._done + 1 + number
                await self._step(f"{number} claims found." if number != 1 else "One claim found.")
            case EventName.CLAIM_DECIDED:
                await self._step(f"{data['claim_id']}: {data['verdict']}.")
            case EventName.CHECKER_COMPLETE:
                await self._step("A checker has answered.")
            case _ if sentence := _STAGES.get(EventName(name)):
                await self._step(sentence)

    async def _step(self, sentence: str) -> None:
        self._done += 1
        total = None if self._total is None else max(self._total, self._done)
        await self._report(self._done, total, sentence)
