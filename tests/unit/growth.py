"""Whether work grows in proportion to its input: compared with itself, so that a slow machine changes nothing."""

import time
from collections.abc import Callable

LINEAR = 35.0
"""Ten times the input may cost so many times the work; what grows with the square costs a hundred times."""
_LEAST = 0.002
_ATTEMPTS = 5


def growth(call: Callable[[str], object], piece: str, characters: int = 6_000) -> float:
    """How many times the processor time ten times the input takes, which is `piece` over and over.

    Only this thread counts: threads that earlier tests left (a server's, an index's) work beside it. The least of a few attempts counts: a busy machine makes work look dearer, and never cheaper than it is.
    """
    times = characters // len(piece)
    ratios = []
    for _ in range(_ATTEMPTS):
        ratios.append(_cost(call, piece * times * 10) / max(_LEAST, _cost(call, piece * times)))
        if ratios[-1] < LINEAR / 2:
            break
    return min(ratios)


def _cost(call: Callable[[str], object], text: str) -> float:
    before = time.thread_time()
    call(text)
    return time.thread_time() - before
