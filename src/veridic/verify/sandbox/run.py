"""Runs the project's own commands in a sandbox, only if the user has asked for it (tier 2).

A command runs in a copy of the repository. It sees only the repository, installed programs and system folders, has no
network and no secrets in its environment, and is limited in time, memory, processes and files. If the system can't
enforce this, nothing is run.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from veridic.domain.base import Frozen
from veridic.domain.code import CodeEvidence, EvidenceTier
from veridic.domain.errors import InputError, UsageError
from veridic.domain.evidence import Stance

SYSTEM_FOLDERS = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store",
    "/run/current-system", "/sys/devices/system",
)  # fmt: skip
_INSTALLATION_FOLDERS = ("bin", "lib", "lib64", "libexec", "include")
_VENV_CONFIG = "pyvenv.cfg"
_VENV_NAMES = (".venv", "venv")


def readable_programs(command: str, search_path: str, root: Path) -> list[str]:
    """Folders and files outside the system folders that `command` may need, without duplicates."""
    folders = [Path(folder) for folder in search_path.split(os.pathsep) if folder]
    environments = [
        *(root / name for name in _VENV_NAMES),
        *(folder.parent for folder in folders if folder.name == "bin"),
    ]
    found = [path for environment in environments for path in _virtual_environment_paths(environment)]
    found += _program_paths(command, search_path)
    return [str(path) for path in dict.fromkeys(found) if not _is_system_path(path)]


def _is_system_path(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _virtual_environment_paths(environment: Path) -> Iterator[Path]:
    """A virtual environment and the installation of its interpreter; nothing if it is not a virtual environment."""
    try:
        lines = (environment / _VENV_CONFIG).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError):
        return
    yield environment
    for line in lines:
        key, _, value = line.partition("=")
        if key.strip() == "home" and Path(value.strip()).is_absolute():
            yield from _installation_paths(Path(value.strip()).parent)


def _program_paths(command: str, search_path: str) -> Iterator[Path]:
    """The first program of the command, where it is found and where its symlink points."""
    name = command.split(maxsplit=1)[0]
    found = None if "/" in name else shutil.which(name, path=search_path)
    if found is None:
        return
    for program in dict.fromkeys((Path(found), Path(found).resolve())):
        if program.parent.name == "bin":
            prefix = program.parent.parent
            yield from _virtual_environment_paths(prefix)
            yield from _installation_paths(prefix)
            yield program


def _installation_paths(prefix: Path) -> Iterator[Path]:
    """The programs and libraries of an installation; nothing in a home folder, where such folders may contain anything."""
    home = Path.home()
    if prefix not in (home, home / ".local") and (prefix / "lib").is_dir():
        yield from (prefix / part for part in _INSTALLATION_FOLDERS if (prefix / part).is_dir())


_INIT_SCRIPT = Path(__file__).with_name("inside.py")
_NAMESPACES = ("--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child")
_USER_NAMESPACE = ("--user", "--map-root-user")
_NOBODY_USER = 65_534
"""The user to run commands as if Veridic runs as root: process limits don't apply to root, in any namespace."""
_KEPT_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
_MOST_OUTPUT = 20_000
_LONGEST_QUOTE = 1_500
_LONGEST_COMMAND = 2_000
_SETUP_SECONDS = 60.0
_NOT_STARTED_CODES = (126, 127)
"""Exit codes of a shell if the command doesn't exist or can't be executed."""


class Limits(Frozen):
    seconds: int = 600
    memory_bytes: int = 4_000_000_000
    """For each process."""
    processes: int = 1_024
    open_files: int = 1_024
    file_bytes: int = 200_000_000
    """The size limit of a written file."""
    disk_bytes: int = 2_000_000_000
    """The copy of the repository and everything written to it."""
    files: int = 500_000


DEFAULT_LIMITS = Limits()


class Ran(Frozen):
    """The result of a command."""

    command: str
    exit_code: int | None
    """None if it was killed because its time was over."""
    output: str
    """Stdout and stderr interleaved; only the beginning and the end if it is long."""

    @property
    def has_succeeded(self) -> bool:
        return self.exit_code == 0

    @property
    def has_started(self) -> bool:
        return self.exit_code not in _NOT_STARTED_CODES

    @property
    def last_line(self) -> str:
        """The last line of output, where most programs print a summary."""
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
    """Run a shell command in a copy of the folder, which is deleted afterwards.

    `extra_files` are written next to the copy, at `../name` for the command; `{repo}` in `variables` is replaced by the
    path of the copy. Raises `UsageError`, and runs nothing, if the system can't confine the command, unless `is_confined`
    is false.
    """
    _validate_command(command)
    start = _sandbox_command(is_confined=is_confined)
    with TemporaryDirectory(prefix="veridic-sandbox-") as work, TemporaryFile() as output:
        environment = _environment(Path(work), variables or {})
        spec = _spec(command, root, limits, environment, extra_files or {})
        code = _run([*start, work], spec | {"is_confined": is_confined}, output)
        return Ran(command=command, exit_code=code, output=_read_output(output))


def evidence_of(ran: Ran, stance: Stance) -> CodeEvidence:
    """The command and its output as evidence."""
    ended = "the time was over" if ran.exit_code is None else f"exit code {ran.exit_code}"
    quote = f"{ran.output[-_LONGEST_QUOTE:].strip()}\n({ended})".strip()
    return CodeEvidence(tier=EvidenceTier.TESTS, stance=stance, path=f"$ {ran.command}", quote=quote)


def _validate_command(command: str) -> None:
    if not command.strip() or "\0" in command or len(command) > _LONGEST_COMMAND:
        raise UsageError(
            "The command to run is empty, too long or contains a zero byte; write it as you would type it."
        )


def _sandbox_command(*, is_confined: bool) -> list[str]:
    """The command line that sets up the sandbox."""
    inside = [sys.executable, "-I", str(_INIT_SCRIPT)]
    if os.name != "posix":
        raise UsageError("Tests and examples can only be run on Linux and macOS.")
    if not is_confined:
        return inside
    unshare = shutil.which("unshare") if sys.platform == "linux" else None
    if unshare is None:
        raise _unavailable("there is no `unshare` on this system")
    # Root needs no user namespace, and could not switch to another user in one.
    namespaces = _NAMESPACES if os.geteuid() == 0 else (*_USER_NAMESPACE, *_NAMESPACES)
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
        "user": _NOBODY_USER if os.geteuid() == 0 else None,
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
    """The environment of the command: of the user's own, only the locale, the time zone and PATH."""
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
    """Return the exit code; None if the time was over."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as ready:
        try:
            Path(start[-1], "spec.json").write_text(json.dumps(spec | {"ready": writing}))
            process = subprocess.Popen(  # noqa: S603 (the user asked to run this command)
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
            # If the setup fails, the pipe is closed without a byte.
            answered, _, _ = select.select([ready], [], [], _SETUP_SECONDS)
            if not answered or ready.read(1) != b"R":
                _kill(process)
                reason = _read_output(output).strip()[:300] or "it took too long"
                raise InputError(f"The sandbox could not be set up ({reason}).")
            return process.wait(spec["seconds"])
        except subprocess.TimeoutExpired:
            return None
        finally:
            _kill(process)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill all remaining processes: killing the first process ends its namespace, killing the group ends the session."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read_output(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= _MOST_OUTPUT:
        return output.read().decode("utf-8", "replace")
    beginning = output.read(_MOST_OUTPUT // 2)
    output.seek(size - _MOST_OUTPUT // 2)
    parts = (beginning, output.read())
    return "\n[...]\n".join(part.decode("utf-8", "replace") for part in parts)
