"""The full-text index of one corpus: stores passages and returns those that match best."""

import errno
import math
import os
import re
import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import tantivy
from tantivy import Filter, Occur, Query, Tokenizer

from veridic.domain.evidence import Passage, Source
from veridic.domain.urls import canonical_url
from veridic.evidence.item_text import ItemText

_ENGLISH = "veridic_english"
_TOKEN = r"\w+(?:[.,]\d+)*"  # noqa: S105  "3,972,004" and "2.5" stay whole
_LONGEST_TOKEN = 60
_HEAP_BYTES = 64_000_000
_THREADS = 1
TITLE_WEIGHT = 0.8
TIE_BREAKER = 0.5
"""How much a match in the title adds to one in the text."""
MAX_TERMS = 64
MAX_PHRASE_TOKENS = 8
_MAX_CACHED_FILTERS = 16
"""Cached filters: preparing one takes longer than a search."""


class QueryTerm(NamedTuple):
    """A word, a number or a phrase, with its weight."""

    text: str
    weight: float = 1.0
    others: tuple[str, ...] = ()
    """Other spellings: any one counts as much, several don't add up."""

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.text, *self.others)


class Within(NamedTuple):
    """The limits of a search; none by default."""

    since: date | None = None
    """Excludes passages with an earlier date or none."""
    until: date | None = None
    """Excludes passages with a later date."""
    domains: tuple[str, ...] = ()
    """Only these domains and their subdomains, in lower case; an empty one stands for sources without a domain."""
    not_domains: tuple[str, ...] = ()


ANYWHERE = Within()


