"""Which model does what where nobody said."""

from collections.abc import Sequence
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.errors import UsageError

_WRITER = "anthropic/claude-opus-4-6"
_FAST_READER = "google/gemini-2.5-flash"
"""Summary and thorough mode ask once a claim: a small model that reads long texts well."""
_CHECKERS = ("openai/o3", "google/gemini-2.5-pro", "meta-llama/llama-4-maverick")


class RoleModels(NamedTuple):
    """Consensus mode: a model's name for each role."""

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
    """Every role's model: the one that is given, else that of the settings, else what goes with the provider.

    With no provider set up it is the embedded engine. `UsageError` where a server of one's own is, and
    nothing says which of its models to take. A generator is only there where one is named.
    """
    extractor = extractor or settings.extractor_model or settings.llm_model
    chosen = tuple(checkers or settings.checker_models or filter(None, (settings.llm_model,)))
    reporter = reporter or settings.reporter_model or settings.llm_model
    if settings.llm_base_url and not (extractor and chosen and reporter):
        raise UsageError(_WHICH_MODEL)
    fallback = _OPENROUTER if settings.openrouter_api_key is not None else EMBEDDED
    return RoleModels(
        extractor=extractor or fallback.extractor,
        checkers=chosen or fallback.checkers,
        reporter=reporter or fallback.reporter,
        generator=generator or settings.generator_model or None,
    )


class ValidationModels(NamedTuple):
    """Summary and thorough mode: who lists the claims, and who reads the evidence."""

    extractor: str
    validator: str


def validation_models(
    settings: Settings, *, extractor: str | None = None, validator: str | None = None
) -> ValidationModels:
    """Both models, chosen as `default_models` chooses; the validator lists the claims too where nobody else is named."""
    validator = validator or _set_validator(settings) or settings.llm_model
    extractor = extractor or settings.extractor_model or settings.llm_model
    if not extractor and not validator.startswith("embedded/"):
        extractor = validator
    if settings.llm_base_url and not validator:
        raise UsageError(_WHICH_MODEL)
    if settings.openrouter_api_key is not None:
        return ValidationModels(extractor or _FAST_READER, validator or _FAST_READER)
    return ValidationModels(extractor or EMBEDDED.extractor, validator or EMBEDDED.checkers[0])


def _set_validator(settings: Settings) -> str:
    """Google's own names for its models are known to OpenRouter behind the vendor's."""
    model = settings.validator_model
    through_openrouter = settings.openrouter_api_key is not None and not settings.llm_base_url
    return f"google/{model}" if through_openrouter and model.startswith("gemini-") else model


_WHICH_MODEL = "Set VERIDIC_LLM_MODEL to the model to ask: VERIDIC_LLM_BASE_URL says only where."
_OPENROUTER = RoleModels(_WRITER, _CHECKERS, _WRITER, None)
EMBEDDED = RoleModels("embedded/extractor", ("embedded/verifier",), "embedded/reporter", None)
