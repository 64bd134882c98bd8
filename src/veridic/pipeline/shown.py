"""What of the gathered evidence a language model is shown: every source once, with the sentences nearest to the question.

Tokens are paid for, and most of what a page says is about something else. All sources together get `EVIDENCE_CHARACTERS`;
those of the more promising half twice as much as the others; none more than the settings allow. What is left out is still
there when citations are checked.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.evidence import Channel, Found, Passage
from veridic.domain.search import Gathered
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.prompts.validation import ShownSource, channel_of

EVIDENCE_CHARACTERS = 14_000
_LEAST_CHARACTERS = 200
_CUT = " … "


class Shown(NamedTuple):
    sources: tuple[ShownSource, ...]
    found: Mapping[int, tuple[Found, ...]]
    """By the number of a source: everything that was found in it, best first."""

    def passages(self, number: int) -> tuple[Passage, ...]:
        return tuple(one.passage for one in self.found[number])


def choose_shown(question: str, gathered: Gathered, settings: Settings, as_of: date) -> Shown:
    """Sources numbered from 1 in the order of the channels, the most promising of each first."""
    by_source: dict[str, list[Found]] = {}
    for one in gathered.found:
        if not _is_of_the_future(one.passage, as_of):
            by_source.setdefault(one.passage.source.location, []).append(one)
    ranked = list(by_source.values())
    rooms = _rooms(len(ranked), settings.max_evidence_chars_per_source)
    order = list(Channel)
    in_sections = sorted(
        zip(ranked, rooms, strict=True), key=lambda pair: order.index(channel_of(pair[0][0].passage.source))
    )
    return Shown(
        tuple(
            _shown(number, question, own, room, settings) for number, (own, room) in enumerate(in_sections, 1)
        ),
        {number: tuple(own) for number, (own, _) in enumerate(in_sections, 1)},
    )


def _is_of_the_future(passage: Passage, as_of: date) -> bool:
    when = passage.date or passage.source.date
    return when is not None and when.first > as_of


def _rooms(sources: int, most: int) -> Iterator[int]:
    """How many characters each source gets, the most promising first."""
    preferred = (sources + 1) // 2
    share = EVIDENCE_CHARACTERS // max(1, preferred + sources)
    for place in range(sources):
        room = 2 * share if place < preferred else share
        yield min(most, max(_LEAST_CHARACTERS, room))


class _Part(NamedTuple):
    place: int
    passage: int
    text: str


def _shown(number: int, question: str, found: Sequence[Found], room: int, settings: Settings) -> ShownSource:
    texts = [(passage, text) for passage, one in enumerate(found) for text in _parts(one.passage)]
    parts = [_Part(place, *numbered) for place, numbered in enumerate(texts)]
    by_passage: dict[int, list[_Part]] = {}
    for part in _nearest(question, parts, room):
        by_passage.setdefault(part.passage, []).append(part)
    first, *others = by_passage.values()
    return ShownSource(
        number=number,
        source=found[0].passage.source,
        content=_joined(first, room),
        highlights=tuple(
            _joined(chosen, settings.max_highlight_chars)
            for chosen in others[: settings.max_highlights_per_source]
        ),
    )


def _parts(passage: Passage) -> list[str]:
    return split_parts(passage.text) or [passage.text]


def _nearest(question: str, parts: Sequence[_Part], room: int) -> list[_Part]:
    """As many parts as there is room for, those nearest to the question, in their order; at least one."""
    chosen: list[_Part] = []
    for index in by_closeness(question, [part.text for part in parts]):
        length = len(parts[index].text)
        if length <= room or not chosen:
            chosen.append(parts[index])
            room -= length
    return sorted(chosen)


def _joined(parts: Sequence[_Part], most: int) -> str:
    """As many as there is room for, with a mark where something is left out."""
    text = parts[0].text if len(parts[0].text) <= most else f"{parts[0].text[:most].rstrip()}{_CUT}"
    for before, part in pairwise(parts):
        joined = f"{text} {part.text}" if part.place == before.place + 1 else f"{text}{_CUT}{part.text}"
        if len(joined) > most:
            break
        text = joined
    return text
