"""Which account belongs to whom at an OpenID Connect issuer, and the sign-ins that browsers have begun there."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from veridic.domain.base import Frozen
from veridic.domain.errors import ConflictError, UsageError
from veridic.domain.people import Identity
from veridic.store.desk_tables import OidcIdentity, OidcSignIn
from veridic.store.runs import RunStore
from veridic.store.tables import User

SIGN_IN_MINUTES = 10
"""How long somebody may take at the issuer."""
_MAX_LENGTH = 255


class OidcName(Frozen):
    """Whom an admin means at an issuer: a subject or, if there is an @ in it, an email address."""

    issuer: str
    value: str


def name_at(issuer: str, value: str) -> OidcName:
    """Return the name as it is saved; raise `UsageError` if there is no issuer, or it is not such a name."""
    if not issuer:
        raise UsageError("Set VERIDIC_OIDC_ISSUER first: a subject or address means somebody at that issuer.")
    name = value.strip()
    is_address = "@" in name
    if not (0 < len(name) <= _MAX_LENGTH and name.isprintable() and (name.isascii() or not is_address)):
        raise UsageError(
            "Give the subject, or the email address in ASCII, that the issuer knows the person by."
        )
    return OidcName(issuer=issuer, value=name.lower() if is_address else name)


def tie(session: Session, user_id: int, name: OidcName | None) -> None:
    """Let this person, and nobody else at an issuer, sign in to an account; None for nobody at all."""
    session.execute(delete(OidcIdentity).where(OidcIdentity.user_id == user_id))
    if name is None:
        return
    column = OidcIdentity.email if "@" in name.value else OidcIdentity.subject
    taken = select(User.username).join(OidcIdentity).where(OidcIdentity.issuer == name.issuer)
    other = session.scalar(taken.where(column == name.value))
    if other is not None:
        raise ConflictError(f"{name.value} signs in as {other} already.")
    session.add(OidcIdentity(user_id=user_id, issuer=name.issuer, **{column.key: name.value}))
    session.flush()


def add_identity(session: Session, user_id: int, identity: Identity) -> None:
    """Tie a new account to the person it was made for."""
    session.add(OidcIdentity(user_id=user_id, issuer=identity.issuer, subject=identity.subject))
    session.flush()


def tied_to(session: Session, user_id: int) -> str | None:
    """Return the subject or email address that signs in to an account."""
    row = session.get(OidcIdentity, user_id)
    return None if row is None else row.subject or row.email


def all_tied(session: Session) -> dict[int, str | None]:
    """Return what `tied_to` does for all accounts, by their ids."""
    return {row.user_id: row.subject or row.email for row in session.scalars(select(OidcIdentity))}


def account_of(session: Session, identity: Identity) -> User | None:
    """Return somebody's account. One that was tied to a verified email address belongs to that subject from now on."""
    at_issuer = select(OidcIdentity).where(OidcIdentity.issuer == identity.issuer)
    row = session.scalar(at_issuer.where(OidcIdentity.subject == identity.subject))
    if row is None and identity.email is not None:
        row = session.scalar(at_issuer.where(OidcIdentity.email == identity.email))
        if row is not None:
            row.subject, row.email = identity.subject, None
    return None if row is None else session.get_one(User, row.user_id)


def user_names(identity: Identity) -> Iterator[str]:
    """Yield user names for a new account, the best first. Only the last is sure to be new, and to fit."""
    if identity.username:
        yield identity.username
    if identity.email:
        yield identity.email
    yield "oidc-" + hashlib.sha256(f"{identity.issuer} {identity.subject}".encode()).hexdigest()[:16]


class OidcSignIns:
    """The sign-ins under way, each known by the secret in the browser's cookie. Every method is one transaction and blocks."""

    def __init__(self, store: RunStore, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now

    def begin(self, secret: str, next_path: str) -> None:
        """Remember where the browser wanted to go."""
        expires = self._now() + timedelta(minutes=SIGN_IN_MINUTES)

        def write(session: Session) -> None:
            session.execute(delete(OidcSignIn).where(OidcSignIn.expires_at <= self._now()))
            session.add(OidcSignIn(secret_hash=_hash(secret), next_path=next_path, expires_at=expires))

        self._store.write(write)

    def end(self, secret: str) -> str | None:
        """Return where the browser wanted to go, once; None if there is no such sign-in, or it took too long."""
        ended = (
            delete(OidcSignIn)
            .where(OidcSignIn.secret_hash == _hash(secret), OidcSignIn.expires_at > self._now())
            .returning(OidcSignIn.next_path)
        )
        return self._store.write(lambda session: session.scalar(ended))


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
