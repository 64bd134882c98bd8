"""Following a run: reading its stream of events, and going on after a lost connection. Does no I/O."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from veridic.api.payloads import PAYLOADS
from veridic.client.calls import check_path
from veridic.client.errors import ClientError, ConnectionFailedError, error_of
from veridic.domain.events import EventName

_FINAL = frozenset({EventName.COMPLETE.value, EventName.ERROR.value})
_MOST_BYTES = 50_000_000
"""An event is never so large; a stream that never ends a line would otherwise fill the memory."""
_LONGEST_WAIT_SECONDS = 15.0


@dataclass(frozen=True)
class RunEvent:
    """One event of a run."""

    number: int | None
    """Counted from 1; None for the event that says that a run was interrupted."""
    name: str
    data: dict[str, Any]

    @property
    def is_last(self) -> bool:
        return self.name in _FINAL

    def payload(self) -> BaseModel | None:
        """Return the data as a model of `veridic.api.payloads`; None for an event of another version of the server."""
        try:
            return PAYLOADS[EventName(self.name)].model_validate(self.data)
        except (ValueError, KeyError):  # also Pydantic's errors
            return None


class Following:
    """How far a run has been followed, and whether to try again when the connection is lost."""

    def __init__(self, run_id: str, after: int, *, tries: int, wait_seconds: float) -> None:
        """`tries`: connections in a row that may bring nothing new; `wait_seconds` before the first, then doubled."""
        self.path = f"{check_path(run_id)}/events"
        self.is_over = False
        self._after = after
        self._most = tries
        self._wait = wait_seconds
        self._tries = 0
        self._was_told_to_wait = False
        self._buffer = b""

    def headers(self) -> dict[str, str]:
        """Return the headers of the next connection."""
        self._buffer = b""
        accept = {"Accept": "text/event-stream"}
        return accept | {"Last-Event-ID": str(self._after)} if self._after else accept

    def read(self, chunk: bytes) -> Iterator[RunEvent]:
        """Yield the events that a piece of the stream completes."""
        self._buffer = (self._buffer + chunk).replace(b"\r\n", b"\n")
        if len(self._buffer) > _MOST_BYTES:
            raise ClientError("The server sends an event that is too large to be one.")
        *blocks, self._buffer = self._buffer.split(b"\n\n")
        for block in blocks:
            event = _event(block)
            if event is not None and self._is_new(event):
                self.is_over = event.is_last
                yield event

    def _is_new(self, event: RunEvent) -> bool:
        """Return whether the event is new, and remember it.

        An error without a number means that the run is paused; it counts only if the next connection repeats it.
        """
        if event.number is None:
            is_second = self._was_told_to_wait
            self._was_told_to_wait = True
            return is_second
        if event.number <= self._after:
            return False
        self._after, self._tries, self._was_told_to_wait = event.number, 0, False
        return True

    def note_refusal(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Take note of an answer without events. Raises `ClientError` unless it makes sense to try again."""
        if status == 204:
            self.is_over = True
        elif status < 500:
            raise error_of(status, body, headers)

    def seconds_to_wait(self) -> float:
        """Return how long to wait before the next connection. Raises `ConnectionFailedError` if there were too many."""
        if self._tries >= self._most:
            raise ConnectionFailedError(
                f"The connection was lost after event {self._after}, and {self._tries} tries brought nothing new; "
                "the run goes on without its clients."
            )
        self._tries += 1
        return min(self._wait * float(2 ** (self._tries - 1)), _LONGEST_WAIT_SECONDS)


def _event(block: bytes) -> RunEvent | None:
    """Return the event of a block of lines; None for a comment, and for a block that is not of this API."""
    fields: dict[str, str] = {}
    for line in block.decode("utf-8", "replace").split("\n"):
        name, colon, value = line.partition(":")
        if name and colon:
            value = value.removeprefix(" ")
            fields[name] = f"{fields[name]}\n{value}" if name == "data" and "data" in fields else value
    try:
        data = json.loads(fields["data"])
        number = int(fields["id"]) if fields.get("id") else None
    except (ValueError, KeyError, RecursionError):
        return None
    return RunEvent(number, fields.get("event", "message"), data) if isinstance(data, dict) else None
