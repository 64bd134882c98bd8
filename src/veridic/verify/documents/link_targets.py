"""Where links lead: anchors of headings, files on repository hosts, and pages that a site generator makes of documents."""

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from veridic.verify.documents.unit import Unit

_MARKED = re.compile(
    r"""\b(?:id|name)\s*=\s*["']?([^"'\s>]+)|\{#([\w.:-]+)\s*\}|^\.\. _([^:]+):|\[\[([\w-]+)\]\]""",
    re.MULTILINE,
)
_MARKUP = re.compile(r"(?<!\\)<[^>]*>|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|:(\w+):(?=\s|$)")
"""Tags, links and emoji; `\\<` starts no tag."""
_NOT_KEPT = re.compile(r"[^\w\s-]")
_VARIATION = "\ufe0f"
"""Turns a symbol into an emoji; hosts keep it in anchors, links mostly leave it out."""


def anchor(heading: str) -> str:
    """The anchor that repository hosts make of a heading."""
    plain = _MARKUP.sub(lambda match: match[1] or match[2] or "", heading.strip())
    return re.sub(r"\s", "-", _NOT_KEPT.sub("", plain.lower()))


def linked(name: str) -> str:
    """The anchor that a link names, in the form that `anchors_of` returns."""
    return name.lower().replace(_VARIATION, "").removeprefix("user-content-")


def anchors_of(units: Iterable[Unit], text: str) -> frozenset[str]:
    """The anchors of all headings and explicit marks of a document, in lower case."""
    found: set[str] = set()
    counts: Counter[str] = Counter()
    for unit in units:
        if unit.is_heading:
            name = anchor(unit.text)
            found.add(name if not counts[name] else f"{name}-{counts[name]}")
            counts[name] += 1
    for match in _MARKED.finditer(text):
        found.add(next(filter(None, match.groups())).lower())
    return frozenset(found)


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


_CONFIGURATIONS = (
    "mkdocs.yml mkdocs.yaml conf.py _config.yml book.toml hugo.toml docusaurus.config.js docusaurus.config.ts "
    "antora.yml astro.config.mjs astro.config.ts gatsby-config.js .vitepress .vuepress _sidebar.md SUMMARY.md "
    "config.toml _quarto.yml site.xml zensical.toml next.config.js next.config.mjs"
).split()


def site_around(document: str, paths: Collection[str]) -> str | None:
    """The site configuration beside or above a document, if any; `paths` are all files and folders. The top-level README is not part of a site."""
    folder = posixpath.dirname(document)
    while folder:
        if found := site_in(folder, paths):
            return found
        folder = posixpath.dirname(folder)
    return site_in("", paths) if "/" in document else None


def site_in(folder: str, paths: Collection[str]) -> str | None:
    """The site configuration in a folder, if any."""
    return next((path for name in _CONFIGURATIONS if (path := posixpath.join(folder, name)) in paths), None)
