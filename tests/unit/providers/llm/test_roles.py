"""Which model reads the evidence, by the names that users know them by."""

import pytest

from veridic.config.settings import Settings
from veridic.providers.llm.roles import ValidationModels, validation_models

SEED_NAME = "gemini-2.0-flash-exp"


@pytest.fixture(autouse=True)
def _named_as_google_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_MODEL_THOROUGH", SEED_NAME)


def test_google_s_name_for_a_model_is_known_to_openrouter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "k")
    name = f"google/{SEED_NAME}"
    assert validation_models(Settings()) == ValidationModels(name, name)
    assert validation_models(Settings(), validator="openai/o3").validator == "openai/o3"


def test_a_server_of_one_s_own_is_asked_for_the_name_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "k")
    monkeypatch.setenv("VERIDIC_LLM_BASE_URL", "http://127.0.0.1:1/v1")
    assert validation_models(Settings()).validator == SEED_NAME
