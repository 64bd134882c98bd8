"""Runs checks for benchmarks: with the embedded engine, in this process, against given sources, in a temporary folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from veridic.config.settings import Settings
    from veridic.domain.report import Report
    from veridic.engine.order import ModelChoice

_ARTICLE = "article.md"
_SOURCES = "sources.jsonl"


class Bench(NamedTuple):
    """A folder with the sources, and settings that keep all other files in it."""

    folder: Path
    settings: Settings

    @property
    def sources(self) -> Path:
        return self.folder / _SOURCES

    def check_article(self, text: str) -> Report:
        """Check an article in Markdown."""
        from veridic.library import check

        article = self.folder / _ARTICLE
        article.write_text(text, encoding="utf-8", newline="")
        return check(article, against=[self.sources], models=_embedded(), settings=self.settings)

    def check_claim(self, text: str) -> Report:
        """Check a text of one sentence."""
        from veridic.library import check_text

        return check_text(text, against=[self.sources], models=_embedded(), settings=self.settings)


def _embedded() -> ModelChoice:
    """Choose the embedded engine, whatever else is configured."""
    from veridic.engine.order import ModelChoice
    from veridic.providers.llm.roles import EMBEDDED

    return ModelChoice(extractor=EMBEDDED.extractor, checkers=EMBEDDED.checkers[:1])


@contextmanager
def temporary_bench(sources: Iterable[Mapping[str, str]], settings: Settings) -> Iterator[Bench]:
    """Set up a temporary folder to check texts against these sources, each with its `text` and optional metadata.

    All claims are checked, whatever limit the settings have.
    """
    with TemporaryDirectory(prefix="veridic-bench-") as name:
        folder = Path(name).resolve()
        bench_settings = settings.model_copy(update={"home": folder / "home", "max_claims_per_article": None})
        bench = Bench(folder, bench_settings)
        rows = "".join(f"{json.dumps(source)}\n" for source in sources)
        bench.sources.write_text(rows, encoding="utf-8")
        yield bench
