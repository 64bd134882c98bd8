"""How sure a verdict is: how often alarms of its rule were right in public repositories, as they are and after changes made there."""

import json
from functools import lru_cache
from importlib.resources import files

from veridic.domain.code import CodeVerdict

SHOWN_FROM, LISTED_FROM = 0.9, 0.6
"""Alarms that are less sure are shown only on request, and those below the second not at all."""
_PRIOR_RIGHT, _PRIOR = 2.4, 3.0
"""A rule that nobody has counted yet is taken to be right four times in five. The weight of three was chosen with the counts in sight: three
right alarms and no wrong one are just enough to be shown."""
_HOLDS = 0.95


def confidence_in(rule: str, verdict: CodeVerdict) -> float:
    """From 0 to 1; `rule` with what its alarm rests on."""
    if verdict is CodeVerdict.VERIFIED:
        return _HOLDS
    right, wrong = _counted().get(rule, (0, 0))
    return round((right + _PRIOR_RIGHT) / (right + wrong + _PRIOR), 2)


@lru_cache(maxsize=1)
def _counted() -> dict[str, tuple[int, int]]:
    stored = json.loads((files("veridic.verify") / "confidence.json").read_text(encoding="utf-8"))
    return {name: (int(right), int(wrong)) for name, (right, wrong) in stored["alarms"].items()}
