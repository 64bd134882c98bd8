"""The contract of fetchers, tested on the real one with a loopback server and on the fake."""

from __future__ import annotations

import gzip
import io
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from veridic.config.settings import Settings
from veridic.domain.errors import (
    FetchError,
    ForbiddenAddressError,
    InputError,
    TooLargeError,
    UnsupportedInputError,
)
from veridic.providers.fetch.base import Fetcher
from veridic.providers.fetch.fake import FakeFetcher, Reply, Trouble
from veridic.providers.fetch.http import HttpFetcher

LIMIT = 10_000
SITE: dict[str, Reply] = {
    "/page": Reply("<p>Grüße</p>".encode(), headers={"Last-Modified": "Fri, 03 May 2024 10:00:00 GMT"}),
    "/plain": Reply(b"Just text.", "Text/Plain"),
    "/typeless": Reply(b"Whatever it is.", None),
    "/packed": Reply(gzip.compress(b"Packed."), headers={"Content-Encoding": "gzip"}),
    "/moved": Reply(status=302, headers={"Location": "/page"}),
    "/moved-twice": Reply(status=301, headers={"Location": "moved"}),
    "/loop": Reply(status=302, headers={"Location": "/loop"}),
    "/to-private": Reply(status=302, headers={"Location": "http://10.0.0.1/admin"}),
    "/to-metadata": Reply(status=307, headers={"Location": "http://169.254.169.254/latest/meta-data"}),
    "/to-file": Reply(status=302, headers={"Location": "file:///etc/passwd"}),
    "/to-login": Reply(status=302, headers={"Location": "http://user:secret@127.0.0.1/"}),
    "/full": Reply(b"x" * LIMIT, "text/plain"),
    "/too-large": Reply(b"x" * (LIMIT + 1), "text/plain"),
    "/bomb": Reply(gzip.compress(b"\0" * 5_000_000), "text/plain", headers={"Content-Encoding": "gzip"}),
    "/nested-bomb": Reply(b"x", "text/plain", headers={"Content-Encoding": "gzip, gzip"}),
    "/half-packed": Reply(
        gzip.compress(b"Packed but not to the end.")[:-12], headers={"Content-Encoding": "gzip"}
    ),
    "/not-gzip": Reply(b"plain after all", "text/plain", headers={"Content-Encoding": "gzip"}),
    "/image": Reply(b"\x89PNG", "image/png"),
    "/sound": Reply(b"x", "audio/mpeg"),
    "/film": Reply(b"x", "video/mp4"),
    "/octets": Reply(b"x", "application/octet-stream"),
    "/forbidden": Reply(status=403),
    "/busy": Reply(status=429),
    "/broken": Reply(b"oops", status=500),
    "/slow": Reply(b"never the end", "text/plain", trouble=Trouble.SLOW),
    "/cut-off": Reply(b"never the end", "text/plain", trouble=Trouble.CUT_OFF),
    "/garbage": Reply(trouble=Trouble.GARBAGE),
}


