"""When a failed call is made again."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.providers.retries import LONGEST_WAIT_SECONDS, MAX_ATTEMPTS, wait_before_retry

seconds = st.floats(min_value=0, max_value=1e6)
jitters = st.floats(min_value=0, max_value=1, exclude_max=True)


def waits(**changes: float | None) -> list[float | None]:
    asked: dict[str, float | None] = {"retry_after": None, "time_left": 1_000.0, "jitter": 0.0} | changes
    return [wait_before_retry(n, **asked) for n in range(1, MAX_ATTEMPTS + 1)]  # type: ignore[arg-type]


def test_the_wait_doubles_until_it_is_given_up() -> None:
    assert waits() == [0.5, 1.0, 2.0, None]
    assert waits(jitter=1.0) == [1.0, 2.0, 4.0, None]


def test_a_provider_that_says_when_is_heeded() -> None:
    assert waits(retry_after=9.0) == [9.0, 9.0, 9.0, None]
    assert waits(retry_after=0.0) == [0.0, 0.0, 0.0, None]
    assert waits(retry_after=-3.0)[0] == 0.0


def test_a_provider_that_wants_too_much_patience_is_given_up() -> None:
    assert waits(retry_after=LONGEST_WAIT_SECONDS)[0] == LONGEST_WAIT_SECONDS
    assert waits(retry_after=LONGEST_WAIT_SECONDS + 1)[0] is None
    assert waits(retry_after=5.0, time_left=5.0)[0] is None


@given(st.integers(1, 10), st.none() | seconds, seconds, jitters)
def test_no_wait_is_too_long_or_too_short(
    attempts: int, retry_after: float | None, time_left: float, jitter: float
) -> None:
    wait = wait_before_retry(attempts, retry_after=retry_after, time_left=time_left, jitter=jitter)
    if wait is not None:
        assert attempts < MAX_ATTEMPTS
        assert 0 <= wait <= LONGEST_WAIT_SECONDS
        assert wait < time_left
        assert retry_after is None or wait >= retry_after
