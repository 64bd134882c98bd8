"""The MCP server over streamable HTTP, behind the same guard as the API."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from veridic import __version__
from veridic.api.app import Failsafe, SecurityHeaders
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
    server = create_server(settings, runner, roots)
    # The guard has checked host, origin and token before a request gets here.
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    served = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=unguarded,
        max_request_body_size=settings.api_max_request_bytes,
    )

    @asynccontextmanager
    async def running(_app: Starlette) -> AsyncIterator[None]:
        async with runner, server.session_manager.run():
            yield

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
    install_error_handlers(app)
    return app
