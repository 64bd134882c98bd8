"""One search call: time limit, retries, and a one-sentence error for every failure."""

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol, TypeVar

from pydantic import SecretStr

from veridic.domain.errors import SearchAccessError, SearchError
from veridic.providers.http_calls import Pace, before_retry, wait_before_retry
from veridic.providers.search.words import one_line

T = TypeVar("T")

LARGEST_ANSWER_BYTES = 10_000_000
_LONGEST_REASON = 200
_LONGEST_READ = 10_000
"""Characters of a reason that we look at; an error page can have any length."""
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|tvly|bsa)[-_][\w*.-]{6,}|(?<=bearer )\S+", re.IGNORECASE)
_NO_ACCESS = frozenset({401, 402, 403, 432, 433})
"""432 and 433 are Tavily's, for a plan that is used up."""
_REFUSED_KEY = {422: "token", 400: "api key"}
"""What the reason says where the status doesn't mean a refused key by itself: Brave answers 422, Google and NCBI 400."""
_REQUEST_TIMEOUT, _TOO_MANY_REQUESTS, _SERVER_ERRORS = 408, 429, 500


class NamedProvider(Protocol):
    """What an error message needs to know of a provider."""

    @property
    def label(self) -> str:
        """The name, written as at the start of a sentence."""
        ...

    @property
    def api_key(self) -> SecretStr | None: ...

    @property
    def access_hint(self) -> str:
        """What to do if it denies access: `check EXA_API_KEY and its credit`."""
        ...

    @property
    def connection_hint(self) -> str:
        """What to do if it doesn't answer, or another server does."""
        ...


class SearchAttemptError(Exception):
    """One request that returned no results."""

    def __init__(
        self,
        error: SearchError,
        *,
        is_transient: bool = False,
        is_rate_limited: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.is_transient = is_transient
        """True if the same request may succeed later."""
        self.is_rate_limited = is_rate_limited
        """True for a 429 response."""
        self.retry_after = retry_after


@dataclass(frozen=True)
class SearchDeadline:
    """How long a search may take, retries included. The other fields replace the clock in tests."""

    seconds: float
    pace: Pace = field(default_factory=Pace)
    """Shared by all searches of one provider."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random


async def until_answered(attempt: Callable[[], Awaitable[T]], label: str, time_limit: SearchDeadline) -> T:
    """Repeat `attempt` until it succeeds, and return its result. Raises `SearchError` if it doesn't in time."""
    deadline = time_limit.clock() + time_limit.seconds
    attempts = 0
    try:
        async with asyncio.timeout(time_limit.seconds):
            wait: float | None = time_limit.pace.delay()
            while True:
                if wait:
                    await time_limit.sleep(wait)
                if attempts:
                    await before_retry()
                attempts += 1
                started = time_limit.clock()
                try:
                    result = await attempt()
                except SearchAttemptError as failure:
                    wait = _wait_after(failure, attempts, deadline, time_limit)
                    if wait is None:
                        raise failure.error from failure
                    if failure.is_rate_limited:
                        wait = time_limit.pace.refused(started, wait)
                else:
                    time_limit.pace.answered()
                    return result
    except TimeoutError:
        raise SearchError(
            f"{label} gave no answer within {time_limit.seconds:g} seconds: try again later."
        ) from None


def _wait_after(
    failure: SearchAttemptError, attempts: int, deadline: float, time_limit: SearchDeadline
) -> float | None:
    if not failure.is_transient:
        return None
    left = deadline - time_limit.clock()
    return wait_before_retry(
        attempts, retry_after=failure.retry_after, time_left=left, jitter=time_limit.jitter()
    )


def failed_status(
    provider: NamedProvider, status: int, body: object, retry_after: float | None = None
) -> SearchAttemptError:
    """Return the error for a response that isn't 200; `body` is its body, as JSON or text."""
    reason = short_reason(body, provider)
    why = f"{status}{reason and ': '}{reason}"
    if status in _NO_ACCESS or (status in _REFUSED_KEY and _REFUSED_KEY[status] in reason.lower()):
        sentence = f"{provider.label} does not let you search ({why}): {provider.access_hint}."
        return SearchAttemptError(SearchAccessError(sentence))
    if status == _TOO_MANY_REQUESTS:
        error = SearchError(f"{provider.label} takes no more searches now ({why}): try again later.")
        return SearchAttemptError(error, is_transient=True, is_rate_limited=True, retry_after=retry_after)
    if status == _REQUEST_TIMEOUT or status >= _SERVER_ERRORS:
        error = SearchError(f"{provider.label} could not search ({why}): try again later.")
        return SearchAttemptError(error, is_transient=True, retry_after=retry_after)
    return SearchAttemptError(
        SearchError(f"{provider.label} did not take the search ({why}): {provider.connection_hint}.")
    )


def no_connection(provider: NamedProvider, body: str) -> SearchAttemptError:
    reason = short_reason(body, provider)
    error = SearchError(
        f"{provider.label} could not be reached{in_parentheses(reason)}: {provider.connection_hint}."
    )
    return SearchAttemptError(error, is_transient=True)


def cut_off(provider: NamedProvider) -> SearchAttemptError:
    error = SearchError(f"{provider.label} ended the connection before it had answered: try again later.")
    return SearchAttemptError(error, is_transient=True)


def unreadable(provider: NamedProvider, body: str = "") -> SearchAttemptError:
    reason = short_reason(body, provider)
    return SearchAttemptError(
        SearchError(
            f"{provider.label} answered, but not with search results{in_parentheses(reason)}: {provider.connection_hint}."
        )
    )


def too_large(provider: NamedProvider) -> SearchAttemptError:
    return SearchAttemptError(
        SearchError(
            f"{provider.label} answered with more than {LARGEST_ANSWER_BYTES:,} bytes, which are not read."
        )
    )


def short_reason(body: object, provider: NamedProvider) -> str:
    """Return the provider's message in short: one line, without keys and without a full stop at the end."""
    text = error_message(body)[:_LONGEST_READ]
    if provider.api_key is not None and (secret := provider.api_key.get_secret_value()):
        text = text.replace(secret, "[key]")
    text = _KEY_LIKE.sub("[key]", one_line(text))
    if len(text) > _LONGEST_REASON:
        text = text[: _LONGEST_REASON - 1] + "…"
    return text.rstrip(" .:")


def error_message(body: object) -> str:
    """Return the message in an error response, whether it is JSON or text."""
    if isinstance(body, str):
        return "a web page" if body.lstrip()[:1] == "<" else body
    if isinstance(body, list):
        return next((result for item in body if (result := error_message(item))), "")
    if isinstance(body, dict):
        for name in ("message", "error", "detail", "info", "code"):
            if result := error_message(body.get(name)):
                return result
    return ""


def read_retry_after(value: str) -> float | None:
    """Parse a `Retry-After` header, in seconds or as a date, into seconds."""
    value = value.strip()
    if value.isascii() and value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        return (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def in_parentheses(reason: str) -> str:
    return f" ({reason})" if reason else ""
