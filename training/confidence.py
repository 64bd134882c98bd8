"""Counts how often the alarms of each rule of `veridic verify` are right: `python -m training.confidence`.

`benchmarks/public_projects/alarms-dev.jsonl` has alarms on public projects as they are, each judged by a reader who opened the code, and
those at places that a change of `mutations-dev.jsonl` made false, which are right by the way they were made (one for each change and rule).
`alarms-fresh.jsonl` has alarms on projects that the rules had never seen. Those of one cause in one project count once. Wrong ones count though
their case was mended, since what went wrong in a new project tells how a rule fares in the next one; those of a kind that a rule no longer raises
at all do not.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parent.parent
_LABELLED = _ROOT / "benchmarks" / "public_projects"
ALARMS = (_LABELLED / "alarms-dev.jsonl", _LABELLED / "alarms-fresh.jsonl")
OUTPUT = _ROOT / "src" / "veridic" / "verify" / "confidence.json"


def main() -> None:
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for row in _counted():
        (right if row["right"] else wrong)[row["rule"]] += 1
    rules = sorted({*right, *wrong})
    stored = {"alarms": {rule: [right[rule], wrong[rule]] for rule in rules}}
    OUTPUT.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    for rule in rules:
        print(f"{rule}: {right[rule]} right, {wrong[rule]} wrong")


def _counted() -> Iterator[dict[str, Any]]:
    """The labelled alarms, of each cause in a project one for each rule."""
    seen: set[tuple[str, str, str]] = set()
    for file in ALARMS:
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            key = (row["repo"], row["rule"], row.get("cause", ""))
            if key not in seen and row.get("mended") != "kind":
                yield row
            if "cause" in row:
                seen.add(key)


if __name__ == "__main__":
    main()
