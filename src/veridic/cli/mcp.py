"""`veridic mcp`: serves the tools for agents, over stdio or HTTP."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veridic.config.settings import Settings
    from veridic.mcp.roots import Roots


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP at /mcp, for agents on other machines too.")
    ] = False,
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A folder that agents may have read and verified, with what is below it; repeat for several. "
            "[default: the current folder; none over HTTP]",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="With --http: where to listen; anything but this machine needs accounts or VERIDIC_API_TOKEN.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --http: the port; 0 picks a free one.")
    ] = 8765,
) -> None:
    """Serve Veridic's tools to agents, by the Model Context Protocol.

    An agent starts the command itself and talks to it over standard input and output. With --http it is a server that
    several agents share; they send the same tokens as to the API, and may do what their person may do.

    Examples:

      veridic mcp --root ~/articles

      VERIDIC_API_TOKEN=... veridic mcp --http --host 0.0.0.0
    """
    from veridic.config.settings import load_settings
    from veridic.domain.errors import UsageError

    settings = load_settings()
    try:
        from veridic.mcp.roots import Roots
        from veridic.mcp.server import create_server  # noqa: F401  loads what the extra installs
    except ModuleNotFoundError as error:
        raise UsageError(
            f"`veridic mcp` needs {error.name}, which is not installed; install Veridic as 'veridic[mcp]'."
        ) from None
    if http:
        _serve_http(settings, Roots(root or ()), host, port)
    else:
        _serve_stdio(settings, Roots(root or (Path(),)))


def _serve_stdio(settings: Settings, roots: Roots) -> None:
    import asyncio

    from veridic.mcp.server import create_server
    from veridic.runtime.runner import Runner

    async def serve() -> None:
        async with Runner(settings) as runner:
            await create_server(settings, runner, roots).run_stdio_async()

    with suppress(KeyboardInterrupt):
        asyncio.run(serve())


def _serve_http(settings: Settings, roots: Roots, host: str, port: int) -> None:
    from veridic.api.app import serve
    from veridic.cli.serve import address, listen, require_sign_in
    from veridic.mcp.http import PATH, create_mcp_app
    from veridic.runtime.runner import Runner

    require_sign_in(host, settings)
    with listen(host, port) as listening, suppress(KeyboardInterrupt):
        sys.stderr.write(f"Veridic's tools are at {address(listening)}{PATH} (Ctrl-C ends it).\n")
        sys.stderr.flush()
        serve(create_mcp_app(settings, Runner(settings), roots), listening)
