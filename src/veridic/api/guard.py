"""Who is let in: the host that is asked for, the page that asks, the token."""

import math
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from veridic.api import security
from veridic.api.errors import error_response
from veridic.api.limits import TokenBuckets
from veridic.api.origins import is_foreign, is_known_host
from veridic.config.settings import Settings

HEALTH = "/health"
ATTEMPTS_PER_MINUTE = 10
"""How often one client may try a token: nobody types faster, and a guesser gets nowhere."""


class SignIn(NamedTuple):
    """What a web app in front of the API shows to those who have not signed in yet."""

    page: str
    """The path of the sign-in page: open to all, and where browsers are sent."""
    assets: str
    """The beginning of the paths of style sheets and scripts, which hold no secrets."""
    session_ended: Callable[[], Response] | None = None
    """What browsers get that send a form without a session."""


class Guard:
    """Refuses what must not reach a route. Pure ASGI: it never touches a response that streams."""

    def __init__(
        self, app: ASGIApp, *, settings: Settings, sign_in: SignIn | None, attempts: TokenBuckets
    ) -> None:
        """`attempts` has a token for each wrong one that a client may still try."""
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
                "This server does not answer under that host name; "
                "VERIDIC_API_ALLOWED_HOSTS lists the names it has besides those of this machine.",
            )
        if is_foreign(scope["method"], headers):
            return error_response(403, "Pages of other origins may not change anything here.")
        if not self._token or self._is_open(scope["path"]):
            return None
        return self._refusal_of_strangers(scope, headers)

    def _refusal_of_strangers(self, scope: Scope, headers: Headers) -> Response | None:
        tries_a_token = security.bearer_token(headers) is not None
        client = client_of(scope)
        # Who has tried too often has to wait whatever is sent, or the answer would tell a right guess from a wrong one.
        if tries_a_token and (seconds := self._attempts.wait(client)) > 0:
            return error_response(429, *too_many_tries(seconds))
        if security.check(headers, self._token):
            return None
        if tries_a_token:
            self._attempts.take(client)
        return self._ask_to_sign_in(scope, headers)

    def _checks_hosts(self) -> bool:
        # A name that was made to lead here brings neither the token nor the cookie of the real name.
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
            wanted = scope["path"] + (f"?{query}" if query else "")
            return RedirectResponse(f"{self._sign_in.page}?next={quote(wanted, safe='/')}", status_code=303)
        if self._sign_in is not None and self._sign_in.session_ended is not None and wants_page:
            return self._sign_in.session_ended()
        return error_response(
            401,
            "This server asks for its token: send it as `Authorization: Bearer TOKEN`.",
            {"WWW-Authenticate": "Bearer"},
        )


def client_of(scope: Scope) -> str:
    """Whose attempts are counted."""
    client = scope.get("client")
    return client[0] if client else ""


def too_many_tries(seconds: float) -> tuple[str, dict[str, str]]:
    """The sentence and the headers of a refusal (429)."""
    wait = max(1, math.ceil(seconds))
    return f"Too many tries; wait {wait} s.", {"Retry-After": str(wait)}
