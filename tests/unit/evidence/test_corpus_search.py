"""Searching a corpus with dates and domains like the web."""

import asyncio
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.evidence import Channel
from veridic.domain.search import Gathered
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.evidence.credibility import load_credibility
from veridic.evidence.gathering import Gatherer
from veridic.evidence.pooling import EvidenceLimits
from veridic.evidence.retrieval import CorpusSearch, Retriever
from veridic.providers.search.base import SearchAnswer, SearchQuery
from veridic.providers.search.channels import CHANNELS, ChannelPlan

AS_OF = date(2026, 11, 16)
CLAIM = "The bridge of Arlford is 412 metres long."
CREDIBILITY = load_credibility()
LIMITS = EvidenceLimits(2000, 5, 500, deduplicate=True, similarity=0.85)


class Doc(NamedTuple):
    text: str
    published: str | None = None
    url: str | None = None
    domain: str | None = None


def corpus(
    folder: Path | str, documents: Iterable[Doc], name: str = "desk", as_of: date = AS_OF
) -> CorpusSearch:
    def item(number: int, doc: Doc) -> CorpusItem:
        document = Document(
            text=doc.text,
            source=f"/{name}/{number}.md",
            title=f"Document {number}",
            url=doc.url,
            domain=doc.domain,
            published=PartialDate.parse(doc.published) if doc.published else None,
        )
        return CorpusItem(f"/{name}/{number}", "1", lambda: [document])

    corpora = Corpora(folder)
    corpora.add(name, [item(number, doc) for number, doc in enumerate(documents)])
    return CorpusSearch(Retriever(corpora.open(name), credibility=CREDIBILITY, as_of=as_of))


def gather(
    *corpora: CorpusSearch,
    as_of: date = AS_OF,
    channels: tuple[ChannelPlan, ...] = CHANNELS,
    limits: EvidenceLimits = LIMITS,
) -> Gathered:
    gatherer = Gatherer(corpora, channels, credibility=CREDIBILITY, as_of=as_of, limits=limits)
    assert not gatherer.asks_outside
    assert gatherer.names == tuple(one.name for one in corpora)
    return asyncio.run(gatherer.gather(CLAIM, seconds=60))


def facts(number: int) -> str:
    """Return facts that are worded differently: of many similar sentences, a search finds only a few."""
    way = " ".join("".join(chr(ord("a") + int(digit)) * 4 for digit in str(n)) for n in (number, number + 7))
    return f"The bridge of Arlford is {number} metres long, says {way}."


DATED = [
    Doc(facts(1), "2026-11-01", "https://www.reuters.com/bridge", "reuters.com"),
    Doc(facts(2), "2025-06-01", "https://www.reuters.com/older", "reuters.com"),
    Doc(facts(3), "2026-01-10", "https://pmc.ncbi.nlm.nih.gov/articles/3", "nih.gov"),
    Doc(facts(4), "2025-01-10", None, "Wikipedia.org"),
    Doc(facts(5), "2026-10-30"),
    Doc(facts(6)),
    Doc(facts(7), "2026-11-10", "https://notreuters.com/x", "notreuters.com"),
    Doc(facts(8), "1987-05-01", "https://www.nature.com/old", "nature.com"),
]


def test_corpus_is_searched_once_for_claim(tmp_path: Path) -> None:
    gathered = gather(corpus(tmp_path, DATED))
    (search,) = gathered.searches
    assert (search.channel, search.query) == (Channel.GENERAL, CLAIM)
    assert (search.asked, search.corpora) == (("desk",), ("desk",))
    assert (search.published_from, search.published_to, search.results) == (None, AS_OF, len(DATED))


def test_corpus_results_are_general(tmp_path: Path) -> None:
    gathered = gather(corpus(tmp_path, DATED))
    found = {one.passage.text.partition(" metres")[0][-1] for one in gathered.found}
    assert found == set("12345678"), "whatever its date and domain"
    assert {(source.channel, source.found_in) for source in gathered.sources} == {("general", "desk")}


def test_rest_of_small_corpus_is_included(tmp_path: Path) -> None:
    told = "The bridge of Arlford is 412 metres long.\n\nTea was served."
    gathered = gather(corpus(tmp_path, [Doc(told), Doc("Nobody was hurt."), Doc("Later.", "2027-01-01")]))
    assert [one.passage.text for one in gathered.found] == ["The bridge of Arlford is 412 metres long."]
    told_besides = {one.text for one in gathered.rest}
    assert told_besides == {"Tea was served.", "Nobody was hurt."}, (
        "and nothing from after the day of the check"
    )
    assert {one.source.channel for one in gathered.rest} == {"general"}


def test_long_source_gives_only_found_passages(tmp_path: Path) -> None:
    long = "\n\n".join(f"Chapter {n} is about rivers and hills, {'and hills ' * 40}." for n in range(9))
    many = [Doc(f"Story {n} of the hills.") for n in range(80)]
    gathered = gather(corpus(tmp_path, [Doc(f"{facts(1)}\n\n{long}"), *many]))
    assert [one.passage.text for one in gathered.found] == [facts(1)]
    assert gathered.rest == ()


class Web:
    """Finds nothing, and records its queries."""

    name = "web"

    def __init__(self) -> None:
        self.asked: list[SearchQuery] = []

    async def search(self, query: SearchQuery) -> SearchAnswer:
        self.asked.append(query)
        return SearchAnswer()


