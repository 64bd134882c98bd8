"""The page of one claim at the desk: what the machine found, and the form for a person's verdict."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from veridic.api.dependencies import CredibilityDep, FetcherDep
from veridic.api.errors import status_of
from veridic.desk.claim_editing import ClaimChange
from veridic.desk.lifecycle import OPEN, ClaimStatus
from veridic.desk.records import CheckRecord, ClaimRecord, Rating, Verification, is_founded
from veridic.desk.source_page import read_source_page
from veridic.domain.claim import FramingKind, Priority
from veridic.domain.errors import ConflictError, NotFoundError, UsageError, VeridicError
from veridic.domain.evidence import Tier
from veridic.domain.people import Right
from veridic.evidence.credibility import Credibility
from veridic.providers.fetch.base import Fetcher
from veridic.reporting.escaping import web_link
from veridic.web.desk_claim_view import Difference, differences_of, in_text
from veridic.web.desk_context import (
    REFUSALS,
    ContextDep,
    DeskContext,
    FieldsDep,
    LargeForms,
    Line,
    LongText,
    Version,
    answer_to,
    as_shown,
    refuse_large,
)
from veridic.web.desk_verdict_form import (
    CLAIM_STATES,
    STANCES,
    SourceRow,
    VerdictForm,
    blank_verdict,
    parse_action,
    read_verdict,
    source_row,
    to_verification,
)

router = APIRouter(include_in_schema=False, route_class=LargeForms)
PATH = "/desk/claims"
_SIMILAR = 4

ClaimId = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get(PATH + "/{claim_id}")
def show(context: ContextDep, claim_id: ClaimId) -> Response:
    return _page(context, claim_id)


@router.get(PATH + "/{claim_id}/beside")
def show_beside(context: ContextDep, claim_id: ClaimId) -> Response:
    """Show what the page of a check puts into the claim's card: earlier checks of it, and the form for a verdict."""
    return _page(context, claim_id, beside=True)


@router.post(PATH + "/{claim_id}")
def verify(
    context: ContextDep,
    claim_id: ClaimId,
    fields: FieldsDep,
    fetcher: FetcherDep,
    credibility: CredibilityDep,
) -> Response:
    """Save a verdict, or change the rows of sources: the form has a button for each."""
    form = read_verdict(fields)
    action, number = parse_action(next(iter(fields.get("action", ())), "save"))
    match action:
        case "add":
            form = form.with_row(SourceRow())
        case "remove":
            form = form.without_row(number)
        case "read":
            form = _read_page(context, form, number, fetcher, credibility)
        case "use":
            form = _use_source(context, claim_id, form, number)
        case _:
            return _save(context, claim_id, form, goes_on=action == "save-next")
    return _page(context, claim_id, form)


@router.post(PATH + "/{claim_id}/change")
def change_claim(
    context: ContextDep,
    claim_id: ClaimId,
    version: Version,
    text: LongText = "",
    claim_type: Line = "",
    verifiable: Line = "",
    priority: Line = "",
) -> Response:
    """Change the claim itself; its words only as long as nobody has rated it."""
    claim = context.desk.claim(context.actor, claim_id)
    try:
        refuse_large({"text": text})
        wanted = _claim_change(claim, text, claim_type, verifiable, priority)
        if wanted != ClaimChange():
            context.desk.change_claim(context.actor, claim_id, wanted, version)
    except NotFoundError:
        raise
    except VeridicError as error:
        return _page(
            context,
            claim_id,
            problem=_sentence(error, claim_id),
            typed={"text": as_shown(text)},
            status=status_of(error),
        )
    return RedirectResponse(f"{PATH}/{claim_id}", 303)


def _claim_change(
    claim: ClaimRecord, text: str, claim_type: str, verifiable: str, priority: str
) -> ClaimChange:
    """Return what differs from the claim as it is; fields that the form left out stay."""
    values = {
        "text": text.strip() if text.strip() not in ("", claim.text) else None,
        "claim_type": claim_type if claim_type not in ("", claim.claim_type) else None,
        "verifiable": verifiable == "yes" if verifiable else None,
        "priority": priority if priority not in ("", claim.priority.value) else None,
    }
    if values["verifiable"] == claim.verifiable:
        values["verifiable"] = None
    try:
        return ClaimChange.model_validate(values)
    except ValidationError:
        raise UsageError("Choose a type and a priority that there are, and shorten long words.") from None


