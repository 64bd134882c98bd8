"""Language models behind pydantic-ai: OpenRouter, OpenAI, Anthropic, and every server that speaks OpenAI's protocol.

Its agents are left out on purpose: one request here is one request there, so that retries, cost and time
have one owner. Importing this module takes a second or two; `connect.py` does so with the first call.
"""

import json
import math
import ssl
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
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

from veridic.domain.errors import UsageError
from veridic.providers.limited_body import BodyTooLargeError, UnknownPackingError, read_body
from veridic.providers.llm import failures
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.calling import Answer, AttemptError, Billing, estimated_tokens, oversized
from veridic.providers.llm.prices import list_price
from veridic.providers.llm.services import Service, ServiceKind
from veridic.providers.llm.slots import Slots
from veridic.providers.per_loop import PerLoop

_BASE_URLS = {
    ServiceKind.OPENROUTER: "https://openrouter.ai/api/v1",
    ServiceKind.OPENAI: "https://api.openai.com/v1",
}
_CONNECT_SECONDS = 10.0
_KEPT_ALIVE = 20
"""Idle connections. The pool looks at each of them for every request, which a few hundred make felt."""
_MODELS_KEPT = 50
_NO_KEY = "none"
"""What a server that wants no key is sent: the client insists on sending one."""
_OF_THE_PACKING = ("content-encoding", "content-length", "transfer-encoding")
_PLAIN_TEXT = ModelRequestParameters()
_LARGEST_BODY_BYTES = 10_000_000
"""Of an answer with all that is around it: as for searches. More is left where it is."""
_BENT = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
"""What the client trips over where an answer has the wrong shape in places that it does not check."""


class PydanticBackend:
    """A `Backend` on one provider. Clients and models are made once for each event loop, and close with it."""

    def __init__(self, service: Service, max_concurrency: int) -> None:
        self.slots = Slots(max_concurrency)
        self.is_paid = service.kind is not ServiceKind.OWN
        self._service = service
        self._connected = PerLoop(lambda: _connect(service), lambda made: made.close())

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """See `Backend.price`."""
        provider = None if self._service.kind is ServiceKind.OWN else self._service.kind.value
        return list_price(self._service.own_name(model), input_tokens, output_tokens, provider=provider)

    async def ask(self, model: str, prompt: Prompt, max_output_tokens: int | None) -> Answer:
        """See `Backend.ask`."""
        connected = await self._connected.here()
        asked = connected.model(self._service.own_name(model))
        request = ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(prompt.user)])
        try:
            response = await asked.request(
                [request], self._asking(asked, prompt, max_output_tokens), _PLAIN_TEXT
            )
        except AgentRunError as error:
            raise failures.failed_request(error, model, self._service) from error
        except BodyTooLargeError as error:
            raise self._too_large(error, model, prompt) from error
        except _BENT as error:
            bent = UnexpectedModelBehavior("wrong shape")
            raise failures.failed_request(bent, model, self._service) from error
        return self._read(response, model)

    def _too_large(self, error: BodyTooLargeError, model: str, prompt: Prompt) -> AttemptError:
        """What it cost stands at the end, which was not read: by our own count, what came is charged."""
        read = estimated_tokens(len(prompt.system) + len(prompt.user))
        written = estimated_tokens(error.read)
        price = self.price(model, read, written)
        billing = Billing(read, written, price, cost_is_estimate=price is not None)
        return AttemptError(oversized(model, error.read, "bytes"), billing=billing)

    def _asking(self, asked: Model, prompt: Prompt, max_output_tokens: int | None) -> ModelSettings:
        settings = (
            ModelSettings() if max_output_tokens is None else ModelSettings(max_tokens=max_output_tokens)
        )
        sampling = prompt.sampling
        if sampling is None or _draws_as_it_likes(asked):
            return settings
        if sampling.temperature is not None:
            settings["temperature"] = sampling.temperature
        # Anthropic's newer models take one of the two, not both.
        if sampling.top_p is not None and not (
            self._service.kind is ServiceKind.ANTHROPIC and sampling.temperature is not None
        ):
            settings["top_p"] = sampling.top_p
        if sampling.top_k is not None:
            settings |= self._top_k(sampling.top_k)
        return settings

    def _top_k(self, top_k: int) -> ModelSettings:
        """Not part of OpenAI's protocol: OpenAI refuses it, and most others take it as a field of their own."""
        match self._service.kind:
            case ServiceKind.OPENAI:
                return ModelSettings()
            case ServiceKind.ANTHROPIC:
                return ModelSettings(top_k=top_k)
            case _:
                return ModelSettings(extra_body={"top_k": top_k})

    def _read(self, response: ModelResponse, model: str) -> Answer:
        details = response.provider_details or {}
        billing = self._billing(response, details, model)
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        if response.finish_reason == "content_filter":
            raise failures.refused(model, str(details.get("refusal") or text), self._service, billing)
        if response.finish_reason == "length":
            raise failures.cut_off(model, billing)
        if "error" in (response.finish_reason, details.get("finish_reason")):
            raise failures.broke_off(model, billing)
        return Answer(_storable(text), billing)

    def _billing(self, response: ModelResponse, details: dict[str, Any], model: str) -> Billing:
        usage = response.usage
        if usage.unmeasured_requests:
            return Billing(cost_usd=details.get("cost"))
        if (billed := details.get("cost")) is not None:
            return Billing(usage.input_tokens, usage.output_tokens, billed)
        estimate = self.price(model, usage.input_tokens, usage.output_tokens)
        return Billing(usage.input_tokens, usage.output_tokens, estimate, estimate is not None)


