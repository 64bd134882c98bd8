"""Rules on links and paths within the repository: whether the file and the heading exist."""

import posixpath
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import PurePosixPath
from urllib.parse import unquote

from veridic.domain.code import AssertionKind, ClaimDomain, EntityKind, Origin
from veridic.verify.documents.link_targets import Hosted, hosted, linked, site_around
from veridic.verify.facts.model import Fact, FactKind
from veridic.verify.revisions import is_document
from veridic.verify.rules.context import resolved
from veridic.verify.rules.rule import Example, Look, Outcome, Rule, listed

_ADDRESS = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//|#?\{|<)", re.IGNORECASE)
_ROOT_ALIAS = re.compile(r"[^\w./]+/")
"""A sign instead of a folder: `@/`, `~/`."""
_NOT_ONE_PATH = re.compile(r"[*?<>{}$|~%\s\\:…]|\.\.\.|^/|@|=")
_SOURCES = (
    ".md",
    ".mdx",
    ".rst",
    ".adoc",
    ".markdown",
    "/index.md",
    "/README.md",
    "/index.mdx",
    "/index.rst",
    "/_index.md",
)
_SHOWN_ELSEWHERE = re.compile(r"(?:^|/)\.github/.*template", re.IGNORECASE)
"""Templates for issues and pull requests, which are shown there."""
_PAGE_SOURCES = (".md", ".mdx", ".rst", ".adoc")
"""Sources of pages; a site generator never writes them."""


def check_link(look: Look) -> Outcome | None:
    """Check a link to a file or heading in this repository, also one with the address of the project on its host."""
    written = look.subject.name
    if file := hosted(written):
        return _check_hosted(look, file)
    if not written or _ADDRESS.match(written) or written.startswith("["):
        return None
    path, _, anchor = unquote(written).partition("#")
    path = path.partition("?")[0]
    document = look.claim.document
    target = resolved(document, path) if path else document
    if path.startswith("/"):
        target = path.lstrip("/")
    if target.startswith(".."):
        return look.stays_open("The link leads out of the repository.", "Following the link.")
    found = next(_files(look, target), None)
    if found is None and (root := _ROOT_ALIAS.match(path)):
        return _from_site_root(look, path.removeprefix(root[0]))
    if found is None:
        return _missing(look, target, path)
    if anchor and is_document(found):
        return _anchor(look, found, anchor)
    return look.holds(f"{found} is there.", _as_fact(found))


def _from_site_root(look: Look, path: str) -> Outcome:
    """The outcome for a link that begins with a sign for a folder which the site's generator knows, such as `@/guide.md`."""
    ends = tuple(f"/{path.rstrip('/')}{ending}" for ending in ("", *_SOURCES))
    files = [file.path for file in look.context.repository.files if f"/{file.path}".endswith(ends)]
    if len(files) == 1:
        return look.holds(f"{files[0]} is there.", _as_fact(files[0]))
    return look.stays_open(
        "The site's generator knows which folder the link starts at.", "Building the site."
    )


def _check_hosted(look: Look, file: Hosted) -> Outcome | None:
    if not file.is_current or file.repository.lower() not in look.context.addresses:
        return None
    path, _, anchor = unquote(file.path).partition("#")
    target = posixpath.normpath(path)
    if not look.context.repository.exists(target):
        moved = _moved(look, target)
        also = f"; {moved} is" if moved else ""
        if _is_made(look, target) or not look.is_in_document:
            return None
        return look.missing(
            f"There is no {target} in the repository{also}.",
            ".",
            f"{target}: not found",
            basis="own host, past" if look.claim.origin is Origin.CHANGELOG else "own host",
        )
    return (
        look.holds(f"{target} is there.", _as_fact(target)) if not anchor or not is_document(target) else None
    )


def check_path(look: Look) -> Outcome | None:
    """Check whether a path in the text exists. A missing one may be on the reader's machine, an example, or generated: of eleven alarms on
    public projects none was right, so this never raises an alarm."""
    written = look.subject.name.removeprefix("./").rstrip("/")
    if not written or _NOT_ONE_PATH.search(written):
        return None
    places = dict.fromkeys((posixpath.normpath(written), resolved(look.claim.document, written)))
    repository = look.context.repository
    for place in places:
        if not place.startswith("..") and repository.exists(place):
            return look.holds(f"{place} is there.", _as_fact(place))
    folder = posixpath.dirname(posixpath.normpath(written))
    if not folder or not repository.exists(folder):
        return None
    moved = _moved(look, written)
    also = f"; {moved} is there" if moved else ""
    return look.stays_open(
        f"{folder}/ has no {posixpath.basename(written)}{also}.",
        "Whose file is meant: the project's or the reader's.",
    )


