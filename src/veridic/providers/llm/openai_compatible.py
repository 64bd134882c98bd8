"""The models of OpenRouter, OpenAI, Anthropic and OpenAI-compatible servers, through pydantic-ai.

We use pydantic-ai's models and not its agents, so that one call makes one request, and retries, cost and time limits stay
in `calling.py`. Importing this module takes a second or two; `connect.py` imports it at the first call.
"""

import json
import math
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, cast

import httpx2
from openai import APIConnectionError, APITimeoutError, AsyncOpenAI, NotGiven, Omit
from openai.types.chat import ChatCompletion
from pydantic import ValidationError
from pydantic_ai.exceptions import AgentRunError, ModelAPIError, ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.openrouter import OpenRouterModel, OpenRouterModelSettings
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider
from pydantic_ai.settings import ModelSettings

from veridic.domain.errors import missing_extra
from veridic.providers.http_calls import (
    BodyTooLargeError,
    PerLoop,
    UnsupportedEncodingError,
    may_use_proxy,
    read_body,
    tls_context,
)
from veridic.providers.llm import failures
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.calling import (
    Billing,
    ModelAnswer,
    ModelAttemptError,
    Slots,
    estimated_tokens,
    oversized,
)
from veridic.providers.llm.services import Service, ServiceKind, list_price

_BASE_URLS = {
    ServiceKind.OPENROUTER: "https://openrouter.ai/api/v1",
    ServiceKind.OPENAI: "https://api.openai.com/v1",
}
_CONNECT_SECONDS = 10.0
_MAX_IDLE_CONNECTIONS = 20
"""Idle connections. The pool scans all of them for every request, which gets slow with a few hundred."""
_MAX_CACHED_MODELS = 50
_NO_KEY = "none"
"""Sent to servers that need no key, because the client requires one."""
_ENCODING_HEADERS = ("content-encoding", "content-length", "transfer-encoding")
_PLAIN_TEXT = ModelRequestParameters()
_LARGEST_BODY_BYTES = 10_000_000
"""Limit for a whole response, as for searches."""
_SHAPE_ERRORS = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
"""What the client raises for a response of the wrong shape, where it doesn't check."""


class PydanticBackend:
    """The `Backend` for one provider. Clients and models are created once per event loop, and closed with it."""

    def __init__(self, service: Service, max_concurrency: int) -> None:
        self.name = service.kind.value
        self.slots = Slots(max_concurrency)
        self.is_paid = service.kind is not ServiceKind.OWN
        self._service = service
        self._connected = PerLoop(lambda: _connect(service), lambda made: made.close())

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """See `Backend.price`."""
        provider = None if self._service.kind is ServiceKind.OWN else self._service.kind.value
        return list_price(self._service.provider_name(model), input_tokens, output_tokens, provider=provider)

    async def ask(self, model: str, prompt: Prompt, max_output_tokens: int | None) -> ModelAnswer:
        """See `Backend.ask`."""
        connected = await self._connected.current()
        client_model = connected.model(self._service.provider_name(model))
        request = ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(prompt.user)])
        try:
            response = await client_model.request(
                [request], self._request_settings(client_model, prompt, max_output_tokens), _PLAIN_TEXT
            )
        except AgentRunError as error:
            raise failures.failed_request(error, model, self._service) from error
        except BodyTooLargeError as error:
            raise self._too_large(error, model, prompt) from error
        except _SHAPE_ERRORS as error:
            unexpected = UnexpectedModelBehavior("wrong shape")
            raise failures.failed_request(unexpected, model, self._service) from error
        return self._read(response, model)

    def _too_large(self, error: BodyTooLargeError, model: str, prompt: Prompt) -> ModelAttemptError:
        """Charge our own estimate: the usage comes at the end of the response, which was not read."""
        read = estimated_tokens(len(prompt.system) + len(prompt.user))
        written = estimated_tokens(error.read)
        price = self.price(model, read, written)
        billing = Billing(read, written, price, cost_is_estimate=price is not None)
        return ModelAttemptError(oversized(model, error.read, "bytes"), billing=billing)

    def _request_settings(
        self, client_model: Model, prompt: Prompt, max_output_tokens: int | None
    ) -> ModelSettings:
        settings = (
            ModelSettings() if max_output_tokens is None else ModelSettings(max_tokens=max_output_tokens)
        )
        sampling = prompt.sampling
        if sampling is None or _rejects_sampling(client_model):
            return settings
        if sampling.temperature is not None:
            settings["temperature"] = sampling.temperature
        # Anthropic's newer models accept one of the two, not both.
        if sampling.top_p is not None and not (
            self._service.kind is ServiceKind.ANTHROPIC and sampling.temperature is not None
        ):
            settings["top_p"] = sampling.top_p
        if sampling.top_k is not None:
            settings |= self._top_k(sampling.top_k)
        return settings

    def _top_k(self, top_k: int) -> ModelSettings:
        """Return the setting for `top_k`, which OpenAI's protocol lacks: OpenAI rejects it, most others accept it as an extra field."""
        match self._service.kind:
            case ServiceKind.OPENAI:
                return ModelSettings()
            case ServiceKind.ANTHROPIC:
                return ModelSettings(top_k=top_k)
            case _:
                return ModelSettings(extra_body={"top_k": top_k})

    def _read(self, response: ModelResponse, model: str) -> ModelAnswer:
        details = response.provider_details or {}
        billing = self._billing(response, details, model)
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        if response.finish_reason == "content_filter":
            raise failures.refused(model, str(details.get("refusal") or text), self._service, billing)
        if response.finish_reason == "length":
            raise failures.cut_off(model, billing)
        if "error" in (response.finish_reason, details.get("finish_reason")):
            raise failures.broke_off(model, billing)
        return ModelAnswer(_storable(text), billing)

    def _billing(self, response: ModelResponse, details: dict[str, Any], model: str) -> Billing:
        usage = response.usage
        if usage.unmeasured_requests:
            return Billing(cost_usd=details.get("cost"))
        if (billed := details.get("cost")) is not None:
            return Billing(usage.input_tokens, usage.output_tokens, billed)
        estimate = self.price(model, usage.input_tokens, usage.output_tokens)
        return Billing(usage.input_tokens, usage.output_tokens, estimate, estimate is not None)