def _draws_as_it_likes(asked: Model) -> bool:
    """OpenAI's models take no sampling settings while they think, and pydantic-ai warns of each."""
    profile = cast("dict[str, object]", asked.profile)
    thinks_unasked = profile.get("thinking_enabled_by_default") or not profile.get(
        "openai_supports_reasoning_effort_none"
    )
    return bool(profile.get("openai_supports_reasoning") and thinks_unasked)


def _storable(text: str) -> str:
    """Without what no database and no file takes: null characters and halves of a pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True)
class _Connected:
    """A provider's client on one event loop, and how a model is made of it."""

    make: Callable[[str], Model]
    close: Callable[[], Awaitable[None]]

    @cached_property
    def model(self) -> Callable[[str], Model]:
        """The model of a name; not all are kept, because clients name what they like."""
        return lru_cache(_MODELS_KEPT)(self.make)


def _connect(service: Service) -> _Connected:
    if service.kind is ServiceKind.ANTHROPIC:
        return _connect_anthropic(service)
    client = _openai_client(service)
    match service.kind:
        case ServiceKind.OPENROUTER:
            provider = OpenRouterProvider(openai_client=client)
            asking = OpenRouterModelSettings(openrouter_usage={"include": True})
            return _Connected(
                lambda name: _OpenRouterModel(name, provider=provider, settings=asking), client.close
            )
        case ServiceKind.OPENAI:
            openai = OpenAIProvider(openai_client=client)
            return _Connected(lambda name: OpenAIChatModel(name, provider=openai), client.close)
        case _:
            own = OpenAICompatibleProvider("own", openai_client=client)
            return _Connected(lambda name: _OwnServerModel(name, provider=own), client.close)


@cache
def _trusted() -> ssl.SSLContext:
    """Reading the certificates takes longer than ten requests: once for all loops."""
    return httpx2.create_ssl_context()


