"""The default model for each role."""

from collections.abc import Sequence
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.errors import UsageError

EMBEDDED_EXTRACTOR = "embedded/extractor"
EMBEDDED_VERIFIER = "embedded/verifier"
EMBEDDED_REPORTER = "embedded/reporter"

_WRITER = "anthropic/claude-opus-4-6"
_FAST_READER = "google/gemini-2.5-flash"
"""For summary and thorough mode, which ask once per claim: a small model that reads long texts well."""
_CHECKERS = ("openai/o3", "google/gemini-2.5-pro", "meta-llama/llama-4-maverick")


class RoleModels(NamedTuple):
    """Consensus mode: the name of the model for each role."""

    extractor: str
    checkers: tuple[str, ...]
    reporter: str
    generator: str | None


def default_models(
    settings: Settings,
    *,
    extractor: str | None = None,
    checkers: Sequence[str] | None = None,
    reporter: str | None = None,
    generator: str | None = None,
) -> RoleModels:
    """Return every role's model: from the arguments, else from the settings, else the provider's default.

    Without a provider, the embedded engine is the default. Raises `UsageError` for a self-hosted server if no model is
    named. There is a generator only if one is named.
    """
    extractor = extractor or settings.extractor_model or settings.llm_model
    chosen = tuple(checkers or settings.checker_models or filter(None, (settings.llm_model,)))
    reporter = reporter or settings.reporter_model or settings.llm_model
    if settings.llm_base_url and not (extractor and chosen and reporter):
        raise UsageError(_MODEL_NOT_SET)
    fallback = _OPENROUTER if settings.openrouter_api_key is not None else EMBEDDED
    return RoleModels(
        extractor=extractor or fallback.extractor,
        checkers=chosen or fallback.checkers,
        reporter=reporter or fallback.reporter,
        generator=generator or settings.generator_model or None,
    )


class ValidationModels(NamedTuple):
    """Summary and thorough mode: the models that list the claims and read the evidence."""

    extractor: str
    validator: str


def validation_models(
    settings: Settings, *, extractor: str | None = None, validator: str | None = None
) -> ValidationModels:
    """Return both models, chosen as in `default_models`. Without an extractor the validator lists the claims too."""
    validator = validator or _configured_validator(settings) or settings.llm_model
    extractor = extractor or settings.extractor_model or settings.llm_model
    if not extractor and not validator.startswith("embedded/"):
        extractor = validator
    if settings.llm_base_url and not validator:
        raise UsageError(_MODEL_NOT_SET)
    if settings.openrouter_api_key is not None:
        return ValidationModels(extractor or _FAST_READER, validator or _FAST_READER)
    return ValidationModels(extractor or EMBEDDED.extractor, validator or EMBEDDED.checkers[0])


def _configured_validator(settings: Settings) -> str:
    """Return the validator of the settings; OpenRouter needs the vendor before Google's own model names."""
    model = settings.validator_model
    through_openrouter = settings.openrouter_api_key is not None and not settings.llm_base_url
    return f"google/{model}" if through_openrouter and model.startswith("gemini-") else model


_MODEL_NOT_SET = "Set VERIDIC_LLM_MODEL to the model to ask: VERIDIC_LLM_BASE_URL says only where."
_OPENROUTER = RoleModels(_WRITER, _CHECKERS, _WRITER, None)
EMBEDDED = RoleModels(EMBEDDED_EXTRACTOR, (EMBEDDED_VERIFIER,), EMBEDDED_REPORTER, None)
