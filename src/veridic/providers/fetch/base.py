"""The interface of fetchers, and what they return."""

from datetime import datetime
from typing import Protocol

from veridic.domain.base import Frozen


class FetchedPage(Frozen):
    """A fetched page, complete and within the limits."""

    url: str
    """The final address, after redirects."""
    content_type: str | None
    """As `text/html`: lower case, without parameters; None if the server sent none."""
    charset: str | None
    body: bytes
    last_modified: datetime | None = None


class Answer(Frozen):
    """A server's response, of any status and type."""

    url: str
    """The final address, after redirects."""
    status: int
    content_type: str | None
    body: bytes = b""


class Fetcher(Protocol):
    """Fetches pages.

    Raises `ForbiddenAddressError` for an address on a private network, another `InputError` for an address that can't
    be a document (not a web address, wrong type, too large), and `FetchError` for network and server failures.
    """

    def fetch(self, url: str) -> FetchedPage: ...
