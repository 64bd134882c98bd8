"""What differs between two revisions of a project and documents may mention: values, names, files and headings."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.verify.changed import Change, changes_between
from veridic.verify.source_text import SourceText, TokenKind, read_source
from veridic.verify.spellings import pieces
from veridic.verify.units import headings_of

_DOCUMENTS = frozenset("md markdown mdx rst adoc asciidoc txt org html man 1 2 3 4 5 6 7 8".split())
_DATA = frozenset("lock sum svg csv tsv min map snap".split())
_LOCKED = re.compile(r"[-_.]lock\.\w+$|[-_]lockfile", re.IGNORECASE)
_HISTORY = re.compile(r"(?:^|[\W\d_])(?:change|history|news|release|upgrad|migrat|blog)", re.IGNORECASE)
_TESTS = re.compile(
    r"(?:^|/)(?:tests?|testing|specs?|__tests__|fixtures?|testdata|snapshots?)(?:/|$)|(?:_test|\.test|\.spec|Test)\.\w+$"
)
_SAME_FILE = 0.5
"""From this share of common lines on, a new file is an old one that was moved."""


class Revised(NamedTuple):
    """A file before and after; None if it did not or does not exist."""

    path: str
    before: str | None
    after: str | None


def is_document(path: str) -> bool:
    name = PurePosixPath(path)
    return name.suffix.removeprefix(".").lower() in _DOCUMENTS or (not name.suffix and name.name.isupper())


def is_test(path: str) -> bool:
    return _TESTS.search(path) is not None


def is_looked_at(path: str) -> bool:
    """Whether a file is code or a document of the project: not data, not a test, not a changelog."""
    name = PurePosixPath(path)
    return (
        not _DATA.intersection(part.lower() for part in name.name.split(".")[1:])
        and not _LOCKED.search(path)
        and not is_test(path)
        and not (is_document(path) and any(map(_HISTORY.search, (name.name, *name.parent.parts[-1:]))))
    )


def find_changes(revised: Sequence[Revised]) -> list[Change]:
    """Every value and name that the code no longer has where it was, every file that was moved or deleted, and every heading
    that links may lead to and that is gone.
    """
    found: list[Change] = []
    then: Counter[str] = Counter()
    now: Counter[str] = Counter()
    moved = _moved(revised)
    texts = {path: after for path, _, after in revised if after is not None}
    for path, before, _ in revised:
        after = texts.get(moved.get(path, path))
        if before is not None and path not in texts:
            found += _changes_of_path(path, moved.get(path))
        if is_document(path):
            found += _changes_of_headings(path, before, after) if before and after else ()
        elif is_looked_at(path):
            old, new = _source(path, before), _source(path, after)
            then.update(token.text for token in old.tokens)
            now.update(token.text for token in new.tokens if path in texts)
            if before is not None:
                changes = changes_between(path, old, new, before, after or "")
                # In a deleted file each name counts once, and its values no longer belong to anything.
                found += changes if after is not None else _distinct_names(changes)
    return [
        change._replace(
            left=min(1.0, now[change.old] / max(1, then[change.old])),
            known=change.new is not None and then[change.new] > 0,
        )
        for change in found
        # A name that is as frequent as before has only been moved.
        if change.kind is not TokenKind.NAME or now[change.old] < max(1, then[change.old])
    ]


def _distinct_names(changes: Sequence[Change]) -> Iterable[Change]:
    """The changes of names that consist of several words, one for each name."""
    own = [change for change in changes if change.kind is TokenKind.NAME and len(pieces(change.old)) > 1]
    return {change.old: change for change in own}.values()


def _source(path: str, text: str | None) -> SourceText:
    return read_source(path, text) if text is not None else SourceText((), ())


def _moved(revised: Sequence[Revised]) -> dict[str, str]:
    """Where missing files were moved: to the new file that has most of their lines."""
    new = {one.path: frozenset((one.after or "").split("\n")) for one in revised if one.before is None}
    found = {}
    for path, before, after in revised:
        if before is None or after is not None:
            continue
        lines = frozenset(before.split("\n"))
        shares = {other: len(lines & others) / len(lines | others) for other, others in new.items()}
        best = max(shares, key=lambda other: shares[other], default=None)
        if best is not None and shares[best] >= _SAME_FILE:
            found[path] = best
    return found


def _changes_of_path(path: str, now: str | None) -> Iterator[Change]:
    old, new = PurePosixPath(path), PurePosixPath(now) if now else None
    folders = tuple(part for part in old.parent.parts if part != ".")
    yield Change(path, now, TokenKind.TEXT, path, 1, (), folders, path, now or "", 1, (1, 1))
    if len(old.parts) > 1 and (new is None or new.name != old.name):
        name = new.name if new else None
        yield Change(old.name, name, TokenKind.TEXT, path, 1, folders, (), path, now or "", 1, (1, 1))


def _changes_of_headings(path: str, before: str, after: str) -> Iterator[Change]:
    """The anchors of a document that links led to and that are gone."""
    then, now = ({_anchor(one.text): one for one in headings_of(path, text)} for text in (before, after))
    gone = [one for anchor, one in then.items() if anchor not in now]
    new = [one for anchor, one in now.items() if anchor not in then]
    for heading, replacement in zip(gone, [*new, *[None] * len(gone)], strict=False):
        anchor = _anchor(heading.text)
        if len(anchor) > 1:
            yield Change(
                f"#{anchor}",
                f"#{_anchor(replacement.text)}" if replacement else None,
                TokenKind.TEXT,
                path,
                heading.line,
                (PurePosixPath(path).name,),
                (),
                heading.text,
                replacement.text if replacement else "",
                heading.line,
                (heading.line, heading.line),
            )


def _anchor(heading: str) -> str:
    """The anchor that repository hosts make of a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))
