"""Sign-in for servers with accounts or a token: the page, the cookie, and the redirect back."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.dependencies import AccountsDep, SettingsDep
from veridic.api.guard import (
    clear_cookie,
    client_address,
    issue_cookie,
    issue_session,
    session_cookie,
    token_matches,
    too_many_attempts,
)
from veridic.api.limits import TokenBuckets
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.domain.errors import ForbiddenError
from veridic.providers.oidc.issuer import can_sign_in_elsewhere
from veridic.web.templating import render

PATH = "/sign-in"
OIDC_PATH = f"{PATH}/oidc"
"""Where a sign-in with OpenID Connect begins; it comes back to a path below."""
_START = "/"
_MAX_TOKEN_LENGTH = 4096
router = APIRouter(include_in_schema=False)

Next = Annotated[str, Query(max_length=2000)]


@router.get(PATH)
async def show(settings: SettingsDep, accounts: AccountsDep, next: Next = _START) -> Response:  # noqa: A002 - the query parameter of `Guard`
    """Show the form; where nobody needs to sign in, redirect to the start page."""
    has_accounts = await run_in_threadpool(accounts.exist)
    if settings.api_token is None and not has_accounts:
        return RedirectResponse(_START, 303)
    return form(settings, next, asks_name=has_accounts)


@router.post(PATH)
async def sign_in(
    request: Request,
    settings: SettingsDep,
    accounts: AccountsDep,
    token: Annotated[str, Form(max_length=_MAX_TOKEN_LENGTH)] = "",
    username: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str, Form(max_length=_MAX_TOKEN_LENGTH)] = "",
    next: Annotated[str, Form(max_length=2000)] = _START,  # noqa: A002
) -> Response:
    """Set the session cookie if name and password, or the token, are right."""
    if await run_in_threadpool(accounts.exist):
        return await _sign_in_person(request, settings, accounts, username.strip(), password, next)
    expected = _token(settings)
    if expected is None:
        return RedirectResponse(_START, 303)
    limit_attempts(request)
    if not token_matches(token.strip(), expected):
        return form(settings, next, "That is not the token of this server.", status=403)
    response = RedirectResponse(local_path(next), 303)
    issue_cookie(response, expected, secure=request.url.scheme == "https")
    return response


async def _sign_in_person(
    request: Request, settings: Settings, accounts: Accounts, username: str, password: str, target: str
) -> Response:
    limit_attempts(request)
    try:
        session = await run_in_threadpool(accounts.sign_in, username, password)
    except ForbiddenError as error:
        return form(settings, target, str(error), status=403, asks_name=True, username=username)
    response = RedirectResponse(local_path(target), 303)
    issue_session(response, session, secure=request.url.scheme == "https")
    return response


@router.post("/sign-out")
async def sign_out(request: Request, accounts: AccountsDep) -> Response:
    session = session_cookie(request.headers)
    if session:
        await run_in_threadpool(accounts.sign_out, session)
    response = RedirectResponse(PATH, 303)
    clear_cookie(response)
    return response


def session_ended(settings: Settings, *, asks_name: bool) -> Response:
    """Return the sign-in form as the response to a form sent without a session; a reload sends that form again."""
    return form(settings, _START, status=401, session_ended=True, asks_name=asks_name)


def local_path(target: str) -> str:
    """Return `target` if it is a path on this server, else the start page: no redirects elsewhere."""
    is_local = target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable()
    return target if is_local else _START


def form(
    settings: Settings,
    target: str,
    mistake: str = "",
    *,
    problem: str = "",
    status: int = 200,
    session_ended: bool = False,
    asks_name: bool = False,
    username: str = "",
) -> Response:
    """Return the sign-in page. `mistake` is one of what was typed, `problem` of a sign-in elsewhere."""
    has_issuer = asks_name and can_sign_in_elsewhere(settings)
    page = render(
        "sign_in.html.j2",
        next=local_path(target),
        mistake=mistake,
        problem=problem,
        oidc_path=OIDC_PATH if has_issuer else "",
        oidc_name=settings.oidc_name,
        session_ended=session_ended,
        asks_name=asks_name,
        username=username,
    )
    return HTMLResponse(page, status)


def _token(settings: Settings) -> str | None:
    return settings.api_token.get_secret_value() if settings.api_token else None


def limit_attempts(request: Request) -> None:
    """Raise `HTTPException` (429) for a client that tries to sign in too often."""
    attempts: TokenBuckets = request.app.state.attempts
    seconds = attempts.take(client_address(request.scope))
    if seconds > 0:
        raise HTTPException(429, *too_many_attempts(seconds))