def _rejects_sampling(client_model: Model) -> bool:
    """Whether the model rejects sampling settings: OpenAI's do while they think, and pydantic-ai warns about each setting."""
    profile = cast("dict[str, object]", client_model.profile)
    thinks_by_default = profile.get("thinking_enabled_by_default") or not profile.get(
        "openai_supports_reasoning_effort_none"
    )
    return bool(profile.get("openai_supports_reasoning") and thinks_by_default)


def _storable(text: str) -> str:
    """Remove null characters and lone surrogates, which databases and files don't accept."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True)
class _Connected:
    """A provider's client on one event loop, with a factory for models."""

    make: Callable[[str], Model]
    close: Callable[[], Awaitable[None]]

    @cached_property
    def model(self) -> Callable[[str], Model]:
        """Get a model by name. The cache is limited, because clients can ask for any name."""
        return lru_cache(_MAX_CACHED_MODELS)(self.make)


def _connect(service: Service) -> _Connected:
    if service.kind is ServiceKind.ANTHROPIC:
        return _connect_anthropic(service)
    client = _openai_client(service)
    match service.kind:
        case ServiceKind.OPENROUTER:
            provider = OpenRouterProvider(openai_client=client)
            model_settings = OpenRouterModelSettings(openrouter_usage={"include": True})
            return _Connected(
                lambda name: _OpenRouterModel(name, provider=provider, settings=model_settings), client.close
            )
        case ServiceKind.OPENAI:
            openai = OpenAIProvider(openai_client=client)
            return _Connected(lambda name: OpenAIChatModel(name, provider=openai), client.close)
        case _:
            own = OpenAICompatibleProvider("own", openai_client=client)
            return _Connected(lambda name: _OwnServerModel(name, provider=own), client.close)


def _openai_client(service: Service) -> AsyncOpenAI:
    base_url = service.base_url or _BASE_URLS[service.kind]
    http = httpx2.AsyncClient(
        verify=tls_context(),
        timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=_MAX_IDLE_CONNECTIONS),
        trust_env=may_use_proxy(base_url),
    )
    client = AsyncOpenAI(
        base_url=base_url,
        api_key=service.api_key.get_secret_value() if service.api_key else _NO_KEY,
        max_retries=0,
        http_client=http,
    )
    if service.kind is not ServiceKind.OPENAI:
        # The client reads these from the environment; only OpenAI should get them.
        client.organization = client.project = None
        # A cached property, so it can be replaced despite its type.
    client.chat.completions = _PlainCompletions(client, http)  # type: ignore[misc, assignment]
    return client


