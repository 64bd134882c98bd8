"""All settings, with their defaults, limits and environment variables."""

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
from veridic.domain.people import Role
from veridic.domain.verdicts import Scale, Verdict, words

Names = Annotated[tuple[str, ...], NoDecode]
"""Several values in one variable, comma-separated."""

SEARCH_PROVIDERS = (
    *("exa", "tavily", "brave", "searxng", "factcheck", "wikipedia", "duckduckgo"),
    *("crossref", "semanticscholar", "pubmed", "wikidata"),
)
"""The providers that search the web and its databases, in the default order."""
HIGH_RISK = "HIGH_RISK"
"""The flag for articles with a claim of high risk."""
_RATINGS = 6
"""Of the desk's scale."""
_EXAMPLES = {
    "llm_base_url": "http://127.0.0.1:11434/v1",
    "searxng_url": "http://127.0.0.1:8888",
    "exa_base_url": "https://api.exa.ai",
    "webhook_url": "https://example.org/veridic",
    "desk_url": "https://checks.example.org",
}
_SHORTEST_SECRET = 16


class SearchDepth(StrEnum):
    COMPREHENSIVE = "comprehensive"
    BASIC = "basic"


class Settings(BaseSettings):
    """The settings of a process. The variable of a field is `VERIDIC_` and the field's name in capitals, such as
    `VERIDIC_HOME`. Some fields have an alias: providers' keys use the providers' usual names.
    """

    model_config = SettingsConfigDict(
        env_prefix="VERIDIC_", env_ignore_empty=True, frozen=True, extra="ignore", validate_by_name=True
    )

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("veridic", appauthor=False)))
    """The folder of the database, the indexes and the caches."""
    database_url: str = ""
    """`sqlite:///...`; by default `veridic.db` in `home`."""
    corpora_url: str = ""
    """`postgresql://...`; by default the corpora are files in `home`."""
    max_document_bytes: int = Field(default=20_000_000, gt=0)
    """The largest file or page that is read."""
    fetch_timeout_seconds: float = Field(default=30.0, gt=0)
    fetch_max_redirects: int = Field(default=5, ge=0)
    fetch_allow_hosts: Names = ()
    """Host names that may be fetched even if they resolve to a private or loopback address (comma-separated)."""
    claim_timeout_seconds: float = Field(default=60.0, gt=0)
    """How long to search for evidence before a claim is decided with what was found."""
    passages_per_claim: int = Field(default=20, gt=0)
    """The maximum number of passages read for a claim."""
    unconfined_tests: bool = False
    """Let `verify` run tests and examples without a sandbox, on a system that can't provide one."""
    debug: bool = False
    """Show the traceback of an unexpected error instead of one sentence."""
    credibility_file: Path | None = None
    """A JSON file of domains and tiers that extends and overrides the built-in one."""
    api_token: SecretStr | None = None
    """The token for the HTTP API; without one, `veridic serve` answers only this machine."""
    api_allowed_hosts: Names = ()
    """Host names the server accepts (comma-separated), in addition to those of this machine."""
    api_max_request_bytes: int = Field(default=21_000_000, gt=0)
    """The largest request accepted: a document of `max_document_bytes` and the form around it."""
    api_starts_per_minute: int = Field(default=120, gt=0)
    """The number of checks one client may start per minute."""
    webhook_url: str = ""
    """Where a server or worker reports that a run has ended; empty for none."""
    webhook_secret: SecretStr | None = Field(default=None, validate_default=True)
    """What webhooks are signed with: at least 16 characters, known to the receiver."""
    webhook_allow_private: bool = False
    """Let webhooks go to a private or loopback address."""
    desk_second_reader: bool = True
    """Nobody publishes a check that they completed or verified themselves; an editor reads it first."""
    oidc_issuer: str = ""
    """The OpenID Connect issuer that people may sign in with, exactly as it calls itself; empty for none."""
    oidc_client_id: str = Field(default="", validate_default=True)
    """The name under which the issuer knows this server."""
    oidc_client_secret: SecretStr | None = None
    """The client secret; none for a public client."""
    oidc_name: str = Field(default="single sign-on", min_length=1, max_length=100)
    """The issuer's name on the sign-in page."""
    oidc_new_role: Role | None = None
    """The role of the account that somebody the issuer knows gets at the first sign-in; by default admins add accounts."""
    batch_flags: Names = ("FALSE", "MISLEADING", "HIGH_RISK")
    """What makes `veridic batch --triage` check an article thoroughly: verdicts of the first look on the article or one of its
    claims, and HIGH_RISK for a claim of high risk (comma-separated)."""
    desk_name: str = Field(default="Veridic", min_length=1, max_length=200)
    """Who publishes: the name on public pages, in the feed and as the author of each ClaimReview."""
    desk_url: str = ""
    """The address under which readers reach this server; by default the one that a request was sent to."""
    desk_ratings: Names = ()
    """The desk's own words for the six ratings, from true to unverifiable (comma-separated)."""
    max_concurrent_checks: int = Field(default=200, gt=0)
    """The maximum number of checks a server runs at once; others wait in a queue."""
    llm_base_url: str = ""
    """An OpenAI-compatible server (Ollama, vLLM, llama.cpp, ...) that serves every language model."""
    llm_api_key: SecretStr | None = None
    """The key of that server, if it needs one."""
    llm_model: str = ""
    """The model for every role without a model of its own."""
    llm_max_concurrency: int = Field(default=64, gt=0)
    """The maximum number of concurrent requests to one provider, over all runs of the process."""
    provider_max_concurrency: int | None = Field(default=None, gt=0)
    """The maximum number of calls under way at one provider of models or searches, over all processes on the database."""
    provider_calls_per_minute: int | None = Field(default=None, gt=0)
    """The maximum number of calls per minute at one provider, over all processes on the database."""
    llm_timeout_seconds: float = Field(default=120.0, ge=1, le=86_400, allow_inf_nan=False)
    """The timeout of a call to a language model, unless the run sets one; a model on a slow machine needs more."""
    openrouter_api_key: SecretStr | None = Field(default=None, validation_alias="OPENROUTER_API_KEY")
    """Enables models through OpenRouter, by its names (`openai/o3`)."""
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    """Enables OpenAI's models without OpenRouter (`openai:gpt-5`)."""
    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    """Enables Anthropic's models without OpenRouter (`anthropic:claude-opus-4-6`)."""
    generator_model: str = ""
    """Consensus mode: the model that answers a question, if its answer is to be checked."""
    extractor_model: str = ""
    """The model that finds the claims, in every mode."""
    checker_models: Names = Field(default=(), max_length=4)
    """Consensus mode: the models that check the claims, one to four (comma-separated)."""
    reporter_model: str = ""
    """Consensus mode: the model that writes the report."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """The cost limit for the language models and searches of one run, in US dollars; no limit by default."""
    max_tokens: int | None = Field(default=None, ge=0)
    """The limit of input and output tokens of one run; no limit by default."""
    search: Names = ()
    """The web search providers to use, in this order (comma-separated); by default all that have a key or address."""
    google_fact_check_api_key: SecretStr | None = Field(
        default=None, validation_alias="GOOGLE_FACT_CHECK_API_KEY"
    )
    """Enables the search for earlier fact-checks with Google's Fact Check Tools."""
    semantic_scholar_api_key: SecretStr | None = Field(
        default=None, validation_alias="SEMANTIC_SCHOLAR_API_KEY"
    )
    """Optional: Semantic Scholar answers without one, but is often busy."""
    contact: str = Field(default="", max_length=200)
    """An e-mail address that Crossref and PubMed are told with each search, as they ask for."""
    search_timeout_seconds: float = Field(default=20.0, gt=0)
    """The timeout of one search, including retries."""
    exa_api_key: SecretStr | None = Field(default=None, validation_alias="EXA_API_KEY")
    exa_base_url: str = Field(default="https://api.exa.ai", validation_alias="EXA_BASE_URL")
    """The address of Exa, or of your own gateway to it."""
    tavily_api_key: SecretStr | None = Field(default=None, validation_alias="TAVILY_API_KEY")
    brave_api_key: SecretStr | None = Field(default=None, validation_alias="BRAVE_API_KEY")
    searxng_url: str = ""
    """The address of your SearXNG server."""
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
    """None (in the variable: `unlimited`) for no limit."""
    use_thorough_validation: bool = Field(default=True, validation_alias="USE_THOROUGH_VALIDATION")
    """The default mode of a check: thorough if true, summary if false."""
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
    """The temperature of the validator, whichever model that is; a lower one gives more uniform answers."""
    gemini_max_tokens_thorough: int = Field(
        default=8192, gt=0, le=1_000_000, validation_alias="GEMINI_MAX_TOKENS_THOROUGH"
    )
    """The maximum number of tokens in one answer of the validator."""
    gemini_top_k_thorough: int = Field(default=40, gt=0, le=1_000, validation_alias="GEMINI_TOP_K_THOROUGH")
    gemini_top_p_thorough: float = Field(default=0.95, gt=0, le=1, validation_alias="GEMINI_TOP_P_THOROUGH")
    max_evidence_chars_per_source: int = Field(
        default=2000, ge=100, le=50_000, validation_alias="MAX_EVIDENCE_CHARS_PER_SOURCE"
    )
    """The maximum number of characters of a source kept as evidence for a claim: its best passages."""
    max_highlights_per_source: int = Field(
        default=5, gt=0, le=50, validation_alias="MAX_HIGHLIGHTS_PER_SOURCE"
    )
    """The maximum number of a search provider's highlights read per source."""
    max_highlight_chars: int = Field(default=500, ge=50, le=5_000, validation_alias="MAX_HIGHLIGHT_CHARS")
    enable_deduplication: bool = Field(default=True, validation_alias="ENABLE_DEDUPLICATION")
    """Count the same story in several places as one source, and list its copies."""
    similarity_threshold: float = Field(default=0.85, gt=0, le=1, validation_alias="SIMILARITY_THRESHOLD")
    """The similarity from which two texts count as the same story."""
    enable_parallel_validation: bool = Field(default=True, validation_alias="ENABLE_PARALLEL_VALIDATION")
    max_concurrent_validations: int | None = Field(
        default=None, gt=0, le=100, validation_alias="MAX_CONCURRENT_VALIDATIONS"
    )
    """Thorough mode: the number of claims checked at once if external providers are used. None: all claims, up to 20;
    requests to a provider that reports a rate limit are slowed down."""
    validation_stagger_seconds: float = Field(
        default=0.0, ge=0, le=60, allow_inf_nan=False, validation_alias="VALIDATION_STAGGER_SECONDS"
    )
    """The delay between the starts of two claims."""
    max_claims_per_article: int | None = Field(default=None, gt=0, validation_alias="MAX_CLAIMS_PER_ARTICLE")
    """Thorough mode: the maximum number of claims checked. None: 20 if checking costs money, otherwise all."""
    validate_high_risk_only: bool = Field(default=False, validation_alias="VALIDATE_HIGH_RISK_ONLY")
    """Thorough mode: check only high-risk claims."""
    run_timeout_seconds: float = Field(default=600.0, gt=0)
    """The time limit of a run that uses external providers, and in consensus mode. After it, calls in progress are
    finished, and the run ends with the results so far."""

    @field_validator(
        "fetch_allow_hosts",
        "api_allowed_hosts",
        "checker_models",
        "search",
        "batch_flags",
        "desk_ratings",
        mode="before",
    )
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
        """Strip white space, because a token from a header or form has none around it."""
        stripped = token.get_secret_value().strip() if token else ""
        return SecretStr(stripped) if stripped else None

    @field_validator("llm_base_url", "searxng_url", "exa_base_url", "webhook_url", "desk_url")
    @classmethod
    def _must_be_a_web_address(cls, url: str, info: ValidationInfo) -> str:
        if url and not _is_plain_web_address(url):
            example = _EXAMPLES[info.field_name or ""]
            raise ValueError(f"it should be an address such as {example}, with no login in it")
        return url

    @field_validator("desk_ratings")
    @classmethod
    def _must_be_six(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if words and (len(words) != _RATINGS or len(set(words)) != _RATINGS):
            raise ValueError(f"it should be {_RATINGS} different words, from true to unverifiable")
        return words

    @field_validator("webhook_secret")
    @classmethod
    def _must_go_with_the_address(cls, secret: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if (
            info.data.get("webhook_url")
            and len(secret.get_secret_value() if secret else "") < _SHORTEST_SECRET
        ):
            raise ValueError(f"VERIDIC_WEBHOOK_URL needs it, with at least {_SHORTEST_SECRET} characters")
        return secret

    @field_validator("contact")
    @classmethod
    def _must_be_an_email_address(cls, address: str) -> str:
        name, _, host = address.partition("@")
        is_one = address.isascii() and address.isprintable() and not set(address) & set(" <>(),;")
        if address and not (is_one and name and "." in host.strip(".") and "@" not in host):
            raise ValueError("it should be an e-mail address, such as desk@example.org")
        return address

    @field_validator("oidc_issuer")
    @classmethod
    def _must_be_an_issuer(cls, issuer: str) -> str:
        if issuer and (not keeps_secrets(issuer) or "?" in issuer or "#" in issuer):
            raise ValueError("it should be an https address such as https://login.example.org")
        return issuer

    @field_validator("oidc_client_id")
    @classmethod
    def _must_go_with_the_issuer(cls, client_id: str, info: ValidationInfo) -> str:
        if info.data.get("oidc_issuer") and not client_id.strip():
            raise ValueError("VERIDIC_OIDC_ISSUER needs it")
        return client_id.strip()

    @field_validator("oidc_new_role", mode="before")
    @classmethod
    def _must_not_manage(cls, role: object) -> object:
        if role is not None and role not in (Role.VIEWER, Role.FACT_CHECKER, Role.EDITOR):
            raise ValueError("it should be viewer, fact_checker or editor")
        return role

    @field_validator("search")
    @classmethod
    def _must_be_search_providers(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        lowered = tuple(dict.fromkeys(name.lower() for name in names))
        if set(lowered) - set(SEARCH_PROVIDERS):
            raise ValueError(f"it should name some of {', '.join(SEARCH_PROVIDERS)}")
        return lowered

    @field_validator("batch_flags")
    @classmethod
    def _must_be_flags(cls, flags: tuple[str, ...]) -> tuple[str, ...]:
        upper = tuple(dict.fromkeys(flag.upper() for flag in flags))
        known = (HIGH_RISK, *words(Scale.VALIDATION), *Verdict)
        if set(upper) - set(known):
            raise ValueError(f"it should name some of {', '.join(dict.fromkeys(known))}")
        return upper

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
    def corpora(self) -> Path | str:
        """Where named corpora are kept: a folder of `home`, or the address of a database that machines share."""
        return self.corpora_url or self.own_corpora

    @property
    def own_corpora(self) -> Path:
        """The folder of this machine with one index per corpus."""
        return self.home / "corpora"


@lru_cache(maxsize=1)
def load_settings() -> Settings:
    """Return the settings of this process; raise `UsageError` with a sentence for each bad value."""
    try:
        settings = Settings()
    except ValidationError as error:
        raise UsageError(" ".join(map(_sentence, error.errors(include_input=False)))) from None
    if settings.home.exists() and not settings.home.is_dir():
        raise UsageError(f"VERIDIC_HOME should name a folder, but {settings.home} is not one.")
    return settings


def _sentence(problem: ErrorDetails) -> str:
    message = problem["msg"].removeprefix("Value error, ")
    return f"The setting {_variable(problem['loc'][0])} is not valid: {message}."


def _variable(field: int | str) -> str:
    name = str(field)
    return name if name.isupper() else f"VERIDIC_{name.upper()}"


def keeps_secrets(url: str) -> bool:
    """Return whether nobody between here and a web address can read what is sent: it is https, or on this machine."""
    if not _is_plain_web_address(url):
        return False
    parts = urlsplit(url)
    return parts.scheme == "https" or parts.hostname in ("127.0.0.1", "::1", "localhost")


def _is_plain_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        return is_web and "@" not in parts.netloc
    except ValueError:
        return False
