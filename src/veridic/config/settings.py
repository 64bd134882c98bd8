"""Every setting, with its default, its limits and the environment variable that sets it."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import platformdirs
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from veridic.domain.errors import UsageError


class Settings(BaseSettings):
    """`VERIDIC_HOME`, `VERIDIC_DATABASE_URL`, ...: the field's name in capitals behind `VERIDIC_`."""

    model_config = SettingsConfigDict(
        env_prefix="VERIDIC_", env_ignore_empty=True, frozen=True, extra="ignore"
    )

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("veridic", appauthor=False)))
    """Where the database, the indexes and the caches live."""
    database_url: str = ""
    """`sqlite:///...`; by default `veridic.db` in `home`."""
    max_document_bytes: int = Field(default=20_000_000, gt=0)
    """The largest file or page that is read."""
    fetch_timeout_seconds: float = Field(default=30.0, gt=0)
    fetch_max_redirects: int = Field(default=5, ge=0)
    fetch_allow_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Host names that may be fetched although they lead to a private or loopback address (comma-separated)."""
    claim_timeout_seconds: float = Field(default=60.0, gt=0)
    """How long evidence is looked for before a claim is decided on what is there."""
    passages_per_claim: int = Field(default=12, gt=0)
    """At most so many passages are read for a claim."""
    debug: bool = False
    """Show where an unexpected error happened instead of one sentence about it."""
    credibility_file: Path | None = None
    """A JSON file of domains and tiers that adds to and overrides the built-in one."""
    api_token: str = Field(default="", repr=False)
    """What callers of the HTTP API must know; without one, `veridic serve` answers this machine only."""
    api_allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Names under which the server may be asked for (comma-separated), beside those of this machine."""
    api_max_request_bytes: int = Field(default=21_000_000, gt=0)
    """The largest request that is taken: a document of `max_document_bytes`, and the form around it."""
    api_starts_per_minute: int = Field(default=120, gt=0)
    """How many checks one client may start in a minute."""

    @field_validator("fetch_allow_hosts", "api_allowed_hosts", mode="before")
    @classmethod
    def _split_hosts(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(host.strip().lower() for host in value.split(",") if host.strip())
        return value

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
        first = error.errors()[0]
        name = "VERIDIC_" + "_".join(str(part) for part in first["loc"]).upper()
        raise UsageError(f"The setting {name} is not valid: {first['msg']}.") from None
    if settings.home.exists() and not settings.home.is_dir():
        raise UsageError(f"VERIDIC_HOME should name a folder, and {settings.home} is none.")
    return settings
