"""`veridic serve`: starts the web app and the HTTP API."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import socket

    from veridic.config.settings import Settings


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Where to listen; anything but this machine needs accounts or, without the desk, VERIDIC_API_TOKEN.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 picks a free port.")] = 8000,
    work: Annotated[
        bool, typer.Option(help="Work on checks here, too; with --no-work only `veridic worker` does.")
    ] = True,
) -> None:
    """Serve the web app and the HTTP API until Ctrl-C.

    By default only this machine can reach it. To serve others, add accounts (`veridic user add`), which people sign
    in with. With VERIDIC_API_TOKEN, a long secret that all share, and no account, checks can be started and read, and
    the desk is closed: what is done there is done by somebody. Programs send a token as `Authorization: Bearer TOKEN`.

    Examples:

      veridic serve

      veridic user add mira --role admin && veridic serve --host 0.0.0.0
    """
    from veridic.config.settings import load_settings
    from veridic.domain.errors import UsageError

    settings = load_settings()
    try:
        from veridic.api.app import serve as serve_on
        from veridic.web.app import create_web_app
    except ModuleNotFoundError as error:
        raise UsageError(
            f"Serving needs {error.name}, which is not installed; install Veridic as 'veridic[server]'."
        ) from None
    has_accounts = require_sign_in(host, settings)
    with listen(host, port) as listening, suppress(KeyboardInterrupt):
        sys.stderr.write(f"Veridic listens on {address(listening)} (Ctrl-C ends it).\n")
        if settings.api_token is not None and not has_accounts:
            sys.stderr.write(
                "The desk is closed until there are accounts: `veridic user add` makes the first.\n"
            )
        sys.stderr.flush()
        serve_on(create_web_app(settings, works=work), listening)


def require_sign_in(host: str, settings: Settings) -> bool:
    """Raise `UsageError` if a server on `host` would let others in without authentication; return whether there are accounts."""
    from veridic.api.guard import is_loopback
    from veridic.desk.accounts import Accounts
    from veridic.domain.errors import UsageError
    from veridic.store.runs import RunStore

    # Opening it creates or upgrades the database, so that errors show before anyone connects.
    with RunStore(settings.database) as store:
        has_accounts = Accounts(store).exist()
    if not is_loopback(host) and settings.api_token is None and not has_accounts:
        raise UsageError(
            f"Serving on {host} lets others in without authentication: add an account with `veridic user add`, set "
            "VERIDIC_API_TOKEN to a long secret (which opens everything but the desk), or leave --host out to serve this "
            "machine only."
        )
    return has_accounts


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `UsageError` if there can be none."""
    import socket

    from veridic.domain.errors import UsageError

    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"Can't listen on {host}, port {port}: {reason}; choose another with --host or --port."
        ) from None


def address(listening: socket.socket) -> str:
    """Return the address that a client connects to."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
