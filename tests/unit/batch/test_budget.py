"""The money of a batch is never promised twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.batch.budget import BatchBudget


def test_without_a_limit_there_is_always_room() -> None:
    budget = BatchBudget(None)

    assert budget.has_room(100)
    assert budget.share(100, 8) is None


def test_the_money_is_divided_evenly() -> None:
    budget = BatchBudget(8.0)
    for number in range(4):
        budget.set_aside(number, budget.share(number, 4))

    assert [budget.reserved_for(number) for number in range(4)] == [pytest.approx(2.0)] * 4
    assert not budget.has_room(4)


def test_what_was_not_spent_is_free_again() -> None:
    budget = BatchBudget(1.0)
    budget.set_aside(1, budget.share(0, 1))
    budget.release(1, 0.25)

    assert budget.has_room(0)
    assert budget.share(0, 1) == pytest.approx(0.75)


def test_share_covers_most_expensive_article() -> None:
    budget = BatchBudget(1.0)
    budget.set_aside(1, budget.share(0, 1))
    budget.release(1, 0.6)

    assert not budget.has_room(0)
    assert budget.is_exhausted


def test_article_that_used_everything_ends_the_batch() -> None:
    budget = BatchBudget(0.01)
    budget.set_aside(1, budget.share(0, 1))
    budget.record_limit_reached(1)
    budget.release(1, 0.0)

    assert budget.is_exhausted


def test_article_at_its_limit_leaves_room_for_fewer() -> None:
    budget = BatchBudget(1.0)
    for number in range(2):
        budget.set_aside(number, budget.share(number, 2))
    budget.record_limit_reached(0)
    budget.release(0, 0.1)
    budget.release(1, 0.1)

    assert budget.has_room(0)
    assert budget.share(0, 2) == pytest.approx(0.8)


@given(
    limit=st.floats(0, 10),
    at_once=st.integers(1, 8),
    shares_spent=st.lists(st.floats(0, 1), max_size=40),
)
def test_checks_within_limits_stay_within_the_batch_limit(
    limit: float, at_once: int, shares_spent: list[float]
) -> None:
    budget = BatchBudget(limit)
    under_way: list[int] = []
    for number, spent in enumerate(shares_spent):
        if len(under_way) < at_once and budget.has_room(len(under_way)):
            budget.set_aside(number, budget.share(len(under_way), at_once))
            under_way.append(number)
        elif under_way:
            done = under_way.pop(0)
            budget.release(done, spent * (budget.reserved_for(done) or 0.0))
        promised = sum(budget.reserved_for(one) or 0.0 for one in under_way)
        assert budget.spent_usd + promised <= limit + 1e-9
