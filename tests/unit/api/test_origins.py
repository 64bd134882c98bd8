"""Host and origin checks of a server without a token."""

import pytest
from starlette.datastructures import Headers

from veridic.api.guard import is_cross_origin, is_known_host, is_loopback


def headers(*pairs: tuple[str, str]) -> Headers:
    return Headers(raw=[(name.lower().encode(), value.encode("latin-1")) for name, value in pairs])


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:8000", "LOCALHOST:1", "localhost", "[::1]:8000", "[::1]", "127.9.9.9", "desk.example.org:80"],
)  # fmt: skip
def test_loopback_and_configured_hosts_are_known(host: str) -> None:
    assert is_known_host(headers(("Host", host)), {"desk.example.org"})


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8000",
        "evil.example@127.0.0.1",
        "127.0.0.1:8000/evil.example",
        "[::1].evil.example",
        "::1",
        "0.0.0.0",
        "10.0.0.1",
        "127.0.0.1:8000 ",
        "127.0.0.1:",
        "desk.example.org.",
        "\u00b9\u00b2\u00b7.0.0.1",
    ],
)
def test_other_hosts_are_unknown(host: str) -> None:
    assert not is_known_host(headers(("Host", host)), {"desk.example.org"})


def test_two_host_headers_or_none_are_refused() -> None:
    assert not is_known_host(headers(("Host", "localhost"), ("Host", "evil.example")), ())
    assert not is_known_host(headers(), ())


HOST = ("Host", "127.0.0.1:8000")


@pytest.mark.parametrize(
    "sent",
    [
        (),
        (("Sec-Fetch-Site", "same-origin"), ("Origin", "http://127.0.0.1:8000")),
        (("Sec-Fetch-Site", "none"),),
        (("Origin", "http://127.0.0.1:8000"),),
        # Behind a proxy that passes on `Host` but changes the scheme.
        (("Sec-Fetch-Site", "same-origin"), ("Origin", "https://elsewhere.example")),
    ],
)
def test_same_origin_pages_and_programs_may_change_things(sent: tuple[tuple[str, str], ...]) -> None:
    assert not is_cross_origin("POST", headers(HOST, *sent))


@pytest.mark.parametrize(
    "sent",
    [
        (("Sec-Fetch-Site", "cross-site"),),
        (("Sec-Fetch-Site", "same-site"),),
        (("Sec-Fetch-Site", "cross-site"), ("Origin", "http://127.0.0.1:8000")),
        (("Origin", "http://evil.example"),),
        (("Origin", "http://127.0.0.1:3000"),),
        (("Origin", "null"),),
        (("Origin", "http://[bad"),),
        (("Origin", ""),),
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH", "ODD"])
def test_pages_of_other_origins_may_only_read(method: str, sent: tuple[tuple[str, str], ...]) -> None:
    assert is_cross_origin(method, headers(HOST, *sent))
    assert not is_cross_origin("GET", headers(HOST, *sent))


def test_loopback() -> None:
    assert all(is_loopback(host) for host in ("localhost", "127.0.0.1", "::1"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "example.org", "192.168.0.1", ""))
