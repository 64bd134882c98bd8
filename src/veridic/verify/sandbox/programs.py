"""What a command in the sandbox may read beside the repository: the system's own folders, and installed programs.

A folder on the search path may as well hold a user's own scripts. Only what is plainly an installation is shown: a
virtual environment with the interpreter it was made from, and the installation of the program that is named first.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

SYSTEM_FOLDERS = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store",
    "/run/current-system", "/sys/devices/system",
)  # fmt: skip
_PARTS = ("bin", "lib", "lib64", "libexec", "include")
_ENVIRONMENT_SIGN = "pyvenv.cfg"
_OWN_ENVIRONMENTS = (".venv", "venv")


def readable_programs(command: str, search_path: str, root: Path) -> list[str]:
    """Folders and files outside the system's own that `command` may need, each once."""
    folders = [Path(folder) for folder in search_path.split(os.pathsep) if folder]
    environments = [
        *(root / name for name in _OWN_ENVIRONMENTS),
        *(folder.parent for folder in folders if folder.name == "bin"),
    ]
    found = [path for environment in environments for path in _of_environment(environment)]
    found += _of_first_program(command, search_path)
    return [str(path) for path in dict.fromkeys(found) if not _is_the_systems(path)]


def _is_the_systems(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _of_environment(environment: Path) -> Iterator[Path]:
    """A virtual environment with its interpreter's installation; nothing where it is none."""
    try:
        lines = (environment / _ENVIRONMENT_SIGN).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError):
        return
    yield environment
    for line in lines:
        key, _, value = line.partition("=")
        if key.strip() == "home" and Path(value.strip()).is_absolute():
            yield from _of_installation(Path(value.strip()).parent)


def _of_first_program(command: str, search_path: str) -> Iterator[Path]:
    """Where it is found, and where the link that is found there leads to."""
    name = command.split(maxsplit=1)[0]
    found = None if "/" in name else shutil.which(name, path=search_path)
    if found is None:
        return
    for program in dict.fromkeys((Path(found), Path(found).resolve())):
        if program.parent.name == "bin":
            prefix = program.parent.parent
            yield from _of_environment(prefix)
            yield from _of_installation(prefix)
            yield program


def _of_installation(prefix: Path) -> Iterator[Path]:
    """Its programs and libraries; nothing of a home folder, where such folders hold anything."""
    home = Path.home()
    if prefix not in (home, home / ".local") and (prefix / "lib").is_dir():
        yield from (prefix / part for part in _PARTS if (prefix / part).is_dir())
