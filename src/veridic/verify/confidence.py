"""The confidence in a verdict: how often alarms of its kind were right in public projects as they are.

`confidence.json` has the counts; `python -m training.confidence` makes it from the labelled alarms.
"""

import json
import math
from functools import lru_cache
from importlib.resources import files

from veridic.domain.code import CodeVerdict

SHOWN_FROM, LISTED_FROM = 0.9, 0.5
"""Alarms below the first value are shown only on request. Those below the second are more often wrong than right, and never alarms."""
_HOLDS = 0.95


def confidence_in(rule: str, verdict: CodeVerdict) -> float:
    """The confidence from 0 to 1. `rule` is the rule's name with the basis of the alarm."""
    if verdict is CodeVerdict.VERIFIED:
        return _HOLDS
    return sure_of(*_counted().get(rule, (0, 0)))


def sure_of(right: int, wrong: int) -> float:
    """The confidence in an alarm of a kind that was counted so often, rounded down to two places.

    This is Laplace's rule of succession: nothing is assumed about a kind, so one that was never counted is as likely wrong as right, and at least
    eight right alarms without a wrong one are needed for 0.9.
    """
    return math.floor(100 * (right + 1) / (right + wrong + 2)) / 100


@lru_cache(maxsize=1)
def _counted() -> dict[str, tuple[int, int]]:
    stored = json.loads((files("veridic.verify") / "confidence.json").read_text(encoding="utf-8"))
    return {name: (int(right), int(wrong)) for name, (right, wrong) in stored["alarms"].items()}
