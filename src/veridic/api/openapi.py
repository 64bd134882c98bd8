"""The API's description at `/openapi.json`, complete: payloads of events, errors, the token."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from veridic import __version__
from veridic.api.errors import Error
from veridic.api.payloads import PAYLOADS
from veridic.api.requests import CheckRequest

_REFERENCES = "#/components/schemas/{model}"
_ABOUT = """Checks claims against evidence and shows its work.

Every response that is no success is `{"error": "one clear sentence"}`. A check that was started goes on whether or not
anybody follows it; its events can be taken up again at any place."""


def describe(app: FastAPI) -> dict[str, Any]:
    """The description of all routes; made once for an app."""
    if app.openapi_schema is None:
        app.openapi_schema = _description(app)
    return app.openapi_schema


def _description(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(title="Veridic", version=__version__, description=_ABOUT, routes=app.routes)
    _, beside = models_json_schema(
        [
            (CheckRequest, "validation"),
            (Error, "serialization"),
            *((payload, "serialization") for payload in dict.fromkeys(PAYLOADS.values())),
        ],
        ref_template=_REFERENCES,
    )
    components = schema.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.update(beside["$defs"])
    # Requests that can't be carried out are 400 with one sentence here.
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for operation in (o for path in schema["paths"].values() for o in path.values()):
        operation["responses"].pop("422", None)
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "VERIDIC_API_TOKEN, where one is set."}
    }
    schema["security"] = [{"token": []}, {}]
    return schema
