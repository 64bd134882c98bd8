"""What an examination finds."""

from enum import StrEnum

from veridic.domain.base import Frozen


class Status(StrEnum):
    OK = "ok"
    NOT_SET_UP = "not set up"
    """Optional, and not there."""
    WARNING = "warning"
    """Works, but not as it should."""
    BROKEN = "broken"
    """Required, or asked for by a setting, and does not work."""


class Finding(Frozen):
    """One thing that was looked at. No field ever contains a secret."""

    name: str
    status: Status
    message: str
    """One sentence."""
    mend: str | None = None
    """The command that fixes it, or adds what is not set up."""


def ok(name: str, message: str) -> Finding:
    return Finding(name=name, status=Status.OK, message=message)


def not_set_up(name: str, message: str, mend: str) -> Finding:
    return Finding(name=name, status=Status.NOT_SET_UP, message=message, mend=mend)


def warning(name: str, message: str, mend: str | None) -> Finding:
    return Finding(name=name, status=Status.WARNING, message=message, mend=mend)


def broken(name: str, message: str, mend: str | None) -> Finding:
    return Finding(name=name, status=Status.BROKEN, message=message, mend=mend)
