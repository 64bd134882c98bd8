"""Access control: allowed hosts, cross-origin requests, the API token and the session cookie."""

import hashlib
import hmac
import math
import re
import time
from collections.abc import Callable, Collection
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from veridic.api.errors import error_response
from veridic.api.limits import TokenBuckets
from veridic.config.settings import Settings

_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:\[\]@/\\?#]+))(?::\d{1,5})?")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_TRUSTED_SITES = frozenset({"same-origin", "none"})


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is a loopback one."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_known_host(headers: Headers, allowed: Collection[str]) -> bool:
    """Return whether the `Host` header is a loopback name or one of `allowed`."""
    given = headers.getlist("host")
    match = _HOST.fullmatch(given[0]) if len(given) == 1 else None
    if match is None:
        return False
    host = (match["v6"] or match["name"]).lower()
    return is_loopback(host) or host in allowed


def is_cross_origin(method: str, headers: Headers) -> bool:
    """Return whether a page of another origin sent a request that changes something.

    Browsers send `Sec-Fetch-Site`, older ones `Origin`; other clients send neither.
    """
    if method in _SAFE_METHODS:
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site.lower() not in _TRUSTED_SITES
    origin = headers.get("origin")
    return origin is not None and _netloc(origin) != headers.get("host", "").lower()


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


COOKIE = "veridic_session"
SESSION_SECONDS = 7 * 24 * 3600
_BEARER = "bearer "
_KEY_PURPOSE = b"veridic session cookie 1"


def token_matches(given: str, token: str) -> bool:
    """Compare two tokens in constant time."""
    return hmac.compare_digest(_digest(given), _digest(token))


def issue_cookie(response: Response, token: str, *, secure: bool, now: float | None = None) -> None:
    """Set the session cookie, which proves that the user knew the token; pass `secure` if the page came over HTTPS."""
    expires = int((time.time() if now is None else now) + SESSION_SECONDS)
    response.set_cookie(
        COOKIE,
        f"{expires}.{_signature(expires, token)}",
        max_age=SESSION_SECONDS,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def clear_cookie(response: Response) -> None:
    """Delete the session cookie."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def bearer_token(headers: Headers) -> str | None:
    """Return the token of `Authorization: Bearer`, unchecked."""
    authorization = headers.get("authorization", "")
    return authorization[len(_BEARER) :].strip() if authorization.lower().startswith(_BEARER) else None


def has_access(headers: Headers, token: str, *, now: float | None = None) -> bool:
    """Return whether a request has the token (`Authorization: Bearer`) or a valid session cookie."""
    given = bearer_token(headers)
    if given is not None:
        return token_matches(given, token)
    cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    return _is_valid_cookie(cookie, token, time.time() if now is None else now)


def _is_valid_cookie(cookie: str, token: str, now: float) -> bool:
    expires, _, signature = cookie.partition(".")
    if not (expires.isascii() and expires.isdigit() and len(expires) <= 12):
        return False
    expected = _signature(int(expires), token)
    return hmac.compare_digest(signature.encode(), expected.encode()) and now < int(expires)


def _signature(expires: int, token: str) -> str:
    # A derived key: the cookie must not contain a hash of the token itself.
    key = hmac.new(token.encode(), _KEY_PURPOSE, hashlib.sha256).digest()
    return hmac.new(key, str(expires).encode(), hashlib.sha256).hexdigest()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


HEALTH = "/health"
ATTEMPTS_PER_MINUTE = 10
"""Wrong tokens that one client may send: enough for people, too few for guessing."""


class SignIn(NamedTuple):
    """What a web app in front of the API serves to browsers without a session."""

    page: str
    """Path of the sign-in page, which needs no token; browsers are redirected to it."""
    assets: str
    """Path prefix of style sheets and scripts, which need no token."""
    session_ended: Callable[[], Response] | None = None
    """Makes the response to a form that was sent without a session."""


class Guard:
    """Middleware that refuses requests before they reach a route. Pure ASGI, so it doesn't buffer streamed responses."""

    def __init__(
        self, app: ASGIApp, *, settings: Settings, sign_in: SignIn | None, attempts: TokenBuckets
    ) -> None:
        """`attempts` limits the wrong tokens per client."""
        self._app = app
        self._attempts = attempts
        self._token = settings.api_token.get_secret_value() if settings.api_token else ""
        self._hosts = frozenset(host.lower() for host in settings.api_allowed_hosts)
        self._sign_in = sign_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self._checks_hosts() and not is_known_host(headers, self._hosts):
            return error_response(
                403,
                "This server does not accept that host name; "
                "VERIDIC_API_ALLOWED_HOSTS lists the names it accepts besides the loopback ones.",
            )
        if is_cross_origin(scope["method"], headers):
            return error_response(403, "Pages of other origins may not change anything here.")
        if not self._token or self._is_open(scope["path"]):
            return None
        return self._check_token(scope, headers)

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        sends_token = bearer_token(headers) is not None
        client = client_address(scope)
        # Checked before the token: otherwise the response would tell a right guess from a wrong one.
        if sends_token and (seconds := self._attempts.wait(client)) > 0:
            return error_response(429, *too_many_attempts(seconds))
        if has_access(headers, self._token):
            return None
        if sends_token:
            self._attempts.take(client)
        return self._ask_to_sign_in(scope, headers)

    def _checks_hosts(self) -> bool:
        # With a token, DNS rebinding is harmless: the attacker's host name has neither the token nor the cookie.
        return bool(self._hosts) or not self._token

    def _is_open(self, path: str) -> bool:
        if path == HEALTH:
            return True
        return self._sign_in is not None and (
            path == self._sign_in.page or path.startswith(self._sign_in.assets)
        )

    def _ask_to_sign_in(self, scope: Scope, headers: Headers) -> Response:
        wants_page = "text/html" in headers.get("accept", "") and not scope["path"].startswith("/api/")
        if self._sign_in is not None and wants_page and scope["method"] == "GET":
            query = scope["query_string"].decode("latin-1")
            target = scope["path"] + (f"?{query}" if query else "")
            return RedirectResponse(f"{self._sign_in.page}?next={quote(target, safe='/')}", status_code=303)
        if self._sign_in is not None and self._sign_in.session_ended is not None and wants_page:
            return self._sign_in.session_ended()
        return error_response(
            401,
            "This server needs a token: send it as `Authorization: Bearer TOKEN`.",
            {"WWW-Authenticate": "Bearer"},
        )


def client_address(scope: Scope) -> str:
    """Return the client's address, by which attempts are counted."""
    client = scope.get("client")
    return client[0] if client else ""


def too_many_attempts(seconds: float) -> tuple[str, dict[str, str]]:
    """Return the sentence and the headers of a 429 response."""
    wait = max(1, math.ceil(seconds))
    return f"Too many tries; wait {wait} s.", {"Retry-After": str(wait)}
