"""Where a request comes from: which names are this server's, and which pages are not its own. Pure.

A web page of anyone can make a browser on this machine send requests to a loopback address. Such a page either
names its own host (a name that was made to lead here), or it can't help saying that it is foreign.
"""

import re
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:\[\]@/\\?#]+))(?::\d{1,5})?")
_READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_OWN_PAGES = frozenset({"same-origin", "none"})


def is_loopback(host: str) -> bool:
    """Whether a name or an address can only mean this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_known_host(headers: Headers, allowed: Collection[str]) -> bool:
    """Whether the request asks for this machine by a loopback name, or by one of `allowed`."""
    given = headers.getlist("host")
    match = _HOST.fullmatch(given[0]) if len(given) == 1 else None
    if match is None:
        return False
    host = (match["v6"] or match["name"]).lower()
    return is_loopback(host) or host in allowed


def is_foreign(method: str, headers: Headers) -> bool:
    """Whether a request that changes something was sent by a page of another origin.

    Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; what is no browser says neither.
    """
    if method in _READING:
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site.lower() not in _OWN_PAGES
    origin = headers.get("origin")
    return origin is not None and _place(origin) != headers.get("host", "").lower()


def _place(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None
