"""Where a run of the benchmarks keeps what it makes: a home for Veridic of its own, and a corpus made once."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.processes import VERIDIC, Finished, run
from benchmarks.world import World, write_sources
from benchmarks.yardstick import tokenise_seconds

CORPUS = "synthetic"
COUNTRIES = Path(__file__).parent / "articles" / "countries.md"
_CLAIMS_PER_ARTICLE = 20

Step = Callable[[int, int | None, str], None]
"""Told how many are done, of how many (None if that isn't known), and what is under way."""


class Build(NamedTuple):
    """How the corpus came about."""

    passages: int
    source_bytes: int
    index_bytes: int
    tokenise_seconds: float
    """What a plain regular expression needs to read the same sources."""
    process: Finished


class Workspace:
    """One folder that goes away after the run."""

    def __init__(self, folder: Path, passages: int) -> None:
        self._folder = folder
        self._passages = passages
        self._build: Build | None = None
        self.home = folder / "home"
        self.environment = {"VERIDIC_HOME": str(self.home)}

    @contextmanager
    def folder(self, name: str) -> Iterator[Path]:
        """An empty folder, which goes away when it is no longer needed."""
        folder = self._folder / name
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder)

    def corpus(self, step: Step) -> Build:
        """The corpus of so many passages, built when first asked for, in a process of its own."""
        if self._build is None:
            self._build = self._build_corpus(step)
        return self._build

    def prepare_reference(self, step: Step) -> None:
        """Have the reference library indexed and the database made, as after a user's first check."""
        step(0, None, "preparing the reference library")
        run([VERIDIC, "claim", "The capital of Canada is Ottawa."], self.environment)

    def article(self) -> Path:
        """Twenty statements about what the corpus speaks of, every second one wrong in a detail."""
        path = self._folder / "article.md"
        path.write_text(" ".join(World().claims(_CLAIMS_PER_ARTICLE)) + "\n", encoding="utf-8")
        return path

    def _build_corpus(self, step: Step) -> Build:
        sources = self._folder / "sources"
        for written in write_sources(sources, self._passages):
            step(written, self._passages, "writing sources")
        step(0, None, f"building an index of {self._passages:,} passages")
        process = run([VERIDIC, "corpus", "add", str(sources), "--name", CORPUS], self.environment)
        files = sorted(sources.iterdir())
        return Build(
            passages=self._passages,
            source_bytes=sum(file.stat().st_size for file in files),
            index_bytes=_size(self.home / "corpora" / CORPUS),
            tokenise_seconds=sum(
                tokenise_seconds(file.read_text(encoding="utf-8"), rounds=5) for file in files
            ),
            process=process,
        )


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
