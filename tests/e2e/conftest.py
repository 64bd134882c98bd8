"""A small world for the command (an article, a folder of sources, a home of its own), and a browser for the pages."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class World(NamedTuple):
    home: Path
    sources: Path
    article: Path
    """Three claims: one refuted, one supported, one that no source speaks of; and an opinion."""
    folder: Path


ARTICLE = """# Paris 🗼

The Eiffel Tower is 120 metres tall. The Eiffel Tower was completed in 1889.
The Louvre has 403 rooms. It is the most beautiful museum.
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "tower.txt").write_text(
        "The Eiffel Tower is 330 metres tall. The Eiffel Tower was completed in 1889.\n", encoding="utf-8"
    )
    article = tmp_path / "article.md"
    article.write_text(ARTICLE, encoding="utf-8")
    return World(tmp_path / "home", sources, article, tmp_path)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no Chromium is installed; `make test` sets one up")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=_ARGUMENTS)
        yield chromium
        chromium.close()
