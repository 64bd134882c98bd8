"""Whether work grows in proportion to its input: compared with itself, so that a slow machine changes nothing."""

import time
from collections.abc import Callable

LINEAR = 35.0
"""Ten times the input may cost so many times the work; what grows with the square costs a hundred times."""
_LEAST = 0.002


def growth(call: Callable[[str], object], piece: str, characters: int = 15_000) -> float:
    """How many times the processor time ten times the input takes, which is `piece` over and over."""
    times = characters // len(piece)
    return _cost(call, piece * times * 10, 1) / max(_LEAST, _cost(call, piece * times, 3))


def _cost(call: Callable[[str], object], text: str, repeats: int) -> float:
    costs = []
    for _ in range(repeats):
        before = time.process_time()
        call(text)
        costs.append(time.process_time() - before)
    return min(costs)
