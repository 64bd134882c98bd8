"""A report with hostile text in every field that comes from outside."""

from typing import Any

from tests.builders import sample_report

from veridic.domain.base import Frozen
from veridic.domain.report import Report

SCRIPT = "<script>window.__pwned = 1</script><img src=x onerror='window.__pwned = 1'>"
BREAKOUT = "\"'></mark></style></script></title></svg>--><script>window.__pwned = 1</script>"
TEMPLATE = "{{ 7 * 7 }}{% raw %}"
ANSI = "\x1b[2J\x1b]0;owned\x07\x1b[31mred\x9b31m\x00\x08"
OVERRIDE = "user\u202egnp.exe\u2066x"
MARKDOWN = (
    "| a | `b` [c](javascript:alert(1)) ![d](https://evil.example/x.png) <b>e</b> **f** https://evil.example"
)
MARKUP = "[bold red]x[/bold red][link=https://evil.example]y[/link]:smile:"
UNPAIRED = "\ud800 half a character"
PAYLOADS = (SCRIPT, BREAKOUT, TEMPLATE, ANSI, OVERRIDE, MARKDOWN, MARKUP, UNPAIRED)

_FREE_TEXT = frozenset(
    "source title author summary quote text context category speaker underlying_claim rationale reason detail "
    "corrected original note name claim_timeframe evidence_currency historical_context temporal_verdict channel "
    "domain path message stage claim_id mode engine corpora gates patterns_matched id found_in digest query asked "
    "problems relevance in_claim in_passage".split()
)


def hostile_report(payload: str, url: str = "javascript:window.__pwned=1") -> Report:
    """The sample report with `payload` in every text from outside, and `url` in every address."""
    poisoned: Report = _poisoned(sample_report(), payload, url)
    return poisoned


def _poisoned(value: Any, payload: str, url: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_poisoned(item, payload, url) for item in value)
    if not isinstance(value, Frozen):
        return value
    changed: dict[str, Any] = {}
    for field in type(value).model_fields:
        current = getattr(value, field)
        if field == "url":
            changed[field] = url
        elif field in _FREE_TEXT and type(current) in (str, type(None)):
            changed[field] = payload * 50 if field == "text" and hasattr(value, "blocks") else payload
        elif field in _FREE_TEXT and isinstance(current, tuple) and all(type(one) is str for one in current):
            changed[field] = (payload,)
        else:
            changed[field] = _poisoned(current, payload, url)
    return value.model_copy(update=changed)
