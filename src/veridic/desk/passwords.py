"""Hashing and checking passwords, with argon2id."""

import secrets
from functools import lru_cache
from typing import TYPE_CHECKING

from veridic.domain.errors import UsageError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_PASSWORD_LENGTH = 12
MAX_PASSWORD_LENGTH = 1024


@lru_cache(maxsize=1)
def _hasher() -> "PasswordHasher":
    try:
        from argon2 import PasswordHasher
    except ModuleNotFoundError:
        raise UsageError(
            "Accounts need argon2-cffi, which is not installed; install Veridic as 'veridic[server]'."
        ) from None
    return PasswordHasher()


@lru_cache(maxsize=1)
def _hash_of_nobody() -> str:
    """A hash that no password fits, for accounts that don't exist."""
    return _hasher().hash(secrets.token_urlsafe(32))


def hash_password(password: str) -> str:
    """Return the hash to save; raise `UsageError` for a password that is too short or too long."""
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
        raise UsageError(f"A password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH:,} characters.")
    return _hasher().hash(password.encode("utf-8", "surrogatepass"))


def is_right(password: str, hashed: str | None) -> bool:
    """Return whether a password fits a hash. Without a hash it takes as long, so that time tells nothing about accounts."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        given = password[: MAX_PASSWORD_LENGTH + 1].encode("utf-8", "surrogatepass")
        _hasher().verify(hashed or _hash_of_nobody(), given)
    except (VerificationError, InvalidHashError):
        return False
    return hashed is not None