class LoopbackServer:
    """A real HTTP server on a free port that serves `SITE`, including its failures."""

    def __init__(self, site: Mapping[str, Reply]) -> None:
        self._site = site
        self._closing = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        with socket.create_connection(("127.0.0.1", self.port)):
            pass
        self._thread.join()
        self._socket.close()

    def _accept(self) -> None:
        while not self._closing.is_set():
            connection, _ = self._socket.accept()
            with connection, connection.makefile("rwb") as stream:
                try:
                    self._answer(stream)
                except OSError:
                    continue

    def _answer(self, stream: io.BufferedRWPair) -> None:
        request = stream.readline().decode("latin-1").split(" ")
        while stream.readline().strip():
            pass
        if len(request) < 2:
            return
        reply = self._site.get(request[1], Reply(status=404))
        if reply.trouble is Trouble.GARBAGE:
            stream.write(b"\x00\x01 this is not the web\r\n\r\n")
            stream.flush()
            return
        head = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {len(reply.body)}", "Connection: close"]
        if reply.content_type is not None:
            head.append(f"Content-Type: {reply.content_type}")
        head.extend(f"{name}: {value}" for name, value in reply.headers.items())
        stream.write("\r\n".join([*head, "", ""]).encode())
        stream.write(reply.body[: len(reply.body) // 2] if reply.trouble else reply.body)
        stream.flush()
        if reply.trouble is Trouble.SLOW:
            stream.read(1)  # until the fetcher disconnects


@contextmanager
def real() -> Iterator[tuple[Callable[[Settings], Fetcher], str]]:
    server = LoopbackServer(SITE)
    try:
        yield HttpFetcher, f"http://127.0.0.1:{server.port}"
    finally:
        server.close()


@contextmanager
def cached() -> Iterator[tuple[Callable[[Settings], Fetcher], str]]:
    """The same with a cache: nothing else should differ."""
    with real() as (_, root), TemporaryDirectory() as folder:

        def make(settings: Settings) -> Fetcher:
            return HttpFetcher(settings, cache=Path(folder, secrets.token_hex(4)))

        yield make, root


@contextmanager
def fake() -> Iterator[tuple[Callable[[Settings], Fetcher], str]]:
    root = "http://127.0.0.1:8080"
    replies = {root + path: reply for path, reply in SITE.items()}
    yield (lambda settings: FakeFetcher(replies, settings)), root


@pytest.fixture(scope="module", params=[real, cached, fake], ids=["real", "cached", "fake"])
def web(request: pytest.FixtureRequest) -> Iterator[tuple[Callable[[Settings], Fetcher], str]]:
    with request.param() as made:
        yield made


Web = tuple[Callable[[Settings], Fetcher], str]


def allowing(**changes: object) -> Settings:
    options: dict[str, object] = {
        "fetch_allow_hosts": ("127.0.0.1",),
        "max_document_bytes": LIMIT,
        "fetch_max_redirects": 2,
        "fetch_timeout_seconds": 20.0,
    }
    return Settings.model_validate(options | changes)


def test_page_has_type_encoding_and_date(web: Web) -> None:
    make, root = web
    page = make(allowing()).fetch(f"{root}/page")
    assert (page.url, page.content_type, page.charset) == (f"{root}/page", "text/html", "utf-8")
    assert page.body.decode() == "<p>Grüße</p>"
    assert page.last_modified is not None
    assert page.last_modified.date().isoformat() == "2024-05-03"


@pytest.mark.parametrize(
    ("path", "content_type", "body"),
    [
        ("/plain", "text/plain", b"Just text."),
        ("/typeless", None, b"Whatever it is."),
        ("/packed", "text/html", b"Packed."),
    ],
)
def test_content_types_and_compression(web: Web, path: str, content_type: str | None, body: bytes) -> None:
    make, root = web
    page = make(allowing()).fetch(root + path)
    assert (page.content_type, page.body) == (content_type, body)


def test_redirects_are_followed(web: Web) -> None:
    make, root = web
    assert make(allowing()).fetch(f"{root}/moved-twice").url == f"{root}/page"


def test_body_at_size_limit_is_read(web: Web) -> None:
    make, root = web
    assert len(make(allowing()).fetch(f"{root}/full").body) == LIMIT


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("/loop", FetchError, "redirects more than 2 times"),
        ("/to-private", ForbiddenAddressError, "10.0.0.1"),
        ("/to-metadata", ForbiddenAddressError, "169.254.169.254"),
        ("/to-file", FetchError, "not a plain web address"),
        ("/to-login", FetchError, "not a plain web address"),
        ("/too-large", TooLargeError, "larger than 10,000 bytes"),
        ("/bomb", TooLargeError, "larger than 10,000 bytes"),
        ("/nested-bomb", FetchError, "packed"),
        ("/half-packed", FetchError, "damaged"),
        ("/not-gzip", FetchError, "damaged"),
        ("/image", UnsupportedInputError, "image/png"),
        ("/sound", UnsupportedInputError, "audio/mpeg"),
        ("/film", UnsupportedInputError, "video/mp4"),
        ("/octets", UnsupportedInputError, "application/octet-stream"),
        ("/missing", FetchError, "404 (not found)"),
        ("/forbidden", FetchError, "403"),
        ("/busy", FetchError, "429 (too many requests): try again later"),
        ("/broken", FetchError, "500"),
        ("/cut-off", FetchError, "cut off"),
        ("/garbage", FetchError, "not valid HTTP"),
    ],
)
def test_failure_message_is_one_sentence(web: Web, path: str, error: type[Exception], words: str) -> None:
    make, root = web
    with pytest.raises(error) as raised:
        make(allowing()).fetch(root + path)
    assert words in str(raised.value)
    assert str(raised.value).endswith(".")
    assert "secret" not in str(raised.value)


def test_endless_page_times_out(web: Web) -> None:
    make, root = web
    with pytest.raises(FetchError, match=r"within 0\.2 seconds"):
        make(allowing(fetch_timeout_seconds=0.2)).fetch(f"{root}/slow")


def test_local_address_is_refused_unless_allowed(web: Web) -> None:
    make, root = web
    with pytest.raises(ForbiddenAddressError, match="VERIDIC_FETCH_ALLOW_HOSTS"):
        make(allowing(fetch_allow_hosts=())).fetch(f"{root}/page")


@pytest.mark.parametrize(
    "url",
    ["ftp://example.org/", "//example.org/", "http://", "http://a:b@example.org/", "http://[::1", "nonsense"],
)
def test_invalid_web_address_is_input_error(web: Web, url: str) -> None:
    make, _ = web
    with pytest.raises(InputError):
        make(allowing()).fetch(url)
