"""The embedded reader: passages in, for each of them what it says about the claim, and what all of it comes to."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from veridic.domain.evidence import Assessment, Passage, Stance
from veridic.judging.base import Belief, ClaimReading
from veridic.judging.belief import (
    UNREAD,
    Compared,
    Readings,
    Scope,
    believe,
    features,
    log_softmax,
    tempered,
)
from veridic.judging.comparison import compare, differing_names, names_any
from veridic.judging.excerpt import by_closeness
from veridic.judging.windows import Window, as_read, closest, joined, windows_of
from veridic.providers.embedded.base import PairModel
from veridic.text.names import Aliases, fold

SOURCES = 4
"""So many sources are read for a claim: those with the window that is closest to it in words."""
ROWS = 16
"""Of a reference work so many rows are read, each by itself."""
_ALONE = 3
"""Of each so many windows are also read by themselves: one of them is quoted."""
TAKES_A_SIDE = 0.4
"""How strong a source's own belief must be for it to count as speaking for or against the claim."""
REASONS = {
    Stance.SUPPORTING: "The source says so.",
    Stance.CONTRADICTING: "The source says otherwise.",
    Stance.CONTEXTUAL: "It is close, but does not settle the claim.",
}
"""What is said of a passage on each side."""


class _Read(NamedTuple):
    """The windows of one source, or one row of a reference work, read."""

    windows: tuple[Window, ...]
    readings: Readings
    compared: Compared
    is_row: bool

    @property
    def features(self) -> list[float]:
        return features(self.readings, self.compared)

    @property
    def open(self) -> float:
        """How far it leaves the claim open, as the network reads it: the lower, the more it tells."""
        return float(log_softmax(self.readings.together[None])[0][2])

    @property
    def takes_a_side(self) -> float:
        """How far it speaks for the claim, or against it."""
        return float(log_softmax(self.readings.together[None])[0][:2].max())


class EmbeddedJudge:
    """Keeps `Judge`, with the network in the package."""

    name = "embedded"

    def __init__(
        self, model: Callable[[], PairModel], subjects: Callable[[], Aliases] = lambda: Aliases({})
    ) -> None:
        """`subjects`: what the entries of reference works may be called."""
        self._model = model
        self._subjects = subjects

    def read(self, claim: str, passages: Sequence[Passage], context: str = "") -> ClaimReading:
        """See `Judge.read`."""
        sources = self._sources(claim, passages, context)
        if not sources:
            return ClaimReading(UNREAD, [_nothing(passage, is_about_it=False) for passage in passages])
        beliefs = _beliefs(sources)
        prose = [read for read in sources if not read.is_row]
        of_rows = [belief for belief, read in zip(beliefs, sources, strict=True) if read.is_row]
        of_prose = believe([_pooled(prose).features], Scope.CLAIM) if prose else []
        belief = min((*of_prose, *of_rows), key=lambda one: one.unsettled)
        sides = {
            window.passage: (of_source, read)
            for of_source, read in zip(beliefs, sources, strict=True)
            for window in read.windows
        }
        read = {passages[n].source.location for n in sides}
        return ClaimReading(
            belief,
            [
                _assessment(claim, n, *sides[n])
                if n in sides
                else _nothing(passage, is_about_it=passage.source.location in read)
                for n, passage in enumerate(passages)
            ],
        )

    def believe_sources(
        self, claim: str, passages: Sequence[Passage], context: str, *, among: Collection[str]
    ) -> dict[str, Belief]:
        """See `SourceJudge.believe_sources`."""
        sources: dict[str, list[tuple[Window, float]]] = {}
        for window, score in closest(claim, context, windows_of(passages)):
            location = passages[window.passage].source.location
            if location in among and not passages[window.passage].source.subject:
                sources.setdefault(location, []).append((window, score))
        if not sources:
            return {}
        return dict(zip(sources, _beliefs(self._read(claim, passages, list(sources.values()))), strict=True))

    def features(
        self, claim: str, passages: Sequence[Passage], context: str = ""
    ) -> tuple[list[float] | None, dict[str, list[float]]]:
        """What the decision rests on, for fitting it: of all sources (None where there is nothing to read), and of
        each by its location."""
        sources = self._sources(claim, passages, context)
        each = {passages[read.windows[0].passage].source.location: read.features for read in sources}
        return (_pooled(sources).features if sources else None), each

    def _sources(self, claim: str, passages: Sequence[Passage], context: str) -> list[_Read]:
        """The closest windows, read, source by source. Of a reference work it is the one row that the claim is about:
        among those of what it names, the one that takes a side most."""
        prose, rows = self._about_it(claim, passages)
        ranked = closest(claim, context, [w for w in windows_of(passages) if w.passage in prose | rows])
        sources: dict[str, list[tuple[Window, float]]] = {}
        entries: dict[int, list[tuple[Window, float]]] = {}
        for window, score in ranked:
            if window.passage in rows:
                entries.setdefault(window.passage, []).append((window, score))
            else:
                sources.setdefault(passages[window.passage].source.location, []).append((window, score))
        of_prose, of_rows = list(sources.values())[:SOURCES], list(entries.values())[:ROWS]
        if not of_prose and not of_rows:
            return []
        read = self._read(claim, passages, [*of_prose, *of_rows])
        found = read[: len(of_prose)]
        if of_rows:
            row = max(read[len(of_prose) :], key=lambda one: one.takes_a_side)
            found.append(row._replace(is_row=True))
        return found

    def _about_it(self, claim: str, passages: Sequence[Passage]) -> tuple[set[int], set[int]]:
        """Which passages may be about the claim: of prose, those of sources that have any of its names; of
        reference works, the rows of what it names. Anything else is about something else, however alike it sounds."""
        told: dict[str, list[str]] = {}
        for passage in passages:
            told.setdefault(passage.source.location, [passage.source.title]).append(passage.text)
        # By its own name: "the Omani rial" in a claim doesn't make it one about Oman.
        named = {
            mention.key
            for mention in self._subjects().find(claim)
            if fold(claim[slice(*mention.span)]) in (mention.key, mention.key.removeprefix("the "))
        }
        prose, rows = set(), set()
        for number, passage in enumerate(passages):
            subject = passage.source.subject
            if subject and fold(subject) in named:
                rows.add(number)
            elif not subject and names_any(claim, " ".join(told[passage.source.location])):
                prose.add(number)
        return prose, rows

    def _read(
        self, claim: str, passages: Sequence[Passage], groups: Sequence[Sequence[tuple[Window, float]]]
    ) -> list[_Read]:
        """Of each source its closest windows as one text, as the network was trained, and the first of them alone."""
        alone = [group[:_ALONE] for group in groups]
        texts = [_shown(passages[group[0][0].passage], joined([w for w, _ in group])) for group in groups]
        asked = [(claim, text) for text in texts]
        asked += [(claim, _shown(passages[w.passage], w.text)) for group in alone for w, _ in group]
        logits = self._model().logits(asked)
        ends = len(groups) + np.cumsum([len(group) for group in alone])
        return [
            _Read(
                tuple(window for window, _ in group),
                Readings(
                    logits[end - len(group) : end], np.array([score for _, score in group]), logits[number]
                ),
                _compared(claim, text, [window.text for window, _ in group]),
                is_row=False,
            )
            for number, (group, text, end) in enumerate(zip(alone, texts, ends, strict=True))
        ]


