"""The text under check, cut where claims begin and end, with the sign each verdict goes by."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from veridic.domain.consensus import ConsensusVerdict
from veridic.domain.document import Document, Span
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.ingest.formats import MARKDOWN
from veridic.reporting.wording import TONES, Tone, document_verdict_word, verdict_word


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


def article_sign(verdict: Verdict) -> Sign:
    """The whole text's verdict, on the scale of summary and thorough mode: True, False, Misleading, Unverifiable."""
    return replace(canonical_sign(verdict), word=document_verdict_word(verdict))


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


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Stretches that are read together."""

    kind: str
    """The document's word for it; `text` where a text is shown just as it stands."""
    stretches: tuple[Stretch, ...]


def marked_blocks(document: Document, places: Iterable[Place]) -> tuple[TextBlock, ...]:
    """The text as a reader sees it: Markdown by its blocks and without its marks, any other just as it stands."""
    if document.media_type != MARKDOWN or not document.blocks:
        return (TextBlock("text", stretches(document.text, places)),)
    pieces = _without_marks(document, places)
    return tuple(
        TextBlock(block.kind.value, tuple(piece for run in block.runs for piece in pieces[run]))
        for block in document.blocks
    )


def _without_marks(document: Document, places: Iterable[Place]) -> dict[Span, list[Stretch]]:
    """The stretches of each run. A claim that ends between two runs has its number behind the first."""
    runs = sorted(run for block in document.blocks for run in block.runs)
    pieces: dict[Span, list[Stretch]] = {run: [] for run in runs}
    cuts = {offset for run in runs for offset in run}
    waiting = iter(runs)
    run = next(waiting, None)
    last: list[Stretch] = []
    for start, stretch in _cut(document.text, _inside(document.text, places), cuts):
        while run is not None and run[1] <= start:
            run = next(waiting, None)
        if run is not None and run[0] <= start:
            last = pieces[run]
            last.append(stretch)
        elif stretch.ends and last:
            last[-1] = replace(last[-1], ends=(*last[-1].ends, *stretch.ends))
    return pieces


def stretches(text: str, places: Iterable[Place]) -> tuple[Stretch, ...]:
    """The whole text in pieces: joined, they are `text`. Places outside of it are left out."""
    return tuple(stretch for _, stretch in _cut(text, _inside(text, places)))


def _inside(text: str, places: Iterable[Place]) -> list[Place]:
    return [place for place in places if 0 <= place.span[0] < place.span[1] <= len(text)]


def _cut(text: str, places: list[Place], cuts: Collection[int] = ()) -> Iterator[tuple[int, Stretch]]:
    """Where each stretch begins, and the stretch; cut at `cuts` too."""
    beginning: defaultdict[int, list[Place]] = defaultdict(list)
    ending: defaultdict[int, list[Place]] = defaultdict(list)
    for place in places:
        beginning[place.span[0]].append(place)
        ending[place.span[1]].append(place)
    open_places: dict[Place, None] = {}
    for start, end in pairwise(sorted({*beginning, *ending, *cuts, 0, len(text)})):
        for place in ending.get(start, ()):
            open_places.pop(place, None)
        open_places.update(dict.fromkeys(beginning.get(start, ())))
        yield (
            start,
            Stretch(
                text=text[start:end],
                claim=min(open_places, key=_length, default=None),
                ends=tuple(sorted(ending.get(end, ()), key=lambda place: place.number)),
            ),
        )


def _length(place: Place) -> int:
    return place.span[1] - place.span[0]
