import random

import pytest
from benchmarks.simulation import Site, Stage, simulate

PLAIN = Site(workers=1, checks_at_once=1, stages=(Stage(processor=0.0, wait=2.0),))


def poisson(checks: int, per_second: float, seed: int = 1) -> list[float]:
    randomly, moment, moments = random.Random(seed), 0.0, []
    for _ in range(checks):
        moment += randomly.expovariate(per_second)
        moments.append(moment)
    return moments


@pytest.mark.parametrize("checks_at_once", [1, 3])
@pytest.mark.parametrize("calls_at_once", [None, 2])
@pytest.mark.parametrize("calls_per_minute", [None, 100.0])
def test_every_check_that_arrives_ends_after_it_arrived(
    checks_at_once: int, calls_at_once: int | None, calls_per_minute: float | None
) -> None:
    stages = (Stage(0.05, 0.5), Stage(0.1, 1.0), Stage(0.2, 0.0))
    site = Site(2, checks_at_once, stages, calls_at_once, calls_per_minute)
    outcome = simulate(site, poisson(200, per_second=2.0))
    assert outcome.completed == outcome.arrived == len(outcome.responses) == 200
    assert min(outcome.responses) >= 1.85 - 1e-9
    assert outcome.processors_busy * outcome.seconds * 2 == pytest.approx(200 * 0.35)


def test_littles_law() -> None:
    outcome = simulate(PLAIN, poisson(500, per_second=0.4))
    mean_response = sum(outcome.responses) / len(outcome.responses)
    assert outcome.in_site == pytest.approx(outcome.per_second * mean_response)


def test_single_server_queue_matches_its_formula() -> None:
    """Random arrivals, equal service: the wait is utilisation times service, over twice what is left (Pollaczek, Khinchine)."""
    outcome = simulate(PLAIN, poisson(40_000, per_second=0.25))
    mean_response = sum(outcome.responses) / len(outcome.responses)
    assert mean_response == pytest.approx(2.0 + 0.5 * 2.0 / (2 * 0.5), rel=0.05)


def test_concurrent_checks_wait_together_and_compute_in_turn() -> None:
    waiting = Site(workers=1, checks_at_once=4, stages=(Stage(0.0, 1.0),))
    working = waiting._replace(stages=(Stage(1.0, 0.0),))
    assert simulate(waiting, [0.0] * 8).seconds == pytest.approx(2.0)
    assert simulate(working, [0.0] * 8).seconds == pytest.approx(8.0)
    assert simulate(working._replace(workers=2), [0.0] * 8).seconds == pytest.approx(4.0)


def test_more_workers_do_not_help_a_limited_provider() -> None:
    limited = Site(workers=1, checks_at_once=8, stages=(Stage(0.0, 1.0),), calls_at_once=4)
    rated = limited._replace(calls_at_once=None, calls_per_minute=60.0)
    for site in (limited, rated):
        alone, together = (simulate(site._replace(workers=n), [0.0] * 40).seconds for n in (1, 2))
        assert alone == pytest.approx(together)
    assert simulate(limited, [0.0] * 40).seconds == pytest.approx(10.0)
    assert simulate(rated, [0.0] * 40).seconds == pytest.approx(40.0)


def test_a_share_of_the_responses() -> None:
    outcome = simulate(PLAIN, [0.0, 0.0, 0.0, 0.0])
    assert outcome.responses == (2.0, 4.0, 6.0, 8.0)
    assert outcome.response(0.5) == 6.0
    assert outcome.response(1.0) == 8.0
