"""The `veridic` command as a user runs it: quickly in this process, or as a process of its own."""

import contextlib
import io
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from veridic.cli.main import main
from veridic.config.settings import load_settings

VERIDIC = Path(sys.executable).with_name("veridic")
Completed = subprocess.CompletedProcess[str]


def environment(home: Path, **variables: str) -> dict[str, str]:
    """What a command sees: this process's environment with another home, and no settings of a person's own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("VERIDIC_")}
    return inherited | {"VERIDIC_HOME": str(home)} | variables


def run_veridic(
    *arguments: str | Path,
    home: Path,
    stdin: str | bytes = b"",
    cwd: Path | None = None,
    **variables: str,
) -> Completed:
    """Run `veridic ARGUMENTS` to its end in this process: the same code, without the seconds that a start takes.

    What only a process has (signals, pipes that close, a full disk as output) needs `run_veridic_process`.
    """
    return run_veridic_with(environment(home, **variables), *arguments, stdin=stdin, cwd=cwd)


def run_veridic_with(
    variables: dict[str, str], *arguments: str | Path, stdin: str | bytes = b"", cwd: Path | None = None
) -> Completed:
    """Run `veridic ARGUMENTS` in this process with exactly this environment.

    Arguments, environment, folder, streams and logging are those of a fresh process, and are put back afterwards.
    """
    words = list(map(str, arguments))
    out, err = _stream(), _stream()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(VERIDIC), *words])
        patch.setattr(sys, "stdin", _stream(stdin.encode() if isinstance(stdin, str) else stdin))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(
            logging.root, "handlers", []
        )  # warnings then reach standard error, as they do for users
        with _environment(variables), contextlib.chdir(cwd or Path.cwd()):
            code = _exit_code()
    return Completed([VERIDIC, *words], code, _written(out), _written(err))


def run_veridic_process(
    *arguments: str | Path,
    home: Path,
    stdin: str | bytes = b"",
    cwd: Path | None = None,
    **variables: str,
) -> Completed:
    """Run `veridic ARGUMENTS` to its end as a process; output is decoded as UTF-8, line ends as they are."""
    done = subprocess.run(
        [VERIDIC, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(home, **variables),
    )
    return Completed(done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def _stream(content: bytes = b"") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    try:
        _set_environment(variables)
        yield
    finally:
        _set_environment(before)


def _set_environment(variables: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    load_settings.cache_clear()


def _exit_code() -> int:
    try:
        main()
    except SystemExit as end:
        assert end.code is None or isinstance(end.code, int)
        return end.code or 0
    raise AssertionError("the command did not end with an exit code")
