"""Merges the results of all searches for a question into one ranking of passages: each source once, copies listed, within limits."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veridic.domain.document import Document
from veridic.domain.evidence import Channel, Found, Passage, Source, SourceType
from veridic.evidence.credibility import Credibility
from veridic.evidence.duplicates import Distinct, group_copies
from veridic.evidence.passages import split_passages
from veridic.evidence.query import Expand
from veridic.evidence.retrieval import merge_found, rank_passages
from veridic.providers.search.base import SearchResult
from veridic.providers.search.words import cut

_READ_OF_A_PAGE = 20_000
"""Characters: the first part of a page matters most, and highlights are read in addition."""
_HIGHLIGHT = "highlight-"
"""Marks the id of a highlight's passage."""
SHORT = 2_500
"""Characters: a source up to this length is read whole."""
_ALWAYS_KEPT = 12
"""This many of the best corpus passages are kept however long their sources are: one book may be all there is."""


class EvidenceLimits(NamedTuple):
    characters_per_source: int
    """The best passages of a source are kept up to this length."""
    highlights_per_source: int
    highlight_characters: int
    deduplicate: bool
    similarity: float
    """The similarity from which two texts are copies."""

    @property
    def least_similarity(self) -> float | None:
        """None if nothing counts as a copy."""
        return self.similarity if self.deduplicate else None


class Hit(NamedTuple):
    """A result, and the channel that found it."""

    channel: Channel
    result: SearchResult
    digest: str | None = None
    """Digest of the page, if it was read."""


class Pooled(NamedTuple):
    found: tuple[Found, ...]
    """The passages to read, most promising first."""
    rest: tuple[Passage, ...]
    """The other passages of those sources that are short."""


def pool(
    question: str,
    hits: Sequence[Hit],
    limits: EvidenceLimits,
    credibility: Credibility,
    *,
    room: int,
    expand: Expand | None = None,
) -> Pooled:
    """Merge hits into one ranking. `hits` are in the order of the channels.

    A source belongs to the first channel that found it. `room` is the number of sources for corpora.
    """
    channels = {hit.result.location: hit.channel for hit in reversed(hits)}
    documents = _documents([hit.result for hit in hits if hit.result.passages], room)
    pages = [
        _page(same, credibility) for same in _by_location(hit for hit in hits if not hit.result.passages)
    ]
    passages = {page.source.location: list(_passages(page, limits)) for page in pages}
    of_pages = _of_pages(question, pages, passages, limits, expand)
    # Copies among pages are grouped already.
    found = merge_found([documents, of_pages], limits.least_similarity if documents else None)
    of_corpora = {one.passage.id for one in documents}
    kept = [
        _on_channels(one, channels) for one in _within_limits(found, limits.characters_per_source, of_corpora)
    ]
    for hit in hits:
        passages.setdefault(hit.result.location, []).extend(hit.result.rest)
    return Pooled(tuple(kept), tuple(_rest(kept, passages)))


def _rest(found: Sequence[Found], passages: Mapping[str, Sequence[Passage]]) -> Iterator[Passage]:
    """Yield the other passages of each source that was found and is short."""
    by_source: dict[str, dict[str, Passage]] = defaultdict(dict)
    for one in found:
        by_source[one.passage.source.location][one.passage.id] = one.passage
    for place, known in by_source.items():
        others = {p.id: p for p in passages.get(place, ()) if p.id not in known and not _is_highlight(p)}
        if sum(len(p.text) for p in (*known.values(), *others.values())) <= SHORT:
            source = next(iter(known.values())).source
            yield from (p.model_copy(update={"source": source}) for p in others.values())


def source_of(result: SearchResult, channel: Channel) -> Source:
    """Return the source of a result, as shown to readers."""
    if result.passages:
        return result.passages[0].passage.source.model_copy(update={"channel": channel})
    return Source(
        title=result.title,
        type=SourceType.WEB,
        url=result.url,
        domain=result.domain,
        author=result.author,
        date=result.published,
        channel=channel,
        found_in=result.provider,
    )


def merged(same: Sequence[SearchResult]) -> SearchResult:
    """Merge several results for one source: the first, with what the others add."""
    first, *others = same
    if not others:
        return first
    return first.model_copy(
        update={
            "published": next((result.published for result in same if result.published), None),
            "author": next((result.author for result in same if result.author), None),
            "text": next((result.text for result in same if result.text), ""),
            "highlights": tuple(dict.fromkeys(line for result in same for line in result.highlights)),
            "passages": tuple({one.passage.id: one for r in same for one in r.passages}.values()),
            "rest": tuple({passage.id: passage for r in same for passage in r.rest}.values()),
        }
    )


def _documents(results: Sequence[SearchResult], room: int) -> list[Found]:
    """Return the passages of the best corpus documents, best first.

    If several channels found a passage, the last one's score counts: that channel has ranked it among all.
    """
    passages = {one.passage.id: one for result in results for one in result.passages}
    best_first = sorted(passages.values(), key=lambda one: (-one.passage.score, one.passage.id))
    kept = list(dict.fromkeys(one.passage.source.location for one in best_first))[:room]
    return [one for one in best_first if one.passage.source.location in kept]


class _Page(NamedTuple):
    source: Source
    text: str
    highlights: tuple[str, ...]


def _by_location(hits: Iterable[Hit]) -> Iterable[list[Hit]]:
    places: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        places[hit.result.location].append(hit)
    return places.values()


