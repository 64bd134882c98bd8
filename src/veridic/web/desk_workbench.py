"""The workbench of one check: its claims, its state, who has it, comments, review and publishing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form
from starlette.responses import RedirectResponse, Response

from veridic.desk.accepting import is_acceptable
from veridic.desk.lifecycle import CHECK_MOVES, OPEN, CheckStatus
from veridic.desk.records import CheckRecord, ReviewDecision
from veridic.domain.claim import Priority
from veridic.domain.errors import NotFoundError, UsageError
from veridic.domain.people import Right
from veridic.web.desk_context import (
    REFUSALS,
    ContextDep,
    DeskContext,
    LargeForms,
    Line,
    LongText,
    Version,
    answer_to,
    as_shown,
    refuse_large,
)
from veridic.web.desk_history import history_of
from veridic.web.desk_words import end_of, rating_sign
from veridic.web.machine_offer import machine_offer
from veridic.web.marks import ClaimMark, TextPiece, split_text

router = APIRouter(include_in_schema=False, route_class=LargeForms)
PATH = "/desk/checks"
SEE_OTHER = 303

# The other moves have a form of their own: extraction, completion, publishing and reopening.
_PLAIN_MOVES: Mapping[tuple[CheckStatus, CheckStatus], str] = {
    (CheckStatus.PENDING, CheckStatus.IN_PROGRESS): "Begin work",
    (CheckStatus.EXTRACTING_CLAIMS, CheckStatus.PENDING): "Stop, back to pending",
    (CheckStatus.EXTRACTING_CLAIMS, CheckStatus.IN_PROGRESS): "Stop, back to work",
    (CheckStatus.IN_PROGRESS, CheckStatus.PENDING): "Put back to pending",
    (CheckStatus.COMPLETED, CheckStatus.IN_PROGRESS): "Back to work",
}


@dataclass(frozen=True, slots=True)
class WorkbenchView:
    """A check as its page shows it to one person."""

    check: CheckRecord
    text: tuple[TextPiece, ...]
    moves: tuple[tuple[CheckStatus, str], ...]
    """Allowed moves that need no more than a button, each with its label."""
    can_take: bool
    can_assign: bool
    can_complete: bool
    is_published: bool
    """Whether readers see a publication of it, or that it was retracted."""
    is_retracted: bool
    acceptable: int
    """Claims whose verdict of the machine would be accepted with all that remain."""

    @property
    def has_machine(self) -> bool:
        """Whether the machine's report has cards to rate the claims in."""
        return any(claim.machine for claim in self.check.claims)

    @property
    def waiting(self) -> int:
        """The claims that stand in the way of completion."""
        return sum(claim.needs_person for claim in self.check.claims)

    @property
    def settled(self) -> int:
        return sum(claim.is_settled for claim in self.check.claims)

    @property
    def differing(self) -> int:
        """The claims that a person rated otherwise than the machine."""
        return sum(claim.differs for claim in self.check.claims)

    @property
    def is_open(self) -> bool:
        return self.check.status in OPEN


def workbench_view(context: DeskContext, check: CheckRecord) -> WorkbenchView:
    actor, status = context.actor, check.status
    allowed = {
        after for (before, after), right in CHECK_MOVES.items() if before is status and actor.may(right)
    }
    marks = [
        ClaimMark(number, claim.span, rating_sign(claim.leading.rating) if claim.leading else None)
        for number, claim in enumerate(check.claims, 1)
        if claim.span is not None
    ]
    return WorkbenchView(
        check=check,
        text=split_text(check.content, marks),
        moves=tuple(
            (after, label)
            for (before, after), label in _PLAIN_MOVES.items()
            if before is status and after in allowed
        ),
        can_take=context.can_take(check),
        can_assign=status is not CheckStatus.PUBLISHED and (actor.may(Right.EDIT) or context.is_mine(check)),
        can_complete=CheckStatus.COMPLETED in allowed,
        is_published=bool(check.publications),
        is_retracted=bool(check.publications) and check.publications[-1].kind == "retracted",
        acceptable=sum(is_acceptable(claim, actor) for claim in check.claims),
    )


@router.get(PATH + "/{check_id}")
def workbench(context: ContextDep, check_id: str) -> Response:
    return workbench_page(context, check_id)


@router.post(PATH + "/{check_id}/take")
def take(context: ContextDep, check_id: str, version: Version, back: Line = "") -> Response:
    """Take a check; `back` is the id of the claim in whose card, on the page of the check, it was taken."""
    answer = _change(context, check_id, lambda: context.desk.take(context.actor, check_id, version))
    if back.isascii() and back.isdigit() and answer.status_code == SEE_OTHER:
        return RedirectResponse(f"/checks/{check_id}#desk-{back}", SEE_OTHER)
    return answer


