"""The rate limit of starts per client."""

import pytest
from fastapi import HTTPException
from hypothesis import given
from hypothesis import strategies as st

from veridic.api.limits import TokenBuckets, refuse_if_too_many


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_up_to_the_limit_is_allowed() -> None:
    buckets = TokenBuckets(3, Clock())

    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == pytest.approx(20)


def test_a_token_is_there_after_the_announced_wait() -> None:
    clock = Clock()
    buckets = TokenBuckets(3, clock)
    while (waiting := buckets.take("a")) == 0:
        pass
    clock.now += waiting

    assert buckets.take("a") == 0
    assert buckets.take("a") > 0


def test_clients_have_separate_buckets() -> None:
    buckets = TokenBuckets(1, Clock())

    assert [buckets.take(client) for client in ("a", "b", "a")] == [0, 0, pytest.approx(60)]


def test_buckets_hold_at_most_one_minute_of_tokens() -> None:
    clock = Clock()
    buckets = TokenBuckets(2, clock)
    buckets.take("a")
    clock.now += 3600

    assert [buckets.take("a") > 0 for _ in range(3)] == [False, False, True]


def test_bucket_count_is_limited_and_the_newest_stays() -> None:
    clock = Clock()
    buckets = TokenBuckets(1, clock)
    for number in range(25_000):
        clock.now += 0.0001
        buckets.take(str(number))

    assert len(buckets._buckets) <= 10_000
    assert buckets.take("24999") > 0


@given(st.lists(st.floats(0, 30), max_size=200), st.integers(1, 20))
def test_at_most_a_burst_plus_the_rate_per_minute(pauses: list[float], per_minute: int) -> None:
    clock = Clock()
    buckets = TokenBuckets(per_minute, clock)
    taken: list[float] = []
    for pause in pauses:
        clock.now += pause
        if buckets.take("a") == 0:
            taken.append(clock.now)

    for begin in taken:
        assert sum(begin <= at <= begin + 60 for at in taken) <= 2 * per_minute + 1


def test_429_has_retry_after() -> None:
    with pytest.raises(HTTPException) as refused:
        refuse_if_too_many(0.2, 120)

    assert refused.value.status_code == 429
    assert refused.value.headers == {"Retry-After": "1"}
    refuse_if_too_many(0, 120)
