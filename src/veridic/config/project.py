"""A project's settings for `veridic verify`: `[tool.veridic]` in pyproject.toml, or veridic.toml.

The checked repository may be untrusted, so its settings alone never run a command or lead outside the repository.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import AliasGenerator, ConfigDict, ValidationError, field_validator
from pydantic_core import ErrorDetails

from veridic.domain.base import Frozen
from veridic.domain.code import CodeVerdict
from veridic.domain.errors import InputError, UsageError

OWN_FILE = "veridic.toml"
SHARED_FILE = "pyproject.toml"
_MAX_BYTES = 2_000_000


def _dashed(name: str) -> str:
    return name.replace("_", "-")


_KEYS = ConfigDict(alias_generator=AliasGenerator(validation_alias=_dashed), strict=True)


class DocumentChoice(Frozen):
    """Which files are read for claims, as .gitignore patterns. An empty `include` means all."""

    model_config = _KEYS

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @field_validator("*", mode="before")
    @classmethod
    def _patterns(cls, value: Any) -> tuple[str, ...]:
        return _string_list(value)


class ProjectSettings(Frozen):
    """The settings of a project; command-line options take precedence."""

    model_config = _KEYS

    documents: DocumentChoice = DocumentChoice()
    exclude: tuple[str, ...] = ()
    """Patterns of paths to ignore completely, for claims and for facts."""
    fail_on: tuple[CodeVerdict, ...] | None = None
    baseline: str | None = None
    """The path of a file in the repository."""
    run_tests: str | None = None
    """The command for the project's tests. It runs only if the user asks for it."""
    run_examples: bool = False

    @field_validator("documents", mode="before")
    @classmethod
    def _documents(cls, value: Any) -> Any:
        """Accept a plain list as `include`."""
        return {"include": value} if isinstance(value, list) else value

    @field_validator("exclude", mode="before")
    @classmethod
    def _exclude(cls, value: Any) -> tuple[str, ...]:
        return _string_list(value)

    @field_validator("fail_on", mode="before")
    @classmethod
    def _fail_on(cls, value: Any) -> tuple[CodeVerdict, ...]:
        return tuple(read_verdict(word) for word in _string_list(value))


def read_verdict(word: str) -> CodeVerdict:
    """Return the verdict for a word, ignoring case; raise `ValueError`, which lists the verdicts, for an unknown one."""
    for verdict in CodeVerdict:
        if verdict.lower() == word.strip().lower():
            return verdict
    raise ValueError(f"{word.strip()!r} is not a verdict; there are {', '.join(CodeVerdict)}")


def _string_list(value: Any) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ValueError("it has to be a list of strings")


def load_project(root: Path) -> ProjectSettings:
    """Load the settings of the repository at `root`; veridic.toml takes precedence over pyproject.toml.

    Raise `UsageError` for an unknown key or a bad value, `InputError` for a file that can't be read.
    """
    own = _load_toml(root, OWN_FILE)
    if own is not None:
        return _settings(own, OWN_FILE)
    shared = _load_toml(root, SHARED_FILE) or {}
    tools = shared.get("tool")
    table = tools.get("veridic", {}) if isinstance(tools, dict) else {}
    where = f"[tool.veridic] in {SHARED_FILE}"
    if not isinstance(table, dict):
        raise UsageError(f"{where} has to be a table.")
    return _settings(table, where)


def _load_toml(root: Path, name: str) -> dict[str, Any] | None:
    path = root / name
    try:
        if not path.is_file():
            return None
        if not path.resolve().is_relative_to(root.resolve()):
            raise InputError(f"{name} is a link that leads out of the repository, and is not followed.")
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{name} is larger than {_MAX_BYTES:,} bytes, and is not read.")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} can't be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{name} can't be read: it is not UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(
            f"{name} is not TOML: {str(error).rstrip('.') or 'it is nested too deeply'}."
        ) from None


def _settings(table: Mapping[str, Any], where: str) -> ProjectSettings:
    try:
        return ProjectSettings.model_validate(table)
    except ValidationError as error:
        raise UsageError(_sentence(error.errors()[0], where)) from None


def _sentence(problem: ErrorDetails, where: str) -> str:
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        known = DocumentChoice if key.startswith("documents.") else ProjectSettings
        names = ", ".join(map(_dashed, known.model_fields))
        return f"{where} has a key {key!r} that Veridic doesn't know; it knows {names}."
    reason = problem["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{where}: {key} is wrong: {reason[:1].lower()}{reason[1:]}."
