"""The HTTP API as one application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI

from veridic import __version__
from veridic.api import checks, service, streams
from veridic.api.errors import install_error_handlers
from veridic.api.guard import ATTEMPTS_PER_MINUTE, Guard, SignIn
from veridic.api.limits import BodyLimit, TokenBuckets
from veridic.api.metrics import CountRequests, Metrics
from veridic.api.openapi import describe
from veridic.api.outermost import Failsafe, SecurityHeaders
from veridic.config.settings import Settings
from veridic.domain.errors import UsageError
from veridic.pipeline.run import run_order
from veridic.providers.llm.roles import default_models
from veridic.runtime.runner import Runner


def create_app(settings: Settings, runner: Runner | None = None, *, sign_in: SignIn | None = None) -> FastAPI:
    """The API on a runner, which the app enters when it starts and leaves when it stops.

    `sign_in` is for an app with pages in front: who has no session is sent there.
    """
    metrics = Metrics(_configured_models(settings))
    runner = runner or Runner(settings, pipeline=metrics.observing(run_order))

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        async with runner:
            yield

    # No pages that load scripts from elsewhere: /openapi.json is the documentation.
    app = FastAPI(title="Veridic", version=__version__, docs_url=None, redoc_url=None, lifespan=running)
    app.state.settings = settings
    app.state.runner = runner
    app.state.metrics = metrics
    app.state.starts = TokenBuckets(settings.api_starts_per_minute)
    app.state.attempts = TokenBuckets(ATTEMPTS_PER_MINUTE)
    for part in (streams, checks, service):
        app.include_router(part.router)
    install_error_handlers(app)
    # The last one added is the first to see a request.
    app.add_middleware(BodyLimit, max_bytes=settings.api_max_request_bytes)
    app.add_middleware(Guard, settings=settings, sign_in=sign_in, attempts=app.state.attempts)
    app.add_middleware(Failsafe)
    app.add_middleware(CountRequests, metrics=metrics)
    app.add_middleware(SecurityHeaders)
    app.openapi = partial(describe, app)  # type: ignore[method-assign]
    return app


def _configured_models(settings: Settings) -> set[str]:
    try:
        chosen = default_models(settings)
    except UsageError:
        return set()  # the page and the first check say what is wrong
    named = (chosen.generator, chosen.extractor, chosen.reporter, *chosen.checkers)
    return {model for model in named if model}
