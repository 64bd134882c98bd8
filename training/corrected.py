"""What past commits of a project corrected in its documents and comments, together with the code that made them false.

The documents as they were before such a commit, beside the code after it, are what `--changed` is to find: the people who know the project
said which places are false, and by leaving them alone which aren't.
"""

import random
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from training.clones import at, git, working_tree
from veridic.verify.changed import Change, Derived
from veridic.verify.differences import differences
from veridic.verify.revisions import Revised, find_changes, is_document, is_looked_at
from veridic.verify.source_text import TokenKind, read_source
from veridic.verify.spellings import pieces, spellings
from veridic.verify.stale import Candidate, find_candidates

MOST_TRIED, MOST_USED = 80, 12
"""Commits of each project."""
SHARE_WITHOUT_DOCUMENTS = 0.15
MOST_FILES, MOST_CHANGES, LONGEST_FILE = 40, 400, 300_000
MOST_LINES = 12
"""A longer stretch was rewritten, which doesn't show what was false in it."""


class Labelled(NamedTuple):
    commit: str
    candidate: Candidate
    is_stale: bool


class _Stretch(NamedTuple):
    """Lines that a commit replaced: their numbers before it, and what they said before and after."""

    first: int
    last: int
    old: str
    new: str


def corrected(root: Path, seed: str) -> Iterator[Labelled]:
    """Places in a clone as they were before commits that corrected some of them; the clone is left at any of these."""
    drawn = random.Random(seed)
    commits = list(_commits(root))
    drawn.shuffle(commits)
    tried = used = 0
    for commit, parent, paths in commits:
        if tried == MOST_TRIED or used == MOST_USED:
            return
        code = [path for path in paths if is_looked_at(path) and not is_document(path)]
        has_documents = any(is_looked_at(path) and is_document(path) for path in paths)
        if not code or len(paths) > MOST_FILES:
            continue
        if not has_documents and drawn.random() > SHARE_WITHOUT_DOCUMENTS:
            continue
        tried += 1
        found = _labelled(root, commit, parent, paths)
        if any(one.is_stale for one in found):
            used += 1
            yield from found


def _commits(root: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Each commit with its parent and its paths."""
    log = ("log", "--no-merges", "--no-renames", "--name-only", "-z", "--format=%x01%H %P", "-n", "3000")
    for part in git(root, *log).split("\x01")[1:]:
        head, *names = part.replace("\n", "").split("\0")
        if len(head.split()) == 2:
            commit, parent = head.split()
            yield commit, parent, [name for name in names if name]


def _labelled(root: Path, commit: str, parent: str, paths: Sequence[str]) -> list[Labelled]:
    """Every place that the code of a commit may have made false, without those that it doesn't tell of."""
    then: dict[str, str] = {}
    replaced: dict[str, list[_Stretch]] = {}
    revised: list[Revised] = []
    for path in paths:
        before, after = at(root, parent, path), at(root, commit, path)
        both = before is not None and after is not None and is_looked_at(path)
        if before and after and both and max(len(before), len(after)) < LONGEST_FILE:
            if is_document(path):
                then[path], replaced[path] = before, _stretches(before, after)
            else:
                then[path], replaced[path] = _with_old_prose(path, before, after)
        if not is_document(path):
            revised.append(Revised(path, before, then.get(path, after)))
    changes = find_changes(revised)
    if not 0 < len(changes) <= MOST_CHANGES or not _may_correct(changes, replaced):
        return []
    try:
        git(root, "checkout", "-qf", commit)
    except subprocess.CalledProcessError:
        return []  # a filter or a file name that this machine can't have
    candidates = find_candidates(revised, working_tree(root) | then)
    found = [(one, _is_corrected(one, replaced)) for one in candidates]
    said = {one.unit.text for one, is_stale in found if is_stale}
    return [
        Labelled(commit, one, is_stale)
        for one, is_stale in found
        if is_stale is not None and (is_stale or one.unit.text not in said)
    ]


def _stretches(before: str, after: str) -> list[_Stretch]:
    old, new = before.split("\n"), after.split("\n")
    return [
        _Stretch(i1 + 1, i2, "\n".join(old[i1:i2]), "\n".join(new[j1:j2]))
        for i1, i2, j1, j2 in differences(old, new)
        if i2 > i1
    ]


def _with_old_prose(path: str, before: str, after: str) -> tuple[str, list[_Stretch]]:
    """A new source file with its old comments and texts for users, and where those are that were replaced."""
    old, new = before.split("\n"), after.split("\n")
    prose, prose_now = _lines_of_prose(path, before), _lines_of_prose(path, after)
    lines: list[str] = []
    found: list[_Stretch] = []
    done = 0
    for i1, i2, j1, j2 in differences(old, new):
        lines += new[done:j1]
        done = j2
        if i2 > i1 and prose.issuperset(range(i1, i2)) and prose_now.issuperset(range(j1, j2)):
            start = len(lines) + 1
            found.append(_Stretch(start, start + i2 - i1 - 1, "\n".join(old[i1:i2]), "\n".join(new[j1:j2])))
            lines += old[i1:i2]
        else:
            lines += new[j1:j2]
    return "\n".join([*lines, *new[done:]]), found


def _lines_of_prose(path: str, text: str) -> set[int]:
    """The lines, from 0, that have nothing but comments and texts for users, or nothing at all."""
    source = read_source(path, text)
    found = {number for number, line in enumerate(text.split("\n")) if not line.strip()}
    for prose in source.prose:
        found.update(range(prose.line, prose.line + prose.text.rstrip("\n").count("\n") + 1))
    return found - {token.line for token in source.tokens if token.kind is not TokenKind.MARK}


def _may_correct(changes: Sequence[Change], replaced: Mapping[str, Sequence[_Stretch]]) -> bool:
    stretches = [stretch for found in replaced.values() for stretch in found]
    return any(
        _says(change.old, change, stretch.old) and (change.new is None or _says_new(change, stretch.new))
        for change in changes
        for stretch in stretches
    )


def _is_corrected(candidate: Candidate, replaced: Mapping[str, Sequence[_Stretch]]) -> bool | None:
    """Whether the commit replaced what a place says by what the code has now; None if it doesn't show."""
    change, unit = candidate.change, candidate.unit
    own = [one for one in replaced.get(unit.path, ()) if one.first <= unit.end_line and unit.line <= one.last]
    if not own:
        return False
    old, new = "\n".join(one.old for one in own), "\n".join(one.new for one in own)
    if old.count("\n") >= MOST_LINES:
        return None
    if change.derived is Derived.LIST:
        return True if _says_new(change, new) and not _says_new(change, old) else None
    if new.count(candidate.written) >= old.count(candidate.written):
        return False
    if change.new is None:
        is_gone = change.quote_old == change.path or change.old.startswith("-") or len(pieces(change.old)) > 1
        return True if is_gone and change.kind is not TokenKind.NUMBER else None
    return True if new.count(change.new) > old.count(change.new) or _says_new(change, new) else None


def _says_new(change: Change, text: str) -> bool:
    return change.new is not None and (change.new in text or _says(change.new, change, text))


def _says(value: str, change: Change, text: str) -> bool:
    return any(one.pattern.search(text) for one in spellings(value, change.kind, change.unit))