@router.post(PATH + "/{claim_id}/{action}")
def change(
    context: ContextDep,
    claim_id: ClaimId,
    action: Literal["start", "accept", "flag", "comment"],
    version: Version = 0,
    text: LongText = "",
    beside: Line = "",
) -> Response:
    """Change a claim; `beside` if that was asked for in its card on the page of a check."""
    desk, actor = context.desk, context.actor
    try:
        refuse_large({action: text})
        match action:
            case "start":
                desk.start_claim(actor, claim_id, version)
            case "accept":
                claim = desk.accept_claim(actor, claim_id, version)
                return (
                    _page(context, claim_id, beside=True, saved="here")
                    if beside
                    else _to_check(context, claim)
                )
            case "flag":
                desk.flag_claim(actor, claim_id, text, version)
            case "comment":
                desk.comment(actor, desk.claim(actor, claim_id).check_id, claim_id, text)
    except NotFoundError:
        raise
    except VeridicError as error:
        return _page(
            context,
            claim_id,
            problem=_sentence(error, claim_id),
            typed={action: as_shown(text)},
            beside=bool(beside),
            status=status_of(error),
        )
    return RedirectResponse(f"{PATH}/{claim_id}#{'comments' if action == 'comment' else 'main'}", 303)


def _save(context: DeskContext, claim_id: int, form: VerdictForm, *, goes_on: bool) -> Response:
    verification = to_verification(form)
    if isinstance(verification, VerdictForm):
        return _page(context, claim_id, verification, status=400)
    try:
        claim = context.desk.verify_claim(context.actor, claim_id, verification, form.version)
    except NotFoundError:
        raise
    except ConflictError as error:
        return _conflict_page(context, claim_id, form, error)
    except VeridicError as error:
        return _page(context, claim_id, form, problem=_sentence(error, claim_id), status=status_of(error))
    if form.beside:
        return _page(context, claim_id, beside=True, saved="next" if goes_on else "here")
    if goes_on:
        following = _next_open(context, claim)
        return RedirectResponse(
            f"{PATH}/{following.id}" if following else f"/desk/checks/{claim.check_id}", 303
        )
    return _to_check(context, claim)


def _to_check(context: DeskContext, claim: ClaimRecord) -> Response:
    """Go to the claim's place on the page of its check."""
    check = context.desk.check(context.actor, claim.check_id)
    return RedirectResponse(f"/desk/checks/{check.id}#claim-{_number(check, claim.id)}", 303)


def _sentence(error: VeridicError, claim_id: int) -> str:
    """What went wrong, without the claim's id: the pages count the claims of a check from 1."""
    return str(error).replace(f"Claim {claim_id} ", "This claim ", 1)


def _conflict_page(context: DeskContext, claim_id: int, form: VerdictForm, error: ConflictError) -> Response:
    """Show what the other person saved beside what this one typed; saving again then keeps both, this one's leads."""
    claim = context.desk.claim(context.actor, claim_id)
    theirs = next((one for one in claim.verifications if one.is_by_person), None)
    if claim.version == form.version or theirs is None:
        form = replace(form, version=claim.version)
        return _page(context, claim_id, form, problem=_sentence(error, claim_id), status=409)
    return _page(
        context,
        claim_id,
        replace(form, version=claim.version),
        problem=_sentence(error, claim_id),
        differences=differences_of(claim, theirs, form),
        theirs=theirs,
        status=409,
    )


def _read_page(
    context: DeskContext, form: VerdictForm, number: int, fetcher: Fetcher, credibility: Credibility
) -> VerdictForm:
    """Fetch the page of a source, and fill in its title, date, domain and tier."""
    if not context.actor.may(Right.CHECK) or number >= len(form.sources):
        return form
    url = form.sources[number].url
    if web_link(url) is None:
        sentence = "Give an address that begins with http:// or https://."
        return replace(form, mistakes={f"source-{number}-url": sentence})
    try:
        context.limit_work()
        page = read_source_page(url, context.settings, credibility, fetcher)
    except REFUSALS as error:
        return replace(form, mistakes={f"source-{number}-url": answer_to(error)[0]})
    return form.with_page(number, page)


