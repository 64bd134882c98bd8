"""People at the desk, for admins: accounts, roles and API tokens."""

from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.responses import RedirectResponse, Response

from veridic.api.errors import status_of
from veridic.desk.accounts import Person
from veridic.desk.lifecycle import require_right
from veridic.desk.passwords import MIN_PASSWORD_LENGTH
from veridic.domain.errors import NotFoundError, UsageError, VeridicError
from veridic.domain.people import RIGHTS, Right, Role
from veridic.web.desk_context import ContextDep, DeskContext, Line

PATH = "/desk/people"

Secret = Annotated[str, Form(max_length=4096)]
Rights = Annotated[list[str] | None, Form()]

_RIGHT_WORDS = {
    Right.READ: "read",
    Right.CHECK: "work on checks",
    Right.EDIT: "assign, review and publish",
    Right.MANAGE: "manage accounts",
}


async def _admins_only(context: ContextDep) -> None:
    require_right(context.actor, Right.MANAGE)


router = APIRouter(include_in_schema=False, dependencies=[Depends(_admins_only)])


@router.get(PATH)
def people(context: ContextDep) -> Response:
    return _list_page(context)


@router.post(PATH)
def add(
    context: ContextDep, username: Line = "", display_name: Line = "", role: Line = "", password: Secret = ""
) -> Response:
    """Add an account. The first one turns sign-in on, so its owner signs in next."""
    is_first = not context.accounts.exist()
    try:
        context.accounts.add(
            context.actor, username.strip(), password, _role(role), display_name=display_name.strip() or None
        )
    except VeridicError as error:
        typed = {"username": username, "display_name": display_name, "role": role}
        return _list_page(context, problem=str(error), typed=typed, status=status_of(error))
    return RedirectResponse(f"/sign-in?next={PATH}" if is_first else PATH, 303)


@router.get(PATH + "/{username}")
def person(context: ContextDep, username: str) -> Response:
    return _person_page(context, username)


@router.post(PATH + "/{username}/role")
def set_role(context: ContextDep, username: str, role: Line = "") -> Response:
    return _change(context, username, lambda: context.accounts.set_role(context.actor, username, _role(role)))


@router.post(PATH + "/{username}/disable")
def disable(context: ContextDep, username: str) -> Response:
    return _change(context, username, lambda: context.accounts.disable(context.actor, username))


@router.post(PATH + "/{username}/enable")
def enable(context: ContextDep, username: str) -> Response:
    return _change(context, username, lambda: context.accounts.enable(context.actor, username))


@router.post(PATH + "/{username}/password")
def set_password(context: ContextDep, username: str, password: Secret = "") -> Response:
    return _change(
        context, username, lambda: context.accounts.set_password(context.actor, username, password)
    )


@router.post(PATH + "/{username}/tokens")
def create_token(
    context: ContextDep, username: str, name: Line = "", days: Line = "", right: Rights = None
) -> Response:
    """Create a token in somebody's name and show it, this once."""
    try:
        scope = frozenset(Right(value) for value in right or () if value in list(Right))
        if not scope:
            raise UsageError("Choose what the token may do.")
        token = context.accounts.create_token(
            context.actor, username, name.strip() or "unnamed", scope=scope, days=_days(days)
        )
    except NotFoundError:
        raise
    except VeridicError as error:
        return _person_page(context, username, problem=str(error), status=status_of(error))
    return _person_page(context, username, token=token)


@router.post(PATH + "/{username}/tokens/{token_id}/revoke")
def revoke_token(context: ContextDep, username: str, token_id: int) -> Response:
    return _change(context, username, lambda: context.accounts.revoke_token(context.actor, token_id))


def _role(value: str) -> Role:
    if value not in list(Role):
        raise UsageError("Choose a role.")
    return Role(value)


def _days(value: str) -> int | None:
    if not value.strip():
        return None
    if not (value.isascii() and value.isdigit() and 0 < int(value[:6]) <= 3_650 and len(value) <= 4):
        raise UsageError("Give the token 1 to 3650 days, or leave the field empty.")
    return int(value)


def _change(context: DeskContext, username: str, change: Callable[[], object]) -> Response:
    try:
        change()
    except NotFoundError:
        raise
    except VeridicError as error:
        return _person_page(context, username, problem=str(error), status=status_of(error))
    return RedirectResponse(f"{PATH}/{username}", 303)


def _list_page(
    context: DeskContext, *, problem: str = "", typed: Mapping[str, str] | None = None, status: int = 200
) -> Response:
    return context.page(
        "desk_people.html.j2",
        status=status,
        tab="people",
        people=context.accounts.people(),
        is_first=not context.accounts.exist(),
        roles=[role.value for role in Role],
        least=MIN_PASSWORD_LENGTH,
        typed=typed or {},
        problem=problem,
    )


def _person_page(
    context: DeskContext, username: str, *, problem: str = "", token: str = "", status: int = 200
) -> Response:
    found = _find(context, username)
    return context.page(
        "desk_person.html.j2",
        status=status,
        tab="people",
        person=found,
        is_self=found.id == context.actor.user_id,
        tokens=context.accounts.tokens(context.actor, username),
        token=token,
        roles=[role.value for role in Role],
        rights=[(right.value, _RIGHT_WORDS[right]) for right in Right if right in RIGHTS[found.role]],
        least=MIN_PASSWORD_LENGTH,
        problem=problem,
    )


def _find(context: DeskContext, username: str) -> Person:
    for one in context.accounts.people():
        if one.username.lower() == username.lower():
            return one
    raise NotFoundError(f"There is no account {username}.")
