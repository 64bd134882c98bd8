"""The sessions shown in the documentation: found in its pages, run, and compared with what they show.

A `console` block holds shell commands behind `$ `, a `pycon` block Python behind `>>> `; what follows is what
they print. A line `...` stands for lines left out. Every page has a home and a folder of its own, with the
examples in it, so that the ids and corpora it shows are those a reader gets. A `cd` holds for the blocks that follow; variables
don't.
"""

import ast
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
ELISION = "..."
HOME_SHOWN = "~/.local/share/veridic"
FOLDER_SHOWN = "/home/you/veridic"
DRIFT = 15
"""How far, in points, a score or a confidence may be from the one shown: both fade as sources age."""

_FENCE = re.compile(r"^```(\w*)[ \t]*$")
_PROMPTS = {"console": ("$ ", "> "), "pycon": (">>> ", "... ")}
_MARK = "\x1eend of command\x1e"
_DRIFTING = re.compile(
    r"(?<=credibility )\d+(?= of 100)|\d+(?=% sure)|(?<=\bTRUE )\d+|(?<=\bFALSE )\d+|(?<=\bMISLEADING )\d+"
)
_CHANGING = (
    (re.compile(r"FC-\d{4}-\d{6}"), "FC-0000-000000"),
    (re.compile(r"as of \d{1,2} [A-Z][a-z]+ \d{4}"), "as of today"),
    (re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}"), "today and now"),
    (re.compile(r"updated \d{4}-\d{2}-\d{2}"), "updated today"),
    (re.compile(r'("as_of": )"[\d-]+"'), r'\1"today"'),
    (re.compile(r'("processing_time_ms": )\d+'), r"\g<1>0"),
    (re.compile(r"[\d,]+ bytes"), "some bytes"),
)


class Exchange(NamedTuple):
    """One command, the lines it stands in (with prompts), and the lines shown as its output."""

    command: str
    typed: tuple[str, ...]
    shown: tuple[str, ...]


class Session(NamedTuple):
    """A block of a page; `start` and `end` are the lines of its content."""

    language: str
    start: int
    end: int
    exchanges: tuple[Exchange, ...]


def find_sessions(page: str) -> list[Session]:
    """All sessions of a page, in order."""
    lines = page.splitlines()
    found: list[Session] = []
    opened: tuple[str, int] | None = None
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence and opened is None:
            opened = (fence[1], number + 1)
        elif fence and opened is not None:
            language, start = opened
            if language in _PROMPTS:
                found.append(_session(language, start, lines[start:number]))
            opened = None
    return found


def _session(language: str, start: int, lines: Sequence[str]) -> Session:
    first, more = _PROMPTS[language]
    exchanges: list[Exchange] = []
    for line in lines:
        if line.startswith(first):
            exchanges.append(Exchange(line.removeprefix(first), (line,), ()))
            continue
        if not exchanges:
            raise ValueError(f"A {language} block begins with {line!r} and not with a command.")
        last = exchanges[-1]
        if not last.shown and (line.startswith(more) or line == more.rstrip()):
            command = f"{last.command}\n{line.removeprefix(more) if line.startswith(more) else ''}"
            exchanges[-1] = Exchange(command, (*last.typed, line), ())
        else:
            exchanges[-1] = last._replace(shown=(*last.shown, line))
    return Session(language, start, start + len(lines), tuple(exchanges))


Shell = Callable[[str, Path, Mapping[str, str]], bytes]
"""Runs a script of `bash` in a folder and an environment; what the script prints on standard output."""


