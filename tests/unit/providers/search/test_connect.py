"""Which search providers the settings connect."""

import subprocess
import sys
from typing import Any

import pytest

from veridic.config.settings import Settings, load_settings
from veridic.domain.errors import UsageError
from veridic.providers.search import duckduckgo
from veridic.providers.search.connect import connect_search

KEYS = {
    "brave_api_key": "b",
    "tavily_api_key": "t",
    "exa_api_key": "e",
    "searxng_url": "http://127.0.0.1:8888",
    "google_fact_check_api_key": "g",
}


def names(**settings: Any) -> list[str]:
    return [provider.name for provider in connect_search(Settings.model_validate(settings))]


def test_no_provider_by_default() -> None:
    assert names() == []


def test_configured_providers_are_used_exa_first() -> None:
    assert names(**KEYS) == ["exa", "tavily", "brave", "searxng", "factcheck"]
    assert names(brave_api_key="b") == ["brave"]


def test_search_setting_lists_providers_in_order() -> None:
    assert names(search="wikipedia, Exa,duckduckgo,", **KEYS) == ["wikipedia", "exa", "duckduckgo"]


def test_free_databases_are_asked_only_if_named() -> None:
    databases = ["crossref", "semanticscholar", "pubmed", "wikidata"]
    assert names(semantic_scholar_api_key="s", contact="desk@example.org") == []
    assert names(search=",".join(databases)) == databases


def test_named_provider_without_key_is_reported() -> None:
    with pytest.raises(UsageError, match=r"names factcheck, which needs GOOGLE_FACT_CHECK_API_KEY\."):
        names(search="factcheck")
    with pytest.raises(UsageError, match=r"VERIDIC_SEARCH names tavily, which needs TAVILY_API_KEY\."):
        names(search="wikipedia,tavily")


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckduckgo, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'veridic\[duckduckgo\]'"):
        names(search="duckduckgo", search_timeout_seconds=19)


def test_connections_are_shared_in_process() -> None:
    settings = Settings.model_validate(KEYS)
    assert all(
        one is other for one, other in zip(connect_search(settings), connect_search(settings), strict=True)
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VERIDIC_SEARCH", "google"),
        ("VERIDIC_CONTACT", "desk"),
        ("VERIDIC_CONTACT", "desk@localhost"),
        ("VERIDIC_CONTACT", "a@example.org, b@example.org"),
        ("VERIDIC_SEARXNG_URL", "localhost:8888"),
        ("VERIDIC_SEARXNG_URL", "http://me:secret@localhost"),
        ("VERIDIC_SEARCH_TIMEOUT_SECONDS", "0"),
        ("EXA_NUM_RESULTS_NEWS", "0"),
        ("EXA_NUM_RESULTS_RESEARCH", "101"),
        ("EXA_DAYS_BACK_NEWS", "unlimited"),
        ("EXA_DAYS_BACK_HISTORICAL", "forever"),
    ],
)
def test_bad_setting_is_named_in_one_sentence(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    load_settings.cache_clear()
    with pytest.raises(UsageError, match=f"^The setting {name} is not valid: .*[^.]\\.$") as raised:
        load_settings()
    assert "secret" not in str(raised.value)
    load_settings.cache_clear()


@pytest.mark.parametrize("value", ["forever", "-5", "2.5"])
def test_bad_days_limit_says_what_is_valid(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("EXA_DAYS_BACK_HISTORICAL", value)
    load_settings.cache_clear()
    with pytest.raises(UsageError, match=r"it should be a number of days, or unlimited\.$"):
        load_settings()
    load_settings.cache_clear()


def test_unlimited_means_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXA_DAYS_BACK_HISTORICAL", "unlimited")
    assert Settings().exa_days_back_historical is None


def test_heavy_imports_wait_for_first_search() -> None:
    program = (
        "import sys\n"
        "from veridic.config.settings import Settings\n"
        "from veridic.providers.search.connect import connect_search\n"
        "connect_search(Settings(search=('duckduckgo',)))\n"
        "print(sorted({'ddgs', 'primp', 'lxml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
