"""When a failed call is made again, and after how long. The one owner of retries: no client below makes any."""

MAX_ATTEMPTS = 4
LONGEST_WAIT_SECONDS = 60.0
"""A provider that wants more patience than this is given up."""
_FIRST_WAIT_SECONDS = 1.0


def wait_before_retry(
    attempts: int, *, retry_after: float | None, time_left: float, jitter: float
) -> float | None:
    """The seconds to wait after so many failed attempts; None where it is no use to go on.

    `retry_after` is what the provider asked for, and is never undercut. Without it the wait doubles with
    each attempt. `jitter`, from 0 to 1, spreads callers that failed together.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    if retry_after is None:
        wait = _FIRST_WAIT_SECONDS * 2 ** (attempts - 1) * (0.5 + jitter / 2)
    else:
        wait = max(0.0, retry_after) * (1 + jitter / 10)
    return wait if wait <= LONGEST_WAIT_SECONDS and wait < time_left else None
