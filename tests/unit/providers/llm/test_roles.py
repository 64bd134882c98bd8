"""Default models for summary and thorough mode, with the names that users know."""

import pytest

from veridic.config.settings import Settings
from veridic.providers.llm.roles import ValidationModels, validation_models

SEED_NAME = "gemini-2.0-flash-exp"


@pytest.fixture(autouse=True)
def _validator_by_google_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_MODEL_THOROUGH", SEED_NAME)


def test_google_model_name_works_with_openrouter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "k")
    name = f"google/{SEED_NAME}"
    assert validation_models(Settings()) == ValidationModels(name, name)
    assert validation_models(Settings(), validator="openai/o3").validator == "openai/o3"


def test_own_server_gets_name_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "k")
    monkeypatch.setenv("VERIDIC_LLM_BASE_URL", "http://127.0.0.1:1/v1")
    assert validation_models(Settings()).validator == SEED_NAME