def _shown(passage: Passage, text: str) -> str:
    return as_read(passage.source.title, passage.date or passage.source.date, text)


def _compared(claim: str, together: str, windows: Sequence[str]) -> Compared:
    return Compared(
        compare(claim, together), max(compare(claim, text).agree for text in windows), len(claim.split())
    )


def _pooled(sources: Sequence[_Read]) -> _Read:
    """All sources as one; what was read together is that of the most telling one."""
    first = min(sources, key=lambda read: read.open)
    readings = Readings(
        np.concatenate([read.readings.windows for read in sources]),
        np.concatenate([read.readings.closeness for read in sources]),
        first.readings.together,
    )
    agree = max(read.compared.agree_in_one_window for read in sources)
    compared = first.compared._replace(agree_in_one_window=agree)
    return _Read(tuple(w for read in sources for w in read.windows), readings, compared, is_row=False)


def _beliefs(sources: Sequence[_Read]) -> list[Belief]:
    """What each source says by itself. The decision was fitted on prose; a row is a pair, as the network was trained on."""
    return [
        tempered(read.readings.together[None])[0]
        if read.is_row
        else believe([read.features], Scope.SOURCE)[0]
        for read in sources
    ]


def _assessment(claim: str, number: int, belief: Belief, read: _Read) -> Assessment:
    """What one passage says, by the belief in its source and its own most telling window."""
    own = [i for i, window in enumerate(read.windows) if window.passage == number]
    chances = np.exp(log_softmax(read.readings.windows))[own]
    supports = belief.supported >= belief.refuted
    column, chance = (0, belief.supported) if supports else (1, belief.refuted)
    best = int(chances[:, column].argmax())
    leads = chances[best, column] >= np.exp(log_softmax(read.readings.windows))[:, column].max() - 1e-9
    stance = Stance.CONTEXTUAL
    if chance >= TAKES_A_SIDE and (leads or chances[best, column] >= TAKES_A_SIDE):
        stance = Stance.SUPPORTING if supports else Stance.CONTRADICTING
    window = read.windows[own[best if stance is not Stance.CONTEXTUAL else int(chances[:, 2].argmin())]]
    quote = _quoted(claim, window)
    return Assessment(
        stance=stance,
        probability=round(chance if stance is not Stance.CONTEXTUAL else belief.unsettled, 4),
        quote=quote,
        reason=REASONS[stance],
        relevance=round(float(1 - chances[:, 2].min()), 4),
        specificity=round(chance, 4),
        differences=compare(claim, quote).differences
        + (differing_names(claim, quote) if read.is_row and stance is Stance.CONTRADICTING else ()),
    )


def _quoted(claim: str, window: Window) -> str:
    """The sentence of a window that is on the claim: the one before it may be what settled it."""
    sentences = [window.sentence, window.text.removesuffix(window.sentence).rstrip()]
    return sentences[by_closeness(claim, sentences)[0]]


def _nothing(passage: Passage, *, is_about_it: bool) -> Assessment:
    """Of a passage that was not read by itself."""
    return Assessment(
        stance=Stance.CONTEXTUAL,
        probability=1.0,
        quote=passage.text,
        reason="Others of its source are closer." if is_about_it else "It is about something else.",
        relevance=0.0,
        specificity=0.0,
    )
