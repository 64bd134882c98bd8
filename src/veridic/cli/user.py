"""`veridic user`: the accounts of the people at the desk."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.domain.people import LOCAL_USER, Right, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veridic.desk.accounts import Accounts
    from veridic.desk.oidc_accounts import OidcName

app = typer.Typer(
    help="Manage the accounts of a server. The first account turns sign-in on.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="The user name.", show_default=False)]
FromStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input; asked for otherwise.")
]


@app.command()
def add(
    name: Name,
    role: Annotated[Role, typer.Option(help="What this person may do.")] = Role.FACT_CHECKER,
    full_name: Annotated[str | None, typer.Option("--full-name", help="The name that others see.")] = None,
    oidc: Annotated[
        str | None,
        typer.Option(
            metavar="SUBJECT_OR_EMAIL",
            help="Who signs in to it at the issuer of VERIDIC_OIDC_ISSUER; then no password is asked for.",
        ),
    ] = None,
    password_stdin: FromStdin = False,
) -> None:
    """Add an account; the first must be an admin.

    A viewer reads. A fact_checker also runs checks and verifies claims. An editor also assigns, reviews, publishes
    and deletes. An admin also manages accounts.

    Example:

      veridic user add mira --role admin
    """
    tied_to = None if oidc is None else _oidc_name(oidc)
    password = _password(password_stdin) if password_stdin or tied_to is None else None
    with _accounts() as accounts:
        person = accounts.add(LOCAL_USER, name, password, role, display_name=full_name, oidc=tied_to)
    typer.echo(f"Added {person.username} ({person.role}).")


@app.command("list")
def list_people() -> None:
    """List the accounts."""
    with _accounts() as accounts:
        people = accounts.people()
    for person in people:
        state = "  disabled" if person.disabled else ""
        signs_in = f"  signs in as {person.oidc}" if person.oidc else ""
        typer.echo(
            f"{person.username:<24}{person.role:<14}{person.display_name or ''}{signs_in}{state}".rstrip()
        )
    if not people:
        typer.echo("No accounts yet: the server is open to this machine. `veridic user add` makes the first.")


@app.command()
def role(
    name: Name, new_role: Annotated[Role, typer.Argument(help="The new role.", show_default=False)]
) -> None:
    """Give somebody another role."""
    with _accounts() as accounts:
        person = accounts.set_role(LOCAL_USER, name, new_role)
    typer.echo(f"{person.username} is now {person.role}.")


@app.command()
def disable(name: Name) -> None:
    """Lock an account and end its sessions. What this person did stays under their name."""
    with _accounts() as accounts:
        person = accounts.disable(LOCAL_USER, name)
    typer.echo(f"{person.username} can no longer sign in.")


@app.command()
def enable(name: Name) -> None:
    """Unlock an account, also after too many wrong passwords."""
    with _accounts() as accounts:
        person = accounts.enable(LOCAL_USER, name)
    typer.echo(f"{person.username} can sign in.")


@app.command()
def password(name: Name, password_stdin: FromStdin = False) -> None:
    """Set a new password and end all sessions of the account."""
    new = _password(password_stdin)
    with _accounts() as accounts:
        person = accounts.set_password(LOCAL_USER, name, new)
    typer.echo(f"{person.username} has a new password.")


@app.command()
def oidc(
    name: Name,
    subject_or_email: Annotated[
        str | None,
        typer.Argument(
            help="Who at the issuer of VERIDIC_OIDC_ISSUER signs in to it: the subject, or an email address "
            "that the issuer has verified; nobody, if left out.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say who signs in to an account with OpenID Connect, and end its sessions."""
    tied_to = None if subject_or_email is None else _oidc_name(subject_or_email)
    with _accounts() as accounts:
        person = accounts.tie(LOCAL_USER, name, tied_to)
    typer.echo(f"{person.oidc or 'Nobody'} signs in to {person.username} with OpenID Connect.")


@app.command()
def token(
    name: Name,
    label: Annotated[str, typer.Option("--label", help="What the token is for.")] = "command line",
    scope: Annotated[
        list[Right] | None,
        typer.Option("--scope", help="What it may do; all that the person may, if left out."),
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="When it expires; never, if left out.")
    ] = None,
    revoke: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Make a token useless instead of creating one.")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="List the tokens instead of creating one.")] = False,
) -> None:
    """Create an API token of a person and print it, this once.

    Callers send it as `Authorization: Bearer TOKEN`.
    """
    with _accounts() as accounts:
        if revoke is not None:
            if revoke not in {found.id for found in accounts.tokens(LOCAL_USER, name)}:
                from veridic.domain.errors import NotFoundError

                raise NotFoundError(f"{name} has no token with the number {revoke}.")
            accounts.revoke_token(LOCAL_USER, revoke)
            typer.echo(f"Revoked token {revoke}.")
        elif show:
            for found in accounts.tokens(LOCAL_USER, name):
                state = "revoked" if found.revoked else " ".join(found.scope)
                typer.echo(f"{found.id:>6}  {found.name}  {found.created_at:%Y-%m-%d}  {state}")
        else:
            rights = frozenset(scope) if scope else None
            typer.echo(accounts.create_token(LOCAL_USER, name, label, scope=rights, days=days))


@contextmanager
def _accounts() -> Iterator[Accounts]:
    from veridic.config.settings import load_settings
    from veridic.desk.accounts import Accounts
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
        yield Accounts(store)


def _oidc_name(subject_or_email: str) -> OidcName:
    from veridic.config.settings import load_settings
    from veridic.desk.oidc_accounts import name_at

    return name_at(load_settings().oidc_issuer, subject_or_email)


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
