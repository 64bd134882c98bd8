"""Reading the body of `POST /api/fact-checking/create`: JSON, or a form with a file."""

from typing import Any, NamedTuple

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile

from veridic.api.bodies import parse_json
from veridic.api.dependencies import SettingsDep, media_type
from veridic.api.desk_requests import CreateRequest
from veridic.api.requests import Upload

_JSON = "application/json"
_FORM = "multipart/form-data"
_FILE = "file"
_SUBJECTS = "Give one of content, url and file."

INTAKE_BODY: dict[str, Any] = {
    "required": True,
    "content": {
        _JSON: {"schema": {"$ref": "#/components/schemas/CreateRequest"}},
        _FORM: {
            "schema": {
                "type": "object",
                "properties": {
                    _FILE: {
                        "type": "string",
                        "format": "binary",
                        "description": "Plain text, Markdown, HTML, PDF or DOCX.",
                    },
                    "title": {"type": "string"},
                    "priority": {"$ref": "#/components/schemas/Priority"},
                    "due_at": {"type": "string", "format": "date-time"},
                },
                "required": [_FILE],
                "additionalProperties": False,
            }
        },
    },
}
"""The OpenAPI description of the body, which FastAPI can't infer because the body is parsed here."""


class Intake(NamedTuple):
    """What is to be taken in."""

    request: CreateRequest
    upload: Upload | None = None


async def read_intake(request: Request, settings: SettingsDep) -> Intake:
    """Parse the body; errors name the invalid field."""
    kind = media_type(request)
    if kind == _JSON:
        intake = Intake(_validate(parse_json(await request.body())))
    elif kind == _FORM:
        intake = await _from_form(request, settings.api_max_request_bytes)
    else:
        raise HTTPException(415, f"Send the body as {_JSON}, or as {_FORM} with a file.")
    given = (intake.request.content, intake.request.url, intake.upload)
    if sum(one is not None for one in given) != 1:
        raise HTTPException(400, _SUBJECTS)
    return intake


async def _from_form(request: Request, max_bytes: int) -> Intake:
    async with request.form(max_files=1, max_fields=20, max_part_size=max_bytes) as form:
        upload: Upload | None = None
        fields: dict[str, str] = {}
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                fields[name] = value
            elif name == _FILE:
                upload = Upload(value.filename or "", await value.read())
            else:
                raise HTTPException(400, f"A file should be sent as the field {_FILE!r}.")
    return Intake(_validate({name: value for name, value in fields.items() if value}), upload)


def _validate(content: Any) -> CreateRequest:
    try:
        return CreateRequest.model_validate(content)
    except ValidationError as error:
        errors = [{**item, "loc": ("body", *item["loc"])} for item in error.errors(include_url=False)]
        raise RequestValidationError(errors) from None
