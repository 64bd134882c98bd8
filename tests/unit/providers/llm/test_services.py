"""Which provider serves a model, and the default models for each role."""

from typing import Any

import pytest

from veridic.config.settings import Settings
from veridic.domain.errors import UnknownModelError, UsageError
from veridic.providers.llm.roles import RoleModels, default_models
from veridic.providers.llm.services import ServiceKind, service_for

URL = "http://127.0.0.1:11434/v1"
OPENROUTER = {"openrouter_api_key": "sk-or-1"}
OPENAI = {"openai_api_key": "sk-openai-1"}
ANTHROPIC = {"anthropic_api_key": "sk-ant-1"}


def make(**changes: Any) -> Settings:
    return Settings.model_validate(changes)


@pytest.mark.parametrize(
    ("settings", "model", "kind", "provider_name"),
    [
        (OPENROUTER, "openai/o3", ServiceKind.OPENROUTER, "openai/o3"),
        (OPENROUTER, "meta-llama/llama-4-maverick:free", ServiceKind.OPENROUTER, None),
        (OPENROUTER | OPENAI, "openai/o3", ServiceKind.OPENROUTER, "openai/o3"),
        (OPENROUTER | OPENAI, "openai:gpt-5", ServiceKind.OPENAI, "gpt-5"),
        (OPENROUTER | OPENAI, "openrouter:openai/o3", ServiceKind.OPENROUTER, "openai/o3"),
        (OPENAI, "openai/o3", ServiceKind.OPENAI, "o3"),
        (OPENAI | ANTHROPIC, "anthropic/claude-opus-4-6", ServiceKind.ANTHROPIC, "claude-opus-4-6"),
        (ANTHROPIC, "anthropic:claude-opus-4-6", ServiceKind.ANTHROPIC, "claude-opus-4-6"),
        (OPENROUTER | {"llm_base_url": URL}, "openai/o3", ServiceKind.OWN, "openai/o3"),
        ({"llm_base_url": URL}, "openai:gpt-5", ServiceKind.OWN, "openai:gpt-5"),
        ({"llm_base_url": URL}, "qwen3:8b", ServiceKind.OWN, "qwen3:8b"),
    ],
)
def test_model_is_served_by(
    settings: dict[str, Any], model: str, kind: ServiceKind, provider_name: str | None
) -> None:
    service = service_for(model, make(**settings))
    assert service.kind is kind
    assert service.provider_name(model) == (provider_name or model)


@pytest.mark.parametrize(
    ("settings", "model", "words"),
    [
        ({}, "openai/o3", "set OPENROUTER_API_KEY, or VERIDIC_LLM_BASE_URL"),
        (OPENAI, "google/gemini-2.5-pro", "set OPENROUTER_API_KEY"),
        (OPENROUTER, "openai:gpt-5", "set OPENAI_API_KEY"),
        (OPENROUTER, "gpt-5", "begin with the vendor"),
        ({"llm_base_url": URL}, "embedded/verifier", "embedded engine"),
        (OPENROUTER, "embedded/extractor", "embedded engine"),
        ({"llm_base_url": URL}, " ", "needs a name"),
    ],
)
def test_unserved_model_is_one_sentence(settings: dict[str, Any], model: str, words: str) -> None:
    with pytest.raises(UnknownModelError) as raised:
        service_for(model, make(**settings))
    assert words in str(raised.value)
    assert str(raised.value).endswith(".")


def test_key_is_never_shown() -> None:
    settings = make(llm_base_url="http://127.0.0.1:1/v1?token=s3cret", llm_api_key="sk-mine-12345")
    service = service_for("m", settings)
    assert service.label == "The server at http://127.0.0.1:1/v1"
    assert "sk-mine-12345" not in f"{service!r} {service.label} {settings!r}"


def test_embedded_engine_is_default() -> None:
    assert default_models(make()) == RoleModels(
        "embedded/extractor", ("embedded/verifier",), "embedded/reporter", None
    )
    # A key meant for other programs must not make this one spend money.
    assert default_models(make(**OPENAI, **ANTHROPIC)) == default_models(make())


def test_openrouter_defaults_use_several_vendors() -> None:
    assert default_models(make(**OPENROUTER)) == RoleModels(
        "anthropic/claude-opus-4-6",
        ("openai/o3", "google/gemini-2.5-pro", "meta-llama/llama-4-maverick"),
        "anthropic/claude-opus-4-6",
        None,
    )


def test_own_server_uses_configured_model() -> None:
    assert default_models(make(llm_base_url=URL, llm_model="qwen3")) == RoleModels(
        "qwen3", ("qwen3",), "qwen3", None
    )
    with pytest.raises(UsageError, match="VERIDIC_LLM_MODEL"):
        default_models(make(llm_base_url=URL))
    roles = default_models(make(llm_base_url=URL), extractor="a", checkers=["b", "c"], reporter="d")
    assert roles == RoleModels("a", ("b", "c"), "d", None)


def test_arguments_override_settings_and_settings_defaults() -> None:
    settings = make(
        **OPENROUTER,
        llm_model="all/one",
        checker_models="x/1, x/2",
        reporter_model="x/r",
        generator_model="x/g",
    )
    assert default_models(settings) == RoleModels("all/one", ("x/1", "x/2"), "x/r", "x/g")
    given = default_models(settings, checkers=["y/1"], reporter="y/r", generator="y/g")
    assert given == RoleModels("all/one", ("y/1",), "y/r", "y/g")
