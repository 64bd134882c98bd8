"""Descriptions and examples of responses for the OpenAPI document."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel

from veridic.api.payloads import CONSENSUS_PAYLOADS, PAYLOADS, VALIDATION_PAYLOADS
from veridic.domain.events import EventName

Responses = dict[int | str, dict[str, Any]]

RunId = Annotated[
    str, Path(description="The run's id.", examples=["FC-2026-000001"], min_length=1, max_length=64)
]

CheckId = Annotated[
    str, Path(description="The check's id.", examples=["FC-2026-000001"], min_length=1, max_length=64)
]
ClaimId = Annotated[int, Path(description="The claim's number.", examples=[7], ge=1, le=2**31 - 1)]

_ERRORS: dict[int, tuple[str, str]] = {
    400: ("The request is not valid.", "modeConfig.timeoutMs should be greater than or equal to 30000."),
    401: ("The token is missing or wrong.", "This server needs a token: send it as `Authorization: Bearer TOKEN`."),
    403: ("The request comes from a page of another origin, or asks for a host that is not this server.", "Pages of other origins may not change anything here."),
    404: ("The run, conversation, corpus or route does not exist.", "There is no run FC-2026-000009; `veridic runs list` shows what there is."),
    409: ("The run is still under way, or the name is taken.", "FC-2026-000001 is still under way; cancel it first."),
    413: ("The request is too large.", "The request is larger than 21,000,000 bytes; VERIDIC_API_MAX_REQUEST_BYTES sets the limit."),
    415: ("The body is in a format that can't be read.", "Send the body as application/json."),
    429: ("The client has started too many checks lately.", "More than 120 checks, extractions, imports or pages were asked for in a minute; try again in 1 s."),
    500: ("A bug.", "Something went wrong on the server; its log says what."),
    502: ("The page could not be fetched.", "https://example.org/ could not be fetched: it answered 404."),
    503: ("The database can't be used, or too many checks are queued.", "The database veridic.db can't be used (disk I/O error); see to the file and its folder."),
}  # fmt: skip


_DESK_ERRORS: dict[int, tuple[str, str]] = _ERRORS | {
    403: ("The person's role, the token's scope or the rule of the second reader doesn't allow it, or it comes from a page of another origin.", "A viewer may not do that."),
    404: ("The check, claim, person or route does not exist.", "There is no check FC-2026-000009."),
    409: ("The state of the check or claim doesn't allow it, or somebody else has changed it since; `changes` then says how.", "Claim 7 was changed by mira at 2026-11-19 09:30 UTC (verified) since you opened it: you saw version 1, it is now at version 2."),
    503: ("The database can't be used.", "The database veridic.db can't be used (disk I/O error); see to the file and its folder."),
}  # fmt: skip


def errors(*statuses: int) -> Responses:
    """Describe error responses, each with an example."""
    return _described(statuses, _ERRORS, {})


def desk_errors(*statuses: int) -> Responses:
    """Describe error responses of the desk's routes, which all need the database."""
    return _described((*statuses, 503), _DESK_ERRORS, {409: "Conflict"})


def _described(
    statuses: Iterable[int], table: Mapping[int, tuple[str, str]], schemas: Mapping[int, str]
) -> Responses:
    described: Responses = {}
    for status in statuses:
        meaning, example = table[status]
        described[status] = {
            "description": meaning,
            "content": {
                "application/json": {
                    "schema": {"$ref": f"#/components/schemas/{schemas.get(status, 'Error')}"},
                    "example": {"error": example},
                }
            },
        }
        if status in (429, 503):
            described[status]["headers"] = {
                "Retry-After": {
                    "description": "Seconds to wait, if known.",
                    "schema": {"type": "integer"},
                }
            }
    return described


ERRORS_ALWAYS = errors(401, 403, 500)

Payloads = Mapping[EventName, type[BaseModel]]


def _events(payloads: Payloads) -> list[dict[str, Any]]:
    return [
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
        for name, payload in payloads.items()
    ]


def _table(payloads: Payloads) -> str:
    rows = "\n".join(f"| `{name}` | `{payload.__name__}` |" for name, payload in payloads.items())
    return f"| event | payload |\n| --- | --- |\n{rows}\n\n"


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
_VALIDATION_EXAMPLE = """event: check_started
data: {"mode": "thorough", "engine": "llm", "source": "text", "as_of": "2025-01-21"}
id: 1

event: search_completed
data: {"claim_id": "claim_1", "channel": "news", "query": "Federal Reserve interest rate increase 2024 inflation (current date: 2025-01-21)", "asked": ["exa"], "corpora": [], "published_from": "2024-12-22", "published_to": "2025-01-21", "results": 1, "succeeded": true, "problems": [], "sources": [{"title": "Fed raises rates to 5.5%", "url": "https://reuters.com/fed-rates", "domain": "reuters.com", "date": "2025-01-15"}]}
id: 4

event: claim_decided
data: {"claim_id": "claim_1", "verdict": "SUPPORTED", "confidence": 0.95, "rationale": "Two sources state it."}
id: 10

"""


_SEARCH_NOTE = "`search_completed` comes once for each channel as it answers; events of several claims may be interleaved.\n\n"


def stream_response(*, starts: bool) -> Responses:
    """Describe an event stream: with `starts`, of the consensus run that the request starts; else of any run."""
    others = "" if starts else f"In summary and thorough mode:\n\n{_table(VALIDATION_PAYLOADS)}{_SEARCH_NOTE}"
    examples = {"consensus": {"value": _STREAM_EXAMPLE}}
    if not starts:
        examples |= {"summary or thorough": {"value": _VALIDATION_EXAMPLE}}
    described: dict[str, Any] = {
        "description": (
            "Server-sent events: `id` is the event's number in the run, from 1; `event` its name; `data` its payload "
            f"as JSON. A comment every 15 s keeps the connection open. {others}In consensus mode:\n\n"
            f"{_table(CONSENSUS_PAYLOADS)}"
            "`checker_complete` comes once for each checker as it finishes; `generate_...` only when content is "
            "generated. The last event of every run is `complete`, or `error` if it failed."
        ),
        "content": {
            "text/event-stream": {
                "itemSchema": {
                    "required": ["id", "event", "data"],
                    "anyOf": _events(CONSENSUS_PAYLOADS if starts else PAYLOADS),
                },
                "examples": examples,
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
        204: {"description": "The run has ended, and there are no events after the given one."},
    }


def started_response() -> Responses:
    """Describe the response to starting a run."""
    return {
        202: {
            "description": "The run has begun.",
            "headers": {"Location": {"description": "The run.", "schema": {"type": "string"}}},
        }
    }


def file_response(media_types: Iterable[str]) -> Responses:
    """Describe a response that is sent as a file."""
    return {
        200: {
            "description": "A file.",
            "content": {kind.partition(";")[0]: {"schema": {}} for kind in media_types},
            "headers": {
                "Content-Disposition": {"description": "The file's name.", "schema": {"type": "string"}}
            },
        }
    }
