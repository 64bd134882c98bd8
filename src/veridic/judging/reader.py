"""The embedded reader: reads passages against a claim, each alone and all together."""

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
from veridic.judging.comparison import agreeing, compare, differing_names, names_any, prepare
from veridic.judging.excerpt import by_closeness, excerpt
from veridic.judging.windows import Window, as_read, closest, joined, windows_of
from veridic.providers.embedded.base import PairModel
from veridic.text.names import Aliases, fold

SOURCES = 4
"""How many sources are read for a claim: those with the windows closest to it."""
ROWS = 16
"""How many rows of a reference work are read, each alone."""
_SOURCES_READ_ALONE = 2
"""How many sources have windows read alone: the most decisive when their closest windows are read together."""
_WINDOWS_READ_ALONE = 2
"""How many windows of each of them are read alone."""
TAKES_A_SIDE = 0.4
"""The belief in a source from which it counts as supporting or contradicting the claim."""
REASONS = {
    Stance.SUPPORTING: "The source says so.",
    Stance.CONTRADICTING: "The source says otherwise.",
    Stance.CONTEXTUAL: "It is close, but does not settle the claim.",
}
"""The reason given for each stance."""


class _Read(NamedTuple):
    """The readings of the windows of one source, or of one row of a reference work."""

    windows: tuple[Window, ...]
    readings: Readings
    compared: Compared
    is_row: bool

    @property
    def features(self) -> list[float]:
        return features(self.readings, self.compared)

    @property
    def open(self) -> float:
        """The network's score that it leaves the claim open; the lower, the more decisive."""
        return float(log_softmax(self.readings.together[None])[0][2])


