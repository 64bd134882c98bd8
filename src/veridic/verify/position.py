"""Where a value stands in its sentence, row or line: by itself or in a longer name, after which word, and whose subject leads it."""

import re
from collections.abc import Mapping, Sequence

from veridic.verify.places import stem
from veridic.verify.spellings import pieces

_JOINS = ".-/\\_@:"
_QUOTES = frozenset("`'\"")
_TOKEN = re.compile(r"[^\W_]+")
_DEFAULT = re.compile(r"\bdefault\w*", re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_LEAD = re.compile(
    r"[\s|*+•>#\d.)-]*(?:(?P<code>[`'\"*\[]{1,3}[^`'\"*\]]{2,60}[`'\"*\]])|(?P<option>(?<!\w)--?[A-Za-z][\w-]*)|(?P<name>\w+(?:[.:_-]\w+)+|[a-z]+[A-Z]\w*|\w+(?=\s*[:=|])))"
)
_MOST = 20
"""Words between two places that still belong together."""
_MOST_OF_DEFAULT = 8
_DISTINCTIVE = 0.4
_LONGEST = 400
"""Characters on either side that are looked at."""
_LEAST_PIECE = 3
_WORDS_OF_A_NAME, _LONGEST_NAME = 3, 40


def position_of(
    before: str, after: str, names: Sequence[str], rarity: Mapping[str, float]
) -> tuple[float, ...]:
    """What the text before and after a value shows: `names` are those of the code that it belongs to."""
    before, after = before[-_LONGEST:], after[:_LONGEST]
    own = {stem(piece) for name in names for piece in pieces(name) if len(piece) >= _LEAST_PIECE}
    own = {word for word in own if rarity.get(word, 1.0) > _DISTINCTIVE}
    back = _words_to(own, _TOKEN.findall(before)[::-1])
    ahead = _words_to(own, _TOKEN.findall(after))
    return (
        _joined(before[-1:], before[-2:-1]),
        _joined(after[:1], after[1:2]),
        float(before[-1:] in _QUOTES and after[:1] == before[-1:]),
        _since_default(before),
        float(back),
        float(ahead),
    )


def subject(text: str, names: Sequence[str]) -> float:
    """Whether a row, an item or a heading begins with one of the names (1), with a part of one (0.5), with another (-1) or none (0)."""
    lead = frozenset(pieces(_lead(text)))
    if not lead:
        return 0.0
    best = 0.0
    for name in names:
        own = frozenset(pieces(name))
        shared = len(lead & own)
        if shared:
            best = max(best, shared / len(lead | own))
    return best if best else -1.0


def _lead(text: str) -> str:
    """The name that a text begins with; all of a text that is short enough to be one."""
    if text.count(" ") < _WORDS_OF_A_NAME and len(text) < _LONGEST_NAME:
        return text
    match = _LEAD.match(text)
    return (match["code"] or match["option"] or match["name"]) if match else ""


def _joined(mark: str, beyond: str) -> float:
    """Whether a value is part of a longer name or path on this side: 1 if it is, 2 if a sign makes it one that is called or set."""
    if mark and mark in _JOINS and beyond.isalnum():
        return 1.0
    return 2.0 if mark and mark in "(<[{$%=" else 0.0


def _since_default(before: str) -> float:
    """The words since the last `default`, unless there is another number between."""
    last = None
    for last in _DEFAULT.finditer(before):
        pass
    if last is None:
        return float(_MOST_OF_DEFAULT)
    between = before[last.end() :]
    words = len(_TOKEN.findall(between))
    return float(min(_MOST_OF_DEFAULT, words + 3 * (_NUMBER.search(between) is not None)))


def _words_to(own: set[str], words: Sequence[str]) -> int:
    """The number of words up to the first that is one of the code."""
    for distance, word in enumerate(words[:_MOST]):
        if any(stem(piece) in own for piece in pieces(word)):
            return distance
    return _MOST
