"""The first process in a sandbox: confines itself, runs the command, and exits with its exit code.

`run.py` starts it as a script in its own namespaces; it only uses the standard library. It builds a root folder with
only what the command may read, and switches to it: files that are not there need no rule to hide them. Everything but
the working folder is then read-only, only the loopback interface can be reached, and the command has no capabilities
to undo this.
"""

import ctypes
import fcntl
import json
import os
import resource
import shutil
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

_AT_FDCWD, _AT_RECURSIVE, _MOUNT_ATTR_RDONLY, _SYS_MOUNT_SETATTR = -100, 0x8000, 1, 442
_MS_NOSUID, _MS_NODEV, _MS_BIND, _MS_REC = 2, 4, 4096, 16384
_MNT_DETACH = 2
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_CAPABILITIES = 64
_LINKED = frozenset({".venv", "venv", "node_modules", ".tox", ".nox"})
"""Large folders that are only read: the copy has symlinks to them."""
_SKIPPED = frozenset({".git", ".hg", ".svn"})
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "ptmx": "pts/ptmx",
}

libc = ctypes.CDLL(None, use_errno=True)


def main() -> int:
    work = Path(sys.argv[1])
    spec: dict[str, Any] = json.loads((work / "spec.json").read_bytes())
    os.set_inheritable(spec["ready"], False)
    os.umask(0o022)
    inside = work
    if spec["is_confined"]:
        size = f"mode=755,size={spec['disk']},nr_inodes={spec['files']}"
        mount("tmpfs", str(work), "tmpfs", _MS_NOSUID | _MS_NODEV, size)
        inside = work / "inside"
        inside.mkdir()
    copy_repository(Path(spec["root"]), inside / "repo")
    for name in ("home", "tmp"):
        (inside / name).mkdir()
    for name, text in spec["extra"].items():
        (inside / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    if spec["is_confined"]:
        if spec["user"] is not None:
            change_owner(inside, spec["user"])
        confine(work, inside, spec["readable"])
    os.write(spec["ready"], b"R")
    return run(spec, work / "repo")


def copy_repository(root: Path, target: Path) -> None:
    def ignored(_folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name in _SKIPPED or name in _LINKED}

    shutil.copytree(root, target, symlinks=True, ignore=ignored, copy_function=copy_plain_file)
    for name in _LINKED:
        if (root / name).is_dir():
            (target / name).symlink_to(root / name)


def copy_plain_file(source: str, target: str) -> None:
    """Copy a regular file; skip pipes and devices, as reading one could block forever."""
    if Path(source).is_file():
        shutil.copy2(source, target, follow_symlinks=False)


def change_owner(inside: Path, user: int) -> None:
    """Make the user that the command runs as the owner of the working folder and of stdout."""
    os.fchown(sys.stdout.fileno(), user, user)
    os.chown(inside, user, user)
    for folder, folders, files in os.walk(inside):
        for name in (*folders, *files):
            os.chown(Path(folder, name), user, user, follow_symlinks=False)


def confine(work: Path, inside: Path, readable: list[str]) -> None:
    """Switch to a new root folder that has only the readable paths, and the working folder at its old path."""
    root = work / "root"
    root.mkdir()
    mount("tmpfs", str(root), "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=755,size=4m")
    bound: list[Path] = []
    for path in sorted(map(Path, readable), key=lambda path: len(path.parts)):
        if path.exists() and not any(path.is_relative_to(other) for other in bound):
            bind(path, root)
            bound.append(path)
    make_devices(root / "dev")
    (root / "proc").mkdir()
    try:
        mount("proc", str(root / "proc"), "proc", _MS_NOSUID | _MS_NODEV)
    except OSError:
        mount("tmpfs", str(root / "proc"), "tmpfs", _MS_NOSUID | _MS_NODEV)
    for name in ("tmp", "run", "var/tmp"):
        (root / name).mkdir(parents=True, exist_ok=True)
    bind(inside, root, at=work)
    pivot_to(root)
    set_read_only("/", recursively=True)
    set_writable(str(work))
    mount("tmpfs", "/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV, "size=64m")  # noqa: S108
    bring_loopback_up()


def bind(path: Path, root: Path, at: Path | None = None) -> None:
    """Bind a file, folder or symlink of the system into the new root, at the same path or at `at`."""
    target = root / (at or path).relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        target.symlink_to(path.readlink())
        return
    if path.is_dir():
        target.mkdir(exist_ok=True)
    else:
        target.touch()
    mount(str(path), str(target), None, _MS_BIND | _MS_REC)


def make_devices(folder: Path) -> None:
    """Bind harmless devices only; a disk device would expose every file on it."""
    for name in _DEVICES:
        if Path("/dev", name).exists():
            bind(Path("/dev", name), folder.parent)
    for name in ("shm", "pts"):
        (folder / name).mkdir(parents=True)
    for name, target in _DEVICE_LINKS.items():
        (folder / name).symlink_to(target)
    with suppress(OSError):  # few commands need their own terminal
        mount("devpts", str(folder / "pts"), "devpts", _MS_NOSUID, "newinstance,ptmxmode=0666,mode=0620")


def pivot_to(root: Path) -> None:
    """Make `root` the root of this namespace, and detach the old root."""
    os.chdir(root)
    if libc.pivot_root(b".", b".") != 0 or libc.umount2(b".", _MNT_DETACH) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(root))
    os.chdir("/")


def run(spec: dict[str, Any], folder: Path) -> int:
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            set_limits(spec)
            if spec["is_confined"]:
                drop_capabilities(spec["user"])
            os.execve("/bin/sh", ["sh", "-c", spec["command"]], spec["environment"])  # noqa: S606
        except OSError as error:
            os.write(2, f"{error}\n".encode(errors="replace"))
        finally:
            os._exit(126)
    while True:
        ended, status = os.wait()
        if ended == child:
            return os.waitstatus_to_exitcode(status) % 256


def set_limits(spec: dict[str, Any]) -> None:
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, spec["seconds"]),
        (resource.RLIMIT_AS, spec["memory"]),
        (resource.RLIMIT_NPROC, spec["processes"]),
        (resource.RLIMIT_FSIZE, spec["file_size"]),
        (resource.RLIMIT_NOFILE, spec["open_files"]),
    ):
        _, hard = resource.getrlimit(kind)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (OSError, ValueError):
            # Not every system supports every limit; in a sandbox all of them are required.
            if spec["is_confined"]:
                raise


