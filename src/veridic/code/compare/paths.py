"""Paths that a document names: files and folders of the repository."""

import re
from difflib import get_close_matches
from posixpath import basename, dirname, join, normpath

from veridic.code.compare.looking import FAIRLY_SURE, SURE, Look
from veridic.domain.code import AgentVerdict, CodeEvidence, CodeVerdict, Entity, EvidenceTier
from veridic.domain.evidence import Stance

_NOT_ONE_PATH = re.compile(r"[*?<>{}$|~%\s\\]|^/|^[a-z][a-z0-9+.-]*:|\.\.\.|…")
_MADE_BY_SOMEONE = re.compile(
    r"\b(?:creat\w+|generat\w+|writ(?:e|es|ten|ing)|outputs?|produc\w+|sav(?:e|es|ed|ing)|your|my|(?<!for an )example|e\.g|new "
    r"file|add a|will be|built|build|download\w*|place|put|copy|ignored?|removed|deleted|renamed|formerly|no longer)\b",
    re.IGNORECASE,
)
_OF_A_TUTORIAL = re.compile(r"tutorial|cookbook|recipes?\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:github|gitlab|repositor\w+|repos?|docker|images?|registry|organi[sz]ation)\b", re.IGNORECASE
)
_GENERATED = re.compile(
    r"(?:^|/)(?:build|dist|target|out|output|node_modules|\.venv|venv|_build|site|coverage|htmlcov|tmp|cache)(?:/|$)"
)


def compare_path(look: Look, subject: Entity) -> AgentVerdict | None:
    """Whether the path is there; one that is not is refuted only below a folder that is."""
    written = subject.name.removeprefix("./").rstrip("/")
    if not written or _NOT_ONE_PATH.search(written):
        return None
    repository = look.index.repository
    places = [normpath(join(folder, written)) for folder in ("", dirname(look.claim.document))]
    there = next((place for place in places if not place.startswith("..") and repository.exists(place)), None)
    if there:
        return look.verdict(
            CodeVerdict.VERIFIED, f"{there} is there.", [_seen(look, there, Stance.SUPPORTING)], SURE
        )
    folder = dirname(places[0])
    is_meant = folder and not folder.startswith("..") and repository.exists(folder)
    if (
        not is_meant
        or _OF_A_TUTORIAL.search(look.claim.document)
        or _GENERATED.search(places[0])
        or _MADE_BY_SOMEONE.search(look.claim.text)
    ):
        return None
    moved = _moved(look, written)
    if not moved and "." not in basename(written) and _may_be_elsewhere(look):
        return None
    tail = f"; {moved} is" if moved else ""
    evidence = [_seen(look, folder, Stance.CONTRADICTING, moved)]
    return look.verdict(
        CodeVerdict.REFUTED,
        f"{folder}/ has no {basename(written)}{tail}.",
        evidence,
        SURE if moved else FAIRLY_SURE,
    )


def _may_be_elsewhere(look: Look) -> bool:
    """A folder in a guide is likely one of the reader's own project; `owner/name` may be a repository or an image."""
    return "/" in look.claim.document or _ELSEWHERE.search(look.claim.text) is not None


def _seen(look: Look, path: str, stance: Stance, value: str | None = None) -> CodeEvidence:
    """A file or folder as evidence: what it is, or what a folder holds."""
    inside = sorted(
        {
            file.path[len(path) + 1 :].partition("/")[0]
            for file in look.index.repository.files
            if file.path.startswith(f"{path}/")
        }
    )
    quote = f"{path}/: {', '.join(inside[:12])}{', …' if len(inside) > 12 else ''}" if inside else path
    return CodeEvidence(
        tier=EvidenceTier.CODE,
        stance=stance,
        path=path,
        quote=quote,
        value=value,
        digest=look.index.digest(path),
    )


def _moved(look: Look, written: str) -> str | None:
    """The one file that has its name elsewhere, or nearly its name in the same folder, as the document would write it."""
    said = look.expected[0].removeprefix("./").rstrip("/") if len(look.expected) == 1 else written
    if not written.endswith(said):
        return None
    root = written[: -len(said)]
    paths = [file.path for file in look.index.repository.files if file.path.startswith(root)]
    same = [path for path in paths if basename(path) == basename(written)]
    beside = {basename(path): path for path in paths if dirname(path) == dirname(written)}
    found = same or [beside[name] for name in get_close_matches(basename(written), beside, n=2, cutoff=0.8)]
    return found[0].removeprefix(root) if len(found) == 1 else None
