"""Reading the body of `POST /api/checks`: JSON, or a form with a file."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from starlette.datastructures import UploadFile

from veridic.api.dependencies import SettingsDep, media_type
from veridic.api.requests import CheckRequest, Upload

_JSON = "application/json"
_FORM = "multipart/form-data"
_FILE_FIELD = "file"
_NUMBERS: dict[str, Callable[[str], float]] = {
    "max_cost": float,
    "max_content_length": int,
    "stage_timeout_ms": int,
}
_CAMEL_CASE = {to_camel(name): name for name in CheckRequest.model_fields}
"""Field names in camel case, as `/api/fact-check/stream` has them: `asOf` works like `as_of`."""

_FORM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": {
            "type": "string",
            "format": "binary",
            "description": "Plain text, Markdown, HTML, PDF or DOCX.",
        },
        "mode": {"$ref": "#/components/schemas/Mode"},
        "engine": {"$ref": "#/components/schemas/EngineChoice"},
        "text": {"type": "string"},
        "url": {"type": "string"},
        "question": {"type": "string"},
        "title": {"type": "string"},
        "models": {"type": "string", "description": "As in JSON: an object, written as JSON."},
        "against": {"type": "array", "items": {"type": "string"}, "description": "Repeat for several."},
        "as_of": {"type": "string", "format": "date", "description": "Today by default."},
        "max_cost": {"type": "string", "description": "A number."},
        "max_content_length": {"type": "string", "description": "A whole number."},
        "stage_timeout_ms": {"type": "string", "description": "A whole number."},
        "priority": {"$ref": "#/components/schemas/Priority"},
    },
    "required": ["file"],
    "additionalProperties": False,
}
CHECK_REQUEST_BODY: dict[str, Any] = {
    "required": True,
    "content": {
        _JSON: {"schema": {"$ref": "#/components/schemas/CheckRequest"}},
        _FORM: {"schema": _FORM_SCHEMA},
    },
}
"""The OpenAPI description of the body, which FastAPI can't infer because the body is parsed here."""


class Submission(NamedTuple):
    """A request to check something, with the uploaded file if there is one."""

    request: CheckRequest
    upload: Upload | None = None


async def read_submission(request: Request, settings: SettingsDep) -> Submission:
    """Parse the body, JSON or form; errors name the invalid field."""
    kind = media_type(request)
    if kind == _JSON:
        return Submission(_validate(parse_json(await request.body())))
    if kind == _FORM:
        return await _from_form(request, settings.api_max_request_bytes)
    raise HTTPException(415, f"Send the body as {_JSON}, or as {_FORM} with a file.")


def parse_json(body: bytes) -> Any:
    """Parse a JSON body; raise `RequestValidationError`."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it can't be parsed"
        raise RequestValidationError(
            [{"type": "json_invalid", "loc": ("body",), "ctx": {"error": reason}}]
        ) from None


async def _from_form(request: Request, max_bytes: int) -> Submission:
    async with request.form(max_files=1, max_fields=100, max_part_size=max_bytes) as form:
        fields: dict[str, list[str]] = {}
        upload: Upload | None = None
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                if name != _FILE_FIELD:
                    raise HTTPException(400, f"A file should be sent as the field {_FILE_FIELD!r}.")
                upload = Upload(value.filename or "", await value.read())
            else:
                fields.setdefault(_CAMEL_CASE.get(name, name), []).append(value)
    return Submission(_validate(_form_values(fields)), upload)


def _validate(content: Any) -> CheckRequest:
    if isinstance(content, dict):
        content = {_CAMEL_CASE.get(name, name): value for name, value in content.items()}
    try:
        return CheckRequest.model_validate(content)
    except ValidationError as error:
        errors = [{**item, "loc": ("body", *item["loc"])} for item in error.errors(include_url=False)]
        raise RequestValidationError(errors) from None


def _form_values(fields: dict[str, list[str]]) -> dict[str, Any]:
    """Convert form fields to the types of the JSON body; values that can't be converted are left for validation to refuse."""
    values: dict[str, Any] = {name: given[-1] for name, given in fields.items() if given[-1] != ""}
    if "against" in values:
        values["against"] = [name for name in fields["against"] if name]
    if "models" in values:
        with suppress(ValueError, RecursionError):
            values["models"] = json.loads(values["models"])
    for name, number in _NUMBERS.items():
        if name in values:
            with suppress(ValueError):
                values[name] = number(values[name])
    return values
