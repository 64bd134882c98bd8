"""A small project that documents speak of, and the claims that they make."""

from collections.abc import Sequence
from pathlib import Path

from veridic.code.claims.find import find_claims
from veridic.code.history import CommitText
from veridic.code.index import build_index
from veridic.code.repository import Repository
from veridic.domain.code import AssertionKind, DocClaim

SOURCES = {
    "pyproject.toml": """
[project]
name = "kettle"
version = "1.2.0"
requires-python = ">=3.10"
dependencies = ["httpx>=0.27"]
[project.scripts]
kettle = "kettle.cli:main"
""",
    "Makefile": "test:\n\tpytest\n",
    "src/kettle/__init__.py": "",
    "src/kettle/core.py": """
import os
from enum import Enum

MAX_RETRIES = 5
MAX_SIZE = 10 * 1024 * 1024
LIMIT = int(os.environ.get("KETTLE_LIMIT", "20"))


class Mode(Enum):
    FAST = "fast"
    SLOW = "slow"


class Kettle:
    def __init__(self, volume, timeout=30):
        self.volume = volume

    def boil(self, until=100, *, quietly=False):
        return None


def connect(host, port=5432):
    raise ValueError(host)


def is_hot(kettle):
    return True
""",
    "src/kettle/cli.py": """
import argparse


def main():
    parser = argparse.ArgumentParser(prog="kettle")
    parser.add_argument("--port", type=int, default=8080, help="Where to listen (default: 8080).")
    commands = parser.add_subparsers()
    run = commands.add_parser("run")
    run.add_argument("--fast", action="store_true")
    run.add_argument("--format", choices=["text", "json"], default="text")
    run.add_argument("--limit", default=20)
""",
}


def claims_in(
    folder: Path,
    files: dict[str, str],
    commits: Sequence[CommitText] = (),
    documents: Sequence[str] | None = None,
) -> list[DocClaim]:
    """The claims of the given files in the project; its own sources say nothing that is not asked for."""
    for path, text in {**SOURCES, **files}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    index = build_index(Repository(folder))
    return find_claims(index, documents=list(files) if documents is None else documents, commits=commits)


def said(claims: Sequence[DocClaim], *kinds: AssertionKind) -> list[tuple[str, str, tuple[str, ...]]]:
    """Kind, subject and expectation of each claim, of these kinds or of all but mere existence."""
    wanted = kinds or tuple(kind for kind in AssertionKind if kind is not AssertionKind.EXISTS)
    return [
        (claim.assertion.kind.value, subject_of(claim), claim.assertion.expected)
        for claim in claims
        if claim.assertion.kind in wanted
    ]


def subject_of(claim: DocClaim) -> str:
    subject = claim.assertion.subject
    if subject is None:
        return ""
    return f"{subject.kind.value} {subject.name}" + (f" of {subject.owner}" if subject.owner else "")
