"""Who may ask: a token that the caller knows, sent along or proved by the session cookie of the sign-in page."""

import hashlib
import hmac
import time

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response

COOKIE = "veridic_session"
SESSION_SECONDS = 7 * 24 * 3600
_BEARER = "bearer "
_PURPOSE = b"veridic session cookie 1"


def token_matches(given: str, token: str) -> bool:
    """Whether someone knows the token; takes as long whatever was given."""
    return hmac.compare_digest(_digest(given), _digest(token))


def issue_cookie(response: Response, token: str, *, secure: bool, now: float | None = None) -> None:
    """Have the browser remember that its user knew the token; `secure` where the page came by HTTPS."""
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
    """Sign the browser out."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def bearer_token(headers: Headers) -> str | None:
    """What was sent as `Authorization: Bearer`, right or wrong."""
    authorization = headers.get("authorization", "")
    return authorization[len(_BEARER) :].strip() if authorization.lower().startswith(_BEARER) else None


def check(headers: Headers, token: str, *, now: float | None = None) -> bool:
    """Whether a request carries the token (`Authorization: Bearer`) or a session cookie that is still good."""
    given = bearer_token(headers)
    if given is not None:
        return token_matches(given, token)
    cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    return _is_good(cookie, token, time.time() if now is None else now)


def _is_good(cookie: str, token: str, now: float) -> bool:
    expires, _, signature = cookie.partition(".")
    if not (expires.isascii() and expires.isdigit() and len(expires) <= 12):
        return False
    expected = _signature(int(expires), token)
    return hmac.compare_digest(signature.encode(), expected.encode()) and now < int(expires)


def _signature(expires: int, token: str) -> str:
    # Signed with a key of its own, so that nothing the cookie shows is a hash of the token itself.
    key = hmac.new(token.encode(), _PURPOSE, hashlib.sha256).digest()
    return hmac.new(key, str(expires).encode(), hashlib.sha256).hexdigest()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
