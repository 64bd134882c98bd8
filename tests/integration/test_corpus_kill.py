"""A writer may be killed at any moment: the corpus then holds the old content or the new, whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from veridic.domain.document import Document
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.evidence.index import QueryTerm

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")

WRITER = """
import os, signal, sys
from pathlib import Path
from veridic.domain.document import Document
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora

root, content, last_step = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
steps = 0

def step(*_):
    global steps
    steps += 1
    if steps == last_step:
        os.kill(os.getpid(), signal.SIGKILL)

def audit(event, args):
    # Every change that Python makes in the corpora's folder is a point to die at.
    if event in ("open", "os.rename", "os.link", "os.mkdir", "os.remove", "os.rmdir") and str(root) in str(args[0]):
        step()

sys.addaudithook(audit)

def load(n):
    return lambda: [Document(text=f"{content} sentence {n}. It has {n} parts.", source=f"/docs/{n}.txt")]

items = [CorpusItem(f"/docs/{n}.txt", content, load(n)) for n in range(5)]
Corpora(root).add("desk", items, within=[Path("/docs")], progress=step)
print(steps)
"""


def write_until(root: Path, content: str, last_step: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WRITER, str(root), content, str(last_step)]
    return subprocess.run(command, capture_output=True, text=True)


def contents(corpora: Corpora) -> set[str]:
    """The first word of every passage, after checking that all five documents are there."""
    found = corpora.open("desk").search([QueryTerm("sentence")], 100)
    assert len({passage.source.path for passage in found}) == len(found) == 5
    return {passage.text.split()[0] for passage in found}


def test_killed_at_each_step_it_holds_the_old_or_the_new_and_the_next_writer_works(tmp_path: Path) -> None:
    first = write_until(tmp_path, "Alpha", 0)
    assert first.returncode == 0, first.stderr
    corpora = Corpora(tmp_path)
    assert contents(corpora) == {"Alpha"}
    rehearsal = write_until(tmp_path, "Beta", 0)
    assert rehearsal.returncode == 0, rehearsal.stderr
    steps = int(rehearsal.stdout)
    assert steps > 20
    old, seen = "Beta", set()
    for number, last_step in enumerate(range(1, steps + 1, max(1, steps // 24))):
        new = f"Round{number}"
        killed = write_until(tmp_path, new, last_step)
        assert killed.returncode == -9, killed.stderr
        now = contents(corpora)
        assert now in ({old}, {new})
        seen.add("new" if now == {new} else "old")
        (old,) = now
    assert seen == {"old", "new"}
    last = write_until(tmp_path, "Omega", 0)
    assert last.returncode == 0, last.stderr
    assert contents(corpora) == {"Omega"}
    assert len([path for path in (tmp_path / "desk").iterdir() if path.is_dir()]) == 1, "leftovers are swept"


def test_killed_from_outside_while_it_indexes(tmp_path: Path) -> None:
    """The signal comes from another process, after a line of progress: wherever the writer is by then."""
    assert write_until(tmp_path, "Alpha", 0).returncode == 0
    corpora = Corpora(tmp_path)
    script = WRITER.replace("def step(*_):", "def step(*_):\n    print('step', flush=True)")
    for lines in (1, 4, 9, 15, 22):
        command = [sys.executable, "-c", script, str(tmp_path), f"Outside{lines}", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(lines):
                writer.stdout.readline()
            writer.kill()
        assert len(contents(corpora)) == 1
    assert write_until(tmp_path, "Omega", 0).returncode == 0
    assert contents(corpora) == {"Omega"}


def test_killed_on_the_first_write_leaves_no_corpus_and_the_next_works(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path)
    for last_step in (1, 5, 9):
        assert write_until(tmp_path, "Alpha", last_step).returncode == -9
        assert corpora.names() == []
    corpora.add("desk", [CorpusItem("/a", "1", lambda: [Document(text="One fact.", source="/a")])])
    assert [info.passages for info in corpora.list()] == [1]


def test_killed_while_removing_it_is_there_or_gone(tmp_path: Path) -> None:
    script = WRITER.replace("progress=step)\n", "progress=step)\nsteps = 0\nCorpora(root).remove('desk')\n")
    rehearsal = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), "Alpha", "-1"], capture_output=True, text=True
    )
    assert rehearsal.returncode == 0, rehearsal.stderr
    corpora = Corpora(tmp_path)
    for last_step in range(1, int(rehearsal.stdout) + 1, 4):
        assert write_until(tmp_path, "Alpha", 0).returncode == 0
        remove_only = script.replace("Corpora(root).add(", "0 and Corpora(root).add(")
        subprocess.run([sys.executable, "-c", remove_only, str(tmp_path), "Alpha", str(last_step)])
        if corpora.exists("desk"):
            assert contents(corpora) == {"Alpha"}
            corpora.remove("desk")
        assert corpora.names() == []


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from veridic.domain.document import Document
from veridic.domain.errors import StorageError
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora

corpora = Corpora(Path(sys.argv[1]))
corpora.add("desk", [CorpusItem("/a", "1", lambda: [Document(text="Old fact.", source="/a")])])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
text = chr(10).join(f"A fact {n} {n * 7919} {n * 104729}.{chr(10)}" for n in range(3000))
try:
    corpora.add("desk", [CorpusItem("/b", "1", lambda: [Document(text=text, source="/b")])])
except StorageError as error:
    print(error)
"""


def test_a_disk_that_takes_no_more_costs_nothing_that_was_there(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "has space" in done.stdout and done.stdout.count("\n") == 1
    corpora = Corpora(tmp_path)
    assert len(corpora.open("desk")) == 1
    corpora.add("desk", [CorpusItem("/b", "1", lambda: [Document(text="New fact.", source="/b")])])
    assert len(corpora.open("desk")) == 2
