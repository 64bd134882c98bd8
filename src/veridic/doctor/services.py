"""Examines the language models and search providers that are set up, and whether they answer.

Nothing outside this machine is asked unless the user allows it. Messages of the HTTP library are never shown: they may
contain a key.
"""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx2
from pydantic import SecretStr

from veridic.config.settings import SEARCH_PROVIDERS, Settings
from veridic.doctor.finding import Finding, broken, not_set_up, ok, warning
from veridic.domain.errors import UsageError
from veridic.providers.llm.roles import default_models, validation_models
from veridic.providers.search.connect import connect_search

_SECONDS = 5.0
_MOST_BYTES = 2_000_000
_LOCAL_MODEL = "export VERIDIC_LLM_BASE_URL=http://127.0.0.1:11434/v1 VERIDIC_LLM_MODEL=qwen3:8b"
_SEARCH_ADDRESSES = {
    "tavily": "https://api.tavily.com",
    "brave": "https://api.search.brave.com",
    "wikipedia": "https://en.wikipedia.org",
    "duckduckgo": "https://duckduckgo.com",
    "factcheck": "https://factchecktools.googleapis.com",
    "crossref": "https://api.crossref.org",
    "semanticscholar": "https://api.semanticscholar.org",
    "pubmed": "https://eutils.ncbi.nlm.nih.gov",
    "wikidata": "https://www.wikidata.org",
}
_OPTION = "veridic doctor --network"


def examine_language_models(settings: Settings, *, network: bool) -> Iterator[Finding]:
    """Yield the providers of language models."""
    try:
        chosen, validation = default_models(settings), validation_models(settings)
    except UsageError as error:
        yield broken("language models", str(error), "export VERIDIC_LLM_MODEL=the-model-s-name")
        return
    names = {chosen.extractor, *chosen.checkers, chosen.reporter, chosen.generator, *validation}
    models = sorted(name for name in names if name and not name.startswith("embedded/"))
    if settings.llm_base_url:
        yield _own_server(settings, models, network=network)
    for provider, (address, variable, headers) in _keyed(settings).items():
        yield _keyed_provider(provider, address, variable, headers, network=network)
    if not settings.llm_base_url and not _keyed(settings):
        yield not_set_up("language models", "None; the embedded engine does all the work.", _LOCAL_MODEL)


def examine_search(settings: Settings, *, network: bool) -> Iterator[Finding]:
    """Yield the search providers. No search is made: most are paid for."""
    try:
        providers = [provider.name for provider in connect_search(settings)]
    except UsageError as error:
        yield broken("search", str(error), "unset VERIDIC_SEARCH")
        return
    addresses = _SEARCH_ADDRESSES | {"exa": settings.exa_base_url, "searxng": settings.searxng_url}
    for name in providers:
        yield _search(name, addresses.get(name, ""), network=network)
    if not providers:
        others = ", ".join(SEARCH_PROVIDERS)
        yield not_set_up(
            "search", f"No web search; possible are {others}.", "export VERIDIC_SEARCH=wikipedia"
        )


def _own_server(settings: Settings, models: list[str], *, network: bool) -> Finding:
    name, shown = "model server", settings.llm_base_url.partition("?")[0]
    if not network and not _is_local(settings.llm_base_url):
        return ok(name, f"{shown} is set up; `{_OPTION}` asks whether it answers.")
    address = f"{shown.rstrip('/')}/models"
    answer = _get(address, _bearer(settings.llm_api_key))
    if answer is None:
        return broken(name, f"{shown} does not answer.", f"curl {address}")
    if answer.status_code in (401, 403):
        return broken(name, f"{shown} refuses the key.", "export VERIDIC_LLM_API_KEY=...")
    if not answer.is_success:
        return warning(
            name, f"{shown} answers {address} with status {answer.status_code}.", f"curl {address}"
        )
    served = _model_names(answer)
    missing = [model for model in models if served and model not in served]
    if missing:
        return warning(
            name,
            f"{shown} answers, but its list of models lacks {', '.join(missing)}.",
            f"export VERIDIC_LLM_MODEL={served[0]}",
        )
    return ok(name, f"{shown} answers, and serves {', '.join(models)}.")


def _keyed(settings: Settings) -> dict[str, tuple[str, str, Mapping[str, str]]]:
    """Return the providers with a key: an address that answers only with a right one, the variable, the headers."""
    providers: dict[str, tuple[str, str, Mapping[str, str]]] = {}
    if settings.openrouter_api_key is not None:
        address = "https://openrouter.ai/api/v1/key"
        providers["openrouter"] = (address, "OPENROUTER_API_KEY", _bearer(settings.openrouter_api_key))
    if settings.openai_api_key is not None:
        address = "https://api.openai.com/v1/models"
        providers["openai"] = (address, "OPENAI_API_KEY", _bearer(settings.openai_api_key))
    if settings.anthropic_api_key is not None:
        headers = {
            "x-api-key": settings.anthropic_api_key.get_secret_value(),
            "anthropic-version": "2023-06-01",
        }
        providers["anthropic"] = ("https://api.anthropic.com/v1/models", "ANTHROPIC_API_KEY", headers)
    return providers


def _keyed_provider(
    name: str, address: str, variable: str, headers: Mapping[str, str], *, network: bool
) -> Finding:
    if not network:
        return ok(name, f"{variable} is set; `{_OPTION}` tries it.")
    answer = _get(address, headers)
    if answer is None:
        return broken(name, f"{urlsplit(address).netloc} can't be reached.", f"curl -I {address}")
    if answer.status_code in (401, 403):
        return broken(name, f"{urlsplit(address).netloc} refuses the key.", f"export {variable}=...")
    if not answer.is_success:
        return warning(name, f"{urlsplit(address).netloc} answers with status {answer.status_code}.", None)
    return ok(name, f"{urlsplit(address).netloc} answers and takes the key.")


def _search(name: str, address: str, *, network: bool) -> Finding:
    label, host = f"search {name}", urlsplit(address).netloc
    if not host:
        return ok(label, "Set up; the first search tries it.")
    if not network and not _is_local(address):
        return ok(label, f"Set up; `{_OPTION}` asks whether {host} can be reached.")
    if _get(address, {}) is None:
        return broken(label, f"{host} can't be reached.", f"curl -I https://{host}")
    return ok(label, f"{host} can be reached; its key is tried by the first search.")


def _get(address: str, headers: Mapping[str, str]) -> httpx2.Response | None:
    """Return the answer with at most `_MOST_BYTES` of its body; None if there is no answer."""
    try:
        with (
            httpx2.Client(timeout=_SECONDS, follow_redirects=False) as client,
            client.stream("GET", address, headers=dict(headers)) as response,
        ):
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > _MOST_BYTES:
                    break
            return httpx2.Response(response.status_code, content=bytes(body))
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError):
        return None


def _model_names(answer: httpx2.Response) -> list[str]:
    """Return the names in a list of models; empty if it is in no known form."""
    try:
        listed = answer.json()["data"]
        return [str(model["id"]) for model in listed]
    except (ValueError, LookupError, TypeError):
        return []


def _bearer(key: SecretStr | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}


def _is_local(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
