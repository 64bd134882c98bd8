"""What other times are compared with, so that figures of two machines can be: a plain regular expression at work."""

import re
import time

YARDSTICK_WORDS = 10_000
_ROUNDS = 40
"""It takes a few milliseconds, so a busy moment would spoil a few rounds altogether."""
_WORD = re.compile(r"\w+")


def tokenise_seconds(text: str, rounds: int = _ROUNDS) -> float:
    """How long the words of a text take to be found by a regular expression, at best."""
    return min(_once(text) for _ in range(rounds))


def yardstick_seconds(text: str) -> float:
    """The time for `YARDSTICK_WORDS` words of this kind of text, in this process and now."""
    return tokenise_seconds(text) / len(_WORD.findall(text)) * YARDSTICK_WORDS


def _once(text: str) -> float:
    started = time.perf_counter()
    _WORD.findall(text)
    return time.perf_counter() - started
