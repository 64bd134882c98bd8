"""Accounts: people with roles, their passwords, sessions and API tokens, and who signs in to them elsewhere.

Passwords are hashed with argon2id. Session and API tokens are random and saved only as SHA-256 hashes: with 256 bits
of chance in them, a slow hash would add nothing. Every method is one transaction and blocks.
"""

import hashlib
import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.orm import Session

from veridic.desk import oidc_accounts
from veridic.desk.oidc_accounts import OidcName
from veridic.desk.passwords import hash_password, is_right
from veridic.domain.base import Frozen
from veridic.domain.errors import ConflictError, ForbiddenError, NotFoundError, UsageError
from veridic.domain.people import LOCAL_USER, Actor, Identity, Right, Role, actor_of
from veridic.store import audit
from veridic.store.desk_tables import ApiToken, OidcIdentity, SignInSession
from veridic.store.runs import RunStore
from veridic.store.tables import User

SESSION_HOURS = 12
MAX_FAILED_SIGN_INS = 5
LOCK_MINUTES = 15
TOKEN_PREFIX = "vrd_"  # noqa: S105 - so that secret scanners can find a leaked one
WRONG_PASSWORD = "Wrong user name or password."  # noqa: S105
_USERNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class Person(Frozen):
    """An account, without its secrets."""

    id: int
    username: str
    display_name: str | None
    role: Role
    disabled: bool
    created_at: datetime | None
    oidc: str | None = None
    """The subject or email address that signs in to it at the OpenID Connect issuer."""


