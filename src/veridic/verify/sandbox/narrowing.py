"""Turns a command that runs all tests into one that runs only some test files, if that is safe.

It is safe for a plain call of a test runner that accepts paths, with options that take no separate value. Other commands, with shell
syntax, a script or explicit paths, are not narrowed.
"""

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

_ASSIGNED = re.compile(r"\w+=\S*")
_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?")
_WRAPPERS: tuple[tuple[str, ...], ...] = (
    ("uv", "run"),
    ("poetry", "run"),
    ("pdm", "run"),
    ("pipenv", "run"),
    ("pnpm", "exec"),
    ("npx",),
    ("yarn",),
)
"""Commands before a runner that pass its arguments on."""
_SCRIPTS: tuple[tuple[str, ...], ...] = (("npm", "test"), ("npm", "run", "test"))
_WITH_VALUE = frozenset({"-k", "-m", "-p", "-n", "-o", "-W", "-c", "--tb", "--maxfail"})
"""Options of pytest with a separate value."""
_ALL_PACKAGES = "./..."


class Narrowed(NamedTuple):
    command: str
    files: tuple[str, ...]
    """The files that the command runs."""


class _Runner(NamedTuple):
    accepts: re.Pattern[str]
    """Matches the test files that the runner accepts."""
    add: Callable[[list[str], Sequence[str]], list[str] | None]
    """Returns the arguments with these files added; None if they can't be combined."""


def narrowed(command: str, files: Sequence[str], package: str = "") -> Narrowed | None:
    """Return the command for the files that its runner accepts; None if there are none, or the command can't be narrowed.

    `package` is the text of the project's package.json, which defines what `npm test` runs.
    """
    words = command.split()
    if shlex.join(words) != " ".join(words):
        return None  # quotes or shell syntax
    if tuple(words) in _SCRIPTS:
        inner = _test_script(package).split()
        start, runner = _runner(inner)
        own = _accepted(runner, files)
        is_plain = shlex.join(inner) == " ".join(inner) and _are_options(inner[start:])
        if runner is not _JAVASCRIPT or not own or not is_plain:
            return None
        return Narrowed(shlex.join([*words, "--", *own]), own)
    start, runner = _runner(words)
    own = _accepted(runner, files)
    rest = runner.add(words[start:], own) if runner and own else None
    return Narrowed(shlex.join([*words[:start], *rest]), own) if rest is not None else None


def _accepted(runner: _Runner | None, files: Sequence[str]) -> tuple[str, ...]:
    is_accepted = runner.accepts.search if runner else lambda _: None
    return tuple(path for path in sorted(files) if not path.startswith("-") and is_accepted(path))


def _runner(words: list[str]) -> tuple[int, _Runner | None]:
    """The index of the first argument of the runner, and the runner."""
    start = 0
    while start < len(words) and _ASSIGNED.fullmatch(words[start]):
        start += 1
    for wrapper in _WRAPPERS:
        if tuple(words[start : start + len(wrapper)]) == wrapper:
            start += len(wrapper)
            break
    names = [PurePosixPath(words[start]).name, *words[start + 1 : start + 3]] if start < len(words) else []
    if names and _PYTHON.fullmatch(names[0]):
        names[0] = "python"
    for called, runner in _RUNNERS.items():
        if tuple(names[: len(called)]) == called:
            return start + len(called), runner
    return start, None


def _with_pytest(rest: list[str], files: Sequence[str]) -> list[str] | None:
    expects_value = False
    for word in rest:
        if not word.startswith("-") and not expects_value:
            return None
        expects_value = word in _WITH_VALUE
    # Files go first: after an option with an optional value, a path could be taken for that value.
    return [*files, *rest]


def _with_go(rest: list[str], files: Sequence[str]) -> list[str] | None:
    """Go accepts packages: the folders of the files."""
    if rest.count(_ALL_PACKAGES) != 1 or not _are_options(rest, _ALL_PACKAGES):
        return None
    folders = sorted({str(PurePosixPath(path).parent) for path in files})
    packages = ["." if folder == "." else f"./{folder}" for folder in folders]
    at = rest.index(_ALL_PACKAGES)
    return [*rest[:at], *packages, *rest[at + 1 :]]


def _with_cargo(rest: list[str], files: Sequence[str]) -> list[str] | None:
    """Cargo accepts integration tests by name; tests inside source files have no name."""
    named = [word for path in files for word in ("--test", PurePosixPath(path).stem)]
    return [*named, *rest] if _are_options(rest) else None


def _with_paths(rest: list[str], files: Sequence[str]) -> list[str] | None:
    return [*files, *rest] if _are_options(rest) else None


def _are_options(words: Sequence[str], *others: str) -> bool:
    return all(word.startswith("-") or word in others for word in words)


def _test_script(package: str) -> str:
    try:
        content = json.loads(package)
    except ValueError:
        return ""
    scripts = content.get("scripts") if isinstance(content, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    return script if isinstance(script, str) else ""


_PYTEST = _Runner(re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$"), _with_pytest)
_JAVASCRIPT = _Runner(
    re.compile(r"\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|/)__tests__/[^/]+\.[cm]?[jt]sx?$"), _with_paths
)
_RUNNERS: Mapping[tuple[str, ...], _Runner] = {
    ("pytest",): _PYTEST,
    ("py.test",): _PYTEST,
    ("python", "-m", "pytest"): _PYTEST,
    ("go", "test"): _Runner(re.compile(r"_test\.go$"), _with_go),
    ("cargo", "test"): _Runner(re.compile(r"^tests/[\w-]+\.rs$"), _with_cargo),
    ("jest",): _JAVASCRIPT,
    ("vitest", "run"): _JAVASCRIPT,
    ("ava",): _JAVASCRIPT,
}
