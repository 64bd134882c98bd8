"""Sign-in for servers with a token: the page, the cookie, and the redirect back."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.dependencies import SettingsDep
from veridic.api.guard import clear_cookie, client_address, issue_cookie, token_matches, too_many_attempts
from veridic.api.limits import TokenBuckets
from veridic.config.settings import Settings
from veridic.web.templating import render

PATH = "/sign-in"
_START = "/"
_MAX_TOKEN_LENGTH = 4096
router = APIRouter(include_in_schema=False)

Next = Annotated[str, Query(max_length=2000)]


@router.get(PATH)
async def show(settings: SettingsDep, next: Next = _START) -> Response:  # noqa: A002 - the query parameter of `Guard`
    """Show the form; without a token, redirect to the start page."""
    if settings.api_token is None:
        return RedirectResponse(_START, 303)
    return _form(next)


@router.post(PATH)
async def sign_in(
    request: Request,
    settings: SettingsDep,
    token: Annotated[str, Form(max_length=_MAX_TOKEN_LENGTH)] = "",
    next: Annotated[str, Form(max_length=2000)] = _START,  # noqa: A002
) -> Response:
    """Set the session cookie if the token is right."""
    expected = _token(settings)
    if expected is None:
        return RedirectResponse(_START, 303)
    _limit_attempts(request)
    if not token_matches(token.strip(), expected):
        return _form(next, "That is not the token of this server.", status=403)
    response = RedirectResponse(local_path(next), 303)
    issue_cookie(response, expected, secure=request.url.scheme == "https")
    return response


@router.post("/sign-out")
async def sign_out() -> Response:
    response = RedirectResponse(PATH, 303)
    clear_cookie(response)
    return response


def session_ended() -> Response:
    """Return the sign-in form as the response to a form sent without a session; a reload sends that form again."""
    return _form(_START, status=401, session_ended=True)


def local_path(target: str) -> str:
    """Return `target` if it is a path on this server, else the start page: no redirects elsewhere."""
    is_local = target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable()
    return target if is_local else _START


def _form(target: str, mistake: str = "", *, status: int = 200, session_ended: bool = False) -> Response:
    page = render("sign_in.html.j2", next=local_path(target), mistake=mistake, session_ended=session_ended)
    return HTMLResponse(page, status)


def _token(settings: Settings) -> str | None:
    return settings.api_token.get_secret_value() if settings.api_token else None


def _limit_attempts(request: Request) -> None:
    attempts: TokenBuckets = request.app.state.attempts
    seconds = attempts.take(client_address(request.scope))
    if seconds > 0:
        raise HTTPException(429, *too_many_attempts(seconds))
