"""The embedded reader: passages in, for each of them what it says about the claim, and what all of it comes to."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from veridic.domain.evidence import Assessment, Passage, Stance
from veridic.judging.base import Belief, ClaimReading
from veridic.judging.belief import UNREAD, Readings, believe, features, log_softmax
from veridic.judging.comparison import Comparison, compare, names_any
from veridic.judging.excerpt import by_closeness
from veridic.judging.windows import Window, as_read, closest, joined, windows_of
from veridic.providers.embedded.base import PairModel

SOURCES = 4
"""So many sources are read for a claim: those with the window that is closest to it in words."""
_ALONE = 3
"""Of each so many windows are also read by themselves: one of them is quoted."""
TAKES_A_SIDE = 0.6
"""How strong a source's own belief must be for it to count as speaking for or against the claim."""
REASONS = {
    Stance.SUPPORTING: "The source says so.",
    Stance.CONTRADICTING: "The source says otherwise.",
    Stance.CONTEXTUAL: "It is close, but does not settle the claim.",
}
"""What is said of a passage on each side."""


class _Read(NamedTuple):
    """The windows of one source, read."""

    windows: tuple[Window, ...]
    readings: Readings
    comparison: Comparison


class EmbeddedJudge:
    """Keeps `Judge`, with the network in the package."""

    name = "embedded"

    def __init__(self, model: Callable[[], PairModel]) -> None:
        self._model = model

    def read(self, claim: str, passages: Sequence[Passage], context: str = "") -> ClaimReading:
        """See `Judge.read`."""
        sources = self._sources(claim, passages, context)
        if not sources:
            return ClaimReading(UNREAD, [_nothing(passage) for passage in passages])
        beliefs = believe([_features(read) for read in (_pooled(sources), *sources)])
        sides = {
            window.passage: (belief, read)
            for belief, read in zip(beliefs[1:], sources, strict=True)
            for window in read.windows
        }
        return ClaimReading(
            beliefs[0],
            [_assessment(claim, n, passage, sides.get(n)) for n, passage in enumerate(passages)],
        )

    def features(self, claim: str, passages: Sequence[Passage], context: str = "") -> list[float] | None:
        """What the decision rests on, for fitting it; None where there is nothing to read."""
        sources = self._sources(claim, passages, context)
        return _features(_pooled(sources)) if sources else None

    def _sources(self, claim: str, passages: Sequence[Passage], context: str) -> list[_Read]:
        """The closest windows, read, source by source. A source that has none of the claim's names is about
        something else, however alike it sounds."""
        told: dict[str, list[str]] = {}
        for passage in passages:
            told.setdefault(passage.source.location, [passage.source.title]).append(passage.text)
        about_it = {place for place, texts in told.items() if names_any(claim, " ".join(texts))}
        windows = [w for w in windows_of(passages) if passages[w.passage].source.location in about_it]
        by_source: dict[str, list[tuple[Window, float]]] = {}
        for window, score in closest(claim, context, windows):
            by_source.setdefault(passages[window.passage].source.location, []).append((window, score))
        return self._read(claim, passages, list(by_source.values())[:SOURCES]) if by_source else []

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
                compare(claim, text),
            )
            for number, (group, text, end) in enumerate(zip(alone, texts, ends, strict=True))
        ]


def _shown(passage: Passage, text: str) -> str:
    return as_read(passage.source.title, passage.date or passage.source.date, text)


def _features(read: _Read) -> list[float]:
    return features(read.readings, read.comparison)


def _pooled(sources: Sequence[_Read]) -> _Read:
    """All sources as one; what was read together is that of the most telling one."""
    first = min(sources, key=lambda read: float(log_softmax(read.readings.together[None])[0][2]))
    readings = Readings(
        np.concatenate([read.readings.windows for read in sources]),
        np.concatenate([read.readings.closeness for read in sources]),
        first.readings.together,
    )
    return _Read(tuple(w for read in sources for w in read.windows), readings, first.comparison)


def _assessment(claim: str, number: int, passage: Passage, side: tuple[Belief, _Read] | None) -> Assessment:
    """What one passage says, by the belief in its source and its own most telling window."""
    if side is None:
        return _nothing(passage)
    belief, read = side
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
        differences=compare(claim, quote).differences,
    )


def _quoted(claim: str, window: Window) -> str:
    """The sentence of a window that is on the claim: the one before it may be what settled it."""
    sentences = [window.sentence, window.text.removesuffix(window.sentence).rstrip()]
    return sentences[by_closeness(claim, sentences)[0]]


def _nothing(passage: Passage) -> Assessment:
    return Assessment(
        stance=Stance.CONTEXTUAL,
        probability=1.0,
        quote=passage.text,
        reason="It is about something else.",
        relevance=0.0,
        specificity=0.0,
    )
