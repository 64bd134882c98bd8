"""The FastAPI app: `create_app` builds it with its middleware, `serve` runs it."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridic import __version__
from veridic.api import checks, corpora, desk, service, streams
from veridic.api.desk_requests import CreateRequest
from veridic.api.errors import UNEXPECTED, Conflict, Error, error_response, install_error_handlers
from veridic.api.guard import ATTEMPTS_PER_MINUTE, Guard, SignIn
from veridic.api.limits import BodyLimit, TokenBuckets
from veridic.api.metrics import CountRequests, Metrics
from veridic.api.payloads import PAYLOADS
from veridic.api.requests import CheckRequest
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.desk import Desk
from veridic.domain.errors import UsageError
from veridic.evidence.credibility import load_credibility
from veridic.providers.llm.roles import default_models
from veridic.run import run_order
from veridic.runtime.runner import Runner

_REF_TEMPLATE = "#/components/schemas/{model}"
_DESCRIPTION = """Checks claims against evidence and shows its work.

Every error response is `{"error": "one clear sentence"}`. A check keeps running when its client disconnects, and its
events can be read again from any point."""


def openapi_schema(app: FastAPI) -> dict[str, Any]:
    """Return the app's OpenAPI document, built on the first call."""
    if app.openapi_schema is None:
        app.openapi_schema = _build_openapi(app)
    return app.openapi_schema


def _build_openapi(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(title="Veridic", version=__version__, description=_DESCRIPTION, routes=app.routes)
    _, definitions = models_json_schema(
        [
            (CheckRequest, "validation"),
            (CreateRequest, "validation"),
            (Error, "serialization"),
            (Conflict, "serialization"),
            *((payload, "serialization") for payload in dict.fromkeys(PAYLOADS.values())),
        ],
        ref_template=_REF_TEMPLATE,
    )
    components = schema.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.update(definitions["$defs"])
    # Invalid requests get a 400 with one sentence, not FastAPI's 422.
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for operation in (o for path in schema["paths"].values() for o in path.values()):
        operation["responses"].pop("422", None)
    components["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A person's API token, or VERIDIC_API_TOKEN.",
        }
    }
    schema["security"] = [{"token": []}, {}]
    return schema


CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_LOG = logging.getLogger(__name__)


class SecurityHeaders:
    """Puts `SECURITY_HEADERS` on every response, except those that its route sets; by default nothing is cached."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (SECURITY_HEADERS | {"Cache-Control": "no-store"}).items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class Failsafe:
    """Logs unexpected exceptions and answers 500 without details."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response_started = False

        async def send_tracked(message: Message) -> None:
            nonlocal response_started
            response_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_tracked)
        except ClientDisconnect:
            return
        except Exception:
            _LOG.exception("%s %s failed", scope["method"], scope["path"])
            if response_started:
                raise  # the server closes the connection, so the client can tell that the response is incomplete
            await error_response(500, UNEXPECTED)(scope, receive, send)


def create_app(
    settings: Settings,
    runner: Runner | None = None,
    *,
    sign_in: SignIn | None = None,
    works: bool = True,
) -> FastAPI:
    """Create the API app. It enters `runner` on startup and exits it on shutdown.

    `sign_in` is for apps that also serve web pages: browsers without a session are redirected to its page.
    With `works=False`, checks are left to other processes.
    """
    metrics = Metrics(_configured_models(settings))
    runner = runner or Runner(settings, pipeline=metrics.observe(run_order), works=works)
    runner.store.hide_paths()
    metrics.watch_site(runner.store)

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        async with runner:
            yield

    # FastAPI's documentation pages load scripts from a CDN; /openapi.json is the documentation.
    app = FastAPI(title="Veridic", version=__version__, docs_url=None, redoc_url=None, lifespan=running)
    app.state.settings = settings
    app.state.runner = runner
    app.state.metrics = metrics
    app.state.accounts = Accounts(runner.store)
    app.state.credibility = load_credibility(settings.credibility_file)
    app.state.desk = Desk(
        runner.store,
        needs_second_reader=settings.desk_second_reader,
        credibility=app.state.credibility,
    )
    app.state.starts = TokenBuckets(settings.api_starts_per_minute)
    app.state.attempts = TokenBuckets(ATTEMPTS_PER_MINUTE)
    for part in (streams, checks, desk, corpora, service):
        app.include_router(part.router)
    install_error_handlers(app)
    # The middleware added last runs first.
    app.add_middleware(BodyLimit, max_bytes=settings.api_max_request_bytes)
    app.add_middleware(
        Guard,
        settings=settings,
        sign_in=sign_in,
        attempts=app.state.attempts,
        accounts=app.state.accounts,
    )
    app.add_middleware(Failsafe)
    app.add_middleware(CountRequests, metrics=metrics)
    app.add_middleware(SecurityHeaders)
    app.openapi = partial(openapi_schema, app)  # type: ignore[method-assign]
    return app


def _configured_models(settings: Settings) -> set[str]:
    try:
        chosen = default_models(settings)
    except UsageError:
        return set()  # the start page and the first check report the error
    named = (chosen.generator, chosen.extractor, chosen.reporter, *chosen.checkers)
    return {model for model in named if model}


_SECONDS_TO_FINISH = 5
"""How long responses in progress may take at shutdown."""


class Server(uvicorn.Server):
    """Stops the runner before it closes connections, so that event streams get their last event and end."""

    def __init__(self, app: Starlette) -> None:
        """`app.state.runner` is the runner."""
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_SECONDS_TO_FINISH,
            )
        )
        self._runner: Runner = app.state.runner

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server.shutdown`."""
        await self._runner.stop()
        await super().shutdown(sockets)


def serve(app: Starlette, listening: socket.socket) -> None:
    """Serve on a socket until SIGINT or SIGTERM, which are then handled as usual."""
    asyncio.run(Server(app).serve(sockets=[listening]))
