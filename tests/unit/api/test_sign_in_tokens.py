"""The bearer token and the session cookie."""

import pytest
from starlette.datastructures import Headers
from starlette.responses import Response

from veridic.api import guard

TOKEN = "a long secret"
NOW = 1_800_000_000.0


def cookie(token: str = TOKEN, *, secure: bool = True) -> str:
    response = Response()
    guard.issue_cookie(response, token, secure=secure, now=NOW)
    return response.headers["set-cookie"]


def signed_in(value: str) -> Headers:
    return Headers({"cookie": f"other=1; {value.partition(';')[0]}"})


def test_only_the_right_bearer_token_gives_access() -> None:
    assert guard.has_access(Headers({"authorization": f"Bearer {TOKEN}"}), TOKEN)
    assert guard.has_access(Headers({"authorization": f"bearer  {TOKEN} "}), TOKEN)
    for wrong in (
        f"Basic {TOKEN}",
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        TOKEN,
        "",
    ):
        assert not guard.has_access(Headers({"authorization": wrong}), TOKEN)
    assert not guard.has_access(Headers({}), TOKEN)


def test_the_cookie_is_valid_until_it_expires() -> None:
    headers = signed_in(cookie())

    assert guard.has_access(headers, TOKEN, now=NOW)
    assert guard.has_access(headers, TOKEN, now=NOW + guard.SESSION_SECONDS - 1)
    assert not guard.has_access(headers, TOKEN, now=NOW + guard.SESSION_SECONDS)


def test_a_cookie_of_another_token_is_refused() -> None:
    assert not guard.has_access(signed_in(cookie("the token before")), TOKEN, now=NOW)


@pytest.mark.parametrize(
    "value",
    ["", "1", ".", "x.y", "9999999999.", "9999999999.00ff", "²²²²²²²²²².00", f"{'9' * 400}.aa", "-1.aa"],
)
def test_malformed_and_forged_cookies_are_refused(value: str) -> None:
    headers = Headers(raw=[(b"cookie", f"{guard.COOKIE}={value}".encode())])

    assert not guard.has_access(headers, TOKEN, now=NOW)


def test_the_signature_covers_the_expiry() -> None:
    expires, _, signature = cookie().partition(";")[0].partition("=")[2].partition(".")
    later = f"{int(expires) + 1}.{signature}"

    assert not guard.has_access(Headers({"cookie": f"{guard.COOKIE}={later}"}), TOKEN, now=NOW)


def test_the_cookie_is_http_only_same_site_and_secure() -> None:
    attributes = {part.strip().lower() for part in cookie().split(";")[1:]}

    assert {"httponly", "samesite=strict", "secure", "path=/"} <= attributes
    assert "secure" not in cookie(secure=False).lower()
    assert TOKEN not in cookie()


def test_signing_out_deletes_the_cookie() -> None:
    response = Response()
    guard.clear_cookie(response)

    assert f'{guard.COOKIE}=""' in response.headers["set-cookie"]
    assert "Max-Age=0" in response.headers["set-cookie"]


def test_a_wrong_token_is_refused_despite_a_valid_cookie() -> None:
    headers = Headers({"authorization": "Bearer wrong", "cookie": cookie().partition(";")[0]})

    assert not guard.has_access(headers, TOKEN, now=NOW)
