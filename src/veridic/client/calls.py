"""The calls of the API as values: what to send, and how to read the answer. Both clients share them, and send them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Generic, Literal, TypedDict, TypeVar, cast
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from veridic.api.responses import Cancelled, CheckDetail, CheckList, CheckStarted, EstimatedCost, Resumed
from veridic.client.errors import UnreadableAnswerError, error_of
from veridic.domain.claim import Priority
from veridic.domain.modes import EngineChoice, Mode, ReportFormat
from veridic.reporting.json_shapes import ReportJson
from veridic.store.runs import RunState

T = TypeVar("T")
Model = TypeVar("Model", bound=BaseModel)
_CHECKS = "/api/checks"


class ModelsByRole(TypedDict, total=False):
    generator: str
    extractor: str
    checkers: list[str]
    reporter: str


class CheckFields(TypedDict, total=False):
    """What to check, and how: one of `text`, `url`, `file`, or in consensus mode a `question`."""

    text: str
    url: str
    file: Path | str
    question: str
    title: str
    mode: Mode | Literal["summary", "thorough", "consensus"]
    engine: EngineChoice | Literal["auto", "embedded", "llm"]
    models: ModelsByRole
    against: list[str]
    as_of: date
    max_cost: float
    max_content_length: int
    stage_timeout_ms: int
    priority: Priority | Literal["high", "medium", "low"]


class ListFilters(TypedDict, total=False):
    state: RunState | Literal["completed", "failed", "queued", "running", "interrupted"]
    mode: Mode | Literal["summary", "thorough", "consensus"]
    verdict: Literal["TRUE", "FALSE", "MISLEADING", "UNVERIFIABLE"]
    q: str
    limit: int
    cursor: str


@dataclass(frozen=True)
class ApiCall(Generic[T]):
    """A request, and the function that reads a successful answer."""

    method: str
    path: str
    read: Callable[[bytes], T]
    sent: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the HTTP client's `request`: `json`, `params`, `data`, `files`."""

    def answer(self, status: int, body: bytes, headers: Mapping[str, str]) -> T:
        """Return what the answer says; raise `ClientError` if it is a refusal or unreadable."""
        if not 200 <= status < 300:
            raise error_of(status, body, headers)
        try:
            return self.read(body)
        except (ValueError, ValidationError, RecursionError):
            raise UnreadableAnswerError(
                f"The answer to {self.method} {self.path} is not one of Veridic's API; is the address right?"
            ) from None


def start_check(fields: CheckFields) -> ApiCall[CheckStarted]:
    return ApiCall("POST", _CHECKS, _model(CheckStarted), _submission(fields))


def estimate_check(fields: CheckFields) -> ApiCall[EstimatedCost]:
    return ApiCall("POST", f"{_CHECKS}/estimate", _model(EstimatedCost), _submission(fields))


def show_check(run_id: str) -> ApiCall[CheckDetail]:
    return ApiCall("GET", check_path(run_id), _model(CheckDetail))


def report(run_id: str) -> ApiCall[ReportJson]:
    return ApiCall("GET", f"{check_path(run_id)}/report", lambda body: cast("ReportJson", json.loads(body)))


def download(run_id: str, report_format: ReportFormat) -> ApiCall[str]:
    sent = {"params": {"format": report_format.value}}
    return ApiCall("GET", f"{check_path(run_id)}/report", lambda body: body.decode("utf-8"), sent)


def list_checks(filters: ListFilters) -> ApiCall[CheckList]:
    return ApiCall("GET", _CHECKS, _model(CheckList), {"params": {k: str(v) for k, v in filters.items()}})


def cancel(run_id: str) -> ApiCall[Cancelled]:
    return ApiCall("POST", f"{check_path(run_id)}/cancel", _model(Cancelled))


def resume(run_id: str) -> ApiCall[Resumed]:
    return ApiCall("POST", f"{check_path(run_id)}/resume", _model(Resumed))


def delete(run_id: str) -> ApiCall[None]:
    return ApiCall("DELETE", check_path(run_id), lambda _body: None)


def check_path(run_id: str) -> str:
    return f"{_CHECKS}/{quote(run_id, safe='')}"


def _model(kind: type[Model]) -> Callable[[bytes], Model]:
    return kind.model_validate_json


def _submission(fields: CheckFields) -> dict[str, Any]:
    values = {name: _plain(value) for name, value in fields.items() if name != "file"}
    if "file" not in fields:
        return {"json": values}
    file = Path(fields["file"])
    texts = {name: _text(value) for name, value in values.items()}
    return {"data": texts, "files": {"file": (file.name, file.read_bytes())}}


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


def _text(value: object) -> str | list[str]:
    """Return the value of a form field; `against` is repeated, `models` is written as JSON."""
    if isinstance(value, list):
        return list(map(str, value))
    return json.dumps(value) if isinstance(value, dict) else str(value)
