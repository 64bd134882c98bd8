"""People at the desk: their roles, and what each role may do."""

from enum import StrEnum

from veridic.domain.base import Frozen


class Role(StrEnum):
    """What a person is at the desk, from most to least rights."""

    ADMIN = "admin"
    EDITOR = "editor"
    FACT_CHECKER = "fact_checker"
    VIEWER = "viewer"


class Right(StrEnum):
    """Something that a role may do."""

    READ = "read"
    """See checks, claims, sources and statistics."""
    CHECK = "check"
    """Start, cancel and resume runs, take a check, verify claims, comment."""
    EDIT = "edit"
    """Assign checks to others, review, publish, correct, delete."""
    MANAGE = "manage"
    """Accounts, tokens of others, the audit trail."""


RIGHTS: dict[Role, frozenset[Right]] = {
    Role.ADMIN: frozenset(Right),
    Role.EDITOR: frozenset({Right.READ, Right.CHECK, Right.EDIT}),
    Role.FACT_CHECKER: frozenset({Right.READ, Right.CHECK}),
    Role.VIEWER: frozenset({Right.READ}),
}


class Actor(Frozen):
    """Who does something: a person, or the one user of a server without accounts (`user_id` is None)."""

    user_id: int | None
    username: str
    role: Role
    rights: frozenset[Right]
    """Those of the role; fewer for an API token with a narrower scope."""

    @property
    def shown_name(self) -> str | None:
        """The user name of a person; None on a server without accounts."""
        return None if self.user_id is None else self.username

    def may(self, right: Right) -> bool:
        return right in self.rights


def actor_of(user_id: int, username: str, role: Role, scope: frozenset[Right] | None = None) -> Actor:
    """Return the actor for a person; `scope` narrows the rights to those of a token."""
    rights = RIGHTS[role] if scope is None else RIGHTS[role] & scope
    return Actor(user_id=user_id, username=username, role=role, rights=rights)


class Identity(Frozen):
    """Who somebody is to an OpenID Connect issuer, as its verified ID token says."""

    issuer: str
    subject: str
    """Never given to anybody else by this issuer."""
    email: str | None = None
    """In lower case; None unless the issuer has verified it."""
    username: str | None = None
    name: str | None = None


LOCAL_USER = Actor(user_id=None, username="local", role=Role.ADMIN, rights=RIGHTS[Role.ADMIN])
"""Who uses a server that has no accounts yet."""
