"""When a failed call is retried."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.providers.http_calls import LONGEST_WAIT_SECONDS, MAX_ATTEMPTS, wait_before_retry

seconds = st.floats(min_value=0, max_value=1e6)
jitters = st.floats(min_value=0, max_value=1, exclude_max=True)


def waits(**changes: float | None) -> list[float | None]:
    asked: dict[str, float | None] = {"retry_after": None, "time_left": 1_000.0, "jitter": 0.0} | changes
    return [wait_before_retry(n, **asked) for n in range(1, MAX_ATTEMPTS + 1)]  # type: ignore[arg-type]


def test_wait_doubles_until_giving_up() -> None:
    assert waits() == [0.5, 1.0, 2.0, None]
    assert waits(jitter=1.0) == [1.0, 2.0, 4.0, None]


def test_retry_after_is_respected() -> None:
    assert waits(retry_after=9.0) == [9.0, 9.0, 9.0, None]
    assert waits(retry_after=0.0) == [0.0, 0.0, 0.0, None]
    assert waits(retry_after=-3.0)[0] == 0.0


def test_too_long_retry_after_gives_up() -> None:
    assert waits(retry_after=LONGEST_WAIT_SECONDS)[0] == LONGEST_WAIT_SECONDS
    assert waits(retry_after=LONGEST_WAIT_SECONDS + 1)[0] is None
    assert waits(retry_after=5.0, time_left=5.0)[0] is None


@given(st.integers(1, 10), st.none() | seconds, seconds, jitters)
def test_wait_stays_within_limits(
    attempts: int, retry_after: float | None, time_left: float, jitter: float
) -> None:
    wait = wait_before_retry(attempts, retry_after=retry_after, time_left=time_left, jitter=jitter)
    if wait is not None:
        assert attempts < MAX_ATTEMPTS
        assert 0 <= wait <= LONGEST_WAIT_SECONDS
        assert wait < time_left
        assert retry_after is None or wait >= retry_after
