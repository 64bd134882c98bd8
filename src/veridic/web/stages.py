"""The progress of a run: its stages, derived from its events."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from veridic.domain.events import EventName
from veridic.reporting.wording import count


class StageState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    STOPPED = "stopped"
    """It had started, but the run ended before it was done."""


@dataclass(frozen=True, slots=True)
class StageView:
    name: str
    state: StageState
    detail: str = ""
    done: int = 0
    total: int = 0
    """The number of steps; 0 if the stage has only one."""


@dataclass(frozen=True, slots=True)
class Stages:
    """Computes the stages from event names and counts."""

    names: Counter[str]
    running: bool
    reported: bool
    claims: int = 0
    checkers: int = 0
    answered: int = 0
    """Checkers in consensus mode, claims in other modes."""
    failed: int = 0
    generated: bool = False

    def consensus(self) -> tuple[StageView, ...]:
        generate = self._stage("Generate", EventName.GENERATE_START, EventName.GENERATE_COMPLETE)
        extract = self._stage(
            "Extract", EventName.EXTRACT_START, EventName.EXTRACT_COMPLETE, self._claim_count()
        )
        report = self._stage("Report", EventName.REPORT_START, EventName.REPORT_COMPLETE)
        return (*((generate,) if self.generated else ()), extract, self._verify(), report)

    def validation(self) -> tuple[StageView, ...]:
        extract = self._stage(
            "Extract", EventName.CHECK_STARTED, EventName.CLAIMS_EXTRACTED, self._claim_count()
        )
        detail = f"{self.answered} of {count(self.claims, 'claim')}"
        verify = self._stage("Verify", EventName.CLAIMS_EXTRACTED, EventName.REPORT_READY, detail)
        report = StageView("Report", StageState.DONE if self.reported else StageState.WAITING)
        return extract, _with_steps(verify, self.answered, self.claims), report

    def _verify(self) -> StageView:
        if self.reported and not self.claims:
            return StageView("Verify", StageState.SKIPPED, "nothing to check")
        detail = f"{self.answered} of {count(self.checkers, 'checker')}"
        if self.failed:
            detail += f", {self.failed} failed"
        stage = self._stage("Verify", EventName.VERIFY_START, EventName.ALL_CHECKERS_COMPLETE, detail)
        return _with_steps(stage, self.answered + self.failed, self.checkers)

    def _stage(self, name: str, start: EventName, end: EventName, detail: str = "") -> StageView:
        if self.reported or self.names[end.value]:
            return StageView(name, StageState.DONE, detail)
        if not self.names[start.value]:
            return StageView(name, StageState.WAITING)
        return StageView(name, StageState.RUNNING if self.running else StageState.STOPPED, detail)

    def _claim_count(self) -> str:
        return count(self.claims, "claim") if self.claims or self.reported else ""


def _with_steps(stage: StageView, done: int, total: int) -> StageView:
    if stage.state is StageState.WAITING:
        return stage
    return StageView(stage.name, stage.state, stage.detail, min(done, total), total)


def progress_line(stages: Sequence[StageView], mode: str) -> str:
    """Return one sentence on the progress of a run under way."""
    current = next((stage for stage in stages if stage.state is StageState.RUNNING), None)
    if current is None:
        done = [stage.name for stage in stages if stage.state is StageState.DONE]
        return (
            f"{_FINISHED[done[-1]]} Continuing …"
            if done
            else "Getting ready; a library that is used for the first time is indexed now …"
        )
    sentence = _UNDER_WAY[current.name]
    if current.name == "Verify":
        verb = "answered" if mode == "consensus" else "checked"
        return f"{sentence}: {current.detail} {verb} …"
    return f"{sentence} …"


_UNDER_WAY = {
    "Generate": "A model is answering the question",
    "Extract": "Looking for claims that can be checked",
    "Verify": "Checking the claims",
    "Report": "Writing the report",
}
_FINISHED = {
    "Generate": "The text is written.",
    "Extract": "The claims are found.",
    "Verify": "The claims are checked.",
    "Report": "The report is written.",
}
