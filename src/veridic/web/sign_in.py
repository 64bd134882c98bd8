"""Signing in where the server has a token: the page, the cookie, and back to where one wanted to go."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api import security
from veridic.api.dependencies import SettingsGiven
from veridic.api.guard import client_of, too_many_tries
from veridic.api.limits import TokenBuckets
from veridic.config.settings import Settings
from veridic.web.templating import render

PATH = "/sign-in"
_START = "/"
_LONGEST_TOKEN = 4096
router = APIRouter(include_in_schema=False)

Next = Annotated[str, Query(max_length=2000)]


@router.get(PATH)
async def show(settings: SettingsGiven, next: Next = _START) -> Response:  # noqa: A002 - the guard's word
    """The form; where there is no token, there is nothing to sign in to."""
    if settings.api_token is None:
        return RedirectResponse(_START, 303)
    return _form(next)


@router.post(PATH)
async def sign_in(
    request: Request,
    settings: SettingsGiven,
    token: Annotated[str, Form(max_length=_LONGEST_TOKEN)] = "",
    next: Annotated[str, Form(max_length=2000)] = _START,  # noqa: A002
) -> Response:
    """A cookie for whoever knows the token."""
    expected = _token(settings)
    if expected is None:
        return RedirectResponse(_START, 303)
    _refuse_guessing(request)
    if not security.token_matches(token.strip(), expected):
        return _form(next, "That is not the token of this server.", status=403)
    response = RedirectResponse(local_path(next), 303)
    security.issue_cookie(response, expected, secure=request.url.scheme == "https")
    return response


@router.post("/sign-out")
async def sign_out() -> Response:
    response = RedirectResponse(PATH, 303)
    security.clear_cookie(response)
    return response


def session_ended() -> Response:
    """The form in the place of what a browser wanted to send, which it sends again when the page is reloaded."""
    return _form(_START, status=401, session_ended=True)


def local_path(wanted: str) -> str:
    """`wanted` if it leads to a page of this server, else the start: nobody is sent on elsewhere."""
    is_local = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and wanted.isprintable()
    return wanted if is_local else _START


def _form(wanted: str, mistake: str = "", *, status: int = 200, session_ended: bool = False) -> Response:
    page = render("sign_in.html.j2", next=local_path(wanted), mistake=mistake, session_ended=session_ended)
    return HTMLResponse(page, status)


def _token(settings: Settings) -> str | None:
    return settings.api_token.get_secret_value() if settings.api_token else None


def _refuse_guessing(request: Request) -> None:
    attempts: TokenBuckets = request.app.state.attempts
    seconds = attempts.take(client_of(request.scope))
    if seconds > 0:
        raise HTTPException(429, *too_many_tries(seconds))
