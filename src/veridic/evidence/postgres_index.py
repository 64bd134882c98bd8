"""Searches the passages of a corpus in PostgreSQL, and ranks them as the local index does.

The words are stemmed here, by the analyser of the local index, and kept as a `tsvector`: those of the text with weight D, those
of the title with weight A. PostgreSQL's own ranking doesn't know how rare a word is. So the database finds the best passages by
BM25 as if each word occurred once in a passage, and the best of those are ranked here by how often it does.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from veridic.domain.errors import StorageError
from veridic.domain.evidence import Passage
from veridic.evidence.index import (
    ANYWHERE,
    MAX_PHRASE_TOKENS,
    MAX_TERMS,
    TIE_BREAKER,
    TITLE_WEIGHT,
    QueryTerm,
    Within,
    analyse,
    rarity,
)
from veridic.evidence.item_text import ItemText

_TEXT, _TITLE = "D", "A"
_K1, _B = 1.2, 0.75
_CANDIDATES = 4
"""So many times the passages that are wanted are ranked exactly,"""
_FEWEST_CANDIDATES = 200
"""and at least so many."""
_LAST_POSITION = 16383
"""What a `tsvector` can hold."""
_FIRST_INEXACT_LENGTH = 24

_HERE = "corpus = :corpus AND born <= :state AND (died IS NULL OR died > :state)"

_FREQUENCIES = f"""
SELECT asked.word, (SELECT count(*) FROM corpus_passages WHERE {_HERE} AND words @@ CAST(asked.word AS tsquery)) AS found
FROM unnest(CAST(:asked AS text[])) AS asked(word)
"""  # noqa: S608  nothing but constants

_BEST = f"""
WITH way AS MATERIALIZED (
    SELECT clause, CAST(query AS tsquery) AS query, in_title, levelled, score
    FROM unnest(
        CAST(:clauses AS integer[]), CAST(:queries AS text[]), CAST(:in_title AS boolean[]),
        CAST(:levelled AS boolean[]), CAST(:scores AS double precision[])
    ) AS asked(clause, query, in_title, levelled, score)
), matched AS (
    SELECT one.id, way.clause,
        max(way.score * length.norm) FILTER (WHERE NOT way.in_title) AS text_score,
        max(way.score * length.norm) FILTER (WHERE way.in_title) AS title_score
    FROM way JOIN corpus_passages AS one ON one.words @@ way.query
    CROSS JOIN LATERAL (SELECT CASE WHEN way.levelled THEN 1.0 ELSE {_K1 + 1} / (1 + {_K1} * ({1 - _B} + {_B} *
        CASE WHEN way.in_title THEN one.title_length / :title_mean ELSE one.text_length / :text_mean END)) END AS norm
    ) AS length
    WHERE {_HERE} AND {{within}}
    GROUP BY one.id, way.clause
), ranked AS (
    SELECT id, sum(greatest(text_score, title_score) + {TIE_BREAKER}
        * CASE WHEN text_score IS NULL OR title_score IS NULL THEN 0 ELSE least(text_score, title_score) END) AS score
    FROM matched GROUP BY id ORDER BY score DESC, id LIMIT :limit
)
SELECT one.id, one.passage FROM ranked JOIN corpus_passages AS one USING (id) ORDER BY one.id
"""  # noqa: S608  nothing but constants

_ON_DOMAIN = """EXISTS (
    SELECT 1 FROM unnest(CAST(:{name} AS text[])) AS wanted(name)
    WHERE domain = wanted.name
    OR wanted.name <> '' AND (lower(domain) = wanted.name OR right(lower(domain), length(wanted.name) + 1) = '.' || wanted.name)
)"""


class Statistics(NamedTuple):
    """What BM25 needs to know of a whole corpus."""

    passages: int
    text_words: int
    title_words: int

    def mean(self, field: str) -> float:
        total = self.text_words if field == _TEXT else self.title_words
        return max(total, 1) / max(self.passages, 1)


class PreparedWords(NamedTuple):
    words: str
    """As a `tsvector` is written."""
    text_length: int
    title_length: int


def prepare_words(passage: Passage) -> PreparedWords:
    """Return what is stored to find a passage by."""
    in_title, in_text = analyse(passage.source.title), analyse(passage.text)
    places: dict[str, list[str]] = defaultdict(list)
    for weight, tokens, first in ((_TITLE, in_title, 1), (_TEXT, in_text, len(in_title) + 1)):
        for place, token in enumerate(tokens, first):
            places[token].append(f"{min(place, _LAST_POSITION)}{weight}")
    words = " ".join(f"{_quoted(token)}:{','.join(there)}" for token, there in places.items())
    return PreparedWords(words, len(in_text), len(in_title))


class PostgresIndex:
    """One state of a corpus, opened for searching."""

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[Connection]],
        corpus: int,
        state: int,
        statistics: Statistics,
    ) -> None:
        self._transaction = transaction
        self._ids = {"corpus": corpus, "state": state}
        self._statistics = statistics
        self._frequencies: dict[str, int] = {}
        """How many passages have a word; it never changes for what is opened."""

    def __len__(self) -> int:
        return self._statistics.passages

    def search(self, terms: Sequence[QueryTerm], limit: int, within: Within = ANYWHERE) -> list[Passage]:
        """Return the best passages for any of the terms, best first."""
        clauses = [clause for term in terms[:MAX_TERMS] if (clause := _Clause.of(term)) is not None]
        if not clauses or limit <= 0:
            return []
        with self._transaction() as connection:
            self._count_words(connection, clauses)
            wanted = [self._weigh(clause) for clause in clauses]
            candidates = self._best(connection, wanted, max(limit * _CANDIDATES, _FEWEST_CANDIDATES), within)
            self._require_complete(connection)
        passages = [Passage.model_validate_json(data) for data in candidates]
        scored = [(self._score(one, wanted), one) for one in passages]
        best = sorted(scored, key=lambda pair: -pair[0])[:limit]
        return [one.model_copy(update={"score": score}) for score, one in best]

    def all(self) -> list[Passage]:
        """Return all passages in no particular order."""
        return [Passage.model_validate_json(data) for data in self._stored("true")]

    def of_item(self, item: str) -> ItemText:
        """Return all passages added for an item."""
        return ItemText(self._stored("item = :item", item=item))

    def _stored(self, condition: str, **values: object) -> list[bytes]:
        statement = f"SELECT passage FROM corpus_passages WHERE {_HERE} AND {condition} ORDER BY id"  # noqa: S608
        with self._transaction() as connection:
            found = [bytes(row.passage) for row in connection.execute(text(statement), self._ids | values)]
            self._require_complete(connection)
        return found

    def _require_complete(self, connection: Connection) -> None:
        """Raise `StorageError` if passages of this state have been deleted, long after they were replaced."""
        statement = text("SELECT whole_from <= :state FROM corpora WHERE id = :corpus")
        if not connection.scalar(statement, self._ids):
            raise StorageError(
                "The corpus was changed or removed more than a day ago, after this check opened it; check again."
            )

    def _count_words(self, connection: Connection, clauses: Sequence["_Clause"]) -> None:
        asked = {_word(token, field) for one in clauses for token in one.tokens for field in (_TEXT, _TITLE)}
        if new := sorted(asked - self._frequencies.keys()):
            rows = connection.execute(text(_FREQUENCIES), {**self._ids, "asked": new})
            self._frequencies.update({row.word: row.found for row in rows})

    def _best(
        self, connection: Connection, wanted: Sequence["_WeightedTerm"], limit: int, within: Within
    ) -> list[bytes]:
        ways = [(number, *way) for number, one in enumerate(wanted) for way in one.ways()]
        numbers, queries, in_title, levelled, scores = zip(*ways, strict=True)
        conditions, values = _conditions(within)
        rows = connection.execute(
            text(_BEST.format(within=conditions)),
            {
                **self._ids,
                **values,
                "clauses": list(numbers),
                "queries": list(queries),
                "in_title": list(in_title),
                "levelled": list(levelled),
                "scores": list(scores),
                "title_mean": self._statistics.mean(_TITLE),
                "text_mean": self._statistics.mean(_TEXT),
                "limit": limit,
            },
        )
        return [bytes(row.passage) for row in rows]

    def _weigh(self, clause: "_Clause") -> "_WeightedTerm":
        if len(clause.spellings) > 1:
            in_text = in_title = self._level(clause)
        else:
            in_text, in_title = (self._rarity(clause.spellings[0], field) for field in (_TEXT, _TITLE))
        return _WeightedTerm(
            clause.spellings, clause.weight * in_text, clause.weight * TITLE_WEIGHT * in_title
        )

    def _rarity(self, tokens: Sequence[str], field: str) -> float:
        return sum(rarity(self._frequencies[_word(token, field)], len(self)) for token in tokens)

    def _level(self, clause: "_Clause") -> float:
        """Return what any spelling counts: otherwise a rare one would count far more than a common one."""
        return rarity(
            max(min(self._frequencies[_word(token, _TEXT)] for token in one) for one in clause.spellings),
            len(self),
        )

    def _score(self, passage: Passage, wanted: Sequence["_WeightedTerm"]) -> float:
        in_text = _Tokens(passage.text, self._statistics.mean(_TEXT))
        in_title = _Tokens(passage.source.title, self._statistics.mean(_TITLE))
        return sum(one.score(in_text, in_title) for one in wanted)


class _Clause(NamedTuple):
    """A term of a query, as tokens."""

    spellings: tuple[tuple[str, ...], ...]
    weight: float

    @classmethod
    def of(cls, term: QueryTerm) -> "_Clause | None":
        spellings = (tuple(analyse(one)[:MAX_PHRASE_TOKENS]) for one in term.spellings)
        found = tuple(tokens for tokens in spellings if tokens)
        return cls(found, term.weight) if found and term.weight > 0 else None

    @property
    def tokens(self) -> Iterable[str]:
        return (token for tokens in self.spellings for token in tokens)


class _WeightedTerm(NamedTuple):
    """A term of a query, with what a match in each field counts in this corpus."""

    spellings: tuple[tuple[str, ...], ...]
    text_score: float
    title_score: float

    @property
    def is_levelled(self) -> bool:
        """Whether a match counts the same however often and where it occurs."""
        return len(self.spellings) > 1

    def ways(self) -> Iterator[tuple[str, bool, bool, float]]:
        """Yield each query that matches, whether it does so in the title, whether it is levelled, and what it counts."""
        for tokens in self.spellings:
            yield _phrase(tokens, _TEXT), False, self.is_levelled, self.text_score
            yield _phrase(tokens, _TITLE), True, self.is_levelled, self.title_score

    def score(self, in_text: "_Tokens", in_title: "_Tokens") -> float:
        one, other = self.text_score * self._match(in_text), self.title_score * self._match(in_title)
        return max(one, other) + TIE_BREAKER * min(one, other)

    def _match(self, there: "_Tokens") -> float:
        if self.is_levelled:
            return float(any(map(there.count, self.spellings)))
        count = there.count(self.spellings[0])
        return (_K1 + 1) * count / (count + there.dampening)


class _Tokens:
    """The tokens of a text, with where they stand."""

    def __init__(self, content: str, mean_length: float) -> None:
        tokens = analyse(content)
        self.dampening = _K1 * (1 - _B + _B * _indexed_length(len(tokens)) / mean_length)
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        for place, token in enumerate(tokens):
            self._places[token].add(place)

    def count(self, tokens: Sequence[str]) -> int:
        """Return how often the tokens stand there in a row."""
        if any(token not in self._places for token in tokens):
            return 0
        if len(tokens) == 1:
            return len(self._places[tokens[0]])
        starts = ({place - offset for place in self._places[token]} for offset, token in enumerate(tokens))
        return len(set.intersection(*starts))


def _indexed_length(length: int) -> int:
    """Return the length as the local index keeps it, in one byte: longer ones with four significant bits."""
    above = length - _FIRST_INEXACT_LENGTH
    if above <= 0:
        return length
    lost = max(0, above.bit_length() - 4)
    return _FIRST_INEXACT_LENGTH + (above >> lost << lost)


def _quoted(token: str) -> str:
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"


def _word(token: str, field: str) -> str:
    return f"{_quoted(token)}:{field}"


def _phrase(tokens: Sequence[str], field: str) -> str:
    return " <-> ".join(_word(token, field) for token in tokens)


def _conditions(within: Within) -> tuple[str, dict[str, Any]]:
    """Return the condition for the limits of a search, and its values."""
    conditions = ["true"]
    values: dict[str, Any] = {}
    for name, day, comparison in (("since", within.since, ">="), ("until", within.until, "<=")):
        if day is not None:  # undated passages have day 0
            conditions.append(f"day {comparison} :{name}")
            values[name] = date.toordinal(day)
    for name, domains, prefix in (("on", within.domains, ""), ("off", within.not_domains, "NOT ")):
        if domains:
            conditions.append(prefix + _ON_DOMAIN.format(name=name))
            values[name] = [domain.lower().replace("\0", "") for domain in domains]
    return " AND ".join(conditions), values