class EmbeddedJudge:
    """A `Judge` with the network in the package."""

    name = "embedded"

    def __init__(
        self, model: Callable[[], PairModel], subjects: Callable[[], Aliases] = lambda: Aliases({})
    ) -> None:
        """`subjects` are the names of entries of reference works."""
        self._model = model
        self._subjects = subjects

    def read(self, claim: str, passages: Sequence[Passage], context: str = "") -> ClaimReading:
        """See `Judge.read`."""
        prose, rows = self._sources(claim, passages, context)
        if not prose and not rows:
            return ClaimReading(UNREAD, [_not_read(passage, is_about_it=False) for passage in passages])
        source_beliefs = list(
            zip(believe([read.features for read in prose], Scope.SOURCE), prose, strict=True)
        )
        of_claim = believe([_pooled(prose).features], Scope.CLAIM) if prose else []
        if rows:
            of_rows = zip(believe([read.features for read in rows], Scope.ROW), rows, strict=True)
            row = min(of_rows, key=lambda one: one[0].unsettled)
            source_beliefs.append(row)
            of_claim.append(row[0])
        belief = min(of_claim, key=lambda one: one.unsettled)
        sides = {window.passage: (own, read) for own, read in source_beliefs for window in read.windows}
        read = {passages[n].source.location for n in sides}
        return ClaimReading(
            belief,
            [
                _assessment(claim, n, *sides[n])
                if n in sides
                else _not_read(passage, is_about_it=passage.source.location in read)
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
        read = self._read(claim, passages, list(sources.values()), candidates=len(sources))
        return dict(zip(sources, believe([one.features for one in read], Scope.SOURCE), strict=True))

    def features(
        self, claim: str, passages: Sequence[Passage], context: str = ""
    ) -> tuple[list[float] | None, dict[str, list[float]]]:
        """Return the features to fit the decision on: those of all prose (None if there is none to read), and those of each source by
        location; for a reference work, those of each row by the passage's id."""
        prose, rows = self._sources(claim, passages, context)
        each = {passages[read.windows[0].passage].source.location: read.features for read in prose}
        each |= {passages[read.windows[0].passage].id: read.features for read in rows}
        return (_pooled(prose).features if prose else None), each

    def _sources(
        self, claim: str, passages: Sequence[Passage], context: str
    ) -> tuple[list[_Read], list[_Read]]:
        """Read the closest windows: prose source by source, reference works row by row."""
        prose, rows = self._relevant(claim, passages)
        ranked = closest(claim, context, [w for w in windows_of(passages) if w.passage in prose | rows])
        sources: dict[str, list[tuple[Window, float]]] = {}
        entries: dict[int, list[tuple[Window, float]]] = {}
        for window, score in ranked:
            if window.passage in rows:
                entries.setdefault(window.passage, []).append((window, score))
            else:
                sources.setdefault(passages[window.passage].source.location, []).append((window, score))
        of_prose, of_rows = list(sources.values())[:SOURCES], list(entries.values())[:ROWS]
        read = self._read(claim, passages, [*of_prose, *of_rows], candidates=len(of_prose))
        return read[: len(of_prose)], [one._replace(is_row=True) for one in read[len(of_prose) :]]

    def _relevant(self, claim: str, passages: Sequence[Passage]) -> tuple[set[int], set[int]]:
        """Return the passages that may be about the claim: prose from sources that contain any of its names, and rows of reference works
        on what it names. All others are about something else, however similar they sound."""
        texts_of_source: dict[str, list[str]] = {}
        for passage in passages:
            texts_of_source.setdefault(passage.source.location, [passage.source.title]).append(passage.text)
        # Only by the subject's own name: "the Omani rial" in a claim doesn't make it about Oman.
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
            elif not subject and names_any(claim, " ".join(texts_of_source[passage.source.location])):
                prose.add(number)
        return prose, rows

    def _read(
        self,
        claim: str,
        passages: Sequence[Passage],
        groups: Sequence[Sequence[tuple[Window, float]]],
        *,
        candidates: int,
    ) -> list[_Read]:
        """Read the closest windows of each source as one text, as the network was trained. Of the first `candidates` sources, the most
        decisive ones also have their first windows read alone."""
        if not groups:
            return []
        texts = [_as_read(passages[group[0][0].passage], joined([w for w, _ in group])) for group in groups]
        together = self._model().logits([(claim, text) for text in texts])
        openness = log_softmax(together[:candidates])[:, 2] if candidates else np.zeros(0)
        chosen = sorted(np.argsort(openness, kind="stable")[:_SOURCES_READ_ALONE].tolist())
        alone = {number: groups[number][:_WINDOWS_READ_ALONE] for number in chosen}
        asked = [(claim, _as_read(passages[w.passage], w.text)) for group in alone.values() for w, _ in group]
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


def _as_read(passage: Passage, text: str) -> str:
    return as_read(passage.source.title, passage.date or passage.source.date, text)


def _compared(claim: str, together: str, windows: Sequence[str]) -> Compared:
    in_one_window = max(agreeing(claim, text) for text in windows)
    return Compared(compare(claim, together), in_one_window, len(claim.split()))


def _pooled(sources: Sequence[_Read]) -> _Read:
    """Combine all sources in one; the joint reading is that of the most decisive one."""
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
    """Assess one passage by the belief in its source and its own most decisive window."""
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
    """Return the sentence of a window that is closest to the claim; it may be the one before."""
    sentences = [window.sentence, window.before]
    return sentences[by_closeness(claim, sentences)[0]]


def _not_read(passage: Passage, *, is_about_it: bool) -> Assessment:
    """Return the assessment of a passage that was not read alone."""
    return Assessment(
        stance=Stance.CONTEXTUAL,
        probability=1.0,
        quote=passage.text,
        reason="Others of its source are closer." if is_about_it else "It is about something else.",
        relevance=0.0,
        specificity=0.0,
    )


class PairReader:
    """A `PairJudge` that reads all evidence of a pair as one text; of long evidence the closest sentences."""

    name = "embedded"

    def __init__(self, model: PairModel) -> None:
        self._model = model

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """See `PairJudge.believe`."""
        read = [(claim, excerpt(claim, passages)) for claim, passages in pairs]
        if not read:
            return []
        beliefs = tempered(self._model.logits(read))
        return [
            belief if evidence.strip() else UNREAD
            for belief, (_, evidence) in zip(beliefs, read, strict=True)
        ]
