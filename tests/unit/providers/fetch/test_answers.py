"""Fetching a status, or any response, follows the same rules as fetching pages."""

import socket

import pytest

from veridic.config.settings import Settings
from veridic.domain.errors import FetchError, InputError, TooLargeError, UnknownHostError
from veridic.providers.fetch.addresses import resolve
from veridic.providers.fetch.fake import FakeFetcher, Reply
from veridic.providers.fetch.http import HttpFetcher

SITE = {
    "https://api.dev/moved": Reply(status=302, headers={"Location": "/data"}),
    "https://api.dev/data": Reply(b'{"status": "ok"}', "application/json; charset=utf-8"),
    "https://api.dev/none": Reply(b"nothing here", status=404),
    "https://api.dev/loop": Reply(status=302, headers={"Location": "/loop"}),
    "https://api.dev/away": Reply(status=302, headers={"Location": "file:///etc/passwd"}),
    "https://api.dev/huge": Reply(b"x" * 2_000),
}


@pytest.fixture
def fetcher() -> FakeFetcher:
    return FakeFetcher(SITE, Settings(max_document_bytes=1_000))


def test_any_status_and_type_is_returned(fetcher: FakeFetcher) -> None:
    found = fetcher.ask("https://api.dev/moved")
    assert (found.url, found.status, found.content_type) == ("https://api.dev/data", 200, "application/json")
    assert found.body == b'{"status": "ok"}'
    missing = fetcher.ask("https://api.dev/none")
    assert (missing.status, missing.body) == (404, b"nothing here")


def test_status_does_not_read_body(fetcher: FakeFetcher) -> None:
    assert (fetcher.status("https://api.dev/huge").status, fetcher.status("https://api.dev/huge").body) == (
        200,
        b"",
    )
    with pytest.raises(TooLargeError):
        fetcher.ask("https://api.dev/huge")


@pytest.mark.parametrize("path", ["loop", "away"])
def test_redirect_rules_apply(fetcher: FakeFetcher, path: str) -> None:
    with pytest.raises(FetchError):
        fetcher.status(f"https://api.dev/{path}")


@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://user:pw@host.dev/", "ftp://host.dev/"])
def test_only_plain_web_addresses_are_requested(fetcher: FakeFetcher, address: str) -> None:
    with pytest.raises(InputError):
        fetcher.status(address)


def test_local_network_is_refused() -> None:
    with pytest.raises(InputError):
        HttpFetcher(Settings()).status("http://127.0.0.1:9/")


@pytest.mark.parametrize(
    ("error", "is_unknown"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), True),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), False),
    ],
)
def test_unknown_host_differs_from_resolver_failure(
    monkeypatch: pytest.MonkeyPatch, error: socket.gaierror, is_unknown: bool
) -> None:
    def fails(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    with pytest.raises(FetchError) as raised:
        resolve("nowhere.dev", 80, 5.0)
    assert isinstance(raised.value, UnknownHostError) is is_unknown
