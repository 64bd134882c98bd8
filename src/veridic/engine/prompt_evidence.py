"""Chooses which of the gathered evidence goes into a prompt: every source once, in a stable order.

The evidence for a claim is usually a few short documents. They go in whole, in an order that is the same for every claim: nothing decisive
is cut, and a provider that caches prompts by their prefix processes them once for the whole article. If there is more than `ROOM`,
every source gets room for its best passage, at most `_EACH` characters; the rest of the room goes to whole passages, in the order in which
they were found, from any source. Evidence that is left out of the prompt is still used when citations are checked.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.evidence import Found, Passage
from veridic.domain.search import Gathered
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.prompts.validation import PromptSource, Section, section_of

ROOM = 8_000
"""Characters of evidence in a prompt, about 2,000 tokens."""
_EACH = 240
"""Characters that every source gets, however many sources there are."""
_ADJACENT = 8
"""Characters between two consecutive passages: white space, a list marker."""
_CUT = " … "


class PromptEvidence(NamedTuple):
    sources: tuple[PromptSource, ...]
    found: Mapping[int, tuple[Found, ...]]
    """By the number of a source: everything found in it, best first."""
    promising: tuple[int, ...]
    """The numbers of all sources in the order in which they were found: a model most likely cites the first ones."""

    def passages(self, number: int) -> tuple[Passage, ...]:
        return tuple(one.passage for one in self.found[number])


def choose_prompt_evidence(
    question: str, gathered: Gathered, settings: Settings, as_of: date
) -> PromptEvidence:
    """Number sources from 1 in the order of their sections; by date if all of them fit whole, else the most promising first."""
    found = [one for one in gathered.found if not _is_of_the_future(one.passage, as_of)]
    rest = [Found(one) for one in gathered.rest if not _is_of_the_future(one, as_of)]
    by_source = _by_source([*found, *rest])
    if sum(len(one.passage.text) for own in by_source.values() for one in own) <= ROOM:
        chosen = {one.passage.id: one.passage.text for own in by_source.values() for one in own}
        places = sorted(by_source, key=lambda place: by_date(by_source[place][0].passage))
    else:
        places = list(_by_source(found))
        ranked = [one for one in (*found, *rest) if one.passage.source.location in places]
        chosen = _choose(question, ranked, settings.max_evidence_chars_per_source)
    sections = {place: section_of(by_source[place][0].passage.source, gathered.searches) for place in places}
    order = list(Section)
    ranks = {place: rank for rank, place in enumerate(by_source)}
    places.sort(key=lambda place: order.index(sections[place]))
    return PromptEvidence(
        tuple(
            _prompt_source(number, by_source[place], chosen, settings)._replace(section=sections[place])
            for number, place in enumerate(places, 1)
        ),
        {number: tuple(by_source[place]) for number, place in enumerate(places, 1)},
        tuple(sorted(range(1, len(places) + 1), key=lambda number: ranks[places[number - 1]])),
    )


def by_date(passage: Passage) -> tuple[str, str]:
    """Return a sort key for sources that does not depend on the question."""
    return str(passage.source.date or ""), passage.source.location


def _by_source(found: Sequence[Found]) -> dict[str, list[Found]]:
    by_source: dict[str, list[Found]] = {}
    for one in found:
        by_source.setdefault(one.passage.source.location, []).append(one)
    return by_source


def _is_of_the_future(passage: Passage, as_of: date) -> bool:
    when = passage.date or passage.source.date
    return when is not None and when.first > as_of


def _choose(question: str, found: Sequence[Found], most: int) -> dict[str, str]:
    """Return the text to show, by passage id: the whole passage, or an excerpt of a source's best passage if there is no more room."""
    taken: dict[str, int] = {}
    chosen: dict[str, str] = {}
    for one in found:
        place = one.passage.source.location
        if place not in taken:
            text = _nearest(question, one.passage.text, min(_EACH, most))
            chosen[one.passage.id], taken[place] = text, len(text)
    left = ROOM - sum(taken.values())
    for one in found:
        place, text = one.passage.source.location, one.passage.text
        more = len(text) - len(chosen.get(one.passage.id, ""))
        if more <= left and taken[place] + more <= most:
            chosen[one.passage.id] = text
            taken[place] += more
            left -= more
    return chosen


def _nearest(question: str, text: str, room: int) -> str:
    """Return the sentences nearest to the question that fit, in their order; at least part of one."""
    if len(text) <= room:
        return text
    parts = split_parts(text) or [text]
    chosen: set[int] = set()
    left = room
    for index in by_closeness(question, parts):
        if len(parts[index]) <= left:
            chosen.add(index)
            left -= len(parts[index])
    if not chosen:
        (first, *_) = by_closeness(question, parts)
        return f"{parts[first][:room].rstrip()}{_CUT}".rstrip()
    return "".join(
        f"{'' if index == min(chosen) else ' ' if index - 1 in chosen else _CUT}{parts[index]}"
        for index in sorted(chosen)
    )


class _Window(NamedTuple):
    """Consecutive passages of a source."""

    best: int
    """The rank of the best of them; 0 is best."""
    text: str


def _prompt_source(
    number: int, found: Sequence[Found], chosen: Mapping[str, str], settings: Settings
) -> PromptSource:
    ranked = [one.passage for one in found if one.passage.id in chosen]
    windows = _windows(ranked, chosen)
    is_whole = len(ranked) == len(found)
    best = min(windows)
    others = [window.text for window in windows if window is not best]
    if is_whole or len(others) > settings.max_highlights_per_source:
        return PromptSource(number, found[0].passage.source, _CUT.join(window.text for window in windows))
    return PromptSource(number, found[0].passage.source, best.text, tuple(others))


def _windows(ranked: Sequence[Passage], chosen: Mapping[str, str]) -> list[_Window]:
    """Join consecutive passages; returns windows in the order of the source."""
    windows: list[_Window] = []
    end: int | None = None
    in_order = sorted(enumerate(ranked), key=lambda pair: (pair[1].start, pair[1].end))
    for rank, passage in in_order:
        text = chosen[passage.id]
        if windows and end is not None and 0 <= passage.start - end <= _ADJACENT:
            windows[-1] = _Window(min(windows[-1].best, rank), f"{windows[-1].text} {text}")
        else:
            windows.append(_Window(rank, text))
        end = passage.end
    return windows
