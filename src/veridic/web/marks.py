"""The text under check, cut where claims begin and end, with the sign each verdict goes by."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from veridic.domain.consensus import ConsensusVerdict
from veridic.domain.document import Span
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.reporting.wording import TONES, Tone, verdict_word


@dataclass(frozen=True, slots=True)
class Sign:
    """A verdict as a reader sees it: never by its colour alone."""

    word: str
    marker: ConsensusVerdict
    """What stands in brackets behind the claim in the annotated text."""
    tone: Tone
    icon: str


_PLAIN = {
    ConsensusVerdict.VERIFIED: Sign("Verified", ConsensusVerdict.VERIFIED, Tone.GOOD, "supported"),
    ConsensusVerdict.DISPUTED: Sign("Disputed", ConsensusVerdict.DISPUTED, Tone.BAD, "refuted"),
    ConsensusVerdict.UNVERIFIABLE: Sign(
        "Unverifiable", ConsensusVerdict.UNVERIFIABLE, Tone.OPEN, "unverifiable"
    ),
}


def consensus_sign(verdict: ConsensusVerdict) -> Sign:
    return _PLAIN[verdict]


def canonical_sign(verdict: Verdict) -> Sign:
    return Sign(
        word=verdict_word(verdict),
        marker=ConsensusVerdict(say(verdict, Scale.CONSENSUS)),
        tone=TONES[verdict],
        icon=verdict.value.lower().replace("_", "-"),
    )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a claim stands in the text, and how it stands with it."""

    number: int
    span: Span
    sign: Sign | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of the text in which no claim begins or ends."""

    text: str
    claim: Place | None = None
    """The innermost claim it belongs to."""
    ends: tuple[Place, ...] = ()
    """The claims that end with it: where their numbers go."""


def stretches(text: str, places: Iterable[Place]) -> tuple[Stretch, ...]:
    """The whole text in pieces: joined, they are `text`. Places outside of it are left out."""
    inside = [place for place in places if 0 <= place.span[0] < place.span[1] <= len(text)]
    return tuple(_cut(text, inside))


def _cut(text: str, places: list[Place]) -> Iterator[Stretch]:
    beginning: defaultdict[int, list[Place]] = defaultdict(list)
    ending: defaultdict[int, list[Place]] = defaultdict(list)
    for place in places:
        beginning[place.span[0]].append(place)
        ending[place.span[1]].append(place)
    open_places: dict[Place, None] = {}
    for start, end in pairwise(sorted(beginning.keys() | ending.keys() | {0, len(text)})):
        for place in ending.get(start, ()):
            open_places.pop(place, None)
        open_places.update(dict.fromkeys(beginning.get(start, ())))
        yield Stretch(
            text=text[start:end],
            claim=min(open_places, key=_length, default=None),
            ends=tuple(sorted(ending.get(end, ()), key=lambda place: place.number)),
        )


def _length(place: Place) -> int:
    return place.span[1] - place.span[0]
