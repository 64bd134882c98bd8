"""Parses addresses of files on repository hosts."""

import re
from typing import NamedTuple

_BRANCH = frozenset({"main", "master", "HEAD"})
_RAW = re.compile(r"^https?://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)/([^?\s]+)")
_HOSTED = re.compile(
    r"^https?://(?:www\.)?(?:github|gitlab|codeberg)\.(?:com|org)/([^/]+/[^/]+)/(?:-/)?(?:blob|tree|raw|src/branch)/([^/]+)/([^?\s]+)"
)


class Hosted(NamedTuple):
    repository: str
    """The owner and name."""
    branch: str
    path: str
    """With its anchor, if there is one."""

    @property
    def is_current(self) -> bool:
        """Whether it leads to the newest state, judged by the branch's name: tags and commits don't."""
        return self.branch in _BRANCH


def hosted(address: str) -> Hosted | None:
    """The file that an address leads to; None for any other address."""
    found = _HOSTED.match(address) or _RAW.match(address)
    return Hosted(found[1], found[2], found[3]) if found else None