class _PlainCompletions:
    """Sends pydantic-ai's fields unchanged and parses the response.

    Replaces the OpenAI client's own `create`, which searches the fields for files and dates, creates an idempotency key,
    inspects the platform and builds the response field by field. That takes longer than the request. Our prompts are
    plain text, and retries happen elsewhere.
    """

    def __init__(self, client: AsyncOpenAI, http: httpx2.AsyncClient) -> None:
        self._client = client
        self._http = http
        self._url = httpx2.URL(f"{str(client.base_url).rstrip('/')}/chat/completions")
        headers = {**client.default_headers, **client.auth_headers}
        self._headers = {
            # The X-Stainless headers describe this machine, and no answer needs them.
            name: value
            for name, value in headers.items()
            if isinstance(value, str) and not name.startswith("X-Stainless")
        }

    async def create(
        self, *, extra_headers: dict[str, str], extra_body: dict[str, object] | None, **fields: object
    ) -> ChatCompletion | str:
        """Return the parsed response, or its text if it isn't JSON. Raises the client's own errors."""
        given = {name: value for name, value in fields.items() if not isinstance(value, Omit | NotGiven)}
        request = httpx2.Request(
            "POST",
            self._url,
            headers=self._headers | extra_headers,
            content=json.dumps(given | (extra_body or {})),
        )
        try:
            streamed = await self._http.send(request, stream=True)
            try:
                response = await _read(streamed, request)
            finally:
                await streamed.aclose()
        except httpx2.TimeoutException as error:
            raise APITimeoutError(request=request) from error
        except (httpx2.HTTPError, UnsupportedEncodingError, zlib.error) as error:
            raise APIConnectionError(request=request) from error
        if not response.is_success:
            raise self._client._make_status_error_from_response(response)
        return _completion(response)


async def _read(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    """Return the response with its body. Raises `BodyTooLargeError` over the limit, but drops the body of an error response."""
    try:
        body = await read_body(response, _LARGEST_BODY_BYTES)
    except BodyTooLargeError:
        if response.is_success:
            raise
        body = b""
    headers = [(name, value) for name, value in response.headers.items() if name not in _ENCODING_HEADERS]
    return httpx2.Response(response.status_code, headers=headers, content=body, request=request)


def _completion(response: httpx2.Response) -> ChatCompletion | str:
    try:
        content = response.json()
    except (ValueError, RecursionError):
        return response.text
    if not isinstance(content, dict):
        return response.text
    try:
        return ChatCompletion.model_validate(content)
    except ValidationError:
        # A field is missing that may not matter: pydantic-ai handles the differences between servers.
        return ChatCompletion.construct(**content)


def _connect_anthropic(service: Service) -> _Connected:
    try:
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider
    except ImportError as error:
        raise missing_extra("anthropic", "Asking Anthropic without OpenRouter") from error
    key = service.api_key.get_secret_value() if service.api_key else None
    provider = AnthropicProvider(api_key=key)
    # Without a timeout the client rejects requests for long answers.
    model_settings = ModelSettings(max_retries=0, timeout=86_400.0)
    return _Connected(
        lambda name: AnthropicModel(name, provider=provider, settings=model_settings), provider.client.close
    )


class _BilledModel(OpenAIChatModel):
    """Adds the cost that the provider billed to the details, zero included."""

    def _process_provider_details(self, response: ChatCompletion) -> dict[str, Any] | None:
        details = super()._process_provider_details(response) or {}
        cost = getattr(response.usage, "cost", None)
        if isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0:
            details["cost"] = float(cost)
        return details or None


class _OpenRouterModel(_BilledModel, OpenRouterModel):
    pass


class _OwnServerModel(_BilledModel):
    """Raises errors that came with status 200, as pydantic-ai does for OpenRouter."""

    def _validate_completion(self, response: ChatCompletion) -> Any:
        error = (response.model_extra or {}).get("error")
        if error and not response.choices:
            raise _error_in(error, self.model_name)
        return super()._validate_completion(response)


def _error_in(error: object, model: str) -> AgentRunError:
    body = cast("dict[str, object]", error) if isinstance(error, dict) else {"message": str(error)}
    code = body.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return ModelHTTPError(code, model, body)
    return ModelAPIError(model, "an error with status 200", body=body)
