"""Fits how likely a document is out of date after a change: `python -m training.stale --help`.

Right are the places that the changes in `benchmarks/public_projects/mutations-dev.jsonl` make false. Wrong are all others that have the
old value or name, and every place that the projects' own past commits could have made false: nearly all of them were not. Needs clones of the projects
(CLONES/OWNER+NAME), which are reset. Printed is what the trees find in projects that they were not fitted on, and how often they are right there; written are
trees fitted on all of them, and what makes of their score a likelihood.
"""

import argparse
import json
import math
import random
import subprocess
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.public_projects.data import Mutation, Project, mutations, projects, reset

from training.trees import Boosted, Tree
from veridic.verify.revisions import Revised, find_changes, is_document
from veridic.verify.stale import Candidate, find_candidates

OUTPUT = Path(__file__).parent.parent / "src" / "veridic" / "verify" / "stale.json"
FOLDS = 6
COMMITS = 16
"""Of each project."""
MOST_FILES, MOST_CHANGES, LARGEST = 40, 400, 2_000_000
WEIGHT_OF_A_MUTATION, WEIGHT_OF_A_COMMIT = 60, 15
"""One change may have thousands of candidates."""
MOST_WRONG = 120
THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


_NAMED = frozenset(
    "anchor class command constant_name directory env_var event file fixture function make_target method option option_alias"
    " parameter route script setting_key subcommand variable".split()
)
"""Kinds of changes that rename something; the others change a value."""


class Row(NamedTuple):
    project: str
    change: str
    """The mutation or commit."""
    place: tuple[str, int]
    features: tuple[float, ...]
    is_stale: bool
    is_commit: bool


class Scored(NamedTuple):
    """A place with the highest score that any row gives it."""

    row: Row
    score: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clones", type=Path, required=True, help="the folder with the clones")
    options = parser.parse_args()
    chosen = projects("dev")
    with ProcessPoolExecutor(2) as pool:
        rows = [row for found in pool.map(_rows, chosen, [options.clones] * len(chosen)) for row in found]
    OUTPUT.write_text(fit(rows), encoding="utf-8")


def fit(rows: Sequence[Row]) -> str:
    """What `stale.json` has; prints what trees find that were fitted on other projects."""
    scored = _held_out(rows)
    scale, shift = _calibrated(scored)
    shown = [one._replace(score=scale * one.score + shift) for one in scored]
    _print_found(shown)
    _print_reliability(shown)
    fitted = _fit(rows)
    stored = {
        "base": round(scale * fitted.base + shift, 4),
        "trees": [_rounded(_scaled(tree, scale)) for tree in fitted.fitted],
    }
    return json.dumps(stored, separators=(",", ":")) + "\n"


def _rows(project: Project, clones: Path) -> list[Row]:
    own = [one for one in mutations("dev") if one.repo == project.repo]
    rows = [row for mutation in own for row in _of_mutation(mutation, project, clones)]
    rows += _of_commits(project, clones)
    print(f"{project.repo}: {len(rows)} places", flush=True)
    return rows


def _of_mutation(mutation: Mutation, project: Project, clones: Path) -> list[Row]:
    root = reset(project, clones)
    before = _working_tree(root)
    mutation.apply(root)
    after = _working_tree(root)
    paths = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    candidates = find_candidates([Revised(path, before.get(path), after.get(path)) for path in paths], after)
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
        candidates = find_candidates(revised, _working_tree(root))
        rows += [_row(project.repo, commit, one, is_stale=False, is_commit=True) for one in candidates]
    return rows


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


