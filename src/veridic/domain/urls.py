"""Canonical form of web addresses, to tell whether two lead to the same page."""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_TRACKING = re.compile(
    r"(utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref|ref_src|cmpid|ocid|s_cid)"
)
_DEFAULT_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=4_096)
def canonical_url(url: str) -> str:
    """Return an address without the parts that don't change the page: scheme, `www.`, fragment, tracking parameters, last slash."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    if not host:
        return url.strip()
    if port is not None and port != _DEFAULT_PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    query = [
        pair
        for pair in parse_qsl(parts.query, keep_blank_values=True)
        if not _TRACKING.fullmatch(pair[0].lower())
    ]
    return urlunsplit(("", host, parts.path.rstrip("/"), urlencode(sorted(query)), "")).removeprefix("//")
