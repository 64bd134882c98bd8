"""Checks to be measured: on the embedded engine, in this process, against sources of their own, and nothing is kept."""

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
    from veridic.pipeline.orders import ModelChoice

_ARTICLE = "article.md"
_SOURCES = "sources.jsonl"


class Bench(NamedTuple):
    """A folder with the sources in it, and the settings that keep everything else there too."""

    folder: Path
    settings: Settings

    @property
    def sources(self) -> Path:
        return self.folder / _SOURCES

    def check_article(self, text: str) -> Report:
        """Check an article in Markdown."""
        from veridic.pipeline.library import check

        article = self.folder / _ARTICLE
        article.write_text(text, encoding="utf-8", newline="")
        return check(article, against=[self.sources], models=_embedded(), settings=self.settings)

    def check_claim(self, text: str) -> Report:
        """Check a text of one sentence."""
        from veridic.pipeline.library import check_text

        return check_text(text, against=[self.sources], models=_embedded(), settings=self.settings)


def _embedded() -> ModelChoice:
    """The embedded engine by name, whatever else is set up."""
    from veridic.pipeline.orders import ModelChoice
    from veridic.providers.llm.roles import EMBEDDED

    return ModelChoice(extractor=EMBEDDED.extractor, checkers=EMBEDDED.checkers[:1])


@contextmanager
def set_up(sources: Iterable[Mapping[str, str]], settings: Settings) -> Iterator[Bench]:
    """Somewhere to check texts against these sources, each with its `text` and what else is known of it.

    However many claims the settings allow, all of them are checked.
    """
    with TemporaryDirectory(prefix="veridic-bench-") as name:
        folder = Path(name).resolve()
        own = settings.model_copy(update={"home": folder / "home", "max_claims_per_article": None})
        bench = Bench(folder, own)
        rows = "".join(f"{json.dumps(source)}\n" for source in sources)
        bench.sources.write_text(rows, encoding="utf-8")
        yield bench
