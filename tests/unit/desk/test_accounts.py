"""Accounts: passwords, sessions, tokens and who may manage them."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridic.desk.accounts import LOCK_MINUTES, MAX_FAILED_SIGN_INS, SESSION_HOURS, Accounts
from veridic.desk.oidc_accounts import SIGN_IN_MINUTES, OidcSignIns, name_at
from veridic.domain.errors import ConflictError, ForbiddenError, NotFoundError, UsageError
from veridic.domain.people import LOCAL_USER, RIGHTS, Identity, Right, Role, actor_of
from veridic.store.audit import entries
from veridic.store.runs import RunStore

PASSWORD = "correct horse battery"


class Clock:
    now = datetime(2026, 11, 18, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **time: int) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore(f"sqlite:///{tmp_path}/veridic.db") as store:
        yield store


@pytest.fixture
def accounts(store: RunStore, clock: Clock) -> Accounts:
    accounts = Accounts(store, now=clock)
    accounts.add(LOCAL_USER, "mira", PASSWORD, Role.ADMIN)
    accounts.add(LOCAL_USER, "jon", PASSWORD, Role.VIEWER)
    return accounts


def test_first_account_must_be_an_admin(store: RunStore) -> None:
    accounts = Accounts(store)
    assert not accounts.exist()
    with pytest.raises(UsageError, match="first account must be an admin"):
        accounts.add(LOCAL_USER, "jon", PASSWORD, Role.VIEWER)
    assert not accounts.exist()


def test_right_password_opens_a_session_until_it_expires(accounts: Accounts, clock: Clock) -> None:
    session = accounts.sign_in("MIRA", PASSWORD)
    actor = accounts.of_session(session)
    assert actor is not None
    assert (actor.username, actor.role, actor.rights) == ("mira", Role.ADMIN, RIGHTS[Role.ADMIN])
    clock.pass_by(hours=SESSION_HOURS, seconds=1)
    assert accounts.of_session(session) is None


def test_wrong_name_and_wrong_password_look_the_same(accounts: Accounts) -> None:
    sentences = set()
    for name, password in (
        ("nobody", PASSWORD),
        ("mira", "wrong"),
        ("mira", ""),
        ("", ""),
        ("mira", "x" * 9999),
    ):
        with pytest.raises(ForbiddenError) as refusal:
            accounts.sign_in(name, password)
        sentences.add(str(refusal.value))
    assert len(sentences) == 1


def test_wrong_passwords_lock_the_account_for_a_while(accounts: Accounts, clock: Clock) -> None:
    for _ in range(MAX_FAILED_SIGN_INS):
        with pytest.raises(ForbiddenError, match="Wrong user name or password"):
            accounts.sign_in("jon", "wrong password")
    with pytest.raises(ForbiddenError, match="locked"):
        accounts.sign_in("jon", PASSWORD)
    clock.pass_by(minutes=LOCK_MINUTES, seconds=1)
    assert accounts.sign_in("jon", PASSWORD)


def test_sign_out_disabling_and_a_new_password_end_sessions(accounts: Accounts) -> None:
    session = accounts.sign_in("jon", PASSWORD)
    accounts.sign_out(session)
    assert accounts.of_session(session) is None

    session = accounts.sign_in("jon", PASSWORD)
    actor = accounts.of_session(session)
    assert actor is not None
    with pytest.raises(ForbiddenError, match="current password"):
        accounts.change_password(actor, "not it at all", "another long one")
    assert accounts.of_session(session) is not None
    accounts.change_password(actor, PASSWORD, "another long one")
    assert accounts.of_session(session) is None

    session = accounts.sign_in("jon", "another long one")
    accounts.disable(LOCAL_USER, "jon")
    assert accounts.of_session(session) is None
    with pytest.raises(ForbiddenError):
        accounts.sign_in("jon", "another long one")
    accounts.enable(LOCAL_USER, "jon")
    assert accounts.sign_in("jon", "another long one")


def test_last_admin_stays(accounts: Accounts) -> None:
    with pytest.raises(ConflictError, match="last admin"):
        accounts.disable(LOCAL_USER, "mira")
    with pytest.raises(ConflictError, match="last admin"):
        accounts.set_role(LOCAL_USER, "mira", Role.VIEWER)
    assert accounts.sign_in("mira", PASSWORD)
    accounts.set_role(LOCAL_USER, "jon", Role.ADMIN)
    accounts.set_role(LOCAL_USER, "mira", Role.VIEWER)


def test_tokens_are_scoped_expire_and_can_be_revoked(accounts: Accounts, clock: Clock) -> None:
    narrow = accounts.create_token(LOCAL_USER, "mira", "reader", scope=frozenset({Right.READ}), days=30)
    wide = accounts.create_token(LOCAL_USER, "jon", "script")
    reader, jon = accounts.of_token(narrow), accounts.of_token(wide)
    assert reader is not None
    assert reader.rights == {Right.READ}
    assert jon is not None
    assert jon.rights == RIGHTS[Role.VIEWER]
    accounts.revoke_token(LOCAL_USER, accounts.tokens(LOCAL_USER, "jon")[0].id)
    clock.pass_by(days=31)
    assert accounts.of_token(wide) is None
    assert accounts.of_token(narrow) is None
    assert accounts.of_token("vrd_made-up") is None


def test_only_admins_manage_others(accounts: Accounts) -> None:
    jon = next(person for person in accounts.people() if person.username == "jon")
    viewer = actor_of(jon.id, jon.username, jon.role)
    accounts.create_token(LOCAL_USER, "mira", "hers")
    hers = accounts.tokens(LOCAL_USER, "mira")[0].id
    attempts: list[Callable[[], object]] = [
        lambda: accounts.add(viewer, "eve", PASSWORD, Role.ADMIN),
        lambda: accounts.set_role(viewer, "jon", Role.ADMIN),
        lambda: accounts.set_password(viewer, "mira", PASSWORD),
        lambda: accounts.disable(viewer, "mira"),
        lambda: accounts.create_token(viewer, "mira", "stolen"),
        lambda: accounts.tokens(viewer, "mira"),
    ]
    for attempt in attempts:
        with pytest.raises(ForbiddenError):
            attempt()
    with pytest.raises(NotFoundError):
        accounts.revoke_token(viewer, hers)


@pytest.mark.parametrize("name", ["", " ", "a b", "../x", "x" * 65, "é", "-x", "a\n"])
def test_odd_names_are_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(UsageError, match="user name"):
        accounts.add(LOCAL_USER, name, PASSWORD, Role.VIEWER)


def test_secrets_are_in_no_row_of_the_trail(accounts: Accounts, store: RunStore) -> None:
    session = accounts.sign_in("mira", PASSWORD)
    token = accounts.create_token(LOCAL_USER, "mira", "script")
    with store.read() as reading:
        trail = entries(reading)
    assert {"account added", "signed in", "token created"} <= {entry.action for entry in trail}
    for secret in (PASSWORD, session, token):
        assert secret not in str(trail)


ISSUER = "https://login.example.org"


def test_an_account_without_a_password_belongs_to_somebody_at_an_issuer(
    store: RunStore, clock: Clock
) -> None:
    accounts = Accounts(store, now=clock)
    with pytest.raises(UsageError, match="needs a password, or somebody"):
        accounts.add(LOCAL_USER, "mira", None, Role.ADMIN)
    accounts.add(LOCAL_USER, "mira", None, Role.ADMIN, oidc=name_at(ISSUER, "s-1"))
    assert accounts.exist()
    session = accounts.sign_in_as(Identity(issuer=ISSUER, subject="s-1"), None)
    mira = accounts.of_session(session)
    assert mira is not None
    with pytest.raises(ForbiddenError, match="no password here"):
        accounts.change_password(mira, "", PASSWORD)
    with pytest.raises(ForbiddenError, match="Wrong user name or password"):
        accounts.sign_in("mira", "")
    with pytest.raises(ConflictError, match="last admin"):
        accounts.tie(LOCAL_USER, "mira", None)
    clock.pass_by(hours=SESSION_HOURS, seconds=1)
    assert accounts.of_session(session) is None


def test_nobody_signs_in_to_two_accounts(accounts: Accounts) -> None:
    for name in ("s-1", "Jon@Example.org"):
        accounts.tie(LOCAL_USER, "jon", name_at(ISSUER, name))
        with pytest.raises(ConflictError, match="signs in as jon already"):
            accounts.tie(LOCAL_USER, "mira", name_at(ISSUER, name.swapcase() if "@" in name else name))
    assert [person.oidc for person in accounts.people()] == ["jon@example.org", None]


def test_only_an_admin_says_who_signs_in(accounts: Accounts) -> None:
    jon = accounts.of_session(accounts.sign_in("jon", PASSWORD))
    assert jon is not None
    with pytest.raises(ForbiddenError):
        accounts.tie(jon, "mira", name_at(ISSUER, "s-1"))


@pytest.mark.parametrize(
    ("issuer", "name"),
    [("", "s-1"), (ISSUER, " "), (ISSUER, "a\nb"), (ISSUER, "j\u00f6n@example.org"), (ISSUER, "x" * 256)],
)
def test_a_name_at_an_issuer_must_be_one(issuer: str, name: str) -> None:
    with pytest.raises(UsageError):
        name_at(issuer, name)


def test_a_sign_in_at_an_issuer_ends_once_and_in_time(store: RunStore, clock: Clock) -> None:
    sign_ins = OidcSignIns(store, now=clock)
    sign_ins.begin("one", "/desk")
    assert sign_ins.end("two") is None
    assert sign_ins.end("one") == "/desk"
    assert sign_ins.end("one") is None
    sign_ins.begin("late", "/desk")
    clock.pass_by(minutes=SIGN_IN_MINUTES, seconds=1)
    assert sign_ins.end("late") is None
