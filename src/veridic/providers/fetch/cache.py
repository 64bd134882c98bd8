"""Pages that were fetched before, used again as HTTP allows: while they are fresh, or once the server says so."""

from __future__ import annotations

import logging
from pathlib import Path

import httpx2
from hishel import CacheOptions, SqliteStorage
from hishel.httpx2 import CacheTransport

_LARGEST_PAGE_BYTES = 5_000_000
"""A larger page is fetched anew each time."""
_LARGEST_CACHE_BYTES = 500_000_000

# A cache that can't be read or written costs a request, and is nobody's error.
logging.getLogger("hishel").addHandler(logging.NullHandler())


def cached(transport: httpx2.BaseTransport, folder: Path) -> httpx2.BaseTransport:
    """The transport with the cache of a folder before it, which several processes may use at once.

    When it is full, what was not used for longest goes.
    """
    storage = SqliteStorage(
        database_path=folder / "pages.db", max_stream_size=_LARGEST_PAGE_BYTES, max_size=_LARGEST_CACHE_BYTES
    )
    return CacheTransport(transport, storage, rfc=CacheOptions(shared=False))