class TokenRecord(Frozen):
    """An API token, without the token."""

    id: int
    name: str
    scope: tuple[Right, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked: bool


class Accounts:
    """The accounts in one database. Whoever changes one is the `actor`, and needs `Right.MANAGE` for others' accounts."""

    def __init__(self, store: RunStore, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now

    def exist(self) -> bool:
        """Return whether there is an account; the first one turns sign-in on."""
        with self._store.read() as session:
            return session.scalar(select(User.id).where(_can_sign_in()).limit(1)) is not None

    def people(self) -> list[Person]:
        """Return all accounts, by name."""
        with self._store.read() as session:
            users = session.scalars(select(User).order_by(User.username))
            tied = oidc_accounts.all_tied(session)
            return [_person(user, tied.get(user.id)) for user in users]

    def add(
        self,
        actor: Actor,
        username: str,
        password: str | None,
        role: Role,
        *,
        display_name: str | None = None,
        oidc: OidcName | None = None,
    ) -> Person:
        """Add an account, for somebody with a password or at an issuer.

        The first must be an admin, or nobody could manage the others.
        """
        _require(actor, Right.MANAGE)
        if not _USERNAME.fullmatch(username):
            raise UsageError(
                "A user name has 1 to 64 letters, digits and . _ @ -, and starts with a letter or digit."
            )
        hashed = hash_password(password) if password is not None else None
        if hashed is None and oidc is None:
            raise UsageError("An account needs a password, or somebody at an issuer who signs in to it.")

        def write(session: Session) -> Person:
            if _named(session, username) is not None:
                raise ConflictError(f"There is an account {username} already.")
            if role is not Role.ADMIN and not _admins(session):
                raise UsageError("The first account must be an admin: add it with `--role admin`.")
            user = User(username=username, password_hash=hashed, role=role, display_name=display_name)
            session.add(user)
            session.flush()
            oidc_accounts.tie(session, user.id, oidc)
            tied_to = oidc.value if oidc else None
            after = _public(user) | ({"oidc": tied_to} if tied_to else {})
            audit.record(session, actor, "account added", ("user", user.id), after=after)
            return _person(user, tied_to)

        return self._store.write(write)

    def set_role(self, actor: Actor, username: str, role: Role) -> Person:
        """Give somebody another role; raise `ConflictError` for the last admin."""
        return self._change(actor, username, "role changed", lambda user: setattr(user, "role", role.value))

    def disable(self, actor: Actor, username: str) -> Person:
        """Sign somebody out everywhere, for good; raise `ConflictError` for the last admin."""
        return self._change(
            actor, username, "account disabled", lambda user: setattr(user, "disabled_at", self._now())
        )

    def enable(self, actor: Actor, username: str) -> Person:
        """Let somebody sign in again, also after too many wrong passwords."""

        def change(user: User) -> None:
            user.disabled_at = user.locked_until = None
            user.failed_sign_ins = 0

        return self._change(actor, username, "account enabled", change)

    def tie(self, actor: Actor, username: str, oidc: OidcName | None) -> Person:
        """Say who at an issuer signs in to an account, None for nobody, and end its sessions."""
        _require(actor, Right.MANAGE)

        def write(session: Session) -> Person:
            user = _account(session, username)
            before, after = oidc_accounts.tied_to(session, user.id), oidc.value if oidc else None
            oidc_accounts.tie(session, user.id, oidc)
            if not _admins(session):
                raise ConflictError(f"{username} is the last admin; give them a password first.")
            _end_sessions(session, user.id)
            audit.record(
                session, actor, "OIDC set", ("user", user.id), before={"oidc": before}, after={"oidc": after}
            )
            return _person(user, after)

        return self._store.write(write)

    def set_password(self, actor: Actor, username: str, password: str) -> Person:
        """Set a password and end all sessions of the account."""
        hashed = hash_password(password)

        def change(user: User) -> None:
            user.password_hash = hashed
            user.failed_sign_ins, user.locked_until = 0, None

        return self._change(actor, username, "password set", change)

    def change_password(self, actor: Actor, current: str, new: str) -> None:
        """Change one's own password, which ends all sessions; raise `ForbiddenError` if `current` is wrong."""
        hashed = hash_password(new)
        with self._store.read() as session:
            user = _own_account(session, actor)
            kept = user.password_hash
        if kept is None:
            raise ForbiddenError("You have no password here; an admin can give you one.")
        if not is_right(current, kept):
            raise ForbiddenError("The current password is wrong.")

        def write(session: Session) -> None:
            user = _own_account(session, actor)
            user.password_hash = hashed
            _end_sessions(session, user.id)
            audit.record(session, actor, "password changed", ("user", user.id))

        self._store.write(write)

    def sign_in(self, username: str, password: str) -> str:
        """Return a session's token. After `MAX_FAILED_SIGN_INS` wrong passwords the account is locked for a while.

        Raises `ForbiddenError` with the same sentence for a wrong name and a wrong password.
        """
        with self._store.read() as session:
            user = _named(session, username)
            known = (user.id, user.password_hash) if user and user.disabled_at is None else (None, None)
            locked_until = user.locked_until if user else None
        user_id, hashed = known
        # The hash is compared even for unknown and locked accounts, so that the time taken tells nothing.
        fits = is_right(password, hashed)
        if user_id is None:
            raise ForbiddenError(WRONG_PASSWORD)
        if locked_until is not None and locked_until > self._now():
            raise ForbiddenError(
                f"Too many wrong passwords; this account is locked for up to {LOCK_MINUTES} minutes."
            )
        if not fits:
            self._store.write(lambda session: self._count_failure(session, user_id))
            raise ForbiddenError(WRONG_PASSWORD)
        return self._store.write(lambda session: self._begin_session(session, user_id))

    def sign_in_as(self, identity: Identity, new_role: Role | None) -> str:
        """Return a session's token for somebody whom an issuer vouches for.

        Who has no account gets one of `new_role`; without that role, raises `ForbiddenError`, as for a disabled account.
        """

        def write(session: Session) -> str:
            user = oidc_accounts.account_of(session, identity)
            if user is None:
                user = _add_unknown(session, identity, new_role)
            if user.disabled_at is not None:
                raise ForbiddenError("Your account is disabled; an admin can enable it.")
            return self._begin_session(session, user.id)

        return self._store.write(write)

    def sign_out(self, token: str) -> None:
        """End a session; nothing happens if there is none."""
        self._store.write(
            lambda session: session.execute(
                delete(SignInSession).where(SignInSession.token_hash == hash_token(token))
            )
        )

    def of_session(self, token: str) -> Actor | None:
        """Return whose session it is, or None if there is none or it has expired."""
        with self._store.read() as session:
            user = session.scalar(
                select(User)
                .join(SignInSession, SignInSession.user_id == User.id)
                .where(
                    SignInSession.token_hash == hash_token(token),
                    SignInSession.expires_at > self._now(),
                    User.disabled_at.is_(None),
                )
            )
            return actor_of(user.id, user.username, Role(user.role)) if user else None

    def create_token(
        self,
        actor: Actor,
        username: str,
        name: str,
        *,
        scope: frozenset[Right] | None = None,
        days: int | None = None,
    ) -> str:
        """Return a new API token, which is shown this once; by default it may do all that the person may."""

        def write(session: Session) -> str:
            user = _account(session, username)
            _require_own(actor, user)
            token = TOKEN_PREFIX + secrets.token_urlsafe(32)
            rights = sorted(scope if scope is not None else frozenset(Right))
            row = ApiToken(
                user_id=user.id,
                name=name,
                token_hash=hash_token(token),
                scope=" ".join(rights),
                expires_at=self._now() + timedelta(days=days) if days else None,
            )
            session.add(row)
            session.flush()
            audit.record(
                session,
                actor,
                "token created",
                ("api_token", row.id),
                after={"name": name, "scope": row.scope},
            )
            return token

        return self._store.write(write)

    def tokens(self, actor: Actor, username: str) -> list[TokenRecord]:
        """Return the API tokens of an account, newest first."""
        with self._store.read() as session:
            user = _account(session, username)
            _require_own(actor, user)
            rows = session.scalars(
                select(ApiToken).where(ApiToken.user_id == user.id).order_by(ApiToken.id.desc())
            )
            return [_token_record(row) for row in rows]

    def revoke_token(self, actor: Actor, token_id: int) -> None:
        """Make a token useless from now on."""

        def write(session: Session) -> None:
            row = session.get(ApiToken, token_id)
            owner = session.get(User, row.user_id) if row else None
            # A token of somebody else and one that doesn't exist look the same.
            if row is None or owner is None or not _is_own(actor, owner):
                raise NotFoundError(f"You have no token with the number {token_id}.")
            row.revoked_at = row.revoked_at or self._now()
            audit.record(session, actor, "token revoked", ("api_token", row.id))

        self._store.write(write)

    def of_token(self, token: str) -> Actor | None:
        """Return who an API token acts for, or None if it is unknown, expired or revoked."""
        if not token.startswith(TOKEN_PREFIX):
            return None
        now = self._now()
        with self._store.read() as session:
            found = session.execute(
                select(ApiToken, User)
                .join(User, User.id == ApiToken.user_id)
                .where(
                    ApiToken.token_hash == hash_token(token),
                    ApiToken.revoked_at.is_(None),
                    User.disabled_at.is_(None),
                )
            ).one_or_none()
            if found is None or (found[0].expires_at is not None and found[0].expires_at <= now):
                return None
            row, user = found
            token_id, last_used = row.id, row.last_used_at
            scope = frozenset(Right(name) for name in row.scope.split())
            actor = actor_of(user.id, user.username, Role(user.role), scope)
        # To the day, so that reading doesn't cost a write each time.
        if last_used is None or last_used.date() != now.date():
            self._store.write(lambda session: _mark_used(session, token_id, now))
        return actor

    def _change(self, actor: Actor, username: str, action: str, change: Callable[[User], None]) -> Person:
        """Change somebody's account and end its sessions."""
        _require(actor, Right.MANAGE)

        def write(session: Session) -> Person:
            user = _account(session, username)
            before = _public(user)
            change(user)
            session.flush()
            if not _admins(session):
                raise ConflictError(f"{username} is the last admin; make somebody else one first.")
            _end_sessions(session, user.id)
            audit.record(session, actor, action, ("user", user.id), before=before, after=_public(user))
            return _person(user)

        return self._store.write(write)

    def _count_failure(self, session: Session, user_id: int) -> None:
        user = session.get_one(User, user_id)
        user.failed_sign_ins += 1
        if user.failed_sign_ins >= MAX_FAILED_SIGN_INS:
            user.failed_sign_ins = 0
            user.locked_until = self._now() + timedelta(minutes=LOCK_MINUTES)
            audit.record(session, None, "account locked", ("user", user.id))

    def _begin_session(self, session: Session, user_id: int) -> str:
        user = session.get_one(User, user_id)
        user.failed_sign_ins, user.locked_until = 0, None
        session.execute(delete(SignInSession).where(SignInSession.expires_at <= self._now()))
        token = secrets.token_urlsafe(32)
        expires = self._now() + timedelta(hours=SESSION_HOURS)
        session.add(SignInSession(token_hash=hash_token(token), user_id=user_id, expires_at=expires))
        audit.record(
            session, actor_of(user.id, user.username, Role(user.role)), "signed in", ("user", user.id)
        )
        return token


def hash_token(token: str) -> str:
    """Return the form in which a token is saved."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _can_sign_in() -> ColumnElement[bool]:
    return or_(User.password_hash.is_not(None), User.id.in_(select(OidcIdentity.user_id)))


def _add_unknown(session: Session, identity: Identity, role: Role | None) -> User:
    """Add an account for somebody whom only the issuer knows."""
    if role is None:
        raise ForbiddenError(
            f"There is no account for you here; ask an admin for one, for the subject {identity.subject}."
        )
    name = next(name for name in oidc_accounts.user_names(identity) if _is_free(session, name))
    user = User(username=name, role=role, display_name=identity.name)
    session.add(user)
    session.flush()
    oidc_accounts.add_identity(session, user.id, identity)
    after = _public(user) | {"oidc": identity.subject}
    audit.record(
        session, actor_of(user.id, user.username, role), "account added", ("user", user.id), after=after
    )
    return user


def _is_free(session: Session, username: str) -> bool:
    """Return whether a person may have a name that they chose themselves."""
    is_reserved = username.lower() in (LOCAL_USER.username, audit.MACHINE)
    return bool(_USERNAME.fullmatch(username)) and not is_reserved and _named(session, username) is None


def _require(actor: Actor, right: Right) -> None:
    if not actor.may(right):
        raise ForbiddenError("Only an admin may do that.")


def _is_own(actor: Actor, user: User) -> bool:
    return actor.may(Right.MANAGE) or actor.user_id == user.id


def _require_own(actor: Actor, user: User) -> None:
    if not _is_own(actor, user):
        raise ForbiddenError("Only an admin may handle the tokens of others.")


def _named(session: Session, username: str) -> User | None:
    """Find an account; names that differ only in case are the same."""
    return session.scalar(select(User).where(func.lower(User.username) == username.lower()))


def _account(session: Session, username: str) -> User:
    user = _named(session, username)
    if user is None:
        raise NotFoundError(f"There is no account {username}; `veridic user list` shows them all.")
    return user


def _own_account(session: Session, actor: Actor) -> User:
    user = session.get(User, actor.user_id) if actor.user_id is not None else None
    if user is None:
        raise ForbiddenError("There is no account to change; `veridic user add` makes one.")
    return user


def _admins(session: Session) -> bool:
    """Return whether somebody can manage accounts."""
    found = select(User.id).where(_can_sign_in(), User.role == Role.ADMIN, User.disabled_at.is_(None))
    return session.scalar(found.limit(1)) is not None


def _end_sessions(session: Session, user_id: int) -> None:
    session.execute(delete(SignInSession).where(SignInSession.user_id == user_id))


def _mark_used(session: Session, token_id: int, now: datetime) -> None:
    session.get_one(ApiToken, token_id).last_used_at = now


def _person(user: User, oidc: str | None = None) -> Person:
    return Person(
        id=user.id,
        username=user.username,
        display_name=user.display_name,
        role=Role(user.role),
        disabled=user.disabled_at is not None,
        created_at=user.created_at,
        oidc=oidc,
    )


def _public(user: User) -> dict[str, object]:
    return {"username": user.username, "role": str(user.role), "disabled": user.disabled_at is not None}


def _token_record(row: ApiToken) -> TokenRecord:
    return TokenRecord(
        id=row.id,
        name=row.name,
        scope=tuple(Right(name) for name in row.scope.split()),
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        revoked=row.revoked_at is not None,
    )
