"""LINKS within the repository: the file is there, and so is the heading that the link goes to.

Also where a link takes the way round by a host of code: a README that others show can't use relative ones.
"""

import re
from functools import lru_cache
from posixpath import dirname, join, normpath, splitext
from typing import NamedTuple
from urllib.parse import unquote

from veridic.code.compare.looking import FAIRLY_SURE, SURE, Look
from veridic.code.hosted import HostedFile, hosted_file
from veridic.domain.code import AgentVerdict, CodeEvidence, CodeVerdict, EvidenceTier
from veridic.domain.evidence import Stance

_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_PLACEHOLDER = re.compile(r"[<>{}$*|\s]|^#?$")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*(?:\{:[^{}\n]*\}[ \t]*)?$", re.MULTILINE)
_UNDERLINED = re.compile(
    r"^(?P<title>[^\s#>|=-][^\n]*)\n[ \t]*(?:=+|-{2,}|~{3,}|\^{3,}|\"{3,})[ \t]*$", re.MULTILINE
)
_EXPLICIT = re.compile(r"(?:\b(?:id|name)=[\"']?|\{:?\s*#|^\.\. _|^\()(?P<id>[\w.:-]+)", re.MULTILINE)
_LINE = re.compile(r"L\d+(?:-L?\d+)?")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
_LINKED = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|:\w+:(?=`)")
_HTML_HEADING = re.compile(
    r"<h(?P<level>[1-6])\b[^<>]*>(?P<title>.{1,300}?)</h(?P=level)>", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"<[^<>]*>")
_REPEATED = re.compile(r"-\d+$")
_DOCUMENT_ENDS = ("", ".md", ".rst", ".markdown", "/index.md", "/README.md", "/index.rst", ".mdx", ".txt")


def compare_link(look: Look) -> AgentVerdict | None:
    """Whether a link to a file or heading of the repository leads there; other links out of it are not looked at here."""
    subject = look.subject
    target = (subject.name if subject else "").strip()
    if on_host := hosted_file(target):
        return _on_a_host(look, target, on_host)
    if not target or _ELSEWHERE.match(target) or _PLACEHOLDER.search(target) or target.startswith("/"):
        return None
    path, _, anchor = target.partition("#")
    path = unquote(path.partition("?")[0])
    there = _file(look, path) if path else look.claim.document
    if there is None:
        return _missing(look, path)
    if anchor:
        return _anchor(look, there, unquote(anchor))
    return _verdict(look, CodeVerdict.VERIFIED, f"{there} is there.", there, there)


def _on_a_host(look: Look, target: str, link: HostedFile) -> AgentVerdict | None:
    """Whether the project's own file is there is seen here. A package may leave folders out that the host has."""
    repository = look.index.repository
    place = normpath(unquote(link.path))
    if place.startswith(("..", "/")) or _PLACEHOLDER.search(link.path):
        return None
    if repository.exists(place):
        return _verdict(look, CodeVerdict.VERIFIED, f"{place} is there.", place, place)
    folder, _, name = place.rpartition("/")
    if not folder or not repository.exists(folder):
        return None
    same = [file.path for file in repository.files if file.path.rpartition("/")[2] == name]
    value = target.replace(link.path, same[0]) if len(same) == 1 else None
    hint = f"; {same[0]} is" if value else ""
    return _verdict(
        look, CodeVerdict.REFUTED, f"There is no {place}{hint}.", folder, f"{folder}: no {name}", value
    )


def _file(look: Look, path: str) -> str | None:
    folder = dirname(look.claim.document)
    for end in _DOCUMENT_ENDS:
        place = normpath(join(folder, path.rstrip("/") + end))
        if not place.startswith("..") and look.index.repository.exists(place):
            return place
    return None


def _missing(look: Look, path: str) -> AgentVerdict | None:
    """A link out of the repository's tree, to a page that a site generator makes, or into a folder that is made is not judged."""
    place = normpath(join(dirname(look.claim.document), path))
    suffix = splitext(path)[1].lower()
    if place.startswith("..") or suffix in ("", ".html", ".htm") or path.endswith("/"):
        return None
    if "/" not in path and _is_a_name(look, path):
        return None
    folder = dirname(place)
    repository = look.index.repository
    is_known_folder = not folder or repository.exists(folder)
    name = place.rpartition("/")[2]
    same = [file.path for file in repository.files if file.path.rpartition("/")[2] == name]
    is_of_a_site = any(f"/{path}".endswith(f"/{place}") for path in same)
    if is_of_a_site or not (is_known_folder or len(same) == 1):
        return None
    value = _relative(same[0], dirname(look.claim.document)) if len(same) == 1 else None
    confidence = SURE if is_known_folder else FAIRLY_SURE
    hint = f"; {same[0]} is" if value else ""
    seen = f"{folder or '.'}: no {name}"
    return _verdict(
        look, CodeVerdict.REFUTED, f"There is no {place}{hint}.", folder or ".", seen, value, confidence
    )


def _is_a_name(look: Look, path: str) -> bool:
    """MyST links to `harbour.core.Ship` by itself."""
    package = path.partition(".")[0]
    exists = look.index.repository.exists
    return (
        bool(look.index.named(path))
        or exists(f"{package}/__init__.py")
        or exists(f"src/{package}/__init__.py")
    )


def _relative(path: str, folder: str) -> str:
    parts, base = path.split("/"), folder.split("/") if folder else []
    shared = 0
    while shared < min(len(parts) - 1, len(base)) and parts[shared] == base[shared]:
        shared += 1
    return "/".join([".."] * (len(base) - shared) + parts[shared:])


def _anchor(look: Look, path: str, anchor: str) -> AgentVerdict | None:
    if _LINE.fullmatch(anchor) or not path.lower().endswith((".md", ".markdown", ".rst")):
        return None
    text = look.text(path).replace("\r\n", "\n")
    there = _anchors(text, is_rst=path.endswith(".rst"))
    wanted = {_letters(_REPEATED.sub("", anchor)), _letters(anchor)}
    if anchor in there.ids or wanted & there.letters:
        return _verdict(look, CodeVerdict.VERIFIED, f"{path} has the heading.", path, f"#{anchor}")
    if re.search(r"^\s*(?:\.\. include::|\{%|\{\{|--8<--|:::|<!--\s*include)", text, re.MULTILINE):
        return None
    shown = "; ".join(there.titles[:12]) or "no headings"
    return _verdict(
        look, CodeVerdict.REFUTED, f"{path} has no heading for #{anchor}.", path, shown, None, FAIRLY_SURE
    )


class _Anchors(NamedTuple):
    ids: frozenset[str]
    titles: tuple[str, ...]
    letters: frozenset[str]
    """Of each title."""


@lru_cache(maxsize=64)
def _anchors(text: str, *, is_rst: bool) -> _Anchors:
    """Where links may lead in a document; kept, as a long one has hundreds of links into itself."""
    titles = tuple(_titles(text if is_rst else _FENCE.sub("", text)))
    ids = frozenset(match["id"] for match in _EXPLICIT.finditer(text))
    return _Anchors(ids, titles, frozenset(map(_letters, titles)))


def _titles(text: str) -> list[str]:
    found = [match[1] for match in _HEADING.finditer(text)]
    found += [match["title"] for pattern in (_UNDERLINED, _HTML_HEADING) for match in pattern.finditer(text)]
    plain = [_LINKED.sub(lambda match: match[1] or "", title) for title in found]
    # `<` may begin a tag, or the parameters of a generic type.
    return list(dict.fromkeys(text for title in plain for text in (_TAG.sub("", title), title)))


def _letters(text: str) -> str:
    """Letters and digits only: what the slugs of all site generators have in common."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _verdict(
    look: Look,
    verdict: CodeVerdict,
    reason: str,
    path: str,
    quote: str,
    value: str | None = None,
    confidence: float = SURE,
) -> AgentVerdict:
    stance = Stance.SUPPORTING if verdict is CodeVerdict.VERIFIED else Stance.CONTRADICTING
    evidence = CodeEvidence(
        tier=EvidenceTier.DOCUMENTATION,
        stance=stance,
        path=path,
        quote=quote,
        value=value,
        digest=look.index.digest(path),
    )
    return look.verdict(verdict, reason, [evidence], confidence)
