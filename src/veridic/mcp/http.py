"""The MCP server over streamable HTTP, behind the same guard as the API."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from veridic import __version__
from veridic.api.app import Failsafe, SecurityHeaders, Server
from veridic.api.errors import install_error_handlers
from veridic.api.guard import ATTEMPTS_PER_MINUTE, HEALTH, Guard
from veridic.api.limits import BodyLimit, TokenBuckets
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.mcp.roots import Roots
from veridic.mcp.server import create_server
from veridic.runtime.runner import Runner

PATH = "/mcp"


def create_mcp_app(settings: Settings, runner: Runner, roots: Roots) -> Starlette:
    """Return the app, which serves `PATH`. It enters `runner` on startup and exits it on shutdown."""
    runner.store.hide_paths()
    server = create_server(settings, runner, roots)
    # The guard has checked host, origin and token before a request gets here.
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    served = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=unguarded,
        max_request_body_size=settings.api_max_request_bytes,
    )
    sessions = _Sessions(server)

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        async with runner:
            await sessions.begin()
            try:
                yield
            finally:
                await sessions.end()

    async def health(_request: object) -> JSONResponse:
        return JSONResponse({"status": "ok", "version": __version__})

    app = Starlette(
        routes=[Route(HEALTH, health), *served.routes],
        lifespan=running,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(Failsafe),
            Middleware(
                Guard,
                settings=settings,
                sign_in=None,
                attempts=TokenBuckets(ATTEMPTS_PER_MINUTE),
                accounts=Accounts(runner.store),
            ),
            Middleware(BodyLimit, max_bytes=settings.api_max_request_bytes),
        ],
    )
    app.state.runner = runner
    app.state.sessions = sessions
    install_error_handlers(app)
    return app


def serve(app: Starlette, listening: socket.socket) -> None:
    """Serve on a socket until SIGINT or SIGTERM."""
    asyncio.run(_McpHttpServer(app).serve(sockets=[listening]))


class _Sessions:
    """The clients' sessions. They are held by a task of their own, so that they can be ended before the app is."""

    def __init__(self, server: MCPServer) -> None:
        self._server = server
        self._begun = asyncio.Event()
        self._ended = asyncio.Event()

    async def begin(self) -> None:
        self._holding = asyncio.create_task(self._hold())
        await self._begun.wait()
        if self._holding.done():
            await self._holding  # raises why they could not begin

    async def end(self) -> None:
        """End all sessions, and with them their streams."""
        self._ended.set()
        await self._holding

    async def _hold(self) -> None:
        try:
            async with self._server.session_manager.run():
                self._begun.set()
                await self._ended.wait()
        finally:
            self._begun.set()


class _McpHttpServer(Server):
    """Ends the sessions before it waits for connections: a client's stream stays open as long as its session."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(app)
        self._sessions: _Sessions = app.state.sessions

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server.shutdown`."""
        await self._sessions.end()
        await super().shutdown(sockets)
