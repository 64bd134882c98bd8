"""What a client raises. The message is the server's sentence where the server gave one.

ClientError
├── ConnectionFailedError    no connection, or it was lost
├── RefusedError             the server refuses the request (4xx)
│   ├── InvalidRequestError      400, 413, 415
│   ├── NotSignedInError         401
│   ├── NotAllowedError          403
│   ├── NotFoundError            404
│   ├── StateConflictError       409
│   └── TooManyRequestsError     429
├── ServerError              the server can't do it now (5xx)
├── UnreadableAnswerError    the answer is not one of Veridic's API
└── RunFailedError           the run ended with an error
"""

import json
from collections.abc import Mapping

from veridic.domain.errors import VeridicError


class ClientError(VeridicError):
    pass


class ConnectionFailedError(ClientError):
    pass


class RefusedError(ClientError):
    pass


class InvalidRequestError(RefusedError):
    pass


class NotSignedInError(RefusedError):
    pass


class NotAllowedError(RefusedError):
    pass


class NotFoundError(RefusedError):
    pass


class StateConflictError(RefusedError):
    """The run's state doesn't allow it: it is under way, completed or published."""


class TooManyRequestsError(RefusedError):
    """`retry_after` is the number of seconds to wait, if the server says so."""

    retry_after: float | None = None


class ServerError(ClientError):
    pass


class UnreadableAnswerError(ClientError):
    pass


class RunFailedError(ClientError):
    pass


_BY_STATUS: dict[int, type[ClientError]] = {
    400: InvalidRequestError,
    401: NotSignedInError,
    403: NotAllowedError,
    404: NotFoundError,
    409: StateConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    429: TooManyRequestsError,
}


def error_of(status: int, body: bytes, headers: Mapping[str, str]) -> ClientError:
    """Return the error for an answer that is not a success."""
    kind = _BY_STATUS.get(status) or (ServerError if status >= 500 else RefusedError)
    sentence = _sentence(body)
    if sentence is None:
        return UnreadableAnswerError(f"The server answered with status {status}, but not as Veridic does.")
    error = kind(sentence)
    wait = headers.get("retry-after", "")
    if isinstance(error, TooManyRequestsError) and wait.isdecimal():
        error.retry_after = float(wait)
    return error


def _sentence(body: bytes) -> str | None:
    try:
        sentence = json.loads(body)["error"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return sentence if isinstance(sentence, str) else None
