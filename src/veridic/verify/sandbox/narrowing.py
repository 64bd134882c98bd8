"""A command that runs all tests → one that runs only those of some files, where that is safe.

Safe is a plain call of a runner that takes paths, with options that take no value of their own. Everything else, such as a shell's
signs, a script or paths that are named already, is left as it is.
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
"""What may stand before a runner and hands its arguments on."""
_SCRIPTS: tuple[tuple[str, ...], ...] = (("npm", "test"), ("npm", "run", "test"))
_WITH_VALUE = frozenset({"-k", "-m", "-p", "-n", "-o", "-W", "-c", "--tb", "--maxfail"})
"""Options of pytest that are followed by their value."""
_ALL_PACKAGES = "./..."


class Narrowed(NamedTuple):
    command: str
    files: tuple[str, ...]
    """Those of the files that it runs."""


class _Runner(NamedTuple):
    takes: re.Pattern[str]
    """The paths of tests that it can be given."""
    add: Callable[[list[str], Sequence[str]], list[str] | None]
    """Its arguments with these files among them; None where the two don't go together."""


def narrowed(command: str, files: Sequence[str], package: str = "") -> Narrowed | None:
    """The command for those of the files that its runner can run; None where there are none, or the command can't be narrowed.

    `package` is the text of the project's package.json, which says what `npm test` runs.
    """
    words = command.split()
    if shlex.join(words) != " ".join(words):
        return None  # quotes or signs of a shell
    if tuple(words) in _SCRIPTS:
        inner = _test_script(package).split()
        start, runner = _runner(inner)
        own = _taken(runner, files)
        is_plain = shlex.join(inner) == " ".join(inner) and _are_options(inner[start:])
        if runner is not _JAVASCRIPT or not own or not is_plain:
            return None
        return Narrowed(shlex.join([*words, "--", *own]), own)
    start, runner = _runner(words)
    own = _taken(runner, files)
    rest = runner.add(words[start:], own) if runner and own else None
    return Narrowed(shlex.join([*words[:start], *rest]), own) if rest is not None else None


def _taken(runner: _Runner | None, files: Sequence[str]) -> tuple[str, ...]:
    is_taken = runner.takes.search if runner else lambda _: None
    return tuple(path for path in sorted(files) if not path.startswith("-") and is_taken(path))


def _runner(words: list[str]) -> tuple[int, _Runner | None]:
    """Behind which word the runner's arguments begin, and which it is."""
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
    waits_for_value = False
    for word in rest:
        if not word.startswith("-") and not waits_for_value:
            return None
        waits_for_value = word in _WITH_VALUE
    # Behind an option whose value may be left out, a path could be taken for it.
    return [*files, *rest]


def _with_go(rest: list[str], files: Sequence[str]) -> list[str] | None:
    """Go is given packages: the folders of the files."""
    if rest.count(_ALL_PACKAGES) != 1 or not _are_options(rest, _ALL_PACKAGES):
        return None
    folders = sorted({str(PurePosixPath(path).parent) for path in files})
    packages = ["." if folder == "." else f"./{folder}" for folder in folders]
    at = rest.index(_ALL_PACKAGES)
    return [*rest[:at], *packages, *rest[at + 1 :]]


def _with_cargo(rest: list[str], files: Sequence[str]) -> list[str] | None:
    """Cargo is given integration tests by name; tests that stand beside the code have none."""
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