def _fit(rows: Sequence[Row]) -> Boosted:
    """Of a change with very many places a sample, which counts as much as all."""
    by_change: dict[str, list[Row]] = {}
    for row in rows:
        by_change.setdefault(row.change, []).append(row)
    chosen: list[Row] = []
    weights: list[float] = []
    drawn = random.Random(5)
    for own in by_change.values():
        weight = min(1.0, (WEIGHT_OF_A_COMMIT if own[0].is_commit else WEIGHT_OF_A_MUTATION) / len(own))
        wrong = [row for row in own if not row.is_stale]
        sample = drawn.sample(wrong, MOST_WRONG) if len(wrong) > MOST_WRONG else wrong
        right = [row for row in own if row.is_stale]
        chosen += right + sample
        weights += [weight] * len(right) + [weight * len(wrong) / max(1, len(sample))] * len(sample)
    features = np.array([row.features for row in chosen])
    return Boosted().fit(features, np.array([float(row.is_stale) for row in chosen]), np.array(weights))


def _held_out(rows: Sequence[Row]) -> list[Scored]:
    """Each place with its score by trees that were fitted on other projects."""
    folds = {project: number % FOLDS for number, project in enumerate(sorted({row.project for row in rows}))}
    best: dict[tuple[str, tuple[str, int]], Scored] = {}
    for fold in range(FOLDS):
        fitted = _fit([row for row in rows if folds[row.project] != fold])
        own = [row for row in rows if folds[row.project] == fold]
        scores = fitted.scores(np.array([row.features for row in own]))
        for row, score in zip(own, scores, strict=True):
            known = best.get((row.change, row.place))
            if known is None or score > known.score:
                best[row.change, row.place] = Scored(row, float(score))
    return list(best.values())


def _calibrated(scored: Sequence[Scored]) -> tuple[float, float]:
    """What a score is to be multiplied with and what is to be added, so that it says how often places are right (Platt)."""
    own = [one for one in scored if not one.row.is_commit]
    scores = np.array([one.score for one in own])
    wanted = np.array([float(one.row.is_stale) for one in own])
    scale, shift = 1.0, 0.0
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(scale * scores + shift)))
        bend = chance * (1 - chance)
        slope = np.array([((chance - wanted) * scores).sum(), (chance - wanted).sum()])
        bends = np.array(
            [[(bend * scores**2).sum(), (bend * scores).sum()], [(bend * scores).sum(), bend.sum()]]
        )
        step = np.linalg.solve(bends, slope)
        scale, shift = scale - float(step[0]), shift - float(step[1])
    return scale, shift


def _chance(one: Scored) -> float:
    return 1 / (1 + math.exp(-one.score))


def _print_found(scored: Sequence[Scored]) -> None:
    kinds = {one.id: one.kind for one in mutations("dev")}
    names = {change for change, kind in kinds.items() if kind in _NAMED}
    commits = {one.row.change for one in scored if one.row.is_commit}
    for least in THRESHOLDS:
        alarms = [one.row for one in scored if _chance(one) >= least]
        found = {row.change for row in alarms if row.is_stale}
        right = sum(row.is_stale for row in alarms)
        places = sum(not row.is_commit for row in alarms)
        noisy = {row.change for row in alarms if row.is_commit}
        print(
            f"from {least} on: {len(found)} of {len(kinds)} changes found"
            f" (names {len(found & names)} of {len(names)}, values {len(found - names)} of {len(kinds) - len(names)}),"
            f" {right} of {places} places right, {len(noisy)} of {len(commits)} past commits with an alarm"
        )


def _print_reliability(scored: Sequence[Scored]) -> None:
    own = [one for one in scored if not one.row.is_commit]
    for least, most in pairwise((0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)):
        there = [one for one in own if least <= _chance(one) < most]
        if there:
            said = sum(map(_chance, there)) / len(there)
            print(f"likelihood {said:.2f}: {sum(one.row.is_stale for one in there)} of {len(there)} right")


def _scaled(tree: Tree, scale: float) -> Tree:
    if isinstance(tree, tuple):
        feature, split, low, high = tree
        return feature, split, _scaled(low, scale), _scaled(high, scale)
    return tree * scale


def _rounded(tree: Tree) -> object:
    if isinstance(tree, tuple):
        feature, split, low, high = tree
        return [feature, round(split, 4), _rounded(low), _rounded(high)]
    return round(tree, 4)


if __name__ == "__main__":
    main()
