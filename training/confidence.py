"""Counts how often the alarms of each rule of `veridic verify` are right: `python -m training.confidence`.

`benchmarks/public_projects/alarms-dev.jsonl` has alarms on public projects as they are, each judged by a reader who opened the code, and
those at places that a change of `mutations-dev.jsonl` made false, which are right by the way they were made (one for each change and rule).
"""

import json
from collections import Counter
from pathlib import Path

_ROOT = Path(__file__).parent.parent
ALARMS = _ROOT / "benchmarks" / "public_projects" / "alarms-dev.jsonl"
OUTPUT = _ROOT / "src" / "veridic" / "verify" / "confidence.json"


def main() -> None:
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    with ALARMS.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            (right if row["right"] else wrong)[row["rule"]] += 1
    rules = sorted({*right, *wrong})
    stored = {"alarms": {rule: [right[rule], wrong[rule]] for rule in rules}}
    OUTPUT.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    for rule in rules:
        print(f"{rule}: {right[rule]} right, {wrong[rule]} wrong")


if __name__ == "__main__":
    main()
