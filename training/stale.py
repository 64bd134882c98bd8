"""Fits how likely a document is out of date after a change: `python -m training.stale --help`.

Right are the places that the changes in `benchmarks/public_projects/mutations-dev.jsonl` make false. Wrong are all others that have the
old value or name, and every place that the projects' own past commits could have made false: nearly all of them were not. Needs clones of the projects
(CLONES/OWNER+NAME). Printed is what the trees find in projects that they were not fitted on; written are trees fitted on all of them.
"""

import argparse
import json
import random
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.public_projects.data import Mutation, Project, mutations, projects, reset

from training.trees import Boosted, Tree
from veridic.verify.revisions import Revised, find_changes, is_document
from veridic.verify.stale import Candidate, Documents, find_candidates

OUTPUT = Path(__file__).parent.parent / "src" / "veridic" / "verify" / "stale.json"
FOLDS = 6
COMMITS = 16
"""Of each project."""
MOST_FILES, MOST_CHANGES, LARGEST = 40, 400, 2_000_000
WEIGHT_OF_A_MUTATION, WEIGHT_OF_A_COMMIT = 30, 15
"""One change may have thousands of candidates."""
THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class Row(NamedTuple):
    project: str
    change: str
    """The mutation or commit."""
    place: tuple[str, int]
    features: tuple[float, ...]
    is_stale: bool
    is_commit: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clones", type=Path, required=True, help="the folder with the clones")
    options = parser.parse_args()
    rows: list[Row] = []
    for project in projects("dev"):
        own = [one for one in mutations("dev") if one.repo == project.repo]
        rows += [row for mutation in own for row in _of_mutation(mutation, project, options.clones)]
        rows += _of_commits(project, options.clones)
        print(f"{project.repo}: {len(rows)} rows so far", flush=True)
    _print_held_out(rows)
    fitted = _fit(rows)
    stored = {"base": round(fitted.base, 4), "trees": [_rounded(tree) for tree in fitted.fitted]}
    OUTPUT.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


def _of_mutation(mutation: Mutation, project: Project, clones: Path) -> list[Row]:
    root = reset(project, clones)
    before = _working_tree(root)
    mutation.apply(root)
    after = _working_tree(root)
    paths = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    candidates = _candidates([Revised(path, before.get(path), after.get(path)) for path in paths], after)
    false = {(place.path, place.line) for place in mutation.documents}

    def is_stale(candidate: Candidate) -> bool:
        lines = range(candidate.unit.line, candidate.unit.end_line + 1)
        return any((candidate.unit.path, line) in false for line in lines)

    # Some projects keep their documents twice, for the last release and the next.
    said = {candidate.unit.text for candidate in candidates if is_stale(candidate)}
    return [
        _row(mutation.repo, mutation.id, candidate, is_stale(candidate), is_commit=False)
        for candidate in candidates
        if is_stale(candidate) or candidate.unit.text not in said
    ]


def _of_commits(project: Project, clones: Path) -> list[Row]:
    root = reset(project, clones)
    commits = _git(root, "log", "--no-merges", "--format=%H %P", "-n", "400").splitlines()
    random.Random(project.repo).shuffle(commits)
    rows: list[Row] = []
    used = 0
    for line in commits:
        commit, _, parent = line.partition(" ")
        if not parent or used == COMMITS:
            continue
        paths = [path for path in _git(root, "diff", "--name-only", "-z", parent, commit).split("\0") if path]
        if all(map(is_document, paths)) or len(paths) > MOST_FILES:
            continue
        revised = [Revised(path, _at(root, parent, path), _at(root, commit, path)) for path in paths]
        if not 0 < len(find_changes(revised)) <= MOST_CHANGES:
            continue
        used += 1
        _git(root, "checkout", "-qf", commit)
        candidates = _candidates(revised, _working_tree(root))
        rows += [_row(project.repo, commit, one, is_stale=False, is_commit=True) for one in candidates]
    return rows


def _candidates(revised: list[Revised], now: Mapping[str, str]) -> list[Candidate]:
    changes = find_changes(revised)
    return find_candidates(changes, Documents(now, changes))


def _row(project: str, change: str, candidate: Candidate, is_stale: bool, *, is_commit: bool) -> Row:
    place = (candidate.unit.path, candidate.unit.line)
    return Row(project, change, place, candidate.features, is_stale, is_commit)


def _working_tree(root: Path) -> dict[str, str]:
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    found: dict[str, str] = {}
    for path in filter(None, listed):
        file = root / path
        if file.is_file() and not file.is_symlink() and file.stat().st_size < LARGEST:
            found |= _text(path, file.read_bytes())
    return found


def _at(root: Path, commit: str, path: str) -> str | None:
    done = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=root, capture_output=True, check=False)
    return _text(path, done.stdout).get(path) if done.returncode == 0 else None


def _text(path: str, content: bytes) -> dict[str, str]:
    return {} if b"\0" in content[:2000] else {path: content.decode("utf-8", "replace")}


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def _fit(rows: list[Row]) -> Boosted:
    counts = Counter(row.change for row in rows)
    weights = [
        min(1.0, (WEIGHT_OF_A_COMMIT if row.is_commit else WEIGHT_OF_A_MUTATION) / counts[row.change])
        for row in rows
    ]
    features = np.array([row.features for row in rows])
    return Boosted().fit(features, np.array([float(row.is_stale) for row in rows]), np.array(weights))


def _print_held_out(rows: list[Row]) -> None:
    folds = {project: number % FOLDS for number, project in enumerate(sorted({row.project for row in rows}))}
    scored: list[tuple[Row, float]] = []
    for fold in range(FOLDS):
        fitted = _fit([row for row in rows if folds[row.project] != fold])
        own = [row for row in rows if folds[row.project] == fold]
        scored += zip(own, fitted.predict(np.array([row.features for row in own])), strict=True)
    asked = len(mutations("dev"))
    for least in THRESHOLDS:
        print(f"from {least} on:", *_told(scored, least, asked))


def _told(scored: list[tuple[Row, float]], least: float, asked: int) -> Iterator[str]:
    alarms = [row for row, chance in scored if chance >= least]
    found = {row.change for row in alarms if row.is_stale}
    places = {(row.change, row.place) for row in alarms if not row.is_commit}
    right = {(row.change, row.place) for row in alarms if row.is_stale}
    noisy = {row.change for row in alarms if row.is_commit}
    commits = {row.change for row, _ in scored if row.is_commit}
    yield f"{len(found)} of {asked} changes found, {len(right)} of {len(places)} places right,"
    yield f"{len(noisy)} of {len(commits)} past commits with an alarm"


def _rounded(tree: Tree) -> object:
    if isinstance(tree, tuple):
        feature, split, low, high = tree
        return [feature, round(split, 4), _rounded(low), _rounded(high)]
    return round(tree, 4)


if __name__ == "__main__":
    main()
