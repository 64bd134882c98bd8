"""Addresses of files on hosts of code."""

import re
from typing import NamedTuple

_NEWEST = r"(?:main|master|HEAD|develop|trunk)"
_FILE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)/[\w.-]+/(?P<project>[\w.-]+?)(?:\.git)?(?:/-)?"
    rf"/(?:blob|tree|raw|src(?:/branch)?)/{_NEWEST}/(?P<path>[^#?\s]+)"
    rf"|https?://raw\.githubusercontent\.com/[\w.-]+/(?P<raw_project>[\w.-]+)/{_NEWEST}/(?P<raw_path>[^#?\s]+)"
)


class HostedFile(NamedTuple):
    project: str
    path: str


def hosted_file(address: str) -> HostedFile | None:
    """The file that an address leads to in its newest version; None for any other address."""
    found = _FILE.match(address)
    if found is None:
        return None
    return HostedFile(found["project"] or found["raw_project"], found["path"] or found["raw_path"])


def same_project(one: str, other: str) -> bool:
    """Whether two spellings name one project: `sail_boat` is `Sail-Boat`."""
    return _normal(one) == _normal(other)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