def _openai_client(service: Service) -> AsyncOpenAI:
    base_url = service.base_url or _BASE_URLS[service.kind]
    http = httpx2.AsyncClient(
        verify=_trusted(),
        timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=_KEPT_ALIVE),
        # A proxy of the environment is for the world outside, not for a server on this machine.
        trust_env=httpx2.URL(base_url).host not in ("127.0.0.1", "::1", "localhost"),
    )
    client = AsyncOpenAI(
        base_url=base_url,
        api_key=service.api_key.get_secret_value() if service.api_key else _NO_KEY,
        max_retries=0,
        http_client=http,
    )
    if service.kind is not ServiceKind.OPENAI:
        # The client takes these from the environment, and they are nobody else's business.
        client.organization = client.project = None
    # A cached property, and so replaceable, whatever its type says.
    client.chat.completions = _PlainCompletions(client, http)  # type: ignore[misc, assignment]
    return client


class _PlainCompletions:
    """Sends the fields that pydantic-ai gives as they are, and reads the answer as it comes.

    The client's own looks through all of them for files and dates to convert, makes a key against sending twice,
    measures the platform and builds the answer field by field, which takes longer than sending it does: a prompt
    is plain text, and retries are not its business.
    """

    def __init__(self, client: AsyncOpenAI, http: httpx2.AsyncClient) -> None:
        self._client = client
        self._http = http
        self._url = httpx2.URL(f"{str(client.base_url).rstrip('/')}/chat/completions")
        said = {**client.default_headers, **client.auth_headers}
        self._headers = {
            # The rest tells of this machine, which nobody needs for an answer.
            name: value
            for name, value in said.items()
            if isinstance(value, str) and not name.startswith("X-Stainless")
        }

    async def create(
        self, *, extra_headers: dict[str, str], extra_body: dict[str, object] | None, **fields: object
    ) -> ChatCompletion | str:
        """What the server answers, as text where it is no JSON. Raises the client's own errors."""
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
        except (httpx2.HTTPError, UnknownPackingError, zlib.error) as error:
            raise APIConnectionError(request=request) from error
        if not response.is_success:
            raise self._client._make_status_error_from_response(response)
        return _completion(response)


async def _read(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    """The same answer with its body; `BodyTooLargeError` where that is over the limit. Of an error page that is, the status will do."""
    try:
        body = await read_body(response, _LARGEST_BODY_BYTES)
    except BodyTooLargeError:
        if response.is_success:
            raise
        body = b""
    headers = [(name, value) for name, value in response.headers.items() if name not in _OF_THE_PACKING]
    return httpx2.Response(response.status_code, headers=headers, content=body, request=request)


def _completion(response: httpx2.Response) -> ChatCompletion | str:
    try:
        said = response.json()
    except (ValueError, RecursionError):
        return response.text
    if not isinstance(said, dict):
        return response.text
    try:
        return ChatCompletion.model_validate(said)
    except ValidationError:
        # Lacks a field that may not matter: pydantic-ai knows how servers differ.
        return ChatCompletion.construct(**said)


def _connect_anthropic(service: Service) -> _Connected:
    try:
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider
    except ImportError as error:
        raise UsageError(
            "Asking Anthropic without OpenRouter needs an extra: pip install 'veridic[anthropic]'."
        ) from error
    key = service.api_key.get_secret_value() if service.api_key else None
    provider = AnthropicProvider(api_key=key)
    # A timeout far off: with none given the client turns long answers down.
    asking = ModelSettings(max_retries=0, timeout=86_400.0)
    return _Connected(
        lambda name: AnthropicModel(name, provider=provider, settings=asking), provider.client.close
    )


class _Billed(OpenAIChatModel):
    """Tells what the provider billed, nothing included."""

    def _process_provider_details(self, response: ChatCompletion) -> dict[str, Any] | None:
        details = super()._process_provider_details(response) or {}
        cost = getattr(response.usage, "cost", None)
        if isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0:
            details["cost"] = float(cost)
        return details or None


class _OpenRouterModel(_Billed, OpenRouterModel):
    pass


class _OwnServerModel(_Billed):
    """Tells an error that came with status 200 for what it is, as pydantic-ai does for OpenRouter's own."""

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
