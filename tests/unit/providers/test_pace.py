"""The pace of requests to a provider."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.providers.http_calls import Pace


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_no_wait_before_first_refusal() -> None:
    pace = Pace(Clock())
    assert [pace.delay() for _ in range(50)] == [0.0] * 50


def test_refusal_spaces_requests_after_requested_wait() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert [pace.refused(clock.now, 7.0), pace.delay(), pace.delay()] == [7.0, 7.5, 8.0]


def test_concurrent_refusals_count_once() -> None:
    clock = Clock()
    pace = Pace(clock)
    started = clock.now
    clock.now += 0.2
    assert [pace.refused(started, 1.0) for _ in range(4)] == [1.0, 1.5, 2.0, 2.5]


def test_refusals_slow_down_and_answers_speed_up() -> None:
    clock = Clock()
    pace = Pace(clock)

    def apart() -> float:
        first = pace.delay()
        return round(pace.delay() - first, 3)

    for seconds in (0.5, 1.0, 2.0, 4.0, 8.0, 8.0):
        clock.now += 100
        pace.refused(clock.now, 0.0)
        assert apart() == seconds
    for _ in range(30):
        pace.answered()
    clock.now += 100
    assert apart() == 0.0


@given(st.lists(st.tuples(st.sampled_from(["ask", "refuse", "answer"]), st.floats(0, 5))))
def test_starts_are_monotonic(steps: list[tuple[str, float]]) -> None:
    clock = Clock()
    pace = Pace(clock)
    last = clock.now
    for step, seconds in steps:
        clock.now += seconds
        if step == "answer":
            pace.answered()
            continue
        start = clock.now + (pace.delay() if step == "ask" else pace.refused(clock.now, seconds))
        assert start >= last - 1e-6
        last = start
