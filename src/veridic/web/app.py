"""The pages and the API as one application: what `veridic serve` serves."""

import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from veridic.api.app import create_app
from veridic.api.guard import SignIn
from veridic.config.settings import Settings
from veridic.domain.errors import VeridicError
from veridic.runtime.runner import Runner
from veridic.web import pages, sign_in
from veridic.web.templating import render

_STATIC = "/static"
_HEADINGS = {404: "Not found", 413: "Too large", 429: "Too many", 403: "Not allowed"}

Handler = Callable[[Request, Exception], Awaitable[Response]]


def create_web_app(settings: Settings, runner: Runner | None = None) -> FastAPI:
    """The API's app with the pages; it enters `runner` when it starts and leaves it when it stops."""
    asking = SignIn(page=sign_in.PATH, assets=f"{_STATIC}/", session_ended=sign_in.session_ended)
    app = create_app(settings, runner, sign_in=asking)
    app.include_router(pages.router)
    app.include_router(sign_in.router)
    app.mount(_STATIC, _Assets(packages=[("veridic.web", "static"), ("veridic.reporting", "look")]))
    for kind in (VeridicError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _for_people(app.exception_handlers[kind]))  # type: ignore[arg-type]
    return app


class _Assets(StaticFiles):
    """Style sheets and scripts: kept by browsers, and asked after each time, so that no page mixes versions."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _for_people(handle: Handler) -> Handler:
    """An error as a page, for those who asked for a page."""

    async def as_page(request: Request, error: Exception) -> Response:
        answer = await handle(request, error)
        wants_page = "text/html" in request.headers.get("accept", "")
        if not isinstance(answer, JSONResponse) or not wants_page or request.url.path.startswith("/api/"):
            return answer
        sentence = json.loads(bytes(answer.body))["error"]
        heading = _HEADINGS.get(answer.status_code, "That did not work")
        page = render(
            "problem.html.j2",
            status=f"{answer.status_code} {HTTPStatus(answer.status_code).phrase}",
            heading=heading,
            sentence=sentence,
        )
        kept = {
            name: answer.headers[name]
            for name in ("retry-after", "allow", "connection")
            if name in answer.headers
        }
        return HTMLResponse(page, answer.status_code, headers=kept)

    return as_page