def _page(hits: Sequence[Hit], credibility: Credibility) -> _Page:
    """Merge the hits of one page."""
    result = merged([hit.result for hit in hits])
    digest = next((hit.digest for hit in hits if hit.digest and hit.result.text == result.text), None)
    source = source_of(result, hits[0].channel).model_copy(update={"digest": digest})
    return _Page(credibility.rate(source), result.text, result.highlights)


def _of_pages(
    question: str,
    pages: Sequence[_Page],
    passages: Mapping[str, Sequence[Passage]],
    limits: EvidenceLimits,
    expand: Expand | None,
) -> list[Found]:
    """Return the passages of pages that bear on the question; copies are grouped under one of them."""
    ranked = rank_passages(question, [p for page in pages for p in passages[page.source.location]], expand)
    scores = {passage.id: passage.score for passage in ranked}
    leading_first = _by_credibility(pages)
    groups = _group([p for page in leading_first for p in passages[page.source.location]], limits)
    retold = _syndicated_pages(leading_first, groups, limits.similarity)
    return [found for group in groups if (found := _found(group, retold, scores)) is not None]


def _group(passages: Sequence[Passage], limits: EvidenceLimits) -> list[Distinct]:
    if limits.least_similarity is None:
        return [Distinct(passage, ()) for passage in passages]
    return group_copies(passages, limits.least_similarity)


def _found(group: Distinct, retold: set[str], scores: Mapping[str, float]) -> Found | None:
    """Return a passage under its leading page, with the best score of its copies."""
    leading = [passage for passage in group.all if passage.source.reference not in retold]
    matching = [scores[passage.id] for passage in group.all if passage.id in scores]
    # Semantic search can highlight sentences that share no word with the question.
    if not leading or not (matching or any(map(_is_highlight, group.all))):
        return None
    lead = leading[0].model_copy(update={"score": max(matching, default=0.0)})
    return Found(lead, Distinct(lead, group.all).copied_in)


def _passages(page: _Page, limits: EvidenceLimits) -> Iterator[Passage]:
    """Yield the page's text in passages, and the highlights that aren't contained in one of them."""
    text = page.text[:_READ_OF_A_PAGE]
    drafts = list(split_passages(Document(text=text, source=page.source.reference)))
    for draft in drafts:
        yield _passage(page.source, draft.text, draft.start, draft.end)
    for line in page.highlights[: limits.highlights_per_source]:
        highlight = cut(line, limits.highlight_characters)
        if not any(highlight in draft.text for draft in drafts):
            start = max(0, page.text.find(highlight))
            yield _passage(page.source, highlight, start, start + len(highlight), _HIGHLIGHT)


def _passage(source: Source, text: str, start: int, end: int, kind: str = "") -> Passage:
    """Make a passage. Its id includes a hash of the text, because another search may find other words on the same page."""
    words = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Passage(id=f"{source.url}#{kind}{start}-{words}", source=source, text=text, start=start, end=end)


def _is_highlight(passage: Passage) -> bool:
    return f"#{_HIGHLIGHT}" in passage.id


def _by_credibility(pages: Sequence[_Page]) -> list[_Page]:
    """Sort pages so that, among pages with the same story, the most credible leads, else the longest."""
    return sorted(pages, key=lambda page: (-page.source.credibility, -len(page.text)))


def _syndicated_pages(
    leading_first: Sequence[_Page], groups: Sequence[Distinct], similarity: float
) -> set[str]:
    """Return the addresses of pages that mostly repeat a page before them."""
    shared: dict[str, Counter[str]] = defaultdict(Counter)
    """By page, then by other page (or itself): the number of its characters that the other page has too."""
    for group in groups:
        places = {passage.source.reference for passage in group.all}
        for passage in group.all:
            shared[passage.source.reference].update(dict.fromkeys(places, len(passage.text)))
    leaders: list[str] = []
    retold: set[str] = set()
    for place in (page.source.reference for page in leading_first):
        most = similarity * shared[place][place]
        if most > 0 and any(shared[place][leader] >= most for leader in leaders):
            retold.add(place)
        else:
            leaders.append(place)
    return retold


def _within_limits(found: Iterable[Found], characters: int, of_corpora: Collection[str]) -> Iterator[Found]:
    """Yield the best passages of each source up to a number of characters, and at least one."""
    taken: Counter[str] = Counter()
    of_corpora_so_far = 0
    for one in found:
        place, length = one.passage.source.location, len(one.passage.text)
        of_corpora_so_far += one.passage.id in of_corpora
        if one.passage.id in of_corpora and of_corpora_so_far <= _ALWAYS_KEPT:
            kept = one
        elif not taken[place]:
            kept = one._replace(passage=_shortened(one.passage, characters))
        elif taken[place] + length <= characters:
            kept = one
        else:
            continue
        taken[place] += length
        yield kept


def _shortened(passage: Passage, characters: int) -> Passage:
    text = cut(passage.text, characters)
    end = passage.end if text == passage.text else min(passage.end, passage.start + len(text))
    return passage.model_copy(update={"text": text, "end": end})


def _on_channels(found: Found, channels: dict[str, Channel]) -> Found:
    source = found.passage.source
    channel = channels[source.location]

    def labelled(one: Source) -> Source:
        return one.model_copy(update={"channel": channels.get(one.location, channel)})

    passage = found.passage.model_copy(update={"source": labelled(source)})
    return Found(passage, tuple(map(labelled, found.copies)))
