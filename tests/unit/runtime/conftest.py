from pathlib import Path

import pytest

from veridic.config.settings import Settings


@pytest.fixture
def server(tmp_path: Path) -> Settings:
    """Settings with a database in a temporary folder."""
    return Settings(home=tmp_path)
