"""How many stale statements `veridic verify` finds in public projects: `python -m benchmarks.public_projects --help`.

Each project is expected as a clone in CLONES/OWNER+NAME. Clones are reset to the commit that the data hold for.
"""

import argparse
import json
import subprocess
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.public_projects.data import Mutation, Project, mutations, projects, reset

_ALARMS = ("Refuted", "Stale", "Misleading", "Incomplete", "Contested")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clones", type=Path, required=True, help="the folder with the clones")
    parser.add_argument("--half", choices=["dev", "held"], default="dev")
    parser.add_argument("--whole", action="store_true", help="without looking at the difference")
    parser.add_argument("--all", action="store_true", help="with what `veridic verify --all` shows")
    parser.add_argument("--only", default="", help="mutations whose id begins so")
    parser.add_argument("--output", type=Path, help="write every alarm there, as JSON lines")
    options = parser.parse_args()
    by_repo = {project.repo: project for project in projects(options.half)}
    found: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    beside = 0
    rows: list[dict[str, Any]] = []
    for mutation in mutations(options.half):
        if not mutation.id.startswith(options.only):
            continue
        alarms = _alarms(mutation, by_repo[mutation.repo], options)
        hits = [alarm for alarm in alarms if _is_at(alarm, mutation)]
        asked[mutation.kind] += 1
        found[mutation.kind] += bool(hits)
        beside += len(alarms) - len(hits)
        rows += [{"mutation": mutation.id, "expected": alarm in hits, **alarm} for alarm in alarms]
        print(
            f"{'found ' if hits else 'MISSED'} {mutation.id} {mutation.kind}: {mutation.what[:90]}",
            flush=True,
        )
    for kind, number in sorted(asked.items()):
        print(f"{kind}: {found[kind]} of {number}")
    print(f"all: {found.total()} of {asked.total()}; alarms beside them: {beside}")
    if options.output:
        options.output.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _alarms(mutation: Mutation, project: Project, options: argparse.Namespace) -> list[dict[str, Any]]:
    root = reset(project, options.clones)
    mutation.apply(root)
    command = ["veridic", "verify", "--repo", str(root), "--format", "json"]
    command += [] if options.whole else ["--changed"]
    command += ["--all"] if options.all else []
    with TemporaryDirectory() as home:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment(home))
    if not done.stdout:
        raise SystemExit(f"{mutation.id}: {done.stderr[-500:]}")
    report = json.loads(done.stdout)
    return [finding for finding in report["findings"] if finding["verdict"] in _ALARMS]


def _environment(home: str) -> dict[str, str]:
    import os

    return {**os.environ, "VERIDIC_HOME": home, "VERIDIC_LOG_LEVEL": "ERROR"}


def _is_at(alarm: dict[str, Any], mutation: Mutation) -> bool:
    first, last = alarm["line"], alarm.get("end_line") or alarm["line"]
    return any(
        place.path == alarm["document"] and first - 1 <= place.line <= last + 1
        for place in mutation.documents
    )


if __name__ == "__main__":
    main()
