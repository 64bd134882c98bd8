"""Writing a report's file, atomically."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from veridic.cli.output import refuse_to_overwrite, write_file
from veridic.domain.errors import UsageError

# Simulates a full disk: files of this process can't grow beyond 1,000 bytes.
ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from veridic.cli.output import refuse_to_overwrite, write_file

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_file(Path(sys.argv[1]), "new " * 100_000)
except Exception as error:
    print(type(error).__name__, error)
"""


def test_report_replaces_an_older_one(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("old")
    page.chmod(0o640)
    write_file(page, "new ✓\n")
    assert page.read_bytes() == "new ✓\n".encode()
    assert page.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.skipif(os.name == "nt", reason="no limits to file sizes")
def test_full_disk_keeps_the_older_report(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("old")
    done = subprocess.run([sys.executable, "-c", ON_A_FULL_DISK, str(page)], capture_output=True, text=True)
    assert done.stdout == f"UsageError The report can't be written to {page}: File too large.\n", done.stderr
    assert page.read_text() == "old"
    assert list(tmp_path.iterdir()) == [page], "nothing half-written is left"


def test_link_is_followed(tmp_path: Path) -> None:
    page, link = tmp_path / "report.html", tmp_path / "latest.html"
    link.symlink_to(page)
    write_file(link, "new")
    assert link.is_symlink()
    assert page.read_text() == "new"


@pytest.mark.parametrize("place", ["missing/report.html", "file.txt/report.html", "folder"])
def test_unwritable_path_raises(tmp_path: Path, place: str) -> None:
    (tmp_path / "file.txt").write_text("old")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match="can't be written to"):
        write_file(tmp_path / place, "new")
    assert sorted(tmp_path.rglob("*")) == before


def test_report_never_overwrites_its_article(tmp_path: Path) -> None:
    article = tmp_path / "article.md"
    article.write_text("Words.", encoding="utf-8")
    link = tmp_path / "link.md"
    link.symlink_to(article)
    for output in (article, link):
        with pytest.raises(UsageError, match="the article itself"):
            refuse_to_overwrite(output, str(article))
    refuse_to_overwrite(tmp_path / "report.md", str(article))
    refuse_to_overwrite(None, str(article))


def test_link_is_followed_and_permissions_are_kept(tmp_path: Path) -> None:
    private = tmp_path / "private.txt"
    private.write_text("old", encoding="utf-8")
    private.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(private)
    write_file(link, "new")
    assert (private.read_text(encoding="utf-8"), link.is_symlink()) == ("new", True)
    assert private.stat().st_mode & 0o777 == 0o640


def test_pipe_is_written_to_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, "report")
        assert os.read(reader, 100) == b"report"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