def test_corpus_is_searched_once_alongside_web(tmp_path: Path) -> None:
    web = Web()
    searched = Gatherer(
        [web, corpus(tmp_path, DATED)], CHANNELS, credibility=CREDIBILITY, as_of=AS_OF, limits=LIMITS
    )
    gathered = asyncio.run(searched.gather(CLAIM, seconds=60))
    assert [query.channel for query in web.asked] == list(Channel)
    asked = {search.channel: search.asked for search in gathered.searches}
    assert asked == dict.fromkeys(Channel, ("web",)) | {Channel.GENERAL: ("web", "desk")}
    assert {one.channel: one.results for one in gathered.searches} == dict.fromkeys(Channel, 0) | {
        Channel.GENERAL: len(DATED)
    }
    assert {source.channel for source in gathered.sources} == {"general"}


@pytest.mark.parametrize("question", ["", "...", "🙂"])
def test_question_without_words_is_not_searched(tmp_path: Path, question: str) -> None:
    searched = Gatherer(
        [corpus(tmp_path, DATED)], CHANNELS, credibility=CREDIBILITY, as_of=AS_OF, limits=LIMITS
    )
    assert asyncio.run(searched.gather(question, seconds=60)) == Gathered(question=question)


def test_long_question_is_not_cut(tmp_path: Path) -> None:
    long = f"{'It was said at length in the town hall. ' * 20}The lighthouse keeper sings."
    keeper = Doc("The lighthouse keeper sings.")
    searched = Gatherer(
        [corpus(tmp_path, [keeper, Doc(facts(3))])],
        CHANNELS,
        credibility=CREDIBILITY,
        as_of=AS_OF,
        limits=LIMITS,
    )
    found = asyncio.run(searched.gather(long, seconds=60)).found
    assert [one.passage.text for one in found] == [keeper.text]


def test_changed_fact_is_found_as_of_its_day(tmp_path: Path) -> None:
    changed = [Doc(facts(400), "2020-03-01"), Doc(facts(412), "2024-03-01")]
    for as_of, known in (
        (date(2021, 1, 1), {"400"}),
        (date(2026, 1, 1), {"400", "412"}),
        (date(2019, 1, 1), set()),
    ):
        gathered = gather(corpus(tmp_path / str(as_of), changed, as_of=as_of), as_of=as_of)
        assert {one.passage.text.split()[5] for one in gathered.found} == known


def test_passages_are_verbatim(tmp_path: Path) -> None:
    text = f"# Bridges\n\nNothing to see.\n\n{facts(9)}"
    (best, *_) = gather(corpus(tmp_path, [Doc(text)])).found
    assert best.passage.text == facts(9) == text[best.passage.start : best.passage.end]


def test_long_document_keeps_best_twelve_passages(
    tmp_path: Path,
) -> None:
    long = "\n\n".join(f"{facts(n)} {'It is a fine bridge. ' * 12}" for n in range(40))
    gathered = gather(corpus(tmp_path, [Doc(long)]), limits=LIMITS._replace(characters_per_source=300))
    assert len(gathered.found) == 12


def test_source_limit_is_sum_of_channels(tmp_path: Path) -> None:
    many = corpus(tmp_path, [Doc(facts(n)) for n in range(40)])
    assert len(gather(many).sources) == 25


def test_corpus_is_searched_with_general_channel_only(tmp_path: Path) -> None:
    general = tuple(plan for plan in CHANNELS if plan.channel is Channel.GENERAL)
    gathered = gather(corpus(tmp_path, DATED[5:]), channels=general)
    assert len(gathered.found) == 3
    assert {source.channel for source in gathered.sources} == {"general"}


def test_document_in_two_corpora_is_one_source(tmp_path: Path) -> None:
    page = Doc(facts(412), "2026-11-01", "https://example.org/bridge")
    reprint = Doc(facts(412), "2026-11-02")
    gathered = gather(corpus(tmp_path, [page], "one"), corpus(tmp_path, [page, reprint], "two"))
    (found,) = gathered.found
    assert found.passage.source.location == "example.org/bridge"
    assert [(copy.path, copy.found_in, copy.channel) for copy in found.copies] == [
        ("/two/1.md", "two", "general")
    ]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({}, "12345678"),
        ({"include_domains": ("reuters.com",)}, "12"),
        ({"include_domains": ("ncbi.nlm.nih.gov",)}, "3"),
        ({"include_domains": ("wikipedia.org",)}, "4"),
        ({"exclude_domains": ("reuters.com", "nature.com", "a-b.example")}, "34567"),
        ({"published_from": date(2026, 1, 1)}, "1357"),
        ({"published_to": date(2025, 6, 1)}, "2468"),
        ({"published_from": date(2026, 11, 1), "published_to": date(2026, 11, 1)}, "1"),
        ({"published_from": date.min, "published_to": date.max}, "1234578"),
    ],
)
def test_date_range_and_domains_are_applied(
    place: Path | str, query: dict[str, object], numbers: str
) -> None:
    asked = SearchQuery(query=CLAIM, count=20, **{"channel": Channel.HISTORICAL, **query})
    results = asyncio.run(corpus(place, DATED).search(asked)).results
    found = sorted(result.passages[0].passage.text.partition(" metres")[0][-1] for result in results)
    assert "".join(found) == numbers


def test_copies_are_not_grouped_without_similarity(tmp_path: Path) -> None:
    twice = [Doc(facts(1)), Doc(facts(1))]
    retriever = corpus(tmp_path, twice)._retriever
    asked = SearchQuery(query=CLAIM, channel=Channel.HISTORICAL)
    assert len(asyncio.run(CorpusSearch(retriever).search(asked)).results) == 1
    assert len(asyncio.run(CorpusSearch(retriever, similarity=None).search(asked)).results) == 2
