"""Error responses: status codes, and `{"error": "one clear sentence"}` as the body."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from veridic.domain.errors import (
    BusyError,
    ConflictError,
    ForbiddenError,
    InputError,
    NotFoundError,
    ProviderError,
    StorageError,
    TimeLimitError,
    TooLargeError,
    UnsupportedInputError,
    UsageError,
    VeridicError,
    VersionConflictError,
)

QUESTION_REQUIRED = "Question or content description is required"
CONTENT_OR_GENERATOR = "Either contentToCheck or generatorModel must be provided."

_VERBATIM = "verbatim"
"""Type of validation errors whose message is sent to the client unchanged."""
_LOCATIONS = ("body", "query", "path", "header", "cookie")
_PYDANTIC_SUBJECTS = ("Input", "String", "List", "Tuple", "Value", "Dictionary")
_MAX_LENGTH = 300


def verbatim_error(sentence: str) -> Exception:
    """Return an error for validators to raise; the client gets `sentence` unchanged."""
    from pydantic_core import PydanticCustomError

    return PydanticCustomError(_VERBATIM, "{sentence}", {"sentence": sentence})


def first_violation(errors: Sequence[Mapping[str, Any]]) -> str:
    """Return one sentence for the first of Pydantic's errors; the others are not reported."""
    if not errors:
        return "The request is not valid."
    first = errors[0]
    message = str(first.get("msg", ""))
    match first.get("type"):
        case "verbatim":
            return message
        case "json_invalid":
            reason = (first.get("ctx") or {}).get("error", "it can't be parsed")
            return f"The body is not valid JSON: {reason}."
        case "missing" | "string_too_short" if _field(first) == "question":
            return QUESTION_REQUIRED
        case "missing":
            return f"{_field(first)} is required."
        case "extra_forbidden":
            return f"{_field(first)} is not a field of this request."
        case "model_attributes_type" | "model_type" | "dict_type":
            return f"{_field(first)} should be a JSON object."
    return _sentence(_field(first), message)


def _field(error: Mapping[str, Any]) -> str:
    """Return the field's path as the client wrote it, such as `modeConfig.checkerModels[0]`."""
    name = ""
    for part in error.get("loc", ()):
        if isinstance(part, int):
            name += f"[{part}]"
        elif part not in _LOCATIONS or name:
            name += f".{part}" if name else part
    return name[:_MAX_LENGTH] or "The body"


def _sentence(field: str, message: str) -> str:
    for subject in _PYDANTIC_SUBJECTS:
        if message.startswith(f"{subject} should"):
            return f"{field}{message.removeprefix(subject)}"[:_MAX_LENGTH].rstrip(".") + "."
    return f"{field} is not valid: {message}"[:_MAX_LENGTH].rstrip(".") + "."


UNEXPECTED = "Something went wrong on the server; its log says what."
_MAX_PATH_LENGTH = 200
_BUSY_RETRY_SECONDS = 60
"""Long enough for some of the queued checks to finish."""
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_LOG = logging.getLogger(__name__)

# The first match counts.
_STATUSES: tuple[tuple[type[VeridicError], int], ...] = (
    (NotFoundError, 404),
    (TooLargeError, 413),
    (UnsupportedInputError, 415),
    (InputError, 400),
    (UsageError, 400),
    (ProviderError, 502),
    (BusyError, 503),
    (ForbiddenError, 403),
    (ConflictError, 409),
    (StorageError, 503),
    (TimeLimitError, 504),
)


class Error(BaseModel):
    """The body of every error response."""

    error: str = Field(description="One sentence: what is wrong and, where possible, how to fix it.")


class Change(BaseModel):
    """A change that somebody made since the version that a request names."""

    by: str = Field(description="The person's user name.", examples=["mira"])
    at: datetime
    action: str = Field(examples=["verified"])
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Conflict(BaseModel):
    """The body of a 409 at the desk. `version` and `changes` are there if somebody else was faster."""

    error: str
    version: int | None = Field(default=None, description="The current version.")
    changes: list[Change] | None = Field(
        default=None, description="What was changed since the version that the request names, newest first."
    )


def error_response(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, headers=dict(headers or {}))


def status_of(error: VeridicError) -> int:
    """Return the HTTP status for an error; 500 if no other fits."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def headers_of(error: VeridicError) -> dict[str, str]:
    """Return the response headers for an error."""
    return {"Retry-After": str(_BUSY_RETRY_SECONDS)} if isinstance(error, BusyError) else {}


def install_error_handlers(app: Starlette) -> None:
    """Turn exceptions from routes into error responses; `Failsafe` handles unexpected ones."""
    app.add_exception_handler(VeridicError, _veridic_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)


async def _veridic_error(_request: Request, error: Exception) -> Response:
    if not isinstance(error, VeridicError):
        raise error
    status = status_of(error)
    if status >= 500:
        _LOG.warning("%s", error)
    if isinstance(error, VersionConflictError):
        changes = [Change.model_validate(change) for change in error.changes]
        conflict = Conflict(error=str(error), version=error.version, changes=changes)
        return JSONResponse(conflict.model_dump(mode="json"), status)
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
    path = request.url.path[:_MAX_PATH_LENGTH]
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
    """Return the methods of all routes on the path; the router reports only those of the first."""
    # `/checks/{run_id}` also matches `/checks/estimate`, which has methods of its own.
    described = request.app.openapi()["paths"].get(request.url.path)
    return [
        method
        for method in _METHODS
        if (method.lower() in described if described else _is_routed(request, method))
    ]


def _is_routed(request: Request, method: str) -> bool:
    scope = {**request.scope, "method": method}
    return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