def _use_source(context: DeskContext, claim_id: int, form: VerdictForm, source_id: int) -> VerdictForm:
    """Add a source that the machine or somebody else has found for this claim."""
    claim = context.desk.claim(context.actor, claim_id)
    found = (s for v in claim.verifications for s in v.sources if s.id == source_id)
    source = next(found, None)
    return form if source is None else form.with_row(source_row(source))


def _next_open(context: DeskContext, claim: ClaimRecord) -> ClaimRecord | None:
    """Return the next claim that waits, in the order of the text."""
    check = context.desk.check(context.actor, claim.check_id)
    number = _number(check, claim.id)
    in_order = (*check.claims[number:], *check.claims[:number])
    return next((one for one in in_order if one.needs_person), None)


def _number(check: CheckRecord, claim_id: int) -> int:
    """Return the claim's number in the check, from 1."""
    return next(number for number, claim in enumerate(check.claims, 1) if claim.id == claim_id)


def _page(
    context: DeskContext,
    claim_id: int,
    form: VerdictForm | None = None,
    *,
    problem: str = "",
    differences: Sequence[Difference] = (),
    theirs: Verification | None = None,
    typed: dict[str, str] | None = None,
    status: int = 200,
    beside: bool = False,
    saved: Literal["", "here", "next"] = "",
) -> Response:
    beside = beside or (form is not None and form.beside)
    desk, actor = context.desk, context.actor
    claim = desk.claim(actor, claim_id)
    check = desk.check(actor, claim.check_id)
    number = _number(check, claim_id)
    own = next((v for v in claim.verifications if v.is_by_person and _is_by(context, v)), None)
    similar = [one for one in desk.similar(actor, claim.text, _SIMILAR + 1) if one.claim_id != claim_id]
    following = _next_open(context, claim) if saved == "next" else None
    return context.page(
        "desk_beside.html.j2" if beside else "desk_claim.html.j2",
        status=status,
        prefix=f"of-{claim_id}-" if beside else "",
        saved=saved,
        next_claim=following.id if following else claim_id,
        can_take=context.can_take(check),
        tab="claim",
        check=check,
        claim=claim,
        number=number,
        previous=check.claims[number - 2].id if number > 1 else None,
        following=check.claims[number].id if number < len(check.claims) else None,
        in_text=in_text(check, claim),
        form=form or blank_verdict(claim, own),
        # What was typed is shown even if the check was closed meanwhile.
        can_verify=actor.may(Right.CHECK) and (check.status in OPEN or form is not None),
        can_accept=actor.may(Right.CHECK) and check.status in OPEN and _can_accept(claim),
        can_start=actor.may(Right.CHECK) and claim.status is ClaimStatus.PENDING and check.status in OPEN,
        earlier=[one for one in claim.verifications if one not in (claim.leading, claim.machine)],
        comments_here=[one for one in check.comments if one.claim_id == claim_id],
        similar=similar[:_SIMILAR],
        can_change=actor.may(Right.CHECK) and check.status in OPEN,
        kinds=[kind.value for kind in FramingKind],
        priorities=[priority.value for priority in Priority],
        ratings=list(Rating),
        claim_states=CLAIM_STATES,
        stances=list(STANCES),
        tiers=list(Tier),
        differences=differences,
        theirs=theirs,
        theirs_is_own=theirs is not None and _is_by(context, theirs),
        typed=typed or {},
        problem=problem,
    )


def _can_accept(claim: ClaimRecord) -> bool:
    if claim.machine is None or not is_founded(claim.machine, claim.requires_sources):
        return False
    return claim.leading is None or not claim.leading.is_accepted


def _is_by(context: DeskContext, verification: Verification) -> bool:
    by = verification.verified_by
    return (by.id if by else None) == context.actor.user_id
