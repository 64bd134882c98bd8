"""The app that `veridic serve` runs: the API and the web pages."""

import logging
from functools import partial

from fastapi import Depends, FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from veridic.api.app import create_app
from veridic.api.dependencies import ActorDep
from veridic.api.guard import PROGRAM, SignIn
from veridic.config.settings import Settings
from veridic.providers.oidc.issuer import can_sign_in_elsewhere
from veridic.runtime.runner import Runner
from veridic.web import (
    account,
    check_routes,
    desk_audit,
    desk_claim,
    desk_exchange,
    desk_intake,
    desk_machine,
    desk_people,
    desk_public,
    desk_queue,
    desk_statistics,
    desk_workbench,
    oidc,
    pages,
    sign_in,
    sources,
    start,
)
from veridic.web.error_pages import ErrorPages
from veridic.web.templating import allowed, has_desk, reader

_STATIC = "/static"
_LOG = logging.getLogger(__name__)


def create_web_app(settings: Settings, runner: Runner | None = None, *, works: bool = True) -> FastAPI:
    """Create the API app with the web pages. It enters `runner` on startup and exits it on shutdown.

    With `works=False`, checks are left to other processes.
    """
    pages_sign_in = SignIn(
        page=sign_in.PATH,
        assets=f"{_STATIC}/",
        public=(*desk_public.OPEN_PATHS, oidc.PATH),
        session_ended=partial(sign_in.session_ended, settings),
    )
    if settings.oidc_issuer and not can_sign_in_elsewhere(settings):
        _LOG.warning(
            "VERIDIC_OIDC_ISSUER is set, but signing in there needs an extra: pip install 'veridic[oidc]'."
        )
    app = create_app(settings, runner, sign_in=pages_sign_in, works=works)
    app.include_router(desk_public.router)
    desk_pages = (
        desk_exchange,
        desk_queue,
        desk_intake,
        desk_machine,
        desk_workbench,
        desk_claim,
        desk_statistics,
        desk_people,
        desk_audit,
    )
    for part in (start, pages, check_routes, sources, sign_in, oidc, account, *desk_pages):
        app.include_router(part.router, dependencies=[Depends(_know_reader)])
    app.mount(_STATIC, _StaticAssets(packages=[("veridic.web", "static"), ("veridic.reporting", "look")]))
    app.add_middleware(ErrorPages)
    return app


async def _know_reader(actor: ActorDep) -> None:
    """Let the page say who is signed in, and offer what they may do."""
    reader.set(actor if actor.user_id is not None else None)
    allowed.set(actor.rights)
    has_desk.set(actor is not PROGRAM)


class _StaticAssets(StaticFiles):
    """Style sheets and scripts, which browsers cache but revalidate each time, so that no page mixes versions."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
