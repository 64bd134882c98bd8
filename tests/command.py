"""The `veridic` command as a user runs it: a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

VERIDIC = Path(sys.executable).with_name("veridic")


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
) -> "subprocess.CompletedProcess[str]":
    """Run `veridic ARGUMENTS` to its end; output is decoded as UTF-8, line ends as they are."""
    done = subprocess.run(
        [VERIDIC, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(home, **variables),
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    )
