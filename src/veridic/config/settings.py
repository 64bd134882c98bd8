"""Every setting, with its default, its limits and the environment variable that sets it."""

from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlsplit

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from veridic.domain.errors import UsageError

Names = Annotated[tuple[str, ...], NoDecode]
"""Several values in one variable, separated by commas."""

SEARCH_PROVIDERS = ("exa", "tavily", "brave", "searxng", "wikipedia", "duckduckgo")
"""Who can be asked for evidence on the web, in the order in which they are."""
_EXAMPLES = {
    "llm_base_url": "http://127.0.0.1:11434/v1",
    "searxng_url": "http://127.0.0.1:8888",
    "exa_base_url": "https://api.exa.ai",
}


class SearchDepth(StrEnum):
    COMPREHENSIVE = "comprehensive"
    BASIC = "basic"


class Settings(BaseSettings):
    """`VERIDIC_HOME`, `VERIDIC_DATABASE_URL`, ...: the field's name in capitals behind `VERIDIC_`.

    A provider's key goes by the provider's usual name.
    """

    model_config = SettingsConfigDict(
        env_prefix="VERIDIC_", env_ignore_empty=True, frozen=True, extra="ignore", validate_by_name=True
    )

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("veridic", appauthor=False)))
    """Where the database, the indexes and the caches live."""
    database_url: str = ""
    """`sqlite:///...`; by default `veridic.db` in `home`."""
    max_document_bytes: int = Field(default=20_000_000, gt=0)
    """The largest file or page that is read."""
    fetch_timeout_seconds: float = Field(default=30.0, gt=0)
    fetch_max_redirects: int = Field(default=5, ge=0)
    fetch_allow_hosts: Names = ()
    """Host names that may be fetched although they lead to a private or loopback address (comma-separated)."""
    claim_timeout_seconds: float = Field(default=60.0, gt=0)
    """How long evidence is looked for before a claim is decided on what is there."""
    passages_per_claim: int = Field(default=20, gt=0)
    """At most so many passages are read for a claim."""
    unconfined_tests: bool = False
    """Let `verify` run tests and examples without a sandbox, on a system that can't provide one."""
    debug: bool = False
    """Show where an unexpected error happened instead of one sentence about it."""
    credibility_file: Path | None = None
    """A JSON file of domains and tiers that adds to and overrides the built-in one."""
    api_token: SecretStr | None = None
    """What callers of the HTTP API must know; without one, `veridic serve` answers this machine only."""
    api_allowed_hosts: Names = ()
    """Names under which the server may be asked for (comma-separated), beside those of this machine."""
    api_max_request_bytes: int = Field(default=21_000_000, gt=0)
    """The largest request that is taken: a document of `max_document_bytes`, and the form around it."""
    api_starts_per_minute: int = Field(default=120, gt=0)
    """How many checks one client may start in a minute."""
    max_concurrent_checks: int = Field(default=200, gt=0)
    """At most so many checks are worked on at once by a server; others wait their turn."""
    llm_base_url: str = ""
    """An OpenAI-compatible server (Ollama, vLLM, llama.cpp, ...) that serves every language model."""
    llm_api_key: SecretStr | None = None
    """The key of that server, where it wants one."""
    llm_model: str = ""
    """The model for every role that no other setting names one for."""
    llm_max_concurrency: int = Field(default=64, gt=0)
    """At most so many requests are under way at one provider, over all runs of the process."""
    llm_timeout_seconds: float = Field(default=120.0, ge=1, le=86_400, allow_inf_nan=False)
    """How long a call to a language model may take, where a run sets no time of its own; a model on a slow machine needs more."""
    openrouter_api_key: SecretStr | None = Field(default=None, validation_alias="OPENROUTER_API_KEY")
    """Lets models be asked through OpenRouter, by its names (`openai/o3`)."""
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    """Lets OpenAI's models be asked without OpenRouter (`openai:gpt-5`)."""
    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    """Lets Anthropic's models be asked without OpenRouter (`anthropic:claude-opus-4-6`)."""
    generator_model: str = ""
    """Consensus mode: who answers a question whose answer is to be checked."""
    extractor_model: str = ""
    """Who finds the claims, in every mode."""
    checker_models: Names = Field(default=(), max_length=4)
    """Consensus mode: who checks the claims, one to four (comma-separated)."""
    reporter_model: str = ""
    """Consensus mode: who writes the report."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """What the language models and searches of one run may cost, in US dollars; no limit by default."""
    max_tokens: int | None = Field(default=None, ge=0)
    """How many tokens, in and out, the language models of one run may take; no limit by default."""
    search: Names = ()
    """Who is asked for evidence on the web, in this order (comma-separated); by default all that have a key or address."""
    search_timeout_seconds: float = Field(default=20.0, gt=0)
    """For one search, retries included."""
    exa_api_key: SecretStr | None = Field(default=None, validation_alias="EXA_API_KEY")
    exa_base_url: str = Field(default="https://api.exa.ai", validation_alias="EXA_BASE_URL")
    """Where Exa is asked; a gateway of one's own can stand in between."""
    tavily_api_key: SecretStr | None = Field(default=None, validation_alias="TAVILY_API_KEY")
    brave_api_key: SecretStr | None = Field(default=None, validation_alias="BRAVE_API_KEY")
    searxng_url: str = ""
    """The user's own SearXNG server."""
    exa_num_results_news: int = Field(default=5, gt=0, le=100, validation_alias="EXA_NUM_RESULTS_NEWS")
    exa_num_results_research: int = Field(
        default=10, gt=0, le=100, validation_alias="EXA_NUM_RESULTS_RESEARCH"
    )
    exa_num_results_general: int = Field(default=5, gt=0, le=100, validation_alias="EXA_NUM_RESULTS_GENERAL")
    exa_num_results_historical: int = Field(
        default=5, gt=0, le=100, validation_alias="EXA_NUM_RESULTS_HISTORICAL"
    )
    exa_days_back_news: int = Field(default=30, gt=0, validation_alias="EXA_DAYS_BACK_NEWS")
    exa_days_back_historical: int | None = Field(
        default=None, gt=0, validation_alias="EXA_DAYS_BACK_HISTORICAL"
    )
    """None, written `unlimited`: no limit."""
    use_thorough_validation: bool = Field(default=True, validation_alias="USE_THOROUGH_VALIDATION")
    """The mode of a check that names none: thorough, or where this is false, summary."""
    exa_search_depth: SearchDepth = Field(
        default=SearchDepth.COMPREHENSIVE, validation_alias="EXA_SEARCH_DEPTH"
    )
    """`comprehensive` searches all four channels, `basic` only the general one."""
    validator_model: str = Field(
        default="", validation_alias=AliasChoices("VERIDIC_VALIDATOR_MODEL", "GEMINI_MODEL_THOROUGH")
    )
    """Summary and thorough mode: the language model that reads the evidence."""
    gemini_temperature_thorough: float = Field(
        default=0.2, ge=0, le=2, validation_alias="GEMINI_TEMPERATURE_THOROUGH"
    )
    """Of the validator, whichever model that is; a lower one makes answers more alike."""
    gemini_max_tokens_thorough: int = Field(
        default=8192, gt=0, le=1_000_000, validation_alias="GEMINI_MAX_TOKENS_THOROUGH"
    )
    """The most tokens that the validator may write in one answer."""
    gemini_top_k_thorough: int = Field(default=40, gt=0, le=1_000, validation_alias="GEMINI_TOP_K_THOROUGH")
    gemini_top_p_thorough: float = Field(default=0.95, gt=0, le=1, validation_alias="GEMINI_TOP_P_THOROUGH")
    max_evidence_chars_per_source: int = Field(
        default=2000, ge=100, le=50_000, validation_alias="MAX_EVIDENCE_CHARS_PER_SOURCE"
    )
    """So much of a source is kept as evidence for a claim: its best passages."""
    max_highlights_per_source: int = Field(
        default=5, gt=0, le=50, validation_alias="MAX_HIGHLIGHTS_PER_SOURCE"
    )
    """So many pieces that a search provider points out are read of a source."""
    max_highlight_chars: int = Field(default=500, ge=50, le=5_000, validation_alias="MAX_HIGHLIGHT_CHARS")
    enable_deduplication: bool = Field(default=True, validation_alias="ENABLE_DEDUPLICATION")
    """The same story in several places counts as one source, with its copies listed."""
    similarity_threshold: float = Field(default=0.85, gt=0, le=1, validation_alias="SIMILARITY_THRESHOLD")
    """From which similarity on two texts are the same story."""
    enable_parallel_validation: bool = Field(default=True, validation_alias="ENABLE_PARALLEL_VALIDATION")
    max_concurrent_validations: int | None = Field(
        default=None, gt=0, le=100, validation_alias="MAX_CONCURRENT_VALIDATIONS"
    )
    """Thorough mode: so many claims are worked on at once where somebody outside is asked. None: as many as there are,
    up to 20; providers that find it too fast are asked more slowly."""
    validation_stagger_seconds: float = Field(
        default=0.0, ge=0, le=60, allow_inf_nan=False, validation_alias="VALIDATION_STAGGER_SECONDS"
    )
    """The time between the starts of two such claims."""
    max_claims_per_article: int | None = Field(default=None, gt=0, validation_alias="MAX_CLAIMS_PER_ARTICLE")
    """Thorough mode: so many claims are checked. None: 20 where checking costs money, all where it does not."""
    validate_high_risk_only: bool = Field(default=False, validation_alias="VALIDATE_HIGH_RISK_ONLY")
    """Thorough mode: check only claims of high risk."""
    run_timeout_seconds: float = Field(default=600.0, gt=0)
    """Where somebody outside is asked, and in consensus mode: after so long what is under way is finished, and the run
    ends with what is there."""

    @field_validator("fetch_allow_hosts", "api_allowed_hosts", "checker_models", "search", mode="before")
    @classmethod
    def _split_at_commas(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @field_validator("fetch_allow_hosts", "api_allowed_hosts")
    @classmethod
    def _in_lower_case(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(host.lower() for host in hosts)

    @field_validator("api_token")
    @classmethod
    def _without_white_space(cls, token: SecretStr | None) -> SecretStr | None:
        """As callers send it: what a header or a form brings has none around it."""
        stripped = token.get_secret_value().strip() if token else ""
        return SecretStr(stripped) if stripped else None

    @field_validator("llm_base_url", "searxng_url", "exa_base_url")
    @classmethod
    def _must_be_a_web_address(cls, url: str, info: ValidationInfo) -> str:
        if url and not _is_plain_web_address(url):
            example = _EXAMPLES[info.field_name or ""]
            raise ValueError(f"it should be an address such as {example}, with no login in it")
        return url

    @field_validator("search")
    @classmethod
    def _must_be_search_providers(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        lowered = tuple(dict.fromkeys(name.lower() for name in names))
        if set(lowered) - set(SEARCH_PROVIDERS):
            raise ValueError(f"it should name some of {', '.join(SEARCH_PROVIDERS)}")
        return lowered

    @field_validator("exa_days_back_historical", mode="before")
    @classmethod
    def _unlimited_is_none(cls, value: object) -> object:
        text = value.strip().lower() if isinstance(value, str) else ""
        if text and text != "unlimited" and not text.isdecimal():
            raise ValueError("it should be a number of days, or unlimited")
        return None if text == "unlimited" else value

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{quote(str(self.home / 'veridic.db'))}"

    @property
    def corpora(self) -> Path:
        """The folder that holds one index per corpus."""
        return self.home / "corpora"


@lru_cache(maxsize=1)
def load_settings() -> Settings:
    """The settings of this process; `UsageError` has a sentence for each bad value."""
    try:
        settings = Settings()
    except ValidationError as error:
        raise UsageError(" ".join(map(_sentence, error.errors(include_input=False)))) from None
    if settings.home.exists() and not settings.home.is_dir():
        raise UsageError(f"VERIDIC_HOME should name a folder, and {settings.home} is none.")
    return settings


def _sentence(wrong: ErrorDetails) -> str:
    message = wrong["msg"].removeprefix("Value error, ")
    return f"The setting {_variable(wrong['loc'][0])} is not valid: {message}."


def _variable(field: int | str) -> str:
    name = str(field)
    return name if name.isupper() else f"VERIDIC_{name.upper()}"


def _is_plain_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        return is_web and "@" not in parts.netloc
    except ValueError:
        return False