def drop_capabilities(user: int | None) -> None:
    """Drop all capabilities: with an empty bounding set, no program executed from here on has any."""
    for number in range(_CAPABILITIES):
        libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "privileges could not be given up")
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def bring_loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    kind_bytes = kind.encode() if kind else None
    if (
        libc.mount(source.encode(), os.fsencode(target), kind_bytes, ctypes.c_ulong(flags), data.encode())
        != 0
    ):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), target)


def set_read_only(path: str, *, recursively: bool) -> None:
    _set_attributes(path, set_=_MOUNT_ATTR_RDONLY, clear=0, flags=_AT_RECURSIVE if recursively else 0)


def set_writable(path: str) -> None:
    _set_attributes(path, set_=0, clear=_MOUNT_ATTR_RDONLY, flags=0)


def _set_attributes(path: str, *, set_: int, clear: int, flags: int) -> None:
    attributes = struct.pack("QQQQ", set_, clear, 0, 0)
    number = ctypes.c_long(_SYS_MOUNT_SETATTR)
    size = ctypes.c_size_t(len(attributes))
    if libc.syscall(number, _AT_FDCWD, os.fsencode(path), flags, attributes, size) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), path)


if __name__ == "__main__":
    try:
        code = main()
    except shutil.Error as error:  # a list of (from, to, why)
        first = error.args[0][0]
        sys.exit(f"{first[0]} could not be copied: {first[2]}"[:500])
    except (OSError, RecursionError) as error:
        sys.exit(f"{error}"[:500])
    sys.exit(code)
