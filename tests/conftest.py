"""What all tests share. `from tests.builders import ...` works wherever pytest is started from."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings as hypothesis_settings

from veridic.config.settings import Settings, load_settings
from veridic.domain.report import Report

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

sys.path.insert(0, str(Path(__file__).parent.parent))

# No test fails because the machine is busy.
hypothesis_settings.register_profile("veridic", deadline=None)
hypothesis_settings.load_profile("veridic")

# No test reaches a provider that would bill someone.
_KEYS = frozenset(
    f"{provider}_API_KEY" for provider in ("OPENROUTER", "OPENAI", "ANTHROPIC", "TAVILY", "BRAVE")
)


@pytest.fixture(scope="session", autouse=True)
def _nobody_s_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the data, or heeds the settings, of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("VERIDIC_", "EXA_")) or name in _KEYS]:
            patch.delenv(name)
        patch.setenv("VERIDIC_HOME", str(tmp_path_factory.mktemp("home")))
        load_settings.cache_clear()
        yield
    load_settings.cache_clear()


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """The settings of a user who has nothing yet; commands started in the test have them too."""
    monkeypatch.setenv("VERIDIC_HOME", str(tmp_path / "home"))
    load_settings.cache_clear()
    yield load_settings()
    load_settings.cache_clear()


@pytest.fixture(scope="session")
def reference_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A `VERIDIC_HOME` with the reference library in it, indexed once for all workers of a test run.

    Workers that ask at the same time wait for the one that writes: the corpus has a lock of its own.
    Its database is shared too, so a test that looks at saved runs names its own `VERIDIC_DATABASE_URL`.
    """
    from veridic.engine.open_evidence import open_reference

    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "reference-home"
    open_reference(Settings(home=home))
    return home


@pytest.fixture(scope="session")
def postgres() -> "Iterator[PostgresServer]":
    """A server for all tests of this process that need one; each makes a database of its own."""
    from tests.postgres_server import running_postgres

    with running_postgres() as server:
        yield server


@pytest.fixture
def sample_report() -> Report:
    """A realistic report that has one of everything a face must be able to show."""
    from tests import builders

    return builders.sample_report()
