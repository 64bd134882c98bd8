"""Finds the provider that serves a model, and the model's list price."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from pydantic import SecretStr

from veridic.config.settings import Settings
from veridic.domain.errors import UnknownModelError

_MILLION = 1_000_000


def list_price(
    model: str, input_tokens: int, output_tokens: int, *, provider: str | None = None
) -> float | None:
    """Estimate the cost in US dollars; None if the price list doesn't have the model.

    `openai/o3` is looked up at `provider`, then at the vendor in its name.
    """
    rates = _rates(model, provider)
    if rates is None:
        return None
    per_input, per_output = rates
    return (input_tokens * per_input + output_tokens * per_output) / _MILLION


@lru_cache(maxsize=256)
def _rates(model: str, provider: str | None) -> tuple[float, float] | None:
    """Return US dollars for a million input tokens, and for a million output tokens."""
    places = [(provider, model)] if provider else []
    vendor, slash, name = model.partition("/")
    if slash:
        places.append((vendor, name.partition(":")[0]))
    for place, known_as in places:
        rates = _rates_at(place, known_as)
        if rates is not None:
            return rates
    return None


def _rates_at(provider: str, model: str) -> tuple[float, float] | None:
    from genai_prices import Usage, calc_price

    try:
        price_in = calc_price(Usage(input_tokens=1_000), model, provider_id=provider)
        price_out = calc_price(Usage(output_tokens=1_000), model, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return float(price_in.total_price) * 1_000, float(price_out.total_price) * 1_000


_EMBEDDED = "embedded/"


class ServiceKind(StrEnum):
    OWN = "own"
    """The server that `VERIDIC_LLM_BASE_URL` names."""
    OPENROUTER = "openrouter"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"


_LABELS = {
    ServiceKind.OPENROUTER: "OpenRouter",
    ServiceKind.OPENAI: "OpenAI",
    ServiceKind.ANTHROPIC: "Anthropic",
}
_KEYS = {
    ServiceKind.OWN: "VERIDIC_LLM_API_KEY",
    ServiceKind.OPENROUTER: "OPENROUTER_API_KEY",
    ServiceKind.OPENAI: "OPENAI_API_KEY",
    ServiceKind.ANTHROPIC: "ANTHROPIC_API_KEY",
}
_DIRECT = (ServiceKind.OPENAI, ServiceKind.ANTHROPIC)


@dataclass(frozen=True)
class Service:
    """A provider's address and key."""

    kind: ServiceKind
    api_key: SecretStr | None = None
    base_url: str = ""
    """Empty: the provider's usual address."""

    @property
    def label(self) -> str:
        """The name, written as at the start of a sentence."""
        return _LABELS.get(self.kind) or f"The server at {self.base_url.partition('?')[0]}"

    @property
    def key_variable(self) -> str:
        return _KEYS[self.kind]

    def provider_name(self, model: str) -> str:
        """Return the model's name at this provider: `gpt-5` for `openai:gpt-5` at OpenAI."""
        if self.kind is ServiceKind.OWN:
            return model
        name = model.removeprefix(f"{self.kind}:")
        return name.removeprefix(f"{self.kind}/") if self.kind in _DIRECT else name

    @property
    def is_paid(self) -> bool:
        """False for a self-hosted server, whose models cost nothing."""
        return self.kind is not ServiceKind.OWN

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """Return the list price of a number of tokens in US dollars, or None if the list doesn't have the model."""
        provider = self.kind.value if self.is_paid else None
        return list_price(self.provider_name(model), input_tokens, output_tokens, provider=provider)


def refuse_embedded(model: str) -> None:
    """Raise `UnknownModelError` for names of the embedded engine."""
    if model.startswith(_EMBEDDED):
        raise UnknownModelError(f"{model} is part of the embedded engine and not a language model.")


def service_for(model: str, settings: Settings) -> Service:
    """Return the provider that serves the model. Raises `UnknownModelError`, which says what to set, if there is none."""
    refuse_embedded(model)
    if not model.strip():
        raise UnknownModelError("A model needs a name, such as openai/o3.")
    if settings.llm_base_url:
        return Service(ServiceKind.OWN, settings.llm_api_key, settings.llm_base_url)
    keys = {
        ServiceKind.OPENROUTER: settings.openrouter_api_key,
        ServiceKind.OPENAI: settings.openai_api_key,
        ServiceKind.ANTHROPIC: settings.anthropic_api_key,
    }
    for kind, key in keys.items():
        if model.startswith(f"{kind}:"):
            return _with_key(model, kind, key)
    if keys[ServiceKind.OPENROUTER] is not None:
        return _through_openrouter(model, keys[ServiceKind.OPENROUTER])
    for kind in _DIRECT:
        if keys[kind] is not None and model.startswith(f"{kind}/"):
            return Service(kind, keys[kind])
    raise UnknownModelError(
        f"No provider is set up for {model}: set OPENROUTER_API_KEY, or VERIDIC_LLM_BASE_URL for a server of your own."
    )


def _with_key(model: str, kind: ServiceKind, key: SecretStr | None) -> Service:
    if key is None:
        raise UnknownModelError(f"No key is set up for {model}: set {_KEYS[kind]}.")
    return Service(kind, key)


def _through_openrouter(model: str, key: SecretStr | None) -> Service:
    if "/" not in model:
        raise UnknownModelError(
            f"OpenRouter has no model {model}: its names begin with the vendor, as in openai/o3."
        )
    return Service(ServiceKind.OPENROUTER, key)
