"""The first process of a sandbox: makes it tight from within, runs the one command, and ends with its exit code.

It is run as a script, in namespaces of its own (see `sandbox.py`), with nothing but the standard library. From here
everything but its own folder is read-only, only this machine's loopback can be reached, and the command is left
with no capability to undo any of that.
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
from pathlib import Path
from typing import Any

_AT_FDCWD, _AT_RECURSIVE, _MOUNT_ATTR_RDONLY, _SYS_MOUNT_SETATTR = -100, 0x8000, 1, 442
_MS_NOSUID, _MS_NODEV, _MS_BIND = 2, 4, 4096
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_CAPABILITIES = 64
_LINKED = frozenset({".venv", "venv", "node_modules", ".tox", ".nox"})
"""Large, and only read: the copy has links to them."""
_LEFT_OUT = frozenset({".git", ".hg", ".svn"})
_SOCKET_FOLDERS = (
    "/run/user", "/run/dbus", "/run/docker", "/run/podman", "/run/containerd", "/run/systemd", "/run/postgresql",
    "/run/mysqld", "/tmp/.X11-unix",  # noqa: S108
)  # fmt: skip
_SOCKETS = ("/run/docker.sock", "/run/snapd.socket")
"""A socket answers whoever can see it, network or not."""

libc = ctypes.CDLL(None, use_errno=True)


def main() -> int:
    work = Path(sys.argv[1])
    spec: dict[str, Any] = json.loads((work / "spec.json").read_bytes())
    os.set_inheritable(spec["ready"], False)
    if spec["is_confined"]:
        mount(
            "tmpfs",
            str(work),
            "tmpfs",
            _MS_NOSUID | _MS_NODEV,
            f"size={spec['disk']},nr_inodes={spec['files']}",
        )
    copy_repository(Path(spec["root"]), work / "repo")
    for name in ("home", "tmp"):
        (work / name).mkdir()
    for name, text in spec["extra"].items():
        (work / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    if spec["is_confined"]:
        shut(str(work), spec["hidden"])
    os.write(spec["ready"], b"R")
    return run(spec, work / "repo")


def copy_repository(root: Path, target: Path) -> None:
    def ignored(_folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name in _LEFT_OUT or name in _LINKED}

    shutil.copytree(root, target, symlinks=True, ignore=ignored, copy_function=copy_plain_file)
    for name in _LINKED:
        if (root / name).is_dir():
            (target / name).symlink_to(root / name)


def copy_plain_file(source: str, target: str) -> None:
    """Pipes and devices are left out: reading one could wait for ever."""
    if Path(source).is_file():
        shutil.copy2(source, target, follow_symlinks=False)


def shut(work: str, hidden: list[str]) -> None:
    """Make all but the working folder read-only, and hide other processes and everything that listens on a socket."""
    try:
        mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV)
    except OSError:
        mount("tmpfs", "/proc", "tmpfs", _MS_NOSUID | _MS_NODEV)
    for folder in (*_SOCKET_FOLDERS, *hidden):
        if Path(folder).is_dir():
            mount("tmpfs", folder, "tmpfs", _MS_NOSUID | _MS_NODEV)
    for path in _SOCKETS:
        if Path(path).exists():
            mount("/dev/null", path, None, _MS_BIND)
    set_read_only("/", recursively=True)
    set_writable(work)
    mount("tmpfs", "/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV, "size=64m")  # noqa: S108
    bring_loopback_up()


def run(spec: dict[str, Any], folder: Path) -> int:
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            limit(spec)
            if spec["is_confined"]:
                give_up_capabilities()
            os.execve("/bin/sh", ["sh", "-c", spec["command"]], spec["environment"])  # noqa: S606
        finally:
            os._exit(126)
    while True:
        ended, status = os.wait()
        if ended == child:
            return os.waitstatus_to_exitcode(status) % 256


def limit(spec: dict[str, Any]) -> None:
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
            # Not every system knows every limit; where there is a sandbox, all of them hold.
            if spec["is_confined"]:
                raise


def give_up_capabilities() -> None:
    """With an empty bounding set, nothing that is executed from here on has any."""
    for number in range(_CAPABILITIES):
        libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "privileges could not be given up")


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
