"""Every setting, with its default, its limits and the environment variable that sets it."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from veridic.domain.errors import UsageError

Names = Annotated[tuple[str, ...], NoDecode]
"""Several values in one variable, separated by commas."""


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
    passages_per_claim: int = Field(default=12, gt=0)
    """At most so many passages are read for a claim."""
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
    openrouter_api_key: SecretStr | None = Field(default=None, validation_alias="OPENROUTER_API_KEY")
    """Lets models be asked through OpenRouter, by its names (`openai/o3`)."""
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    """Lets OpenAI's models be asked without OpenRouter (`openai:gpt-5`)."""
    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    """Lets Anthropic's models be asked without OpenRouter (`anthropic:claude-opus-4-6`)."""
    generator_model: str = ""
    """Consensus mode: who answers a question whose answer is to be checked."""
    extractor_model: str = ""
    """Consensus mode: who finds the claims."""
    checker_models: Names = Field(default=(), max_length=4)
    """Consensus mode: who checks the claims, one to four (comma-separated)."""
    reporter_model: str = ""
    """Consensus mode: who writes the report."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """What the language models of one run may cost, in US dollars; no limit by default."""
    max_tokens: int | None = Field(default=None, ge=0)
    """How many tokens, in and out, the language models of one run may take; no limit by default."""
    run_timeout_seconds: float = Field(default=600.0, gt=0)
    """Consensus mode: after so long the stage under way is finished, and the run ends with what is there."""

    @field_validator("fetch_allow_hosts", "api_allowed_hosts", "checker_models", mode="before")
    @classmethod
    def _split_at_commas(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @field_validator("fetch_allow_hosts", "api_allowed_hosts")
    @classmethod
    def _in_lower_case(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(host.lower() for host in hosts)

    @field_validator("llm_base_url")
    @classmethod
    def _must_be_a_web_address(cls, url: str) -> str:
        if url and not _is_plain_web_address(url):
            raise ValueError("it should be an address such as http://127.0.0.1:11434/v1, with no login in it")
        return url

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{quote(str(self.home / 'veridic.db'))}"

    @property
    def corpora(self) -> Path:
        """The folder that holds one index per corpus."""
        return self.home / "corpora"


@lru_cache(maxsize=1)
def load_settings() -> Settings:
    """The settings of this process; `UsageError` names the first bad value."""
    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        message = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"The setting {_variable(first['loc'][0])} is not valid: {message}.") from None
    if settings.home.exists() and not settings.home.is_dir():
        raise UsageError(f"VERIDIC_HOME should name a folder, and {settings.home} is none.")
    return settings


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
