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
            "[default: the current folder, unless that is / or your home; none over HTTP]",
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
        from veridic.mcp.roots import Roots, default_folders
        from veridic.mcp.server import create_server  # noqa: F401  loads what the extra installs
    except ModuleNotFoundError as error:
        raise UsageError(
            f"`veridic mcp` needs {error.name}, which is not installed; install Veridic as 'veridic[mcp]'."
        ) from None
    if http:
        _serve_http(settings, Roots(root or ()), host, port)
    else:
        _serve_stdio(settings, Roots(root or default_folders()))


_SECONDS_TO_CANCEL = 0.5
"""How long calls under way get to cancel their runs; saving how these ended takes no part of it."""


def _serve_stdio(settings: Settings, roots: Roots) -> None:
    import asyncio
    import os
    import signal

    from veridic.mcp.server import create_server
    from veridic.runtime.runner import Runner
    from veridic.runtime.taking import own_origin

    async def serve() -> None:
        """Serve until the end of input. A signal ends it too, and cancels the runs of calls under way."""
        signalled = asyncio.Event()
        with suppress(NotImplementedError):  # on Windows
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, signalled.set)
        async with Runner(settings, origin=own_origin("mcp")) as runner:
            serving = asyncio.create_task(create_server(settings, runner, roots).run_stdio_async())
            waiting = asyncio.create_task(signalled.wait())
            await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if serving.done():
                return await serving
            serving.cancel()
            await asyncio.wait([serving], timeout=_SECONDS_TO_CANCEL)
        # A thread reads standard input, and nothing but the end of that ends it.
        os._exit(0)

    if sys.stdin.isatty():
        sys.stderr.write("Waiting for an agent's messages on standard input (Ctrl-C ends it).\n")
    asyncio.run(serve())


def _serve_http(settings: Settings, roots: Roots, host: str, port: int) -> None:
    from veridic.cli.serve import address, listen, require_sign_in
    from veridic.mcp.http import PATH, create_mcp_app, serve
    from veridic.runtime.runner import Runner
    from veridic.runtime.taking import own_origin

    require_sign_in(host, settings)
    with listen(host, port) as listening, suppress(KeyboardInterrupt):
        sys.stderr.write(f"Veridic's tools are at {address(listening)}{PATH} (Ctrl-C ends it).\n")
        sys.stderr.flush()
        serve(create_mcp_app(settings, Runner(settings, origin=own_origin("mcp")), roots), listening)
