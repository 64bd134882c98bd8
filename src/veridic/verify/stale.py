"""Documents that still say what a change has made false.

A change took a value or a name away, and the names around it say what it belonged to. A sentence, row or line that has the old one and speaks of
what it belonged to is a candidate. How likely it is false now say trees that were fitted on changes to public projects (`training/stale.py`).
No grammar of prose is needed for this, nor a model of any framework.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.verify.changed import Change, Derived, written_lines
from veridic.verify.correctable import is_correctable
from veridic.verify.features import Place, compared, features_of, is_named
from veridic.verify.likelihood import likelihood
from veridic.verify.owners import Uses, owners_of
from veridic.verify.places import Documents, units_in
from veridic.verify.revisions import Revised, find_changes, is_document, is_looked_at
from veridic.verify.source_text import TokenKind, read_source
from veridic.verify.spellings import spellings
from veridic.verify.surroundings import Surroundings
from veridic.verify.units import Unit

SURE, UNSURE = 0.9, 0.6
"""From where on a place is reported, and reported to who asks for all. In projects that the trees were not fitted on 94 percent of the
places from 0.9 on are out of date, and 88 percent of those from 0.6 on (`training/stale.py` prints it)."""
_MOST_PLACES = 400
"""A value that stands in more places is no help in finding any."""
_MOST_CHANGES = 2_000
_MOST_RIVALS = 30
_LEAST_RIVAL = 3
"""Characters of a value that is looked for in all of the code."""
_LEAST_LISTED = 2


class Candidate(NamedTuple):
    """A place that has an old value or name."""

    change: Change
    unit: Unit
    written: str
    """The old one as the unit has it."""
    features: tuple[float, ...]
    is_exact_swap: bool = False
    """The new literal can be written in its place, if it is out of date."""


class Stale(NamedTuple):
    change: Change
    unit: Unit
    written: str
    likelihood: float
    is_correctable: bool
    """It is sure, and writing `change.new` for `written` puts it right."""


def find_stale(revised: Sequence[Revised], now: Mapping[str, str]) -> list[Stale]:
    """The places that are likely out of date, in the order of their files, each with the change that tells most.

    `now` has the text of every file as it is.
    """
    best: dict[tuple[str, int, str], Stale] = {}
    for candidate in find_candidates(revised, now):
        chance = likelihood(candidate.features)
        found = Stale(*candidate[:3], chance, candidate.is_exact_swap and chance >= SURE)
        place = (found.unit.path, found.unit.line, found.written)
        if found.likelihood > (best[place].likelihood if place in best else 0.0):
            best[place] = found
    return [best[place] for place in sorted(best)]


def find_candidates(revised: Sequence[Revised], now: Mapping[str, str]) -> list[Candidate]:
    """Every place that has an old value or name and that the change did not write, with what speaks for its being out of date."""
    there = {PurePosixPath(path).name for path in now}
    changes = [
        change for change in find_changes(revised) if not (_is_of_file(change) and change.old in there)
    ]
    if not changes:
        return []
    search = _Search(revised, changes[:_MOST_CHANGES], now)
    return [candidate for change in changes[:_MOST_CHANGES] for candidate in search.candidates(change)]


class _Search:
    """For places that may be out of date after a change."""

    def __init__(self, revised: Sequence[Revised], changes: Sequence[Change], now: Mapping[str, str]) -> None:
        self._documents = Documents(now, changes)
        self._uses = Uses(self._documents.texts, self._documents.code_that_may_have)
        self._written = _Written(revised)
        self._rivals = _Rivals(revised)
        self._still: dict[str, int] = {}
        self._news: dict[str, set[str | None]] = {}
        for change in changes:
            if change.derived is Derived.NOT:
                self._news.setdefault(change.old, set()).add(change.new)

    def candidates(self, change: Change) -> list[Candidate]:
        units = self._documents.units
        hits = [
            hit for hit in _hits(change, self._documents) if self._may_be_stale(units[hit.number], change)
        ]
        places = len(hits)
        if places > _MOST_PLACES:
            hits = [hit for hit in hits if is_named(change.near, units[hit.number].text)]
        if not 0 < len(hits) <= _MOST_PLACES:
            return []
        change = change._replace(owners=owners_of(change, self._uses))
        rivals = list(self._rivals.of(change))
        if len(change.old) >= _LEAST_RIVAL:
            rivals += self._uses.of(change.old)
        still = [self._files_with(hit.written, change) for hit in hits]
        features = [
            features_of(Place(change, *hit, places, files, rivals), self._documents)
            for hit, files in zip(hits, still, strict=True)
        ]
        news = self._news.get(change.old, ())
        return [
            Candidate(
                change,
                units[hit.number],
                hit.written,
                values,
                is_correctable(change, units[hit.number], hit.written, files, news),
            )
            for hit, files, values in zip(hits, still, compared(features), strict=True)
        ]

    def _may_be_stale(self, unit: Unit, change: Change) -> bool:
        return not self._written.has(unit) and _lists_the_others(unit, change)

    def _files_with(self, written: str, change: Change) -> int:
        """How many files of the code still have a name or a text; numbers are everywhere."""
        if change.kind is TokenKind.NUMBER:
            return self._still.get(written, 0)
        if written not in self._still:
            self._still[written] = len(self._documents.code_with(written))
        return self._still[written]


def _is_of_file(change: Change) -> bool:
    """Whether it is the name of a file that is gone."""
    return change.quote_old == change.path and PurePosixPath(change.path).name == change.old


class _Hit(NamedTuple):
    number: int
    """Of the unit."""
    written: str
    start: int
    is_exact: bool


def _hits(change: Change, documents: Documents) -> Iterator[_Hit]:
    seen: set[int] = set()
    for spelling in spellings(change.old, change.kind, change.unit):
        for number, written in documents.having(spelling):
            if number not in seen:
                seen.add(number)
                yield _Hit(number, written, documents.units[number].text.find(written), spelling.is_exact)


class _Written:
    """What the change wrote itself."""

    def __init__(self, revised: Sequence[Revised]) -> None:
        self._lines = {path: written_lines(before, after) for path, before, after in revised}
        self._before = {path: before for path, before, _ in revised}
        self._said: dict[str, set[str]] = {}

    def has(self, unit: Unit) -> bool:
        """Whether whoever made the change has just written this: not if it was there before, beside what was changed."""
        if self._lines.get(unit.path, set()).isdisjoint(range(unit.line, unit.end_line + 1)):
            return False
        if unit.path not in self._said:
            before = self._before[unit.path]
            self._said[unit.path] = {one.text for one in units_in(unit.path, before)} if before else set()
        return unit.text not in self._said[unit.path]


def _lists_the_others(unit: Unit, change: Change) -> bool:
    """Of a list that has got a member: whether this has some of the old ones and not the new one."""
    if change.derived is not Derived.LIST:
        return True
    there = sum(1 for member in set(change.siblings) if member in unit.text)
    return there >= min(_LEAST_LISTED, len(set(change.siblings))) and str(change.new) not in unit.text


class _Rivals:
    """Other places in the changed files that have a value: a document may speak of one of them."""

    def __init__(self, revised: Sequence[Revised]) -> None:
        self._files = []
        for path, _, after in revised:
            if after is not None and is_looked_at(path) and not is_document(path):
                tokens = read_source(path, after).tokens
                self._files.append((tokens, Surroundings(tokens, after.split("\n"))))
        self._known: dict[str, list[tuple[str, ...]]] = {}

    def of(self, change: Change) -> list[tuple[str, ...]]:
        if change.old not in self._known:
            self._known[change.old] = [
                surroundings.near(index)
                for tokens, surroundings in self._files
                for index, token in enumerate(tokens)
                if token.text == change.old
            ][:_MOST_RIVALS]
        return self._known[change.old]
