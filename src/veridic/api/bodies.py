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

from veridic.api.dependencies import SettingsGiven, media_type
from veridic.api.requests import CheckRequest, Upload

_JSON = "application/json"
_FORM = "multipart/form-data"
_FILE = "file"
_NUMBERS: dict[str, Callable[[str], float]] = {
    "max_cost": float,
    "max_content_length": int,
    "stage_timeout_ms": int,
}
_SPELLINGS = {to_camel(name): name for name in CheckRequest.model_fields}
"""Fields as the stream's request would spell them: `asOf` is as good as `as_of`."""

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
"""What FastAPI can't know, because the body is read here."""


class Submission(NamedTuple):
    """What a client wants checked."""

    request: CheckRequest
    upload: Upload | None = None


async def read_submission(request: Request, settings: SettingsGiven) -> Submission:
    """The body in either form; errors name the field that is wrong."""
    kind = media_type(request)
    if kind == _JSON:
        return Submission(_valid(_parsed(await request.body())))
    if kind == _FORM:
        return await _from_form(request, settings.api_max_request_bytes)
    raise HTTPException(415, f"Send the body as {_JSON}, or as {_FORM} with a file.")


def _parsed(body: bytes) -> Any:
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
                if name != _FILE:
                    raise HTTPException(400, f"A file should be sent as the field {_FILE!r}.")
                upload = Upload(value.filename or "", await value.read())
            else:
                fields.setdefault(_SPELLINGS.get(name, name), []).append(value)
    return Submission(_valid(_values(fields)), upload)


def _valid(content: Any) -> CheckRequest:
    if isinstance(content, dict):
        content = {_SPELLINGS.get(name, name): value for name, value in content.items()}
    try:
        return CheckRequest.model_validate(content)
    except ValidationError as error:
        found = [{**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False)]
        raise RequestValidationError(found) from None


def _values(fields: dict[str, list[str]]) -> dict[str, Any]:
    """A form's fields as the JSON body would have them; what can't be read stays as it is, to be refused by name."""
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
