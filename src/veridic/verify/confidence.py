"""The confidence in a verdict: how often alarms of its rule were right in public repositories, as they are and after changes made there."""

import json
from functools import lru_cache
from importlib.resources import files

from veridic.domain.code import CodeVerdict

SHOWN_FROM, LISTED_FROM = 0.9, 0.6
"""Alarms below the first value are shown only on request, and those below the second never."""
_PRIOR_RIGHT, _PRIOR = 2.4, 3.0
"""A rule without counts is assumed to be right four times in five. The weight of three was chosen with the counts in sight: three
right alarms and no wrong one are just enough to be shown.
"""
_HOLDS = 0.95


def confidence_in(rule: str, verdict: CodeVerdict) -> float:
    """The confidence from 0 to 1. `rule` is the rule's name with the basis of the alarm."""
    if verdict is CodeVerdict.VERIFIED:
        return _HOLDS
    right, wrong = _counted().get(rule, (0, 0))
    return round((right + _PRIOR_RIGHT) / (right + wrong + _PRIOR), 2)


@lru_cache(maxsize=1)
def _counted() -> dict[str, tuple[int, int]]:
    stored = json.loads((files("veridic.verify") / "confidence.json").read_text(encoding="utf-8"))
    return {name: (int(right), int(wrong)) for name, (right, wrong) in stored["alarms"].items()}
