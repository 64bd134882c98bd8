"""Commands in processes of their own: how long they take, and how much memory at most."""

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
VERIDIC = str(Path(sys.executable).with_name("veridic"))
_RSS_UNIT = 1 if platform.system() == "Darwin" else 1024
_STATUS = Path("/proc/self/status")


class Finished(NamedTuple):
    seconds: float
    peak_bytes: int
    """Resident at most, the mapped pages of an index included."""
    output: str
    processor_seconds: float
    """Of the command and the processes that it started and waited for."""


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Finished:
    """Run a command to its end; `CalledProcessError` if it fails.

    The system never says less of a process than what the one that started it had: some 50 MB here,
    which is why nothing heavy is loaded into this one.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, list(command))
        output.seek(0)
        processor = usage.ru_utime + usage.ru_stime
        return Finished(seconds, usage.ru_maxrss * _RSS_UNIT, output.read(), processor)


def run_probe(name: str, *arguments: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """What `benchmarks.probes.<name>` prints, run in a fresh interpreter."""
    command = [sys.executable, "-m", f"benchmarks.probes.{name}", *arguments]
    found: dict[str, Any] = json.loads(run(command, environment).output)
    return found


def own_peak_bytes() -> int:
    """The most memory this process has had resident so far."""
    if _STATUS.exists():  # Linux: counts from the start of this program, not of the one that started it
        lines = _STATUS.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
