"""Errors as the API tells them: `{"error": "one clear sentence"}` with the right status."""

import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from veridic.api.violations import first_violation
from veridic.domain.errors import (
    BusyError,
    InputError,
    NotFoundError,
    ProviderError,
    StorageError,
    TimeLimitError,
    TooLargeError,
    UnsupportedInputError,
    UsageError,
    VeridicError,
)

UNEXPECTED = "Something went wrong on the server; its log says what."
_SHOWN_PATH = 200
_BUSY_SECONDS = 60
"""Enough for some of the checks that wait to have had their turn."""
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_LOG = logging.getLogger(__name__)

# The first that fits counts.
_STATUSES: tuple[tuple[type[VeridicError], int], ...] = (
    (NotFoundError, 404),
    (TooLargeError, 413),
    (UnsupportedInputError, 415),
    (InputError, 400),
    (UsageError, 400),
    (ProviderError, 502),
    (BusyError, 503),
    (StorageError, 503),
    (TimeLimitError, 504),
)


class Error(BaseModel):
    """Every response that is no success."""

    error: str = Field(description="One sentence: what is wrong and, where there is one, the way out.")


def error_response(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, headers=dict(headers or {}))


def status_of(error: VeridicError) -> int:
    """The HTTP status for what a user can do something about."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def headers_of(error: VeridicError) -> dict[str, str]:
    """What the response carries besides its sentence."""
    return {"Retry-After": str(_BUSY_SECONDS)} if isinstance(error, BusyError) else {}


def install_error_handlers(app: FastAPI) -> None:
    """Whatever is raised under a route becomes a sentence; bugs are seen to by `Failsafe`."""
    app.add_exception_handler(VeridicError, _veridic_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)


async def _veridic_error(_request: Request, error: Exception) -> Response:
    if not isinstance(error, VeridicError):
        raise error
    status = status_of(error)
    if status >= 500:
        _LOG.warning("%s", error)
    return error_response(status, str(error), headers_of(error))


async def _bad_request(_request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    return error_response(400, first_violation(error.errors()))


async def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code in (204, 304):
        return Response(status_code=error.status_code)
    path = request.url.path[:_SHOWN_PATH]
    headers = dict(error.headers or {})
    if error.detail != HTTPStatus(error.status_code).phrase:
        sentence = error.detail
    elif error.status_code == 404:
        sentence = f"There is nothing at {path}."
    elif error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed_methods(request))
        sentence = f"{request.method} can't be used on {path}; it takes {headers['Allow']}."
    else:
        sentence = error.detail.rstrip(".") + "."
    return error_response(error.status_code, sentence, headers)


def _allowed_methods(request: Request) -> list[str]:
    """Of all routes on the path; the router only tells those of the first."""
    # `/checks/{run_id}` fits `/checks/estimate` too, and is not meant.
    described = request.app.openapi()["paths"].get(request.url.path)
    return [
        method
        for method in _METHODS
        if (method.lower() in described if described else _is_routed(request, method))
    ]


def _is_routed(request: Request, method: str) -> bool:
    scope = {**request.scope, "method": method}
    return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