def _files(look: Look, target: str) -> Iterator[str]:
    """The files that a link may mean; sites omit or change file extensions."""
    repository = look.context.repository
    plain = target.rstrip("/")
    if repository.exists(plain or "."):
        yield plain or "."
    stem = plain.removesuffix(".html").removesuffix(".htm")
    for ending in _SOURCES:
        if repository.exists(f"{stem}{ending}"):
            yield f"{stem}{ending}"


def _missing(look: Look, target: str, path: str) -> Outcome:
    folder = posixpath.dirname(target) or "."
    site = _site(look)
    if _is_made(look, target):
        return look.stays_open(
            f"{target} is ignored by the project's own rules: something makes it.", "Making it."
        )
    if target.endswith((".html", ".htm")):
        return look.stays_open("Pages are made of documents, and may be put elsewhere.", "Building the site.")
    if path.startswith("/") or _SHOWN_ELSEWHERE.search(look.claim.document):
        return look.stays_open(
            "Where the link leads from depends on where the page is shown.", "Following the link."
        )
    if not look.is_in_document:
        return look.stays_open("A comment's links depend on what makes pages of it.", "Building the pages.")
    if site and not target.endswith(_PAGE_SOURCES):
        return look.stays_open(f"The site that {site} makes may have it elsewhere.", "Building the site.")
    if not (posixpath.splitext(target)[1] or _is_read_on_host(look.claim.document)):
        return look.stays_open(
            f"{target} names no file: it may be a page of a site that is made of {look.claim.document}.",
            "Building the site.",
        )
    moved = _moved(look, target)
    also = f"; {moved} is" if moved else ""
    inside = _inside(look, folder)
    return look.missing(
        f"There is no {target} in the repository{also}.",
        folder if inside else ".",
        f"{folder}/: {listed(inside)}" if inside else f"no folder {folder}/",
        basis="past" if look.claim.origin is Origin.CHANGELOG else "site" if site else "plain",
        value=_relative(look, moved) if moved else None,
    )


def _anchor(look: Look, path: str, anchor: str) -> Outcome | None:
    wanted = linked(anchor)
    anchors = look.context.anchors(path)
    if wanted in anchors:
        return look.holds(f"{path} has the heading #{anchor}.", _as_fact(path))
    if re.fullmatch(r"l\d+(?:-l?\d+)?|top|readme|:~:text=.*", wanted):
        return None
    if not anchors or _site(look) or not path.lower().endswith((".md", ".markdown")):
        return look.stays_open(
            f"Whether {path} has #{anchor} depends on what makes the page.", "Building the site."
        )
    near = get_close_matches(wanted, anchors, n=1, cutoff=0.75)
    also = f"; #{near[0]} is the nearest" if near else ""
    quote = listed([f"#{name}" for name in sorted(anchors)])
    return look.missing(
        f"{path} has no heading #{anchor}{also}.", path, quote, basis="anchor, near" if near else "anchor"
    )


def _site(look: Look) -> str | None:
    return site_around(look.claim.document, look.context.paths)


def _is_read_on_host(document: str) -> bool:
    """Whether readers see a document on the code host, not on a site: it is top-level, in the folder of the host, or a README."""
    place = PurePosixPath(document)
    return len(place.parts) == 1 or place.parts[0] == ".github" or place.stem.upper() == "README"


def _is_made(look: Look, path: str) -> bool:
    return look.context.repository.is_ignored(path)


def _inside(look: Look, folder: str) -> list[str]:
    start = "" if folder == "." else f"{folder}/"
    paths = (file.path for file in look.context.repository.files)
    return sorted({path[len(start) :].partition("/")[0] for path in paths if path.startswith(start)})


def _moved(look: Look, target: str) -> str | None:
    """The only other file with this name."""
    name = posixpath.basename(target)
    same = [file.path for file in look.context.repository.files if posixpath.basename(file.path) == name]
    return same[0] if len(same) == 1 else None


def _relative(look: Look, path: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(look.claim.document) or ".")


def _as_fact(path: str) -> Fact:
    return Fact(FactKind.CONSTANT, path, path, 1, path)


RULES = (
    Rule(
        name="link",
        agent=ClaimDomain.DOCUMENTATION,
        reads="The files of the repository and the headings of its documents.",
        asserts=frozenset({AssertionKind.LINKS}),
        subjects=frozenset({EntityKind.LINK}),
        check=check_link,
        holds=Example(
            "See [the guide](docs/guide.md#install).", {"docs/guide.md": "# Guide\n\n## Install\n"}
        ),
        fails=Example("See [the guide](docs/guide.md).", {"docs/manual.md": "# Manual\n"}),
    ),
    Rule(
        name="path",
        agent=ClaimDomain.DOCUMENTATION,
        reads="The files of the repository; a path that is not there is left open, as it may be the reader's own.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=frozenset({EntityKind.PATH}),
        check=check_path,
        holds=Example("The settings are in `src/settings.py`.", {"src/settings.py": "A = 1\n"}),
        fails=None,
    ),
)
