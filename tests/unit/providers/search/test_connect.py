"""Who is asked, by the settings."""

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
}


def names(**settings: Any) -> list[str]:
    return [provider.name for provider in connect_search(Settings.model_validate(settings))]


def test_nobody_is_asked_by_default() -> None:
    assert names() == []


def test_whoever_has_a_key_or_address_is_asked_exa_first() -> None:
    assert names(**KEYS) == ["exa", "tavily", "brave", "searxng"]
    assert names(brave_api_key="b") == ["brave"]


def test_a_list_names_all_that_are_asked_in_its_order() -> None:
    assert names(search="wikipedia, Exa,duckduckgo,", **KEYS) == ["wikipedia", "exa", "duckduckgo"]


def test_one_that_is_named_without_its_key_is_said() -> None:
    with pytest.raises(UsageError, match=r"VERIDIC_SEARCH names tavily, which needs TAVILY_API_KEY\."):
        names(search="wikipedia,tavily")


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckduckgo, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'veridic\[duckduckgo\]'"):
        names(search="duckduckgo", search_timeout_seconds=19)


def test_connections_are_the_process_s() -> None:
    settings = Settings.model_validate(KEYS)
    assert all(
        one is other for one, other in zip(connect_search(settings), connect_search(settings), strict=True)
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VERIDIC_SEARCH", "google"),
        ("VERIDIC_SEARXNG_URL", "localhost:8888"),
        ("VERIDIC_SEARXNG_URL", "http://me:secret@localhost"),
        ("VERIDIC_SEARCH_TIMEOUT_SECONDS", "0"),
        ("EXA_NUM_RESULTS_NEWS", "0"),
        ("EXA_NUM_RESULTS_RESEARCH", "101"),
        ("EXA_DAYS_BACK_NEWS", "unlimited"),
        ("EXA_DAYS_BACK_HISTORICAL", "forever"),
    ],
)
def test_a_bad_setting_is_one_sentence_that_names_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    load_settings.cache_clear()
    with pytest.raises(UsageError, match=f"^The setting {name} is not valid: .*[^.]\\.$") as raised:
        load_settings()
    assert "secret" not in str(raised.value)
    load_settings.cache_clear()


@pytest.mark.parametrize("value", ["forever", "-5", "2.5"])
def test_a_bad_limit_of_days_says_what_is_good(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("EXA_DAYS_BACK_HISTORICAL", value)
    load_settings.cache_clear()
    with pytest.raises(UsageError, match=r"it should be a number of days, or unlimited\.$"):
        load_settings()
    load_settings.cache_clear()


def test_unlimited_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXA_DAYS_BACK_HISTORICAL", "unlimited")
    assert Settings().exa_days_back_historical is None


def test_nothing_heavy_is_imported_before_a_search() -> None:
    program = (
        "import sys\n"
        "from veridic.config.settings import Settings\n"
        "from veridic.providers.search.connect import connect_search\n"
        "connect_search(Settings(search=('duckduckgo',)))\n"
        "print(sorted({'ddgs', 'primp', 'lxml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
