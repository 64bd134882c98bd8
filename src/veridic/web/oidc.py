"""Sign-in with OpenID Connect: to the issuer and back."""

import logging
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridic.api.dependencies import AccountsDep, SettingsDep
from veridic.api.guard import issue_session
from veridic.config.settings import Settings
from veridic.desk.oidc_accounts import SIGN_IN_MINUTES, OidcSignIns
from veridic.domain.errors import ForbiddenError, OidcError
from veridic.domain.people import Identity
from veridic.providers.oidc.attempt import Attempt
from veridic.providers.oidc.issuer import Issuer, can_sign_in_elsewhere
from veridic.web import sign_in
from veridic.web.templating import render

PATH = sign_in.OIDC_PATH
_CALLBACK = f"{PATH}/callback"
_COOKIE = "veridic_oidc"
_LOG = logging.getLogger(__name__)
router = APIRouter(include_in_schema=False)

Given = Annotated[str, Query(max_length=4096)]


async def _issuer(request: Request, settings: SettingsDep) -> Issuer:
    """Return the app's issuer, made at the first sign-in; it keeps what it has read."""
    state = request.app.state
    if not hasattr(state, "oidc_issuer"):
        state.oidc_issuer = Issuer(settings)
    issuer: Issuer = state.oidc_issuer
    return issuer


async def _sign_ins(request: Request) -> OidcSignIns:
    return OidcSignIns(request.app.state.runner.store)


IssuerDep = Annotated[Issuer, Depends(_issuer)]
SignInsDep = Annotated[OidcSignIns, Depends(_sign_ins)]


@router.get(PATH)
async def begin(
    request: Request,
    settings: SettingsDep,
    accounts: AccountsDep,
    issuer: IssuerDep,
    sign_ins: SignInsDep,
    next: sign_in.Next = "/",  # noqa: A002
) -> Response:
    """Send the browser to the issuer, with a cookie that it must have when it comes back."""
    if not can_sign_in_elsewhere(settings) or not await run_in_threadpool(accounts.exist):
        return RedirectResponse(sign_in.PATH, 303)
    sign_in.limit_attempts(request)
    attempt, callback = Attempt(), _callback_url(request, settings)
    try:
        target = await issuer.authorization_url(attempt, callback)
    except OidcError as error:
        return _failed(settings, str(error), 502, next)
    await run_in_threadpool(sign_ins.begin, attempt.secret, sign_in.local_path(next))
    response = RedirectResponse(target, 303)
    is_https = callback.startswith("https:")
    # Lax, because the browser comes back from another site.
    response.set_cookie(
        _cookie_name(is_https),
        attempt.secret,
        max_age=SIGN_IN_MINUTES * 60,
        path="/",
        secure=is_https,
        httponly=True,
        samesite="lax",
    )
    return response


@router.get(_CALLBACK)
async def finish(
    request: Request,
    settings: SettingsDep,
    accounts: AccountsDep,
    issuer: IssuerDep,
    sign_ins: SignInsDep,
    code: Given = "",
    state: Given = "",
    error: Given = "",
) -> Response:
    """Sign in whom the issuer vouches for, if this browser began the sign-in and has not ended it yet."""
    if not can_sign_in_elsewhere(settings):
        return RedirectResponse(sign_in.PATH, 303)
    callback = _callback_url(request, settings)
    is_https = callback.startswith("https:")
    attempt = Attempt(cookie_parser(request.headers.get("cookie", "")).get(_cookie_name(is_https), ""))
    target = await run_in_threadpool(sign_ins.end, attempt.secret) if attempt.has_state(state) else None
    if target is None:
        return _failed(settings, "it was begun in another browser, has ended already or took too long.", 403)
    try:
        identity = await _identity(issuer, attempt, callback, code, error)
        session = await run_in_threadpool(accounts.sign_in_as, identity, settings.oidc_new_role)
    except OidcError as problem:
        response = _failed(settings, str(problem), 403, target)
    except ForbiddenError as refusal:
        _LOG.warning("A sign-in with %s was refused: %s", settings.oidc_issuer, refusal)
        response = sign_in.form(settings, target, problem=str(refusal), status=403, asks_name=True)
    else:
        # A page in place of a redirect: browsers send a strict cookie only where this site, not the issuer, leads.
        response = HTMLResponse(render("signed_in.html.j2", next=sign_in.local_path(target)))
        issue_session(response, session, secure=is_https)
    response.delete_cookie(_cookie_name(is_https), path="/", secure=is_https, httponly=True, samesite="lax")
    return response


async def _identity(issuer: Issuer, attempt: Attempt, callback: str, code: str, error: str) -> Identity:
    if error == "access_denied":
        raise OidcError("it was cancelled, or not allowed, there.")
    if error or not code:
        raise OidcError("it sent an error in place of a code.")
    return await issuer.identify(code, attempt, callback)


def _failed(settings: Settings, reason: str, status: int, target: str = "/") -> Response:
    """Return the sign-in page with the reason, and log it. Reasons contain nothing that was sent."""
    _LOG.warning("A sign-in with %s failed: %s", settings.oidc_issuer, reason)
    sentence = f"The sign-in with {settings.oidc_name} did not work: {reason}"
    return sign_in.form(settings, target, problem=sentence, status=status, asks_name=True)


def _callback_url(request: Request, settings: Settings) -> str:
    return (settings.desk_url or str(request.base_url)).rstrip("/") + _CALLBACK


def _cookie_name(is_https: bool) -> str:
    # With the prefix, no other host of the domain can set the cookie; browsers allow it over HTTPS only.
    return f"__Host-{_COOKIE}" if is_https else _COOKIE
