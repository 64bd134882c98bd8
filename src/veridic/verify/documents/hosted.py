"""Addresses of files on hosts of repositories."""

import re
from typing import NamedTuple

_BRANCH = frozenset({"main", "master", "HEAD"})
_RAW = re.compile(r"^https?://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)/([^?\s]+)")
_HOSTED = re.compile(
    r"^https?://(?:www\.)?(?:github|gitlab|codeberg)\.(?:com|org)/([^/]+/[^/]+)/(?:-/)?(?:blob|tree|raw|src/branch)/([^/]+)/([^?\s]+)"
)


class Hosted(NamedTuple):
    repository: str
    """Its owner and name."""
    branch: str
    path: str
    """With the anchor behind it, if there is one."""

    @property
    def is_current(self) -> bool:
        """Whether it leads to the newest state, as far as the branch's name tells: tags and commits are another matter."""
        return self.branch in _BRANCH


def hosted(address: str) -> Hosted | None:
    """The file that an address leads to; None for anything else."""
    found = _HOSTED.match(address) or _RAW.match(address)
    return Hosted(found[1], found[2], found[3]) if found else None
