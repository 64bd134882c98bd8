"""Access control: allowed hosts, cross-origin requests, who a request comes from, and what they may do.

A server without accounts and token is for one person on this machine. The first account turns sign-in on: then every
request needs a person's session or API token. `VERIDIC_API_TOKEN`, a secret that several may know, is nobody: with or
without accounts it may read and start checks. It changes nothing at the desk, and without accounts there is no desk.
"""

import hashlib
import hmac
import math
import re
import time
from collections.abc import Callable, Collection
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from veridic.api.errors import error_response
from veridic.api.limits import TokenBuckets
from veridic.config.settings import Settings
from veridic.desk.accounts import SESSION_HOURS, Accounts
from veridic.domain.people import LOCAL_USER, RIGHTS, Actor, Right, Role

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


def issue_session(response: Response, session: str, *, secure: bool) -> None:
    """Set the cookie of a person's session."""
    response.set_cookie(
        COOKIE,
        session,
        max_age=SESSION_HOURS * 3600,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def session_cookie(headers: Headers) -> str:
    """Return the value of the session cookie, unchecked; empty if there is none."""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


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
    return _is_valid_cookie(session_cookie(headers), token, time.time() if now is None else now)


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


ACTOR = "veridic.actor"
"""The key of the ASGI scope under which a request's `Actor` stands."""
PROGRAM = Actor(
    user_id=None,
    username="shared token",
    role=Role.FACT_CHECKER,
    rights=frozenset({Right.READ, Right.CHECK}),
)
"""Who has `VERIDIC_API_TOKEN`."""
NO_ACCOUNTS = "This needs a person, and the shared token is nobody: whoever runs this server adds accounts with `veridic user add`."
"""Why the desk, and what is recorded as somebody's doing, is refused on a server with a token and no account."""
_OWN_RIGHTS = ("/desk", "/account", "/sign-out", "/mcp")
"""Paths whose routes and tools check rights themselves, more finely than by method."""
_DESK = ("/desk", "/api/fact-checking")
_AUDIT_TRAIL = "/api/fact-checking/audit"
_FOR_EDITORS = frozenset({"delete", "import", "review", "publish", "correct", "reopen", "retract"})
"""Last parts of paths to which only editors may send. (`assign` is not one: who has a check may reassign it.)"""


def required_right(method: str, path: str) -> Right:
    """Return what a person needs for a request: viewers read, fact-checkers work, editors decide, admins see the trail."""
    if _is_at(path, _AUDIT_TRAIL):
        return Right.MANAGE
    if any(_is_at(path, own) for own in _OWN_RIGHTS):
        return Right.READ
    last = path.rstrip("/").rpartition("/")[2]
    if method in _SAFE_METHODS:
        return Right.EDIT if _is_at(path, "/api/fact-checking") and last == "audit" else Right.READ
    return Right.EDIT if method == "DELETE" or last in _FOR_EDITORS else Right.CHECK


def _is_at(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _refusal_of(actor: Actor, right: Right) -> str:
    if right in RIGHTS[actor.role]:
        return f"This API token may not do that: its scope has no {right.value}."
    article = "An" if actor.role.startswith(("a", "e")) else "A"
    return f"{article} {actor.role.replace('_', ' ')} may not do that."


def _changes_the_desk(method: str, path: str) -> bool:
    return method not in _SAFE_METHODS and any(_is_at(path, place) for place in _DESK)


class SignIn(NamedTuple):
    """What a web app in front of the API serves to browsers without a session."""

    page: str
    """Path of the sign-in page, which needs no token; browsers are redirected to it."""
    assets: str
    """Path prefix of style sheets and scripts, which need no token."""
    public: tuple[str, ...] = ()
    """Paths, and what is below them, that everybody may read."""
    session_ended: Callable[..., Response] | None = None
    """Makes the response to a form that was sent without a session; `asks_name` says whether there are accounts."""


class Guard:
    """Middleware that refuses requests before they reach a route, and says who the others come from.

    Pure ASGI, so it doesn't buffer streamed responses.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: Settings,
        sign_in: SignIn | None,
        attempts: TokenBuckets,
        accounts: Accounts,
    ) -> None:
        """`attempts` limits the wrong tokens per client."""
        self._app = app
        self._attempts = attempts
        self._accounts = accounts
        self._has_accounts = False
        self._token = settings.api_token.get_secret_value() if settings.api_token else ""
        self._hosts = frozenset(host.lower() for host in settings.api_allowed_hosts)
        self._sign_in = sign_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = await self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    async def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if is_cross_origin(scope["method"], headers):
            return error_response(403, "Pages of other origins may not change anything here.")
        is_open = self._is_open(scope["method"], scope["path"])
        # Also for open paths: a server with accounts shows its sign-in page and what it published under any name.
        has_accounts = scope["path"] != HEALTH and await self._accounts_exist()
        if self._checks_hosts(has_accounts) and not is_known_host(headers, self._hosts):
            return error_response(
                403,
                "This server does not accept that host name; "
                "VERIDIC_API_ALLOWED_HOSTS lists the names it accepts besides the loopback ones.",
            )
        if is_open:
            return None
        if has_accounts:
            return await self._check_person(scope, headers)
        scope[ACTOR] = PROGRAM if self._token else LOCAL_USER
        return (self._check_token(scope, headers) or _refuse_nobody(scope)) if self._token else None

    async def _accounts_exist(self) -> bool:
        # Accounts are never deleted, so a yes holds for good.
        self._has_accounts = self._has_accounts or await run_in_threadpool(self._accounts.exist)
        return self._has_accounts

    async def _check_person(self, scope: Scope, headers: Headers) -> Response | None:
        given, client = bearer_token(headers), client_address(scope)
        if given is not None and (seconds := self._attempts.wait(client)) > 0:
            return error_response(429, *too_many_attempts(seconds))
        actor = await self._identify(headers, given)
        if actor is None:
            if given is not None:
                self._attempts.take(client)
            return self._ask_to_sign_in(scope, headers)
        if given is None and _has_no_origin(scope["method"], headers):
            # Every browser says where a form comes from; without that, a cookie proves nothing.
            return error_response(403, "Send an Origin header, or an API token in place of the cookie.")
        scope[ACTOR] = actor
        right = required_right(scope["method"], scope["path"])
        if not actor.may(right):
            return error_response(403, _refusal_of(actor, right))
        if actor is PROGRAM and _changes_the_desk(scope["method"], scope["path"]):
            # Whatever happens at the desk is done by somebody; a shared secret is nobody.
            return error_response(
                403,
                "The shared token can't be used at the desk; send a person's API token (`veridic user token`).",
            )
        return None

    async def _identify(self, headers: Headers, given: str | None) -> Actor | None:
        if given is not None:
            if self._token and token_matches(given, self._token):
                return PROGRAM
            return await run_in_threadpool(self._accounts.of_token, given)
        session = session_cookie(headers)
        return await run_in_threadpool(self._accounts.of_session, session) if session else None

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

    def _checks_hosts(self, has_accounts: bool) -> bool:
        # With a token or accounts, DNS rebinding is harmless: the attacker's host name has neither token nor cookie.
        return bool(self._hosts) or not (self._token or has_accounts or self._has_accounts)

    def _is_open(self, method: str, path: str) -> bool:
        if path == HEALTH:
            return True
        if self._sign_in is None:
            return False
        is_public = method in _SAFE_METHODS and any(
            path == public or path.startswith(f"{public}/") for public in self._sign_in.public
        )
        return is_public or path == self._sign_in.page or path.startswith(self._sign_in.assets)

    def _ask_to_sign_in(self, scope: Scope, headers: Headers) -> Response:
        wants_page = "text/html" in headers.get("accept", "") and not scope["path"].startswith("/api/")
        if self._sign_in is not None and wants_page and scope["method"] == "GET":
            query = scope["query_string"].decode("latin-1")
            target = scope["path"] + (f"?{query}" if query else "")
            return RedirectResponse(f"{self._sign_in.page}?next={quote(target, safe='/')}", status_code=303)
        if self._sign_in is not None and self._sign_in.session_ended is not None and wants_page:
            return self._sign_in.session_ended(asks_name=self._has_accounts)
        return error_response(
            401,
            "This server needs a token: send it as `Authorization: Bearer TOKEN`.",
            {"WWW-Authenticate": "Bearer"},
        )


def _refuse_nobody(scope: Scope) -> Response | None:
    """Refuse what needs a person, on a server that has none."""
    method, path = scope["method"], scope["path"]
    is_allowed = PROGRAM.may(required_right(method, path)) and not any(_is_at(path, one) for one in _DESK)
    return None if is_allowed else error_response(403, NO_ACCOUNTS)


def _has_no_origin(method: str, headers: Headers) -> bool:
    return method not in _SAFE_METHODS and not {"sec-fetch-site", "origin"} & set(headers)


def client_address(scope: Scope) -> str:
    """Return the client's address, by which attempts are counted."""
    client = scope.get("client")
    return client[0] if client else ""


def too_many_attempts(seconds: float) -> tuple[str, dict[str, str]]:
    """Return the sentence and the headers of a 429 response."""
    wait = max(1, math.ceil(seconds))
    return f"Too many tries; wait {wait} s.", {"Retry-After": str(wait)}
