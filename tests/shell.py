"""A shell in which `veridic` is run by this process, which has long loaded what a new one would load each time."""

import io
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.command import run_veridic_with

# Says on one pipe what was typed, waits on another until it is done, and writes what it wrote.
_VERIDIC = r"""
veridic() {
    local code
    if [ -p /dev/stdin ]; then cat > "$WRITTEN/stdin"; else : > "$WRITTEN/stdin"; fi
    { printf '%s\0' "$#" "$@" "$PWD"; env -0; printf '\0'; } >&$ASKING
    read -r code <&$ANSWERING
    cat "$WRITTEN/stdout"
    cat "$WRITTEN/stderr" >&2
    return "$code"
}
"""


class _Command(NamedTuple):
    words: list[str]
    folder: Path
    environment: dict[str, str]


def run_script(script: str, folder: Path, environment: Mapping[str, str]) -> bytes:
    """Run a script of `bash`; what it prints on standard output. Of `veridic`, standard error comes last."""
    asked, asking = os.pipe()
    answering, answered = os.pipe()
    with (
        os.fdopen(asked, "rb") as questions,
        os.fdopen(answered, "w", buffering=1) as answers,
        tempfile.TemporaryDirectory() as written,
        tempfile.TemporaryFile() as printed,
    ):
        names = {"ASKING": str(asking), "ANSWERING": str(answering), "WRITTEN": written}
        with subprocess.Popen(
            ["bash", "-c", _VERIDIC + script],
            cwd=folder,
            env=dict(environment) | names,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            pass_fds=(asking, answering),
        ):
            os.close(asking)
            os.close(answering)
            for command in _commands(questions):
                piped = Path(written, "stdin").read_bytes()
                done = run_veridic_with(command.environment, *command.words, stdin=piped, cwd=command.folder)
                Path(written, "stdout").write_text(done.stdout, encoding="utf-8")
                Path(written, "stderr").write_text(done.stderr, encoding="utf-8")
                answers.write(f"{done.returncode}\n")
        printed.seek(0)
        return printed.read()


def _commands(questions: io.BufferedReader) -> Iterator[_Command]:
    """What is asked for until the shell ends."""
    fields = _fields(questions)
    for count in fields:
        words = [next(fields) for _ in range(int(count))]
        folder = Path(next(fields))
        variables = (field.split("=", 1) for field in iter(lambda: next(fields), ""))
        yield _Command(words, folder, dict(variables))


def _fields(stream: io.BufferedReader) -> Iterator[str]:
    """Texts that each end with a null."""
    rest = b""
    while read := stream.read1():
        *whole, rest = (rest + read).split(b"\0")
        yield from (field.decode("utf-8") for field in whole)
