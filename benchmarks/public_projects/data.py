"""Public projects, and changes to their code that leave their documents wrong.

Nothing of the projects themselves is kept here: their names with the commits that the data hold for, the smallest edits that
make each change, and the places that are false afterwards. The half `held` is looked at only to measure.
"""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

_FOLDER = Path(__file__).parent
Half = Literal["dev", "held"]


class Project(NamedTuple):
    repo: str
    """Owner and name, as its host has them."""
    commit: str
    language: str
    half: Half

    def clone(self, clones: Path) -> Path:
        """Where its clone is expected."""
        return clones / self.repo.replace("/", "+")


class Stated(NamedTuple):
    """Words in a document."""

    path: str
    line: int
    quote: str


class Mutation(NamedTuple):
    id: str
    repo: str
    kind: str
    what: str
    edits: tuple[dict[str, Any], ...]
    documents: tuple[Stated, ...]
    """What is false once the edits are made."""

    def apply(self, root: Path) -> None:
        """Make the edits in a clone."""
        for edit in self.edits:
            _EDITS[edit["op"]](root, edit)


def projects(half: Half) -> list[Project]:
    found = (Project(**row) for row in _rows("projects"))
    return [project for project in found if project.half == half]


def mutations(half: Half) -> list[Mutation]:
    return [
        Mutation(
            row["id"],
            row["repo"],
            row["kind"],
            row["what"],
            tuple(row["edits"]),
            tuple(Stated(**place) for place in row["documents"]),
        )
        for row in _rows(f"mutations-{half}")
    ]


def reset(project: Project, clones: Path) -> Path:
    """Its clone, as the commit has it that the data hold for."""
    root = project.clone(clones)
    for command in (["checkout", "-qf", project.commit], ["clean", "-fdq"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    return root


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with (_FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _edit_line(root: Path, edit: dict[str, Any]) -> None:
    lines = _read(root / edit["path"]).split("\n")
    lines[edit["line"] - 1] = lines[edit["line"] - 1].replace(edit["old"], edit["new"], 1)
    _write(root / edit["path"], "\n".join(lines))


def _edit_word(root: Path, edit: dict[str, Any]) -> None:
    word = re.compile(rf"(?<!\w){re.escape(edit['old'])}(?!\w)")
    for path in edit["paths"]:
        _write(root / path, word.sub(lambda _: edit["new"], _read(root / path)))


def _move(root: Path, edit: dict[str, Any]) -> None:
    (root / edit["to"]).parent.mkdir(parents=True, exist_ok=True)
    (root / edit["path"]).rename(root / edit["to"])


_EDITS = {"line": _edit_line, "word": _edit_word, "move": _move}


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
