"""The first process of a sandbox: makes it tight from within, runs the one command, and ends with its exit code.

It is run as a script, in namespaces of its own (see `run.py`), with nothing but the standard library. It builds a
root folder that holds only what the command may read, and leaves the old one behind: what is not there needs no rule
to hide it. From there everything but the working folder is read-only, only this machine's loopback can be reached,
and the command is left with no capability to undo any of that.
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
"""Large, and only read: the copy has links to them."""
_LEFT_OUT = frozenset({".git", ".hg", ".svn"})
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
            give_away(inside, spec["user"])
        shut(work, inside, spec["readable"])
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


def give_away(inside: Path, user: int) -> None:
    """What the command works in, and what its output goes to, belongs to the one it runs as."""
    os.fchown(sys.stdout.fileno(), user, user)
    os.chown(inside, user, user)
    for folder, folders, files in os.walk(inside):
        for name in (*folders, *files):
            os.chown(Path(folder, name), user, user, follow_symlinks=False)


def shut(work: Path, inside: Path, readable: list[str]) -> None:
    """Go over to a root folder with nothing in it but what may be read, and the working folder at its old place."""
    root = work / "root"
    root.mkdir()
    mount("tmpfs", str(root), "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=755,size=4m")
    shown: list[Path] = []
    for path in sorted(map(Path, readable), key=lambda path: len(path.parts)):
        if path.exists() and not any(path.is_relative_to(other) for other in shown):
            show(path, root)
            shown.append(path)
    make_devices(root / "dev")
    (root / "proc").mkdir()
    try:
        mount("proc", str(root / "proc"), "proc", _MS_NOSUID | _MS_NODEV)
    except OSError:
        mount("tmpfs", str(root / "proc"), "tmpfs", _MS_NOSUID | _MS_NODEV)
    for name in ("tmp", "run", "var/tmp"):
        (root / name).mkdir(parents=True, exist_ok=True)
    show(inside, root, at=work)
    enter(root)
    set_read_only("/", recursively=True)
    set_writable(str(work))
    mount("tmpfs", "/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV, "size=64m")  # noqa: S108
    bring_loopback_up()


def show(path: Path, root: Path, at: Path | None = None) -> None:
    """Have a file, a folder or a link of the system's stand in the new root, at its own place or at another."""
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
    """Those that hold nothing: a disk's would be every file on it."""
    for name in _DEVICES:
        if Path("/dev", name).exists():
            show(Path("/dev", name), folder.parent)
    for name in ("shm", "pts"):
        (folder / name).mkdir(parents=True)
    for name, leads_to in _DEVICE_LINKS.items():
        (folder / name).symlink_to(leads_to)
    with suppress(OSError):  # few commands need a terminal of their own
        mount("devpts", str(folder / "pts"), "devpts", _MS_NOSUID, "newinstance,ptmxmode=0666,mode=0620")


def enter(root: Path) -> None:
    """Make it the root of this namespace, and let go of the old one."""
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
            limit(spec)
            if spec["is_confined"]:
                give_up_capabilities(spec["user"])
            os.execve("/bin/sh", ["sh", "-c", spec["command"]], spec["environment"])  # noqa: S606
        except OSError as error:
            os.write(2, f"{error}\n".encode(errors="replace"))
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


def give_up_capabilities(user: int | None) -> None:
    """With an empty bounding set, nothing that is executed from here on has any."""
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
