"""One search from end to end: limited in time, made again where that helps, and every failure one sentence."""

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
from veridic.providers.pace import Pace
from veridic.providers.retries import wait_before_retry
from veridic.providers.search.words import one_line

T = TypeVar("T")

LARGEST_ANSWER_BYTES = 10_000_000
_LONGEST_REASON = 200
_LONGEST_READ = 10_000
"""Characters of a reason that are looked at: an error page can be of any length."""
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|tvly|bsa)[-_][\w*.-]{6,}|(?<=bearer )\S+", re.IGNORECASE)
_NO_ACCESS = frozenset({401, 402, 403, 432, 433})
"""The last two are Tavily's, for a plan whose searches are used up."""
_REQUEST_TIMEOUT, _UNPROCESSABLE, _TOO_MANY_REQUESTS, _SERVER_ERRORS = 408, 422, 429, 500


class Asked(Protocol):
    """Whom a sentence about a failure names, and the way out of it."""

    @property
    def label(self) -> str:
        """As it begins a sentence."""
        ...

    @property
    def api_key(self) -> SecretStr | None: ...

    @property
    def access_way_out(self) -> str:
        """What to do where it does not let us search: `check EXA_API_KEY and its credit`."""
        ...

    @property
    def reach_way_out(self) -> str:
        """What to do where nobody, or somebody else, answers."""
        ...


class AttemptError(Exception):
    """One request that brought no results."""

    def __init__(
        self,
        error: SearchError,
        *,
        is_transient: bool = False,
        is_too_fast: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.is_transient = is_transient
        """True where the same request may well succeed later."""
        self.is_too_fast = is_too_fast
        """True where there were too many of them."""
        self.retry_after = retry_after


@dataclass(frozen=True)
class Patience:
    """How long a search may take, retries included. The rest replaces the clock in tests."""

    seconds: float
    pace: Pace = field(default_factory=Pace)
    """Of all searches that one provider is asked for."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random


async def until_answered(attempt: Callable[[], Awaitable[T]], label: str, patience: Patience) -> T:
    """What the first attempt that succeeds brings; `SearchError` where none does in time."""
    deadline = patience.clock() + patience.seconds
    attempts = 0
    try:
        async with asyncio.timeout(patience.seconds):
            wait: float | None = patience.pace.delay()
            while True:
                if wait:
                    await patience.sleep(wait)
                attempts += 1
                started = patience.clock()
                try:
                    found = await attempt()
                except AttemptError as failure:
                    wait = _wait_after(failure, attempts, deadline, patience)
                    if wait is None:
                        raise failure.error from failure
                    if failure.is_too_fast:
                        wait = patience.pace.refused(started, wait)
                else:
                    patience.pace.answered()
                    return found
    except TimeoutError:
        raise SearchError(
            f"{label} gave no answer within {patience.seconds:g} seconds: try again later."
        ) from None


def _wait_after(failure: AttemptError, attempts: int, deadline: float, patience: Patience) -> float | None:
    if not failure.is_transient:
        return None
    left = deadline - patience.clock()
    return wait_before_retry(
        attempts, retry_after=failure.retry_after, time_left=left, jitter=patience.jitter()
    )


def failed_status(asked: Asked, status: int, said: object, retry_after: float | None = None) -> AttemptError:
    """What an answer with any status but a good one comes to; `said` is its body, as JSON or as text."""
    reason = reason_in(said, asked)
    why = f"{status}{reason and ': '}{reason}"
    # Brave says 422 of a key that it does not know.
    if status in _NO_ACCESS or (status == _UNPROCESSABLE and "token" in reason.lower()):
        sentence = f"{asked.label} does not let you search ({why}): {asked.access_way_out}."
        return AttemptError(SearchAccessError(sentence))
    if status == _TOO_MANY_REQUESTS:
        error = SearchError(f"{asked.label} takes no more searches now ({why}): try again later.")
        return AttemptError(error, is_transient=True, is_too_fast=True, retry_after=retry_after)
    if status == _REQUEST_TIMEOUT or status >= _SERVER_ERRORS:
        error = SearchError(f"{asked.label} could not search ({why}): try again later.")
        return AttemptError(error, is_transient=True, retry_after=retry_after)
    return AttemptError(SearchError(f"{asked.label} did not take the search ({why}): {asked.reach_way_out}."))


def no_connection(asked: Asked, said: str) -> AttemptError:
    reason = reason_in(said, asked)
    error = SearchError(f"{asked.label} could not be reached{bracketed(reason)}: {asked.reach_way_out}.")
    return AttemptError(error, is_transient=True)


def cut_off(asked: Asked) -> AttemptError:
    error = SearchError(f"{asked.label} ended the connection before it had answered: try again later.")
    return AttemptError(error, is_transient=True)


def unreadable(asked: Asked, said: str = "") -> AttemptError:
    reason = reason_in(said, asked)
    return AttemptError(
        SearchError(
            f"{asked.label} answered, but not with search results{bracketed(reason)}: {asked.reach_way_out}."
        )
    )


def too_large(asked: Asked) -> AttemptError:
    return AttemptError(
        SearchError(
            f"{asked.label} answered with more than {LARGEST_ANSWER_BYTES:,} bytes, which are not read."
        )
    )


def reason_in(said: object, asked: Asked) -> str:
    """The provider's own words: short, on one line, with no key in them and no full stop at the end."""
    text = message_in(said)[:_LONGEST_READ]
    if asked.api_key is not None and (secret := asked.api_key.get_secret_value()):
        text = text.replace(secret, "[key]")
    text = _KEY_LIKE.sub("[key]", one_line(text))
    if len(text) > _LONGEST_REASON:
        text = text[: _LONGEST_REASON - 1] + "…"
    return text.rstrip(" .:")


def message_in(said: object) -> str:
    """What an error of any of the providers says, in JSON or as text."""
    if isinstance(said, str):
        return "a web page" if said.lstrip()[:1] == "<" else said
    if isinstance(said, dict):
        for name in ("message", "error", "detail", "info", "code"):
            if found := message_in(said.get(name)):
                return found
    return ""


def read_retry_after(value: str) -> float | None:
    """The seconds that a provider asks to wait, which it may give as a time of day."""
    value = value.strip()
    if value.isascii() and value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        return (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def bracketed(reason: str) -> str:
    return f" ({reason})" if reason else ""
