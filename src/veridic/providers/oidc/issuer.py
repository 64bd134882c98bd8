"""The issuer that people sign in at: where it sends browsers, and whom its codes stand for."""

import asyncio
import json
import time
import zlib
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote_plus

import httpx2
from pydantic import BaseModel, ConfigDict, ValidationError

from veridic.config.settings import Settings, keeps_secrets
from veridic.domain.errors import OidcError
from veridic.domain.people import Identity
from veridic.providers.http_calls import (
    BodyTooLargeError,
    UnsupportedEncodingError,
    may_use_proxy,
    read_body,
    tls_context,
)
from veridic.providers.oidc.attempt import Attempt
from veridic.providers.oidc.id_token import Expected, UnknownKeyError, read_id_token

_MAX_ANSWER_BYTES = 256 * 1024
_TIMEOUT_SECONDS = 10.0
_CACHE_SECONDS = 3600.0
_SCOPE = "openid email profile"
_HEADERS = {
    "User-Agent": f"veridic/{version('veridic')} (fact-checking software)",
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
}


class _Discovery(BaseModel):
    """What is read of an issuer's discovery document."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


def can_sign_in_elsewhere(settings: Settings) -> bool:
    """Return whether there is an issuer, and the extra `oidc` is installed."""
    return bool(settings.oidc_issuer) and find_spec("joserfc") is not None


class Issuer:
    """The issuer of `VERIDIC_OIDC_ISSUER`. Its discovery document and keys are read when needed and kept for an hour."""

    def __init__(self, settings: Settings, *, now: Callable[[], float] = time.time) -> None:
        """`now` replaces the clock in tests."""
        self._issuer = settings.oidc_issuer
        self._client_id = settings.oidc_client_id
        secret = settings.oidc_client_secret
        self._secret = secret.get_secret_value().strip() if secret else ""
        self._now = now
        self._discovered: tuple[float, _Discovery] | None = None
        self._keys: tuple[float, list[Any]] | None = None

    async def authorization_url(self, attempt: Attempt, redirect_uri: str) -> str:
        """Return where the browser goes to sign in; raise `OidcError` if the issuer doesn't say."""
        discovery = await self._discovery()
        return str(
            httpx2.URL(discovery.authorization_endpoint).copy_merge_params(
                {
                    "response_type": "code",
                    "client_id": self._client_id,
                    "redirect_uri": redirect_uri,
                    "scope": _SCOPE,
                    "state": attempt.state,
                    "nonce": attempt.nonce,
                    "code_challenge": attempt.challenge,
                    "code_challenge_method": "S256",
                }
            )
        )

    async def identify(self, code: str, attempt: Attempt, redirect_uri: str) -> Identity:
        """Return whom a code stands for; raise `OidcError` with the reason if that can't be proven."""
        discovery = await self._discovery()
        token = await self._redeem(discovery, code, attempt, redirect_uri)
        expected = Expected(self._issuer, self._client_id, attempt.nonce)
        kept = self._keys
        keys = await self._current_keys(discovery)
        try:
            try:
                return read_id_token(token, keys, expected, self._now())
            except UnknownKeyError:
                if self._keys is not kept:  # they have only just been read
                    raise
                keys = await self._read_keys(discovery)
                return read_id_token(token, keys, expected, self._now())
        except UnknownKeyError:
            raise OidcError("the ID token is not signed with a key of the issuer.") from None

    async def _discovery(self) -> _Discovery:
        if self._discovered is not None and self._is_fresh(self._discovered[0]):
            return self._discovered[1]
        answer = await self._ask("GET", f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        try:
            discovery = _Discovery.model_validate(answer)
        except ValidationError:
            raise OidcError("its discovery document is not one.") from None
        if discovery.issuer != self._issuer:
            raise OidcError("it calls itself something else than VERIDIC_OIDC_ISSUER, to the letter.")
        endpoints = (discovery.authorization_endpoint, discovery.token_endpoint, discovery.jwks_uri)
        if not all(map(keeps_secrets, endpoints)):
            raise OidcError("its discovery document has an address that is not https.")
        self._discovered = self._now(), discovery
        return discovery

    async def _redeem(self, discovery: _Discovery, code: str, attempt: Attempt, redirect_uri: str) -> str:
        """Exchange a code for an ID token."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": attempt.verifier,
        }
        login = None
        if self._secret and "client_secret_basic" in discovery.token_endpoint_auth_methods_supported:
            login = (quote_plus(self._client_id), quote_plus(self._secret))
        else:
            form |= {"client_id": self._client_id} | ({"client_secret": self._secret} if self._secret else {})
        answer = await self._ask("POST", discovery.token_endpoint, form, login)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise OidcError("it gave no ID token.")
        return token

    async def _current_keys(self, discovery: _Discovery) -> list[Any]:
        if self._keys is not None and self._is_fresh(self._keys[0]):
            return self._keys[1]
        return await self._read_keys(discovery)

    async def _read_keys(self, discovery: _Discovery) -> list[Any]:
        keys = (await self._ask("GET", discovery.jwks_uri)).get("keys")
        if not isinstance(keys, list):
            raise OidcError("its list of keys is not one.")
        self._keys = self._now(), keys
        return keys

    def _is_fresh(self, read_at: float) -> bool:
        return 0 <= self._now() - read_at < _CACHE_SECONDS

    async def _ask(
        self,
        method: str,
        url: str,
        form: dict[str, str] | None = None,
        login: tuple[str, str] | None = None,
    ) -> dict[str, Any]:
        """Return the JSON object of a 200 response. Redirects are not followed."""
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS), _client(url) as client:
                request = client.build_request(method, url, data=form, headers=_HEADERS)
                response = await client.send(request, auth=login, stream=True, follow_redirects=False)
                try:
                    body = await read_body(response, _MAX_ANSWER_BYTES)
                finally:
                    await response.aclose()
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError):
            raise OidcError("it can't be reached.") from None
        except (BodyTooLargeError, UnsupportedEncodingError, zlib.error):
            raise OidcError("its answer is too large, or damaged.") from None
        answer = _json_object(body)
        if response.status_code != httpx2.codes.OK:
            raise OidcError(f"it answered with status {response.status_code}{_reason(answer)}.")
        if answer is None:
            raise OidcError("its answer is not JSON.")
        return answer


def _client(url: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        verify=tls_context(),
        timeout=_TIMEOUT_SECONDS,
        trust_env=may_use_proxy(url),
    )


def _json_object(body: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _reason(answer: dict[str, Any] | None) -> str:
    """Return an error's code, such as `invalid_grant`; never its description, which may repeat what was sent."""
    code = answer.get("error") if answer else None
    is_code = isinstance(code, str) and code.isascii() and code.isidentifier() and len(code) <= 50
    return f" ({code})" if is_code else ""