@lru_cache(maxsize=1)
def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name=_ENGLISH)
    builder.add_text_field("title", tokenizer_name=_ENGLISH)
    builder.add_text_field("item", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("domain", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("day", indexed=True, fast=True)
    builder.add_bytes_field("passage", stored=True)
    return builder.build()


def _analyzer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(Tokenizer.regex(_TOKEN))
    for step in (
        Filter.remove_long(_LONGEST_TOKEN),
        Filter.lowercase(),
        Filter.ascii_fold(),
        Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()


@lru_cache(maxsize=1)
def _shared_analyzer() -> tantivy.TextAnalyzer:
    return _analyzer()


def analyse(text: str) -> list[str]:
    """Return the tokens that the index stores for a text: lower case, without accents, stemmed."""
    tokens: list[str] = _shared_analyzer().analyze(_indexable(text))
    return tokens


def rarity(found: int, total: int) -> float:
    """Return the inverse document frequency of what `found` of `total` passages have."""
    # A passage that was dropped may still be counted among those found.
    return math.log(1 + (total - found + 0.5) / (found + 0.5)) if found <= total else 0.01


class IndexWriter:
    """Writes an index into an empty folder, on top of the passages of an older one if given.

    The files of the older index are hard-linked, since they never change, so the work depends only on what is new.
    Call `finish` to keep what was written.
    """

    def __init__(self, folder: Path, base: Path | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if base is None:
            index = tantivy.Index(_schema(), path=str(folder))
        else:
            _link_files(base, folder)
            index = tantivy.Index.open(str(folder))
        index.register_tokenizer(_ENGLISH, _analyzer())
        self._writer = index.writer(heap_size=_HEAP_BYTES, num_threads=_THREADS)

    def add(self, item: str, passage: Passage) -> None:
        """Add a passage; `drop(item)` removes it."""
        source = passage.source
        day = latest_day(passage)
        document = tantivy.Document(
            text=_indexable(passage.text),
            title=_indexable(source.title),
            item=item,
            domain=searched_domain(source),
            day=day.toordinal() if day else 0,
            passage=passage.model_dump_json(exclude_defaults=True).encode(),
        )
        with _as_os_error():
            self._writer.add_document(document)

    def drop(self, item: str) -> None:
        """Remove all passages of an item added so far."""
        self._writer.delete_documents_by_term("item", item)

    def finish(self) -> None:
        """Commit what was written. Raises `OSError` if the disk is full or fails."""
        with _as_os_error():
            self._writer.commit()
            self._writer.wait_merging_threads()


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Turn the index library's `ValueError`, its only error, into an `OSError`; its own threads do the writing."""
    try:
        yield
    except ValueError as error:
        raise OSError(errno.EIO, "the index could not be written, perhaps for lack of space") from error


class PassageIndex:
    """An index opened for searching: a snapshot that later writes don't affect."""

    def __init__(self, folder: Path) -> None:
        with _writable_folder(folder) as place:
            index = tantivy.Index.open(str(place))
            index.register_tokenizer(_ENGLISH, _analyzer())
            index.config_reader("manual")
            self._schema = index.schema
            self._searcher = index.searcher()

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def search(self, terms: Sequence[QueryTerm], limit: int, within: Within = ANYWHERE) -> list[Passage]:
        """Return the best passages for any of the terms, best first."""
        clauses = list(self._clauses(terms[:MAX_TERMS]))
        if not clauses or limit <= 0:
            return []
        query = Query.boolean_query(clauses)
        if filters := list(self._filters(within)):
            query = Query.boolean_query([(Occur.Must, query), *filters])
        hits = self._searcher.search(query, limit=limit, count=False).hits
        return [self._passage(address, score) for score, address in hits]

    def all(self) -> list[Passage]:
        """Return all passages in no particular order."""
        hits = self._searcher.search(Query.all_query(), limit=max(1, len(self)), count=False).hits
        return [self._passage(address, 0.0) for _, address in hits]

    def of_item(self, item: str) -> ItemText:
        """Return all passages added for an item."""
        query = Query.term_query(self._schema, "item", item)
        hits = self._searcher.search(query, limit=max(1, len(self)), count=False).hits
        return ItemText(self._data(address) for _, address in hits)

    def _filters(self, within: Within) -> Iterator[tuple[Occur, Query]]:
        """Yield clauses that exclude passages without changing any score."""
        if within.until is not None:
            yield Occur.MustNot, self._from_day(within.until.toordinal() + 1)
        if within.since is not None:
            since = self._from_day(within.since.toordinal())  # undated passages have day 0
            yield Occur.Must, Query.const_score_query(since, 0.0)
        if within.domains:
            yield Occur.Must, Query.const_score_query(_domain_query(within.domains), 0.0)
        if within.not_domains:
            yield Occur.MustNot, _domain_query(within.not_domains)

    def _from_day(self, ordinal: int) -> Query:
        return Query.range_query(self._schema, "day", tantivy.FieldType.Integer, lower_bound=ordinal)

    def _clauses(self, terms: Sequence[QueryTerm]) -> Iterator[tuple[Occur, Query]]:
        for term in terms:
            spellings = [tokens for text in term.spellings if (tokens := analyse(text)[:MAX_PHRASE_TOKENS])]
            if spellings and term.weight > 0:
                in_text, in_title = (self._any_of(field, spellings) for field in ("text", "title"))
                both = [in_text, Query.boost_query(in_title, TITLE_WEIGHT)]
                yield (
                    Occur.Should,
                    Query.boost_query(Query.disjunction_max_query(both, TIE_BREAKER), term.weight),
                )

    def _any_of(self, field: str, spellings: list[list[str]]) -> Query:
        matches = [self._match(field, tokens) for tokens in spellings]
        if len(matches) == 1:
            return matches[0]
        # All spellings count the same. Otherwise a rare one would count far more than a common one.
        score = self._rarity(spellings)
        return Query.disjunction_max_query([Query.const_score_query(match, score) for match in matches])

    def _rarity(self, spellings: list[list[str]]) -> float:
        """Return the inverse document frequency of the most common spelling."""
        commonest = max(
            min(self._searcher.doc_freq("text", token) for token in tokens) for tokens in spellings
        )
        return rarity(commonest, len(self))

    def _match(self, field: str, tokens: list[str]) -> Query:
        if len(tokens) == 1:
            return Query.term_query(self._schema, field, tokens[0])
        return Query.phrase_query(self._schema, field, list(tokens))

    def _passage(self, address: tantivy.DocAddress, score: float) -> Passage:
        return Passage.model_validate_json(self._data(address)).model_copy(update={"score": float(score)})

    def _data(self, address: tantivy.DocAddress) -> bytes:
        data: bytes = self._searcher.doc(address)["passage"][0]
        return data


@lru_cache(maxsize=_MAX_CACHED_FILTERS)
def _domain_query(domains: tuple[str, ...]) -> Query:
    """Match sources on one of the domains or a subdomain, in any letter case."""
    below = [rf"(?i)(.*\.)?{re.escape(domain)}" for domain in domains if domain]
    there = [Query.regex_query(_schema(), "domain", pattern) for pattern in below]
    if "" in domains:
        there.append(Query.term_query(_schema(), "domain", ""))
    return Query.boolean_query([(Occur.Should, one) for one in there])


def latest_day(passage: Passage) -> date | None:
    """Return the first day on which a passage can have been known, by its own date and its source's."""
    days = [when.first for when in (passage.date, passage.source.date) if when is not None]
    return max(days, default=None)


def searched_domain(source: Source) -> str:
    """Return the domain to index: the host of the address if it is more specific than the source's domain."""
    domain = (source.domain or "").lower().strip(".")
    host = canonical_url(source.url).partition("/")[0].partition(":")[0] if source.url else ""
    return host if host.endswith(f".{domain}" if domain else "") else domain


def _indexable(text: str) -> str:
    """Normalize characters that have several encodings, and replace lone surrogates."""
    return unicodedata.normalize("NFKC", text).encode("utf-8", "replace").decode()


@contextmanager
def _writable_folder(folder: Path) -> Iterator[Path]:
    """Open a folder, or links to its files in a temporary one if it is read-only: opening an index writes a lock file."""
    if os.access(folder, os.W_OK):
        yield folder
        return
    with TemporaryDirectory(prefix="veridic-") as elsewhere:
        for path in folder.iterdir():
            if path.suffix != ".lock":
                Path(elsewhere, path.name).symlink_to(path.absolute())
        yield Path(elsewhere)


def _link_files(base: Path, folder: Path) -> None:
    for path in base.iterdir():
        if path.suffix == ".lock":
            continue
        try:
            os.link(path, folder / path.name)
        except OSError:  # a file system without links
            shutil.copyfile(path, folder / path.name)
