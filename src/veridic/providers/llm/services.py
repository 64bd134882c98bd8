"""Which provider serves a model of a given name, by the settings."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import SecretStr

from veridic.config.settings import Settings
from veridic.domain.errors import UnknownModelError
from veridic.providers.llm.prices import list_price

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
    """Where requests go, and the key that goes with them."""

    kind: ServiceKind
    api_key: SecretStr | None = None
    base_url: str = ""
    """By default the provider's usual one."""

    @property
    def label(self) -> str:
        """As it begins a sentence."""
        return _LABELS.get(self.kind) or f"The server at {self.base_url.partition('?')[0]}"

    @property
    def key_variable(self) -> str:
        return _KEYS[self.kind]

    def own_name(self, model: str) -> str:
        """The model's name as this provider knows it: OpenAI's `gpt-5` may be asked for as `openai:gpt-5`."""
        if self.kind is ServiceKind.OWN:
            return model
        name = model.removeprefix(f"{self.kind}:")
        return name.removeprefix(f"{self.kind}/") if self.kind in _DIRECT else name

    @property
    def is_paid(self) -> bool:
        """False for a server of one's own, whose models cost nothing that anybody bills."""
        return self.kind is not ServiceKind.OWN

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens cost by the price list, in US dollars; None where it has no such model."""
        provider = self.kind.value if self.is_paid else None
        return list_price(self.own_name(model), input_tokens, output_tokens, provider=provider)


def refuse_embedded(model: str) -> None:
    """`UnknownModelError` for a name of the embedded engine, which no language model has."""
    if model.startswith(_EMBEDDED):
        raise UnknownModelError(f"{model} is part of the embedded engine, and no language model to be asked.")


def service_for(model: str, settings: Settings) -> Service:
    """The provider that serves the model; `UnknownModelError` says what to set where there is none."""
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
