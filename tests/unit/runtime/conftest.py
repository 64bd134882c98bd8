from pathlib import Path

import pytest

from veridic.config.settings import Settings


@pytest.fixture
def server(tmp_path: Path) -> Settings:
    """The settings of a server that keeps its runs in a database of its own."""
    return Settings(home=tmp_path)
