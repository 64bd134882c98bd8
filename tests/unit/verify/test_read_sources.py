"""Source files read by other interpreters, as for a large project."""

import sys
from pathlib import Path

import pytest

from veridic.verify.documents.vocabulary import vocabulary
from veridic.verify.reading import SourceFile, read_sources

LARGE = 10**9
MODULE = '''\
"""Sends requests."""


def send(url: str, retries: int = 3) -> None:
    """Send a request.

    Args:
        url: where it goes.
        retries: how often it is sent again. Defaults to 3.
    """
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for number in range(40):
        (tmp_path / f"module{number}.py").write_text(MODULE.replace("3", str(number)))
    (tmp_path / "data.bin.py").write_bytes(b"\0\1")
    return tmp_path


def read(project: Path, size: int) -> list[SourceFile]:
    paths = sorted(file.name for file in project.iterdir())
    return list(read_sources(project, paths, size, vocabulary([]), lambda done: None))


def test_other_interpreters_read_the_same(project: Path) -> None:
    here = read(project, size=0)
    assert [file.path for file in here] == sorted(file.name for file in project.iterdir())
    assert sum(len(file.claims) for file in here) >= 80
    assert read(project, size=LARGE) == here


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/false"])
def test_files_are_read_without_other_interpreters(
    project: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    here = read(project, size=0)
    monkeypatch.setattr(sys, "executable", program)
    assert read(project, size=LARGE) == here


def test_reading_can_be_stopped_early(project: Path) -> None:
    paths = sorted(file.name for file in project.iterdir())
    files = read_sources(project, paths, LARGE, vocabulary([]), lambda done: None)
    assert next(files).path == paths[0]
    files.close()  # type: ignore[attr-defined]
    assert next(files, None) is None
