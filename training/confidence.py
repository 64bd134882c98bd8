"""Counts how often the alarms of each kind of `veridic verify` are right: `python -m training.confidence`.

A kind is a rule with what its alarm rests on. Every labelled alarm on a public project as it was counts, whatever was mended since: what went
wrong in one project tells how the kind fares in the next. Alarms of one kind and one cause in a project count once; a row without a cause has
its reason (`why`) in place of it. A cause that is sometimes right and sometimes wrong counts as both.

Not counted: alarms at places that our own changes made false (`mutation`), which could not be wrong; the held half and round 5, which measure;
kinds that no rule raises any more, because there is nothing left to be sure of.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridic.verify.confidence import SHOWN_FROM, sure_of

_ROOT = Path(__file__).parent.parent
_LABELLED = _ROOT / "benchmarks" / "public_projects"
ROUNDS = ("dev", "unseen", "fresh", "round4", "counted")
"""The endings of the files that count."""
GONE = frozenset(
    {
        "environment variable: prefix of others",
        "gone name: defined at the line's commit",
        "gone name: tested",
        "signature: default",
    }
)
"""Kinds that the rules do not have any more."""
OUTPUT = _ROOT / "src" / "veridic" / "verify" / "confidence.json"


def main() -> None:
    right, wrong = counted()
    kinds = sorted({*right, *wrong}, key=lambda kind: (-sure_of(right[kind], wrong[kind]), kind))
    stored = {"alarms": {kind: [right[kind], wrong[kind]] for kind in sorted(kinds)}}
    OUTPUT.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    for kind in kinds:
        sure = sure_of(right[kind], wrong[kind])
        shown = "  shown by default" if sure >= SHOWN_FROM else ""
        print(f"{sure:.2f}  {right[kind]:3} right  {wrong[kind]:3} wrong  {kind}{shown}")
    print(f"{right.total()} right and {wrong.total()} wrong causes")


def counted() -> tuple[Counter[str], Counter[str]]:
    """How many causes of each kind were right, and how many were wrong."""
    causes = {
        (row["repo"], row["rule"], row.get("cause") or row["why"], row["right"])
        for row in rows()
        if "mutation" not in row and row["rule"] not in GONE
    }
    right = Counter(kind for _, kind, _, is_right in causes if is_right)
    wrong = Counter(kind for _, kind, _, is_right in causes if not is_right)
    return right, wrong


def rows() -> Iterator[dict[str, Any]]:
    """The labelled alarms of all rounds that count."""
    for name in ROUNDS:
        text = (_LABELLED / f"alarms-{name}.jsonl").read_text(encoding="utf-8")
        yield from map(json.loads, text.splitlines())


if __name__ == "__main__":
    main()
