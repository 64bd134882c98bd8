"""The words and examples of the API's description (OpenAPI)."""

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import Path

from veridic.api.payloads import PAYLOADS

Responses = dict[int | str, dict[str, Any]]

RunId = Annotated[
    str, Path(description="The run's id.", examples=["FC-2026-000001"], min_length=1, max_length=64)
]

_ERRORS: dict[int, tuple[str, str]] = {
    400: ("The request can't be carried out as it is.", "modeConfig.timeoutMs should be greater than or equal to 30000."),
    401: ("The server has a token, and the request does not.", "This server asks for its token: send it as `Authorization: Bearer TOKEN`."),
    403: ("The request comes from a page of another origin, or asks for a host that is not this server.", "Pages of other origins may not change anything here."),
    404: ("There is no such thing.", "There is no run FC-2026-000009; `veridic runs list` shows what there is."),
    409: ("Not as things stand.", "FC-2026-000001 is still under way; cancel it first."),
    413: ("The request is too large.", "The request is larger than 21,000,000 bytes; VERIDIC_API_MAX_REQUEST_BYTES sets the limit."),
    415: ("The body is in a format that can't be read.", "Send the body as application/json."),
    429: ("The client has started too many checks lately.", "More than 120 checks were started in a minute; try again in 1 s."),
    500: ("A bug.", "Something went wrong on the server; its log says what."),
    502: ("The page could not be fetched.", "https://example.org/ could not be fetched: it answered 404."),
    503: ("The database can't be used, or too many checks are waiting their turn.", "The database veridic.db can't be used (disk I/O error); see to the file and its folder."),
}  # fmt: skip


def errors(*statuses: int) -> Responses:
    """Descriptions of error responses, each with an example."""
    described: Responses = {}
    for status in statuses:
        meaning, example = _ERRORS[status]
        described[status] = {
            "description": meaning,
            "content": {
                "application/json": {
                    "schema": {"$ref": "#/components/schemas/Error"},
                    "example": {"error": example},
                }
            },
        }
        if status in (429, 503):
            described[status]["headers"] = {
                "Retry-After": {
                    "description": "Seconds to wait, where it is known.",
                    "schema": {"type": "integer"},
                }
            }
    return described


ERRORS_ALWAYS = errors(401, 403, 500)

_EVENTS = [
    {
        "properties": {
            "event": {"const": name.value},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": f"#/components/schemas/{payload.__name__}"},
            },
        }
    }
    for name, payload in PAYLOADS.items()
]
_OTHER_EVENT = {
    "description": "Of a run in another mode.",
    "properties": {
        "event": {"not": {"enum": [name.value for name in PAYLOADS]}},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
}
_STREAM_EXAMPLE = """event: factcheck_start
data: {"conversationId": "6a0c...", "messageId": "0b51...", "config": {"contentSource": "user_provided", "extractorModel": "openai/o3", "checkerModels": ["openai/o3"], "reporterModel": "openai/o3"}}
id: 1

event: extract_start
data: {}
id: 2

event: extract_complete
data: {"model": "openai/o3", "claims": [{"id": "claim_1", "claim": "The capital of Australia is Canberra.", "type": "TECHNICAL"}], "totalClaims": 1, "typeBreakdown": {"TECHNICAL": 1}, "responseTimeMs": 2100}
id: 3

"""


def stream_response(*, starts: bool) -> Responses:
    """The description of a stream of events: of the run it starts, in consensus mode, or of any run."""
    table = "\n".join(f"| `{name}` | `{payload.__name__}` |" for name, payload in PAYLOADS.items())
    described: dict[str, Any] = {
        "description": (
            "Server-sent events: `id` is the event's number in the run, from 1; `event` its name; `data` its payload "
            "as JSON. A comment every 15 s keeps the connection open. In consensus mode:\n\n"
            f"| event | payload |\n| --- | --- |\n{table}\n\n"
            "`checker_complete` comes once for each checker as it finishes; `generate_...` only where content is "
            "generated. The last event of every run is `complete`, or `error` where it could not be completed."
        ),
        "content": {
            "text/event-stream": {
                "itemSchema": {
                    "required": ["id", "event", "data"],
                    "anyOf": [*_EVENTS] if starts else [*_EVENTS, _OTHER_EVENT],
                },
                "example": _STREAM_EXAMPLE,
            }
        },
    }
    if starts:
        described["headers"] = {
            "X-Check-Id": {"description": "The run's id.", "schema": {"type": "string"}},
            "Location": {"description": "The run's events.", "schema": {"type": "string"}},
            "Link": {"description": "The run itself.", "schema": {"type": "string"}},
        }
        return {200: described}
    return {
        200: described,
        204: {"description": "The run has ended, and there is nothing after the event that was named."},
    }


def started_response() -> Responses:
    """The description of the answer to a start."""
    return {
        202: {
            "description": "The run has begun.",
            "headers": {"Location": {"description": "The run.", "schema": {"type": "string"}}},
        }
    }


def file_response(media_types: Iterable[str]) -> Responses:
    """The description of a report as a file."""
    return {
        200: {
            "description": "The report as a file.",
            "content": {kind.partition(";")[0]: {"schema": {}} for kind in media_types},
            "headers": {
                "Content-Disposition": {"description": "The file's name.", "schema": {"type": "string"}}
            },
        }
    }