@router.post(PATH + "/{check_id}/assign")
def assign(
    context: ContextDep,
    check_id: str,
    version: Version,
    person: Line = "",
    due: Line = "",
    priority: Line = Priority.MEDIUM,
) -> Response:
    """Hand a check over, or change when it is due and how urgent it is."""

    def change() -> None:
        before = context.desk.check(context.actor, check_id).due_at
        try:
            due_at, urgency = end_of(due, before), Priority(priority)
            user_id = int(person) if person else None
        except ValueError:
            raise UsageError("Choose a person and a priority, and give a date such as 2026-11-30.") from None
        context.desk.assign(context.actor, check_id, user_id, due_at, urgency, version)

    return _change(context, check_id, change)


@router.post(PATH + "/{check_id}/extract")
def extract(context: ContextDep, check_id: str, version: Version) -> Response:
    """Find the claims of the text; the response waits for them."""

    def change() -> None:
        context.limit_work()
        context.desk.extract(context.actor, check_id, version)

    return _change(context, check_id, change, place="claims")


@router.post(PATH + "/{check_id}/claims")
def add_claim(context: ContextDep, check_id: str, claim: LongText = "") -> Response:
    """Add a claim; if its words stand in the text, it gets its place there."""

    def change() -> None:
        words = claim.strip().replace("\r\n", "\n")
        start = context.desk.check(context.actor, check_id).content.find(words) if words else -1
        span = (start, start + len(words)) if start >= 0 else None
        context.desk.add_claim(context.actor, check_id, claim, span)

    return _change(context, check_id, change, place="claims", typed={"claim": claim})


@router.post(PATH + "/{check_id}/accept")
def accept(context: ContextDep, check_id: str, version: Version) -> Response:
    """Accept the machine's verdicts on all claims that wait for a person."""
    return _change(
        context,
        check_id,
        lambda: context.desk.accept_remaining(context.actor, check_id, version),
        place="claims",
    )


@router.post(PATH + "/{check_id}/move")
def move(
    context: ContextDep,
    check_id: str,
    version: Version,
    status: Line,
    notes: Annotated[str | None, Form()] = None,
) -> Response:
    def change() -> None:
        if status not in list(CheckStatus):
            raise UsageError(f"There is no state {status!r}.")
        context.desk.move(context.actor, check_id, CheckStatus(status), version, notes)

    return _change(context, check_id, change, typed={"notes": notes or ""})


@router.post(PATH + "/{check_id}/comment")
def comment(context: ContextDep, check_id: str, text: LongText = "") -> Response:
    return _change(
        context,
        check_id,
        lambda: context.desk.comment(context.actor, check_id, None, text),
        place="comments",
        typed={"comment": text},
    )


@router.post(PATH + "/{check_id}/review")
def review(
    context: ContextDep, check_id: str, version: Version, decision: Line = "", note: LongText = ""
) -> Response:
    """Approve a completed check, or send it back to work."""

    def change() -> None:
        context.desk.review(context.actor, check_id, _decision(decision), note, version)

    return _change(context, check_id, change, place="publishing", typed={"note": note})


@router.post(PATH + "/{check_id}/{action}")
def release(
    context: ContextDep,
    check_id: str,
    version: Version,
    action: Literal["publish", "correct", "reopen", "retract"],
    reason: LongText = "",
) -> Response:
    """Publish a check, or change what is published; all but the first publication need a reason."""

    def change() -> None:
        desk, actor = context.desk, context.actor
        match action:
            case "publish":
                desk.publish(actor, check_id, version)
            case "correct":
                desk.correct(actor, check_id, reason, version)
            case "reopen":
                desk.reopen(actor, check_id, reason, version)
            case "retract":
                desk.retract(actor, check_id, reason, version)

    return _change(context, check_id, change, place="publishing", typed={action: reason})


def _decision(value: str) -> ReviewDecision:
    if value == "approved":
        return "approved"
    if value == "changes_requested":
        return "changes_requested"
    raise UsageError("Approve the check, or send it back.")


def _change(
    context: DeskContext,
    check_id: str,
    change: Callable[[], object],
    *,
    place: str = "main",
    typed: Mapping[str, str] | None = None,
) -> Response:
    """Make a change and show the check again at `place`; if it is refused, say why and keep what was `typed`."""
    try:
        refuse_large(typed or {})
        change()
    except NotFoundError:
        raise
    except REFUSALS as error:
        sentence, status, headers = answer_to(error)
        typed = {name: as_shown(text) for name, text in (typed or {}).items()}
        return workbench_page(
            context, check_id, problem=sentence, typed=typed, status=status, headers=headers
        )
    return RedirectResponse(f"{PATH}/{check_id}#{place}", 303)


def workbench_page(
    context: DeskContext,
    check_id: str,
    *,
    problem: str = "",
    typed: Mapping[str, str] | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Show a check; `problem` says what was refused, and `typed` is what was sent then."""
    check = context.desk.check(context.actor, check_id)
    sees_history = context.actor.may(Right.EDIT)
    return context.page(
        "desk_check.html.j2",
        status=status,
        headers=headers,
        tab="check",
        view=workbench_view(context, check),
        check=check,
        machine=machine_offer(context.actor, check, context.settings),
        history=history_of(check, context.desk.audit(context.actor, check_id)) if sees_history else (),
        colleagues=context.colleagues(),
        priorities=[priority.value for priority in Priority],
        typed=typed or {},
        problem=problem,
    )
