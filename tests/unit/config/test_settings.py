"""Settings from the environment, and their error messages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from veridic.config.settings import Settings, load_settings
from veridic.domain.errors import UsageError
from veridic.store.database import place_of


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
        ("LLM_BASE_URL", "localhost:11434"),
        ("LLM_BASE_URL", "ftp://localhost/v1"),
        ("LLM_BASE_URL", "http://"),
        ("LLM_BASE_URL", "http://localhost:no/v1"),
        ("LLM_BASE_URL", "http://me:secret@localhost/v1"),
        ("OIDC_ISSUER", "http://login.example.org"),
        ("OIDC_ISSUER", "https://login.example.org/?realm=news"),
        ("OIDC_ISSUER", "https://me:secret@login.example.org"),
        ("OIDC_NEW_ROLE", "admin"),
        ("OIDC_NEW_ROLE", "boss"),
        ("LLM_MAX_CONCURRENCY", "0"),
        ("LLM_TIMEOUT_SECONDS", "0"),
        ("LLM_TIMEOUT_SECONDS", "inf"),
        ("CHECKER_MODELS", "a,b,c,d,e"),
        ("MAX_COST_USD", "-1"),
        ("MAX_COST_USD", "nan"),
        ("MAX_TOKENS", "1.5"),
        ("RUN_TIMEOUT_SECONDS", "0"),
    ],
)
def test_bad_setting_gives_one_sentence_with_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"VERIDIC_{name}", value)
    with pytest.raises(UsageError) as caught:
        load_settings()
    sentence = str(caught.value)
    assert sentence.startswith(f"The setting VERIDIC_{name} is not valid: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "secret" not in sentence
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


def test_keys_have_their_usual_names_and_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENROUTER_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "VERIDIC_LLM_API_KEY"):
        monkeypatch.setenv(name, f"s3cret of {name}")
    settings = load_settings()
    keys = {
        "OPENROUTER_API_KEY": settings.openrouter_api_key,
        "OPENAI_API_KEY": settings.openai_api_key,
        "ANTHROPIC_API_KEY": settings.anthropic_api_key,
        "VERIDIC_LLM_API_KEY": settings.llm_api_key,
    }
    for name, key in keys.items():
        assert key is not None
        assert key.get_secret_value() == f"s3cret of {name}"
    assert "s3cret" not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"


def test_empty_key_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "")
    assert load_settings().openrouter_api_key is None


@pytest.mark.parametrize(("value", "token"), [(" s3cret\n", "s3cret"), (" \t ", None)])
def test_token_is_stripped(monkeypatch: pytest.MonkeyPatch, value: str, token: str | None) -> None:
    monkeypatch.setenv("VERIDIC_API_TOKEN", value)
    kept = load_settings().api_token
    assert (kept and kept.get_secret_value()) == token


def test_an_oidc_issuer_needs_a_client_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_OIDC_ISSUER", "http://localhost:8080/realms/news")
    with pytest.raises(UsageError, match="VERIDIC_OIDC_CLIENT_ID is not valid: VERIDIC_OIDC_ISSUER needs it"):
        load_settings()
    monkeypatch.setenv("VERIDIC_OIDC_CLIENT_ID", "desk")
    assert load_settings().oidc_client_id == "desk"


def test_checkers_are_comma_separated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_CHECKER_MODELS", " openai/o3, Qwen/Qwen3-8B ,")
    assert load_settings().checker_models == ("openai/o3", "Qwen/Qwen3-8B")


def test_database_url_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_DATABASE_URL", "sqlite:////elsewhere/runs.db")
    assert load_settings().database == "sqlite:////elsewhere/runs.db"


def test_corpora_can_be_kept_in_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_CORPORA_URL", "postgresql://db.example.com/corpora")
    assert load_settings().corpora == "postgresql://db.example.com/corpora"


@pytest.mark.parametrize("name", ["HOME", "PASSAGES_PER_CLAIM", "CREDIBILITY_FILE"])
def test_empty_variable_is_ignored(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(f"VERIDIC_{name}", raising=False)
    default = getattr(Settings(), name.lower())
    monkeypatch.setenv(f"VERIDIC_{name}", "")
    assert getattr(Settings(), name.lower()) == default


def test_other_variables_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME_PASSAGES", "x")
    monkeypatch.setenv("VERIDIC_NO_SUCH_SETTING", "x")
    assert load_settings().passages_per_claim == 20


def test_home_that_is_a_file_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("VERIDIC_HOME", str(file))
    load_settings.cache_clear()
    with pytest.raises(UsageError, match="VERIDIC_HOME should name a folder"):
        load_settings()
    load_settings.cache_clear()


def test_home_may_have_any_name(tmp_path: Path) -> None:
    home = tmp_path / "sp ace?#é%20"
    assert place_of(Settings(home=home).database).file == home / "veridic.db"
