"""One's own account: the password and the API tokens."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.dependencies import AccountsDep, ActorDep
from veridic.api.guard import clear_cookie
from veridic.desk.accounts import Accounts
from veridic.desk.passwords import MIN_PASSWORD_LENGTH
from veridic.domain.errors import ForbiddenError, UsageError
from veridic.domain.people import Actor
from veridic.web.templating import render

router = APIRouter(include_in_schema=False)
PATH = "/account"

Secret = Annotated[str, Form(max_length=4096)]


@router.get(PATH)
async def show(actor: ActorDep, accounts: AccountsDep) -> Response:
    """Show the account; on a server without accounts, redirect to the start page."""
    if actor.user_id is None:
        return RedirectResponse("/", 303)
    return await _page(actor, accounts)


@router.post(f"{PATH}/password")
async def change_password(
    actor: ActorDep, accounts: AccountsDep, current: Secret = "", new: Secret = ""
) -> Response:
    """Change the password; all sessions end, so the person signs in again."""
    try:
        await run_in_threadpool(accounts.change_password, actor, current, new)
    except (ForbiddenError, UsageError) as error:
        return await _page(actor, accounts, mistake=str(error), status=400)
    response = RedirectResponse("/sign-in", 303)
    clear_cookie(response)
    return response


@router.post(f"{PATH}/tokens")
async def create_token(
    actor: ActorDep, accounts: AccountsDep, name: Annotated[str, Form(max_length=200)] = ""
) -> Response:
    """Create a token and show it, this once."""
    label = name.strip() or "unnamed"
    token = await run_in_threadpool(accounts.create_token, actor, actor.username, label, scope=actor.rights)
    return await _page(actor, accounts, token=token)


@router.post(f"{PATH}/tokens/{{token_id}}/revoke")
async def revoke_token(actor: ActorDep, accounts: AccountsDep, token_id: int) -> Response:
    await run_in_threadpool(accounts.revoke_token, actor, token_id)
    return RedirectResponse(PATH, 303)


async def _page(
    actor: Actor, accounts: Accounts, *, mistake: str = "", token: str = "", status: int = 200
) -> Response:
    tokens = await run_in_threadpool(accounts.tokens, actor, actor.username)
    page = render(
        "account.html.j2",
        here="account",
        actor=actor,
        tokens=tokens,
        mistake=mistake,
        token=token,
        least=MIN_PASSWORD_LENGTH,
    )
    return HTMLResponse(page, status)
