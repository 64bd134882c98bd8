"""From a claim to the passages that may bear on it, out of one corpus or several."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from veridic.domain.evidence import Found, Passage
from veridic.evidence.corpus import Corpus
from veridic.evidence.credibility import Credibility
from veridic.evidence.duplicates import group_copies
from veridic.evidence.index import QueryTerm, analyse
from veridic.evidence.query import Expand, make_questions

_OVERFETCH = 4
"""Passages asked of the index for each one wanted: copies drop out, and the most focused come first."""
_MOST_OF_A_KIND = 3
_NAMES_AND_FIGURES = re.compile(r"\b[A-Z]\w*|[\d,.]+")
_RANK_OFFSET = 10
"""How slowly a place in a ranking loses value: the first counts twice as much as the eleventh."""


class Retriever:
    """Finds passages in one corpus."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        credibility: Credibility,
        expand: Expand | None = None,
        as_of: date | None = None,
    ) -> None:
        """`expand` gives other names for what a text names; nothing dated after `as_of` is found."""
        self._corpus = corpus
        self._credibility = credibility
        self._expand = expand
        self._as_of = as_of

    @property
    def name(self) -> str:
        """What was searched, as a reader knows it."""
        return self._corpus.label

    def find(self, claim_text: str, limit: int) -> list[Found]:
        """The passages to read for a claim, most promising first, copies put together."""
        questions = make_questions(claim_text, self._expand)
        rankings = [self._corpus.search(terms, limit * _OVERFETCH, self._as_of) for terms in questions]
        distinct = group_copies(_vary(_fuse(questions, rankings)))[:limit]
        return [
            Found(self._rate(one.passage), tuple(map(self._credibility.rate, one.copied_in)))
            for one in distinct
        ]

    def _rate(self, passage: Passage) -> Passage:
        return passage.model_copy(update={"source": self._credibility.rate(passage.source)})


def choose_passages(
    claim_text: str, passages: Sequence[Passage], limit: int, expand: Expand | None = None
) -> list[Found]:
    """The best passages for a claim out of a few that no index ranks, best first, copies put together."""
    questions = make_questions(claim_text, expand)
    ranked = _fuse(questions, [passages] * len(questions))
    return [Found(one.passage, tuple(one.copied_in)) for one in group_copies(_vary(ranked))[:limit]]


def merge_found(results: Sequence[Sequence[Found]], limit: int) -> list[Found]:
    """What several corpora found for one claim as one ranking, with copies across corpora put together."""
    if len(results) == 1:
        return list(results[0][:limit])  # ranked, and its copies put together, by the retriever
    found = sorted(
        (one for result in results for one in result), key=lambda one: (-one.passage.score, one.passage.id)
    )
    copies = {one.passage.id: one.copies for one in found}
    merged = []
    for group in group_copies(one.passage for one in found)[:limit]:
        own = group.passage.source.location
        sources = [*copies[group.passage.id], *group.copied_in]
        sources += [source for copy in group.copies for source in copies[copy.id]]
        others = {source.location: source for source in sources}
        merged.append(Found(group.passage, tuple(source for place, source in others.items() if place != own)))
    return merged


def _vary(passages: Iterable[Passage]) -> Iterator[Passage]:
    """The passages without the many that say the same of one thing after another: all the borders of a
    country, all the years of a series. A few of a kind are enough, and leave room for other evidence."""
    seen: Counter[str] = Counter()
    for passage in passages:
        kind = _NAMES_AND_FIGURES.sub("", passage.text)
        seen[kind] += 1
        if seen[kind] <= _MOST_OF_A_KIND:
            yield passage


def _focus(there: set[str], wanted: Sequence[tuple[list[frozenset[str]], float]]) -> float:
    """From a half to 1: a passage that says little else than what is asked comes before one that does."""
    asked = {token for ways, _ in wanted for way in ways for token in way}
    return 0.5 + 0.5 * len(there & asked) / len(there) if there else 0.5


def _fuse(questions: Sequence[Sequence[QueryTerm]], rankings: Sequence[Sequence[Passage]]) -> list[Passage]:
    """One ranking out of those for each question.

    Scores of two queries, or of two indexes, can't be compared. A place in a ranking can, and so can
    the share of a question that a passage covers: a corpus that knows nothing of the matter does not
    get far by having a first place too.
    """
    passages: dict[str, Passage] = {}
    scores: dict[str, float] = defaultdict(float)
    tokens: dict[str, set[str]] = {}
    for terms, ranking in zip(questions, rankings, strict=True):
        wanted = [([frozenset(analyse(text)) for text in term.spellings], term.weight) for term in terms]
        total = sum(weight for _, weight in wanted)
        for rank, passage in enumerate(ranking):
            passages[passage.id] = passage
            if passage.id not in tokens:
                tokens[passage.id] = set(analyse(f"{passage.source.title} {passage.text}"))
            there = tokens[passage.id]
            covered = sum(weight for ways, weight in wanted if any(way <= there for way in ways))
            scores[passage.id] += covered / total * _focus(there, wanted) / (_RANK_OFFSET + rank)
    best_first = sorted(passages, key=lambda key: (-scores[key], key))
    return [passages[key].model_copy(update={"score": scores[key] / len(questions)}) for key in best_first]
