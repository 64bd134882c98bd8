"""Settings come from the environment, and a bad one is one sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from veridic.config.settings import Settings, load_settings
from veridic.domain.errors import UsageError
from veridic.store.database import database_file


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAX_DOCUMENT_BYTES", "many"),
        ("MAX_DOCUMENT_BYTES", "0"),
        ("MAX_DOCUMENT_BYTES", "-5"),
        ("FETCH_TIMEOUT_SECONDS", "0"),
        ("FETCH_MAX_REDIRECTS", "-1"),
        ("FETCH_MAX_REDIRECTS", "1.5"),
        ("CLAIM_TIMEOUT_SECONDS", "soon"),
        ("PASSAGES_PER_CLAIM", "0"),
    ],
)
def test_a_bad_setting_is_one_sentence_that_names_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"VERIDIC_{name}", value)
    with pytest.raises(UsageError) as caught:
        load_settings()
    sentence = str(caught.value)
    assert sentence.startswith(f"The setting VERIDIC_{name} is not valid: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert caught.value.exit_code == 2


def test_settings_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERIDIC_HOME", str(tmp_path))
    monkeypatch.setenv("VERIDIC_PASSAGES_PER_CLAIM", "3")
    monkeypatch.setenv("VERIDIC_FETCH_ALLOW_HOSTS", " Localhost, intranet.example ,")
    settings = load_settings()
    assert (settings.home, settings.passages_per_claim) == (tmp_path, 3)
    assert settings.fetch_allow_hosts == ("localhost", "intranet.example")
    assert settings.database == f"sqlite:///{tmp_path / 'veridic.db'}"
    assert settings.corpora == tmp_path / "corpora"


def test_the_database_can_be_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_DATABASE_URL", "sqlite:////elsewhere/runs.db")
    assert load_settings().database == "sqlite:////elsewhere/runs.db"


@pytest.mark.parametrize("name", ["HOME", "PASSAGES_PER_CLAIM", "CREDIBILITY_FILE"])
def test_a_variable_that_is_set_to_nothing_is_not_set(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(f"VERIDIC_{name}", raising=False)
    default = getattr(Settings(), name.lower())
    monkeypatch.setenv(f"VERIDIC_{name}", "")
    assert getattr(Settings(), name.lower()) == default


def test_variables_of_others_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME_PASSAGES", "x")
    monkeypatch.setenv("VERIDIC_NO_SUCH_SETTING", "x")
    assert load_settings().passages_per_claim == 12


def test_a_home_that_is_a_file_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("VERIDIC_HOME", str(file))
    load_settings.cache_clear()
    with pytest.raises(UsageError, match="VERIDIC_HOME should name a folder"):
        load_settings()
    load_settings.cache_clear()


def test_a_home_of_any_name_holds_its_database(tmp_path: Path) -> None:
    home = tmp_path / "sp ace?#é%20"
    assert database_file(Settings(home=home).database) == home / "veridic.db"
