"""Where runs are kept: a SQLite file, or a database on a PostgreSQL server."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from veridic.domain.errors import NotFoundError, StorageError, UsageError

_EXAMPLES = "it should look like sqlite:///path/to/veridic.db or postgresql://user:password@host/name"


@dataclass(frozen=True)
class Place:
    """A database by its address; as text, a name for people that never holds a password."""

    url: URL

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for a database on a server."""
        return Path(str(self.url.database)) if self.url.get_backend_name() == "sqlite" else None

    def __str__(self) -> str:
        # What follows the question mark may hold a password too.
        return str(self.file or self.url.set(query={}).render_as_string(hide_password=True))


def place_of(url: str) -> Place:
    """What a database URL names; `UsageError` where that is neither a SQLite file nor on a PostgreSQL server."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # Not shown: it may hold a password, and where that stands can't be told.
        raise UsageError(f"The database URL can't be read; {_EXAMPLES}.") from None
    kind = parsed.get_backend_name()
    if kind != "sqlite" and "@" in f"{parsed.host}{parsed.database}":
        raise UsageError("A password with an @ in it is written with %40 instead in a database URL.")
    if kind == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return Place(parsed)
    if kind in ("postgresql", "postgres") and parsed.database:
        return Place(parsed.set(drivername="postgresql"))
    shown = parsed.set(query={}).render_as_string(hide_password=True)
    raise UsageError(f"Runs can't be kept in the database {shown}; {_EXAMPLES}.")


def existing_place(url: str) -> Place:
    """Like `place_of`; `NotFoundError` for a file that is not there yet."""
    place = place_of(url)
    if place.file is not None and not place.file.is_file():
        raise NotFoundError(f"There is no database at {place} yet; the first check creates it.")
    return place


def unusable(place: Place, reason: str) -> StorageError:
    """The error for a database that fails, with what its driver says as the reason."""
    remedy = "the server and what its user may do" if place.file is None else "the file and its folder"
    return StorageError(
        f"The database {place} can't be used ({' '.join(reason.split())}); see to {remedy}, "
        "or point VERIDIC_DATABASE_URL at another."
    )
