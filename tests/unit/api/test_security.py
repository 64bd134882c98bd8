"""Knowing the token, and proving it later with a cookie."""

import pytest
from starlette.datastructures import Headers
from starlette.responses import Response

from veridic.api import security

TOKEN = "a long secret"
NOW = 1_800_000_000.0


def cookie(token: str = TOKEN, *, secure: bool = True) -> str:
    response = Response()
    security.issue_cookie(response, token, secure=secure, now=NOW)
    return response.headers["set-cookie"]


def signed_in(value: str) -> Headers:
    return Headers({"cookie": f"other=1; {value.partition(';')[0]}"})


def test_the_bearer_token_lets_in_and_nothing_else_does() -> None:
    assert security.check(Headers({"authorization": f"Bearer {TOKEN}"}), TOKEN)
    assert security.check(Headers({"authorization": f"bearer  {TOKEN} "}), TOKEN)
    for wrong in (
        f"Basic {TOKEN}",
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        TOKEN,
        "",
    ):
        assert not security.check(Headers({"authorization": wrong}), TOKEN)
    assert not security.check(Headers({}), TOKEN)


def test_the_cookie_lets_in_until_it_expires() -> None:
    headers = signed_in(cookie())

    assert security.check(headers, TOKEN, now=NOW)
    assert security.check(headers, TOKEN, now=NOW + security.SESSION_SECONDS - 1)
    assert not security.check(headers, TOKEN, now=NOW + security.SESSION_SECONDS)


def test_a_cookie_of_another_token_is_worth_nothing() -> None:
    assert not security.check(signed_in(cookie("the token before")), TOKEN, now=NOW)


@pytest.mark.parametrize(
    "value",
    ["", "1", ".", "x.y", "9999999999.", "9999999999.00ff", "²²²²²²²²²².00", f"{'9' * 400}.aa", "-1.aa"],
)
def test_made_up_cookies_are_refused(value: str) -> None:
    headers = Headers(raw=[(b"cookie", f"{security.COOKIE}={value}".encode())])

    assert not security.check(headers, TOKEN, now=NOW)


def test_a_good_signature_does_not_serve_for_another_time() -> None:
    expires, _, signature = cookie().partition(";")[0].partition("=")[2].partition(".")
    later = f"{int(expires) + 1}.{signature}"

    assert not security.check(Headers({"cookie": f"{security.COOKIE}={later}"}), TOKEN, now=NOW)


def test_scripts_and_other_sites_never_see_the_cookie() -> None:
    attributes = {part.strip().lower() for part in cookie().split(";")[1:]}

    assert {"httponly", "samesite=strict", "secure", "path=/"} <= attributes
    assert "secure" not in cookie(secure=False).lower()
    assert TOKEN not in cookie()


def test_signing_out_takes_the_cookie_away() -> None:
    response = Response()
    security.clear_cookie(response)

    assert f'{security.COOKIE}=""' in response.headers["set-cookie"]
    assert "Max-Age=0" in response.headers["set-cookie"]


def test_a_bad_token_is_not_made_good_by_a_cookie_of_a_session() -> None:
    headers = Headers({"authorization": "Bearer wrong", "cookie": cookie().partition(";")[0]})

    assert not security.check(headers, TOKEN, now=NOW)
