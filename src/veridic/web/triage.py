"""What needs a person first: a check's claims by what is to be done about them. Does no I/O."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from veridic.domain.verdicts import Verdict
from veridic.reporting.wording import Tone
from veridic.web.claim_views import ClaimView


class Task(StrEnum):
    """What is to be done about a claim, as in the address of a filtered page."""

    CORRECT = "correct"
    BORNE_OUT = "borne-out"
    LOOK = "look"
    NOT_CHECKED = "not-checked"


_WORDS = {
    Task.CORRECT: "to correct",
    Task.BORNE_OUT: "borne out",
    Task.LOOK: "to look at yourself",
    Task.NOT_CHECKED: "not checked",
}
_TONES = {
    Task.CORRECT: Tone.BAD,
    Task.BORNE_OUT: Tone.GOOD,
    Task.LOOK: Tone.OPEN,
    Task.NOT_CHECKED: Tone.CAUTION,
}
_TO_CORRECT = tuple(
    verdict.value.lower() for verdict in (Verdict.REFUTED, Verdict.MISLEADING, Verdict.OUTDATED)
)


@dataclass(frozen=True, slots=True)
class TaskShare:
    """A filter of the page: how much there is of one task."""

    task: Task
    count: int

    @property
    def words(self) -> str:
        return _WORDS[self.task]

    @property
    def tone(self) -> Tone:
        return _TONES[self.task]


def task_of(claim: ClaimView) -> Task | None:
    """Return what is to be done about a claim; None while it is being checked."""
    if claim.sign is None:
        return Task.LOOK if claim.problem else None
    if claim.sign.tone is Tone.GOOD:
        return Task.BORNE_OUT
    return Task.CORRECT if claim.correction or claim.sign.icon in _TO_CORRECT else Task.LOOK


def task_shares(claims: Sequence[ClaimView], not_checked: int) -> tuple[TaskShare, ...]:
    """Return all filters, also those with nothing in them."""
    tasks = [task_of(claim) for claim in claims]
    counts = {task: tasks.count(task) for task in Task} | {Task.NOT_CHECKED: not_checked}
    return tuple(TaskShare(task, counts[task]) for task in Task)
