"""`compose.yaml` and the Dockerfile fit the program: no Docker runs here, but each command and variable can be held against it."""

import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import typer.main
import yaml
from pydantic import AliasChoices

from veridic.api.guard import HEALTH
from veridic.cli.main import app
from veridic.config.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "veridic"}
PLACEHOLDER = re.compile(r"\$\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<rest>[^}]*))?\}")


def variables_of_settings() -> set[str]:
    found: set[str] = set()
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        found |= set(map(str, alias.choices)) if isinstance(alias, AliasChoices) else {str(alias or f"VERIDIC_{name.upper()}")}  # fmt: skip
    return found


def filled_in(text: str, given: dict[str, str]) -> str:
    """What Compose makes of a value."""

    def value(place: re.Match[str]) -> str:
        if given.get(place["name"]):
            return given[place["name"]]
        assert place["kind"] != "?", place["rest"]
        return place["rest"] or ""

    return PLACEHOLDER.sub(value, text)


def parse(words: list[str]) -> None:
    """Read the words as the program does, without running the command; raises on a command or option that there is not."""
    command: Any = typer.main.get_command(app)
    context = command.make_context("veridic", [], resilient_parsing=True)
    while hasattr(command, "resolve_command"):
        name, command, words = command.resolve_command(context, words)
    command.make_context(name, words)


def test_the_services_are_there() -> None:
    assert set(OURS) == {"upgrade", "web", "worker"}
    assert SERVICES["worker"]["deploy"]["replicas"] >= 2
    assert all("healthcheck" in SERVICES[name] for name in ("database", "web", "worker"))


@pytest.mark.parametrize("name", OURS)
def test_every_command_is_one_of_the_program(name: str) -> None:
    parse(OURS[name]["command"])
    program, *words = OURS[name].get("healthcheck", {"test": ["CMD", "none"]})["test"][1:]
    if program == "veridic":
        parse(words)


def test_a_command_that_is_none_would_be_noticed() -> None:
    with pytest.raises(Exception, match="No such option"):
        parse(["serve", "--nowork"])


def test_the_health_check_asks_what_the_server_answers() -> None:
    script = SERVICES["web"]["healthcheck"]["test"][-1]
    compile(script, "healthcheck", "exec")
    found = re.search(r"http://[^']+", script)
    assert found is not None
    address = urlsplit(found[0])
    assert address.path == HEALTH
    command = SERVICES["web"]["command"]
    assert str(address.port) == command[command.index("--port") + 1]
    assert SERVICES["web"]["ports"][0].endswith(f":{address.port}")


@pytest.mark.parametrize("name", OURS)
def test_every_variable_is_a_setting(name: str) -> None:
    environment: dict[str, str] = OURS[name]["environment"]
    assert set(environment) <= variables_of_settings()
    for variable, value in environment.items():
        if variable != "VERIDIC_DATABASE_URL":
            assert PLACEHOLDER.fullmatch(value), f"{variable} is written down"


@pytest.mark.parametrize("name", OURS)
def test_the_settings_are_valid_with_only_the_secrets_set(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"VERIDIC_DATABASE_PASSWORD": "s3cret", "VERIDIC_API_TOKEN": "t0ken"}
    for variable, value in OURS[name]["environment"].items():
        monkeypatch.setenv(variable, filled_in(value, given))
    settings = Settings()
    assert settings.database == "postgresql://veridic:s3cret@database/veridic"
    assert settings.api_token is not None


def test_the_database_is_the_one_that_the_others_ask() -> None:
    database = SERVICES["database"]["environment"]
    url = urlsplit(filled_in(SERVICES["web"]["environment"]["VERIDIC_DATABASE_URL"], {"VERIDIC_DATABASE_PASSWORD": "x"}))  # fmt: skip
    assert (url.hostname, url.username, url.path) == ("database", database["POSTGRES_USER"], f"/{database['POSTGRES_DB']}")  # fmt: skip
    assert "VERIDIC_DATABASE_PASSWORD" in database["POSTGRES_PASSWORD"]


def test_nothing_works_before_the_tables_are_there() -> None:
    for name in ("web", "worker"):
        assert SERVICES[name]["depends_on"] == {"upgrade": {"condition": "service_completed_successfully"}}
    assert SERVICES["upgrade"]["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_image_is_built_from_the_repository() -> None:
    copied = [word for line in re.findall(r"^COPY (?!--)(.+)$", DOCKERFILE, re.MULTILINE) for word in line.split()[:-1]]  # fmt: skip
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")}  # fmt: skip
    assert all((ROOT / path).exists() for path in copied)
    assert set(copied) == kept
    extras = re.search(r"'\.\[(.+)\]'", DOCKERFILE)
    assert extras is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras[1].split(",")) <= set(project["optional-dependencies"])
    assert {"server", "postgres"} <= set(extras[1].split(","))
    assert set(re.findall(r"\b(VERIDIC_\w+)=", DOCKERFILE)) <= variables_of_settings()
