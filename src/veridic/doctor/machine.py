"""Examines this machine: the home, the disk, the database, the corpora, git."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.engine import URL

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.doctor.finding import Finding, broken, not_set_up, ok, warning
from veridic.domain.errors import NotFoundError, UsageError, VeridicError
from veridic.evidence.corpus import Corpora
from veridic.store.database import place_of
from veridic.store.maintenance import read_state
from veridic.store.runs import RunStore

_LITTLE, _TOO_LITTLE = 1_000_000_000, 100_000_000
"""Bytes: the index of the reference library and a few hundred runs fit in the second."""
_SHORTEST_TOKEN = 20
_NEW_TOKEN = "export VERIDIC_API_TOKEN=$(python -c 'import secrets; print(secrets.token_urlsafe(32))')"  # noqa: S105
_ANOTHER_DATABASE = "export VERIDIC_DATABASE_URL=sqlite:////path/to/veridic.db"
_A_SERVER = "export VERIDIC_DATABASE_URL=postgresql://user:password@host/name"
_OTHER_CORPORA = "export VERIDIC_CORPORA_URL=postgresql://user:password@host/name"
_DRIVER = "pip install 'veridic[postgres]'"
_ANOTHER_HOME = "export VERIDIC_HOME=/path/to/a/folder/of/yours"


def examine_machine(settings: Settings) -> Iterator[Finding]:
    """Yield what there is of this machine."""
    yield _home(settings.home)
    yield _disk(settings.home)
    yield _database(settings)
    yield _corpora(settings)
    saved = _read_saved(settings)
    yield _queue(saved)
    yield _access(settings, saved)
    yield _git()


def _home(home: Path) -> Finding:
    place = _existing(home)
    try:
        if place == home:
            with tempfile.TemporaryFile(dir=home):
                return ok("home", f"{home} can be written to.")
        if os.access(place, os.W_OK | os.X_OK):
            return ok("home", f"{home} does not exist yet; the first check makes it.")
        reason = f"{place} can't be written to"
    except OSError as error:
        reason = error.strerror or str(error)
    return broken("home", f"Nothing can be saved in {home}: {reason}.", _ANOTHER_HOME)


def _disk(home: Path) -> Finding:
    free = shutil.disk_usage(_existing(home)).free
    message = f"{free / 1e9:,.1f} GB are free where {home} is."
    if free < _TOO_LITTLE:
        return broken("disk", message, _ANOTHER_HOME)
    return warning("disk", message, "veridic db vacuum") if free < _LITTLE else ok("disk", message)


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists."""
    return next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())


def _database(settings: Settings) -> Finding:
    try:
        state = read_state(settings.database)
    except NotFoundError as error:
        return ok("database", str(error))
    except VeridicError as error:
        return broken("database", str(error), _mend_of(settings.database))
    if state.is_current:
        return ok("database", f"{state.place} can be read, and its schema is {state.revision}, the newest.")
    return warning(
        "database",
        f"{state.place} has schema {state.revision or 'none'}; the next command that saves a run upgrades it.",
        "veridic db upgrade",
    )


def _mend_of(database: str) -> str:
    """Return how a database is reached that can't be read: the one that was chosen, for its runs are there."""
    if not database.startswith("postgres"):
        return _ANOTHER_DATABASE
    if find_spec("psycopg") is None:
        return _DRIVER
    try:
        url = place_of(database).url
    except UsageError:
        return _A_SERVER
    # It asks for the password itself: a secret must not be shown.
    shown = URL.create(
        url.drivername, url.username, host=url.host, port=url.port, database=url.database
    ).render_as_string()
    return f"psql {shlex.quote(shown)}"


def _corpora(settings: Settings) -> Finding:
    try:
        found = Corpora(settings.corpora).list()
    except (VeridicError, OSError) as error:
        if settings.corpora_url:
            return broken("corpora", str(error), _DRIVER if find_spec("psycopg") is None else _OTHER_CORPORA)
        return broken("corpora", f"{settings.own_corpora} can't be read: {error}", _ANOTHER_HOME)
    for corpus in found:
        if corpus.problem:
            return warning(
                "corpora",
                f"{corpus.name} can't be used: {corpus.problem}",
                f"veridic corpus remove {corpus.name}",
            )
    names = ", ".join(corpus.name for corpus in found)
    return ok(
        "corpora",
        f"Indexed: {names}." if names else "None is indexed yet; the built-in one will be on its first use.",
    )


class _Saved(NamedTuple):
    """What the database says; nothing if it is not there, or would have to be upgraded first."""

    accounts: int = 0
    waiting: int = 0
    waiting_since: datetime | None = None


def _read_saved(settings: Settings) -> _Saved:
    try:
        if not read_state(settings.database).is_current:
            return _Saved()
        with RunStore(settings.database) as store:
            return _Saved(len(Accounts(store).people()), *store.queue_length())
    except VeridicError:
        return _Saved()


def _queue(saved: _Saved) -> Finding:
    if saved.waiting_since is None or not saved.waiting:
        return ok("queue", "No check is waiting.")
    waiting = "One check waits" if saved.waiting == 1 else f"{saved.waiting} checks wait"
    return warning("queue", f"{waiting} since {saved.waiting_since:%Y-%m-%d %H:%M} UTC.", "veridic worker")


def _access(settings: Settings, saved: _Saved) -> Finding:
    accounts = saved.accounts
    token = settings.api_token.get_secret_value() if settings.api_token else ""
    if token and len(token) < _SHORTEST_TOKEN:
        return warning(
            "access", f"VERIDIC_API_TOKEN has {len(token)} characters and can be guessed.", _NEW_TOKEN
        )
    if not (accounts or token):
        return not_set_up(
            "access",
            "There are no accounts and no token: `veridic serve` serves this machine only.",
            "veridic user add NAME --role admin",
        )
    people = "one account" if accounts == 1 else f"{accounts} accounts"
    return ok("access", f"There are {people}, and VERIDIC_API_TOKEN is {'set' if token else 'not set'}.")


def _git() -> Finding:
    program = shutil.which("git")
    if program is None:
        return warning(
            "git",
            "There is no git: `veridic verify` knows nothing of a project's history.",
            "apt install git",
        )
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    return ok("git", f"{said.stdout.strip() or program}.")
