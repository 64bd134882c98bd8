"""Running a project's own commands where they can do no harm: only ever when the user has asked for it (tier 2).

A command runs in a copy of the repository. It sees no other file but the repository, installed programs and the
system's own folders, has no network and no secrets in its environment, and is limited in time, memory, processes and
files. Where the system does not allow that, nothing is run.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from veridic.domain.base import Frozen
from veridic.domain.code import CodeEvidence, EvidenceTier
from veridic.domain.errors import InputError, UsageError
from veridic.domain.evidence import Stance
from veridic.verify.sandbox.programs import SYSTEM_FOLDERS, readable_programs

_INSIDE = Path(__file__).with_name("inside.py")
_NAMESPACES = ("--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child")
_OWN_USERS = ("--user", "--map-root-user")
_NOBODY = 65_534
"""Who commands of the superuser run as: no limit on processes holds for the superuser, in no namespace."""
_KEPT_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
_MOST_OUTPUT = 20_000
_LONGEST_QUOTE = 1_500
_LONGEST_COMMAND = 2_000
_SETUP_SECONDS = 60.0
_NOT_STARTED = (126, 127)
"""What a shell says where there is no such command, or none that it may run."""


class Limits(Frozen):
    seconds: int = 600
    memory_bytes: int = 4_000_000_000
    """For each process."""
    processes: int = 1_024
    open_files: int = 1_024
    file_bytes: int = 200_000_000
    """The largest file that may be written."""
    disk_bytes: int = 2_000_000_000
    """The copy of the repository with everything that is written in it."""
    files: int = 500_000


DEFAULT_LIMITS = Limits()


class Ran(Frozen):
    """What came of a command."""

    command: str
    exit_code: int | None
    """None where it was ended because its time was over."""
    output: str
    """What it wrote, both streams as they came; of a long one the beginning and the end."""

    @property
    def has_succeeded(self) -> bool:
        return self.exit_code == 0

    @property
    def has_started(self) -> bool:
        return self.exit_code not in _NOT_STARTED

    @property
    def last_line(self) -> str:
        """What it said at last, as most programs sum up there."""
        return next((line.strip() for line in reversed(self.output.splitlines()) if line.strip()), "")


def run_in_sandbox(
    command: str,
    root: Path,
    *,
    limits: Limits = DEFAULT_LIMITS,
    extra_files: Mapping[str, str] | None = None,
    variables: Mapping[str, str] | None = None,
    is_confined: bool = True,
) -> Ran:
    """Run a shell command in a copy of the folder, which is gone afterwards.

    `extra_files` are put beside the copy, so the command finds them at `../name`; `{repo}` in `variables` stands for
    the copy's path. `UsageError` where the system can't confine the command: then nothing was run, unless
    `is_confined` says that it need not be.
    """
    _refuse_command(command)
    start = _start(is_confined=is_confined)
    with TemporaryDirectory(prefix="veridic-sandbox-") as work, TemporaryFile() as output:
        environment = _environment(Path(work), variables or {})
        spec = _spec(command, root, limits, environment, extra_files or {})
        code = _run([*start, work], spec | {"is_confined": is_confined}, output)
        return Ran(command=command, exit_code=code, output=_read(output))


def evidence_of(ran: Ran, stance: Stance) -> CodeEvidence:
    """The command and what it said, as evidence that can be followed."""
    ended = "the time was over" if ran.exit_code is None else f"exit code {ran.exit_code}"
    quote = f"{ran.output[-_LONGEST_QUOTE:].strip()}\n({ended})".strip()
    return CodeEvidence(tier=EvidenceTier.TESTS, stance=stance, path=f"$ {ran.command}", quote=quote)


def _refuse_command(command: str) -> None:
    if not command.strip() or "\0" in command or len(command) > _LONGEST_COMMAND:
        raise UsageError("The command to run is empty or can't be one; name it as you would type it.")


def _start(*, is_confined: bool) -> list[str]:
    """What the command is started with."""
    inside = [sys.executable, "-I", str(_INSIDE)]
    if os.name != "posix":
        raise UsageError("Tests and examples can only be run on Linux and macOS.")
    if not is_confined:
        return inside
    unshare = shutil.which("unshare") if sys.platform == "linux" else None
    if unshare is None:
        raise _unavailable("there is no `unshare` on this system")
    # The superuser needs no namespace of users, and could not become somebody else in one.
    namespaces = _NAMESPACES if os.geteuid() == 0 else (*_OWN_USERS, *_NAMESPACES)
    tried = subprocess.run(  # noqa: S603
        [unshare, *namespaces, "true"],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=_SETUP_SECONDS,
        check=False,
    )
    if tried.returncode != 0:
        raise _unavailable(tried.stderr.decode("utf-8", "replace").strip()[:200] or "it may not be used")
    return [unshare, *namespaces, *inside]


def _unavailable(reason: str) -> UsageError:
    return UsageError(
        f"Nothing was run, because a command can't be kept from the network and from your files here ({reason}); "
        "allow namespaces on this system, or set VERIDIC_UNCONFINED_TESTS=true to run it all the same."
    )


def _spec(
    command: str,
    root: Path,
    limits: Limits,
    environment: Mapping[str, str],
    extra_files: Mapping[str, str],
) -> dict[str, Any]:
    root = root.resolve()
    return {
        "command": command,
        "root": str(root),
        "readable": [*SYSTEM_FOLDERS, *readable_programs(command, environment["PATH"], root), str(root)],
        "user": _NOBODY if os.geteuid() == 0 else None,
        "environment": dict(environment),
        "extra": dict(extra_files),
        "seconds": limits.seconds,
        "memory": limits.memory_bytes,
        "processes": limits.processes,
        "open_files": limits.open_files,
        "file_size": limits.file_bytes,
        "disk": limits.disk_bytes,
        "files": limits.files,
    }


def _environment(work: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """Nothing of the user's but the language, and where programs are."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    folders = [
        folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder.startswith("/")
    ]
    own = {
        "PATH": os.pathsep.join(folders),
        "HOME": str(work / "home"),
        "TMPDIR": str(work / "tmp"),
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return (
        kept | own | {name: value.replace("{repo}", str(work / "repo")) for name, value in variables.items()}
    )


def _run(start: list[str], spec: dict[str, Any], output: IO[bytes]) -> int | None:
    """The exit code; None where the time was over."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as ready:
        try:
            Path(start[-1], "spec.json").write_text(json.dumps(spec | {"ready": writing}))
            process = subprocess.Popen(  # noqa: S603 (what to run is the user's own order)
                start,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={"PATH": os.defpath},
                pass_fds=(writing,),
                start_new_session=True,
            )
        finally:
            os.close(writing)
        try:
            # Nothing is written where the setup fails, and the pipe ends.
            answered, _, _ = select.select([ready], [], [], _SETUP_SECONDS)
            if not answered or ready.read(1) != b"R":
                _end(process)
                reason = _read(output).strip()[:300] or "it took too long"
                raise InputError(f"The sandbox could not be set up ({reason}).")
            return process.wait(spec["seconds"])
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End whatever is left of it: a namespace ends with its first process, a session with its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= _MOST_OUTPUT:
        return output.read().decode("utf-8", "replace")
    beginning = output.read(_MOST_OUTPUT // 2)
    output.seek(size - _MOST_OUTPUT // 2)
    parts = (beginning, output.read())
    return "\n[...]\n".join(part.decode("utf-8", "replace") for part in parts)
