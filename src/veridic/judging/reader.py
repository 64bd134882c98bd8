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
)
from veridic.judging.comparison import agreeing, compare, differing_names, names_any, prepare
from veridic.judging.excerpt import by_closeness
from veridic.judging.windows import Window, as_read, closest, joined, windows_of
from veridic.providers.embedded.base import PairModel
from veridic.text.names import Aliases, fold

SOURCES = 4
"""So many sources are read for a claim: those with the window that is closest to it in words."""
ROWS = 16
"""Of a reference work so many rows are read, each by itself."""
_TELLING = 2
"""Of so many sources, those that tell most when their closest windows are read together, windows are also read alone."""
_ALONE = 2
"""So many windows of each."""
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
        prose, rows = self._sources(claim, passages, context)
        if not prose and not rows:
            return ClaimReading(UNREAD, [_nothing(passage, is_about_it=False) for passage in passages])
        told = list(zip(believe([read.features for read in prose], Scope.SOURCE), prose, strict=True))
        of_claim = believe([_pooled(prose).features], Scope.CLAIM) if prose else []
        if rows:
            of_rows = zip(believe([read.features for read in rows], Scope.ROW), rows, strict=True)
            row = min(of_rows, key=lambda one: one[0].unsettled)
            told.append(row)
            of_claim.append(row[0])
        belief = min(of_claim, key=lambda one: one.unsettled)
        sides = {window.passage: (own, read) for own, read in told for window in read.windows}
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
        read = self._read(claim, passages, list(sources.values()), telling=len(sources))
        return dict(zip(sources, believe([one.features for one in read], Scope.SOURCE), strict=True))

    def features(
        self, claim: str, passages: Sequence[Passage], context: str = ""
    ) -> tuple[list[float] | None, dict[str, list[float]]]:
        """What the decision rests on, for fitting it: of all prose (None where there is none to read), and of each
        source by its location; of a reference work, of each row by the passage's id."""
        prose, rows = self._sources(claim, passages, context)
        each = {passages[read.windows[0].passage].source.location: read.features for read in prose}
        each |= {passages[read.windows[0].passage].id: read.features for read in rows}
        return (_pooled(prose).features if prose else None), each

    def _sources(
        self, claim: str, passages: Sequence[Passage], context: str
    ) -> tuple[list[_Read], list[_Read]]:
        """The closest windows, read: of prose source by source, of a reference work row by row."""
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
        read = self._read(claim, passages, [*of_prose, *of_rows], telling=len(of_prose))
        return read[: len(of_prose)], [one._replace(is_row=True) for one in read[len(of_prose) :]]

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
        self,
        claim: str,
        passages: Sequence[Passage],
        groups: Sequence[Sequence[tuple[Window, float]]],
        *,
        telling: int,
    ) -> list[_Read]:
        """Of each source its closest windows as one text, as the network was trained. Of the first `telling` sources those
        that tell most have their first windows read alone, too."""
        if not groups:
            return []
        texts = [_shown(passages[group[0][0].passage], joined([w for w, _ in group])) for group in groups]
        together = self._model().logits([(claim, text) for text in texts])
        openness = log_softmax(together[:telling])[:, 2] if telling else np.zeros(0)
        chosen = sorted(np.argsort(openness, kind="stable")[:_TELLING].tolist())
        alone = {number: groups[number][:_ALONE] for number in chosen}
        asked = [(claim, _shown(passages[w.passage], w.text)) for group in alone.values() for w, _ in group]
        logits = iter(self._model().logits(asked) if asked else ())
        prepare(claim, texts)
        read = []
        for number, group in enumerate(groups):
            own = alone.get(number, group[:1])
            by_window = [next(logits) for _ in own] if number in alone else [together[number]]
            closeness = np.array([score for _, score in own])
            compared = _compared(claim, texts[number], [window.text for window, _ in own])
            readings = Readings(np.array(by_window), closeness, together[number])
            read.append(_Read(tuple(window for window, _ in own), readings, compared, is_row=False))
        return read


def _shown(passage: Passage, text: str) -> str:
    return as_read(passage.source.title, passage.date or passage.source.date, text)


def _compared(claim: str, together: str, windows: Sequence[str]) -> Compared:
    in_one_window = max(agreeing(claim, text) for text in windows)
    return Compared(compare(claim, together), in_one_window, len(claim.split()))


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
    sentences = [window.sentence, window.before]
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
