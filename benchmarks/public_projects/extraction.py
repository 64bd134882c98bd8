"""How many of the checkable statements of READMEs have a claim: `python -m benchmarks.public_projects.extraction --help`.

The statements were listed by hand, by readers who did not know how claims are found.
"""

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.public_projects.data import Project, projects
from veridic.domain.code import AssertionKind, DocClaim
from veridic.verify.documents.claims import find_claims
from veridic.verify.documents.read import read_units
from veridic.verify.documents.vocabulary import vocabulary

_FOLDER = Path(__file__).parent
_DOCUMENTS = (".md", ".mdx", ".rst", ".adoc", *(f".{number}" for number in range(1, 10)))
_KINDS = frozenset(
    "option options property parameter argument command config key flag extra dependency class function method file section of folder the event system "
    "environment variable package name field attribute object module".split()
)
_FAMILIES = {
    "behaviour": {AssertionKind.BEHAVES},
    "default": {AssertionKind.DEFAULT},
    "value": {AssertionKind.EQUALS, AssertionKind.MEMBERS, AssertionKind.DEFAULT, AssertionKind.EXISTS},
    "version": {AssertionKind.REQUIRES, AssertionKind.EQUALS},
    "requires": {AssertionKind.REQUIRES},
    "returns": {AssertionKind.RETURNS},
    "raises": {AssertionKind.RAISES},
    "type": {AssertionKind.BEHAVES, AssertionKind.RETURNS, AssertionKind.SIGNATURE},
    "accepts": {AssertionKind.MEMBERS, AssertionKind.SIGNATURE, AssertionKind.PARAMETER, AssertionKind.EXISTS, AssertionKind.BEHAVES},
}  # fmt: skip
"""Kinds of assertions that say such an attribute; any kind says that its subject exists."""
_VALUED = ("default", "version", "requires", "returns", "raises", "value")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clones", type=Path, required=True, help="the folder with the clones")
    parser.add_argument("--half", choices=["dev", "held"], default="dev")
    parser.add_argument(
        "--missed", action="store_true", help="print statements without a claim, or with a wrong subject"
    )
    parser.add_argument("--sample", type=int, default=0, help="print so many claims at random")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    statements: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with (_FOLDER / f"statements-{options.half}.jsonl").open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            statements[row["repo"]].append(row)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    everything: list[DocClaim] = []
    for project in projects(options.half):
        if not options.sample and project.repo not in statements:
            continue
        claims, lines = _claims(project, options.clones)
        everything += claims
        print(
            f"{project.repo}: {len(claims)} claims on {lines} lines, {len(claims) / max(lines, 1):.2f} for each"
        )
        for row in statements.get(project.repo, ()):
            _count(row, claims, counts, is_shown=options.missed)
    _print(counts)
    if options.sample:
        for claim in random.Random(options.seed).sample(everything, options.sample):
            said = claim.assertion
            subject = f"{said.subject.kind}:{said.subject.name}" if said.subject else "-"
            owner = f" of {said.subject.owner}" if said.subject and said.subject.owner else ""
            print(
                f"{claim.document}:{claim.line} {said.kind} {subject}{owner} = {list(said.expected)} | {claim.text[:200]}"
            )


def _claims(project: Project, clones: Path) -> tuple[list[DocClaim], int]:
    root = project.clone(clones)
    units = []
    lines = 0
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if (
            path.suffix.lower() in _DOCUMENTS
            and path.is_file()
            and not re.search(r"(?:^|/)(?:\.git|tests?|node_modules)/", name)
        ):
            text = path.read_text(encoding="utf-8", errors="replace")
            lines += text.count("\n") + 1
            units += read_units(name, text)
    return find_claims(units, vocabulary(units)), lines


def _count(
    row: dict[str, Any], claims: list[DocClaim], counts: dict[str, Counter[str]], *, is_shown: bool
) -> None:
    at = [
        claim
        for claim in claims
        if claim.document == row["path"] and claim.line <= row["line"] <= claim.end_line
    ]
    right = [claim for claim in at if _is_subject(row["subject"], claim)]
    family = _FAMILIES.get(row["attribute"])
    told = [
        claim
        for claim in right
        if (family is None or claim.assertion.kind in family) and _is_value(row, claim)
    ]
    for name in (row["attribute"], "all"):
        counts[name].update(stated=1, claimed=bool(at), subject=bool(right), value=bool(told))
    if is_shown and not right:
        found = sorted({claim.assertion.subject.name for claim in at if claim.assertion.subject})
        print(
            f"{'SUBJECT' if at else 'MISSED '} {row['repo']}:{row['line']} {row['attribute']} {row['subject']} = {row['value']} | {row['quote']} | {found}"
        )


def _is_subject(subject: str, claim: DocClaim) -> bool:
    """Whether one's name is in the other: `option -r/--runs` is `--runs`."""
    entity = claim.assertion.subject
    if entity is None:
        return False
    names = {part.lower() for part in (entity.name, entity.owner or "", claim.owner or "") if part}
    plain = subject.lower().replace("`", "").replace("()", "")
    whole = [word for word in re.split(r"[\s/]+", plain) if word not in _KINDS] or [plain]
    if any(name in whole or name.rpartition(".")[2] in whole for name in names):
        return True
    dotted = {word.rpartition(".")[2] for word in whole}
    if any(name.rpartition(".")[2] in dotted for name in names):
        return True
    # A path or an address that ends with the other; an extra in a package's name.
    return any(
        len(word) > 3
        and (
            name.endswith(word)
            or (word.endswith(name) and len(name) > 3)
            or f"[{word}]" in name
            or f"/{word}" in name
        )
        for word in whole
        for name in names
    )


def _is_value(row: dict[str, Any], claim: DocClaim) -> bool:
    if row["attribute"] not in _VALUED:
        return True
    said = {one.lower().strip() for one in claim.assertion.expected}
    if not said and row["attribute"] == "value" and claim.assertion.subject:
        said = {claim.assertion.subject.name.lower()}
    value = row["value"].lower()
    return any(one and (one in value or value in one) for one in said)


def _print(counts: dict[str, Counter[str]]) -> None:
    print(f"{'attribute':<12}{'stated':>7}{'claimed':>9}{'subject':>9}{'value':>7}")
    for name, count in sorted(counts.items(), key=lambda pair: pair[1]["stated"]):
        shares = [count[key] / count["stated"] for key in ("claimed", "subject", "value")]
        print(f"{name:<12}{count['stated']:>7}{shares[0]:>9.2f}{shares[1]:>9.2f}{shares[2]:>7.2f}")


if __name__ == "__main__":
    main()