def run_in_bash(script: str, folder: Path, environment: Mapping[str, str]) -> bytes:
    """Keeps `Shell`; every command is a process of its own."""
    done = subprocess.run(  # noqa: S603  what it runs are the project's own pages
        ["/bin/bash", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.stdout


class Workspace:
    """Where the sessions of one page run: a home, and a folder with the examples."""

    def __init__(self, folder: Path, reference_home: Path, shell: Shell = run_in_bash) -> None:
        """`reference_home` has the reference library in it, which takes long to index."""
        self.home = folder / "home"
        self.folder = folder / "veridic"
        self._current = self.folder
        self._shell = shell
        self._names: dict[str, Any] = {}
        shutil.copytree(reference_home / "corpora", self.home / "corpora")
        shutil.copytree(ROOT / "examples", self.folder / "examples")

    def run(self, session: Session) -> list[str]:
        """What each command of the session prints."""
        run = self._run_shell if session.language == "console" else self._run_python
        return [self._as_shown(output) for output in run([one.command for one in session.exchanges])]

    def _as_shown(self, output: str) -> str:
        output = output.replace(str(self.home), HOME_SHOWN).replace(str(self.folder), FOLDER_SHOWN)
        return "\n".join(line.rstrip() for line in output.strip("\n").splitlines())

    def environment(self) -> dict[str, str]:
        """A terminal of 80 columns without colours, and nobody's own settings."""
        inherited = {
            k: v for k, v in os.environ.items() if not k.startswith("VERIDIC_") and k != "FORCE_COLOR"
        }
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        terminal = {"TERM": "dumb", "COLUMNS": "80", "TTY_COMPATIBLE": "1", "TTY_INTERACTIVE": "0"}
        return inherited | terminal | {"PATH": path, "VERIDIC_HOME": str(self.home), "PYTHONUTF8": "1"}

    def _run_shell(self, commands: Sequence[str]) -> list[str]:
        """All commands in one shell; the mark between two of them leaves `$?` as it was."""
        mark = f"status=$?; echo; echo '{_MARK}'; (exit $status)"
        script = "exec 2>&1\n" + "\n".join(f"{command}\n{mark}" for command in commands) + "\npwd\n"
        printed = self._shell(script, self._current, self.environment()).decode("utf-8")
        *outputs, folder = printed.split(f"{_MARK}\n")
        self._current = Path(folder.strip())
        return outputs

    def _run_python(self, commands: Sequence[str]) -> list[str]:
        with self._as_this_process():
            return [self._print_of(command) for command in commands]

    def _print_of(self, command: str) -> str:
        printed = io.StringIO()
        mode = "single" if len(ast.parse(command).body) == 1 else "exec"
        with contextlib.redirect_stdout(printed):
            exec(compile(command + "\n", "page", mode), self._names)  # noqa: S102  the project's own pages
        return printed.getvalue()

    @contextmanager
    def _as_this_process(self) -> Iterator[None]:
        from veridic.config.settings import load_settings

        before = os.environ.get("VERIDIC_HOME")
        os.environ["VERIDIC_HOME"] = str(self.home)
        load_settings.cache_clear()
        try:
            with contextlib.chdir(self.folder):
                yield
        finally:
            os.environ.pop("VERIDIC_HOME")
            if before is not None:
                os.environ["VERIDIC_HOME"] = before
            load_settings.cache_clear()


def agrees(shown: Sequence[str], real: str) -> bool:
    """Whether the lines shown are what was printed, but for `...`, line breaks, days, ids and a small drift."""
    wanted = [_comparable("\n".join(segment)) for segment in _segments(shown)]
    match = re.fullmatch(".*?".join(map(_pattern, wanted)), _comparable(real), re.DOTALL)
    if match is None:
        return False
    expected = [int(number) for segment in wanted for number in _DRIFTING.findall(segment)]
    return all(abs(int(got) - want) <= DRIFT for got, want in zip(match.groups(), expected, strict=True))


def refreshed(shown: Sequence[str], real: str) -> list[str]:
    """The lines to show for what is printed now; what was left out before is left out again."""
    if agrees(shown, real):
        return list(shown)
    lines = real.splitlines()
    segments = _segments(shown)
    kept: list[str] = []
    position = 0
    for number, segment in enumerate(segments):
        start = _nearest(lines, segment[0], position) if number and segment else position
        is_last = number == len(segments) - 1
        end = len(lines) if is_last and (segment or not number) else start
        if segment and not is_last:
            end = _nearest(lines, segment[-1], start) + 1
        kept += [ELISION] * bool(number) + lines[start:end]
        position = end
    return kept


def _segments(shown: Sequence[str]) -> list[list[str]]:
    """The lines between those that stand for others."""
    segments: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == ELISION:
            segments.append([])
        else:
            segments[-1].append(line)
    return segments


def _comparable(text: str) -> str:
    for pattern, replacement in _CHANGING:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def _pattern(segment: str) -> str:
    return r"(\d+)".join(re.escape(piece) for piece in _DRIFTING.split(segment))


def _nearest(lines: Sequence[str], line: str, start: int) -> int:
    """Where, from `start` on, the line most like this one stands."""
    likeness = [SequenceMatcher(None, line, other).ratio() for other in lines[start:]]
    return start + max(range(len(likeness)), key=likeness.__getitem__, default=0)
