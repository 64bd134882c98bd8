"""What a fetcher gives, and what every fetcher promises."""

from datetime import datetime
from typing import Protocol

from veridic.domain.base import Frozen


class Page(Frozen):
    """The answer to a fetch, whole and within the limits."""

    url: str
    """The final address, after redirects."""
    content_type: str | None
    """`text/html`: lower case, without parameters; None where the server named none."""
    charset: str | None
    body: bytes
    last_modified: datetime | None = None


class Answer(Frozen):
    """What a server says, whatever its status and type."""

    url: str
    """The final address, after redirects."""
    status: int
    content_type: str | None
    body: bytes = b""


class Fetcher(Protocol):
    """Gets pages.

    Raises `ForbiddenAddressError` for an address on a private network, another `InputError` for one
    that can't be a document (no web address, wrong type, too large), and `FetchError` where the
    outside world failed.
    """

    def fetch(self, url: str) -> Page: ...
