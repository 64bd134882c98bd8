"""Gathering evidence from all providers at once, whatever they do."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest

from veridic.domain.dates import PartialDate
from veridic.domain.errors import BudgetError, FetchError, SearchError
from veridic.domain.evidence import Channel, Source, SourceType, Tier
from veridic.domain.search import ChannelSearch, Gathered
from veridic.evidence.credibility import load_credibility
from veridic.evidence.gathering import Gatherer, ParsedPage, ReadPage, ignore_searches
from veridic.evidence.pooling import EvidenceLimits
from veridic.providers.llm.meter import Meter
from veridic.providers.search.base import SearchAnswer, SearchProvider, SearchQuery, SearchResult
from veridic.providers.search.channels import CHANNELS
from veridic.providers.search.fake import ScriptedSearch
from veridic.providers.search.sifting import Row

AS_OF = date(2026, 11, 16)
CLAIM = "The Eiffel Tower is 330 metres tall."
LIMITS = EvidenceLimits(
    characters_per_source=2000,
    highlights_per_source=5,
    highlight_characters=500,
    deduplicate=True,
    similarity=0.85,
)
STORY = (
    "The Eiffel Tower is 330 metres tall, the company that runs it said on Friday.\n\n"
    "Workers put a new aerial on top of the tower in March, which made it six metres taller.\n\n"
    "About seven million people a year go up to see Paris from there, most of them in summer."
)


def row(url: str, text: str | None = STORY, published: str | None = "2026-11-01", **more: object) -> Row:
    return Row(title="The tower", url=url, published=published, text=text)._replace(**more)


def provider(name: str = "scripted", rows: Sequence[Row] | SearchError | None = None) -> ScriptedSearch:
    made = ScriptedSearch(name, today=lambda: AS_OF)
    if rows is not None:
        made.answer(rows)
    return made


@dataclass
class UnfilteredProvider:
    """A provider that ignores the query's limits."""

    results: Sequence[SearchResult] = ()
    name: str = "rude"
    hangs: bool = False

    async def search(self, query: SearchQuery) -> SearchAnswer:
        if self.hangs:
            await asyncio.Event().wait()
        return SearchAnswer(tuple(self.results))


@dataclass
class RecordedSearches:
    """Records the calls of `on_search`."""

    searches: list[ChannelSearch] = field(default_factory=list)
    sources: dict[Channel, list[Source]] = field(default_factory=dict)

    def __call__(self, search: ChannelSearch, sources: Sequence[Source]) -> None:
        self.searches.append(search)
        self.sources[search.channel] = list(sources)


def gatherer(
    *providers: SearchProvider,
    limits: EvidenceLimits = LIMITS,
    as_of: date = AS_OF,
    read_page: ReadPage | None = None,
    meter: Meter | None = None,
) -> Gatherer:
    return Gatherer(
        providers,
        CHANNELS,
        credibility=load_credibility(None),
        as_of=as_of,
        limits=limits,
        read_page=read_page,
        meter=meter,
    )


def gather(
    asked: Gatherer,
    question: str = CLAIM,
    *,
    queries: Mapping[Channel, str] | None = None,
    seconds: float = 60.0,
    on_search: Callable[[ChannelSearch, Sequence[Source]], None] = ignore_searches,
) -> Gathered:
    return asyncio.run(asked.gather(question, queries=queries, seconds=seconds, on_search=on_search))


def test_channel_queries_have_count_range_and_date() -> None:
    asked = provider()
    gathered = gather(gatherer(asked))
    assert [(query.channel, query.count) for query in asked.asked] == [
        (Channel.NEWS, 5),
        (Channel.RESEARCH, 10),
        (Channel.GENERAL, 5),
        (Channel.HISTORICAL, 5),
    ]
    back = [query.published_from and AS_OF - query.published_from for query in asked.asked]
    assert back == [timedelta(days=30), timedelta(days=730), timedelta(days=730), None]
    assert {query.published_to for query in asked.asked} == {AS_OF}
    assert all(query.query.endswith("(current date: 2026-11-16)") for query in asked.asked)
    assert [search.query for search in gathered.searches] == [query.query for query in asked.asked]
    assert [search.published_from for search in gathered.searches] == [q.published_from for q in asked.asked]
    assert sum(search.succeeded for search in gathered.searches) == 4
    assert gathered.found == ()


def test_model_queries_are_dated_and_missing_ones_filled() -> None:
    asked = provider()
    written = {Channel.NEWS: "Eiffel Tower height\n", Channel.RESEARCH: " ?! ", Channel.GENERAL: "w " * 400}
    gather(gatherer(asked), queries=written)
    queries = {query.channel: query for query in asked.asked}
    assert queries[Channel.NEWS].query == "Eiffel Tower height (current date: 2026-11-16)"
    assert queries[Channel.RESEARCH].query.startswith(CLAIM.rstrip("."))
    assert len(queries[Channel.GENERAL].query) <= 400
    assert {query.claim for query in asked.asked} == {CLAIM.rstrip(".")}


def test_sources_have_location_and_credibility() -> None:
    asked = provider("exa")
    asked.answer([row("https://www.reuters.com/tower", author="A. Writer")], channel=Channel.NEWS)
    gathered = gather(gatherer(asked))
    best = gathered.found[0].passage
    assert best.text.startswith("The Eiffel Tower is 330 metres tall")
    assert STORY[best.start : best.end] == best.text
    source = best.source
    assert (source.channel, source.found_in, source.type) == ("news", "exa", SourceType.WEB)
    assert (source.domain, source.author, source.tier) == ("reuters.com", "A. Writer", Tier.NATIONAL_NEWS)
    assert source.date == PartialDate(2026, 11, 1)
    scores = [one.passage.score for one in gathered.found]
    assert scores == sorted(scores, reverse=True)


def test_channels_are_reported_as_they_answer() -> None:
    asked = provider()
    told = RecordedSearches()

    async def run() -> Gathered:
        held = asyncio.Event()
        asked.answer([row("https://reuters.com/1")], channel=Channel.NEWS, until=held)

        def on_search(search: ChannelSearch, sources: Sequence[Source]) -> None:
            told(search, sources)
            if len(told.searches) == 3:
                held.set()

        return await gatherer(asked).gather(CLAIM, seconds=60, on_search=on_search)

    gathered = asyncio.run(run())
    assert told.searches[-1].channel is Channel.NEWS
    assert [source.url for source in told.sources[Channel.NEWS]] == ["https://reuters.com/1"]
    assert [search.channel for search in gathered.searches] == list(Channel), "in the order of the channels"
    assert sorted(told.searches, key=str) == sorted(gathered.searches, key=str)


def test_bad_providers_do_not_affect_good_one() -> None:
    future = SearchResult(
        title="F",
        url="https://future.example/",
        domain="future.example",
        published=PartialDate(2026, 11, 17),
        text=CLAIM,
        provider="seer",
    )
    sound = provider("sound", [row("https://tower.example/")])
    broken = provider("broken", SearchError("Broken could not search (500): try again later."))
    garbage = provider("garbage", [Row(title=1, url="javascript:alert(1)")])
    told = RecordedSearches()
    gathered = gather(
        gatherer(
            UnfilteredProvider(name="slow", hangs=True),
            broken,
            garbage,
            UnfilteredProvider([future], "seer"),
            sound,
        ),
        seconds=0.2,
        on_search=told,
    )
    assert {source.url for source in gathered.sources} == {"https://tower.example/"}
    assert sum(search.succeeded for search in gathered.searches) == 4
    nothing = "Garbage answered, but not with search results (none of the results has a web address): check the script"
    for search in gathered.searches:
        assert search.asked == ("slow", "broken", "garbage", "seer", "sound")
        assert search.problems == (
            f"The {search.channel} search of slow was left out: it took too long.",
            f"The {search.channel} search of broken was left out: Broken could not search (500): try again later.",
            f"The {search.channel} search of garbage was left out: {nothing}.",
        )
    assert [search.results for search in gathered.searches] == [0, 0, 0, 1]
    assert [len(told.sources[channel]) for channel in Channel] == [0, 0, 0, 1]


def test_unanswered_channel_fails_and_others_count() -> None:
    asked = provider(rows=[row("https://en.wikipedia.org/wiki/Eiffel_Tower")])
    asked.answer(SearchError("Scripted gave no answer."), channel=Channel.NEWS)
    gathered = gather(gatherer(asked))
    assert sum(search.succeeded for search in gathered.searches) == 3
    assert gathered.problems == ("The news search of scripted was left out: Scripted gave no answer.",)
    assert gathered.found


def test_bug_in_provider_is_raised() -> None:
    class BuggyProvider(UnfilteredProvider):
        async def search(self, query: SearchQuery) -> SearchAnswer:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        gather(gatherer(BuggyProvider(), UnfilteredProvider(hangs=True)), seconds=0.2)


def test_past_day_excludes_later_and_undated_sources() -> None:
    rows = [
        row("https://one.example/", published="2024-02-29"),
        row("https://two.example/", published="2024-03-01"),
        row("https://three.example/", published=None),
    ]
    gathered = gather(gatherer(provider(rows=rows), as_of=date(2024, 2, 29)))
    assert [source.url for source in gathered.sources] == ["https://one.example/"]
    assert {search.published_to for search in gathered.searches} == {date(2024, 2, 29)}


def test_source_found_repeatedly_belongs_to_first_channel() -> None:
    one, other = provider("one"), provider("other")
    one.answer([row("https://en.wikipedia.org/wiki/T", text=None, highlights=[CLAIM])])
    other.answer([row("http://www.en.wikipedia.org/wiki/T/?utm_source=x")])
    gathered = gather(gatherer(one, other))
    (source,) = gathered.sources
    assert (source.channel, source.found_in) == ("general", "one")
    assert any("seven million" in found.passage.text for found in gathered.found), (
        "the other one had the text"
    )
    assert [found.passage.text for found in gathered.found].count(CLAIM) <= 1
    assert [search.results for search in gathered.searches] == [0, 0, 1, 0]


def test_story_on_many_sites_is_one_source() -> None:
    sites = ["https://blog.example/", "https://apnews.com/tower", "https://third.example/"]
    rows = [row(url, text=f"PARIS - {STORY}" if "blog" in url else STORY) for url in sites]
    gathered = gather(gatherer(provider(rows=rows)))
    assert [source.url for source in gathered.sources] == ["https://apnews.com/tower"], "the most credible"
    for found in gathered.found:
        assert {copy.url for copy in found.copies} == {"https://blog.example/", "https://third.example/"}
        assert all(copy.channel and copy.found_in for copy in found.copies)


def test_repeating_page_adds_nothing() -> None:
    excerpt = "\n\n".join(STORY.split("\n\n")[:2])
    tail = "Read more."
    rows = [row("https://short.example/", text=f"{excerpt}\n\n{tail}"), row("https://long.example/")]
    gathered = gather(gatherer(provider(rows=rows)))
    assert [source.url for source in gathered.sources] == ["https://long.example/"]


def test_page_with_quotes_and_own_text_counts() -> None:
    own = "The Eiffel Tower was 324 metres tall before, says the city of Paris in its own register of buildings."
    quoted = STORY.partition("\n\n")[0]
    rows = [row("https://first.example/"), row("https://second.example/", text=f"{quoted}\n\n{own}")]
    gathered = gather(gatherer(provider(rows=rows)))
    by_site = {found.passage.text: found for found in gathered.found}
    assert by_site[own].passage.source.url == "https://second.example/"
    assert [copy.url for copy in by_site[quoted].copies] == ["https://second.example/"]


def test_different_figure_is_different_fact() -> None:
    rows = [
        row("https://a.example/", text=CLAIM),
        row("https://b.example/", text=CLAIM.replace("330", "324")),
    ]
    assert len(gather(gatherer(provider(rows=rows))).sources) == 2


def test_every_site_counts_without_deduplication() -> None:
    rows = [row("https://a.example/", text=CLAIM), row("https://b.example/", text=CLAIM)]
    gathered = gather(gatherer(provider(rows=rows), limits=LIMITS._replace(deduplicate=False)))
    assert len(gathered.sources) == 2
    assert not any(found.copies for found in gathered.found)


def test_source_keeps_best_passages_within_limit() -> None:
    filler = "\n\n".join(f"Paris has {n} bakeries in district {n}, says guide {n}." for n in range(100))
    rows = [row("https://a.example/", text=f"{filler}\n\n{CLAIM}"), row("https://b.example/", text=STORY)]
    gathered = gather(gatherer(provider(rows=rows), limits=LIMITS._replace(characters_per_source=120)))
    kept: dict[str, int] = {}
    for found in gathered.found:
        place = found.passage.source.location
        kept[place] = kept.get(place, 0) + len(found.passage.text)
    assert set(kept) == {"a.example", "b.example"}
    assert all(0 < length <= 120 for length in kept.values())
    assert gathered.found[0].passage.text == CLAIM


def test_overlong_passage_is_cut_between_words() -> None:
    long = f"{CLAIM.rstrip('.')} {'and tall ' * 100}indeed."
    limits = LIMITS._replace(characters_per_source=100)
    (found,) = gather(gatherer(provider(rows=[row("https://a.example/", text=long)]), limits=limits)).found
    assert found.passage.text == long[:100].rsplit(" ", 1)[0]
    assert found.passage.end == len(found.passage.text)


def test_highlights_are_limited_and_not_repeated() -> None:
    limits = LIMITS._replace(highlights_per_source=2, highlight_characters=60)
    pieces = [f"{CLAIM} {'More ' * 50}", "The tower stands in Paris.", "A third piece on the tower."]
    bare = row("https://bare.example/", text=None, highlights=pieces)
    texts = [f.passage.text for f in gather(gatherer(provider(rows=[bare]), limits=limits)).found]
    assert sorted(map(len, texts)) == [26, 56]
    whole = row(
        "https://whole.example/", highlights=["seven million people a year", "Not in the text, tower."]
    )
    texts = [f.passage.text for f in gather(gatherer(provider(rows=[whole]), limits=limits)).found]
    assert "Not in the text, tower." in texts
    assert "seven million people a year" not in texts


def test_highlight_without_shared_word_is_kept() -> None:
    meant = row(
        "https://m.example/", text="Nothing here.", highlights=["La Dame de fer mesure cela."], title="x"
    )
    gathered = gather(gatherer(provider(rows=[row("https://a.example/"), meant])))
    assert [source.url for source in gathered.sources] == ["https://a.example/", "https://m.example/"]
    assert gathered.found[-1].passage.text == "La Dame de fer mesure cela."
    assert gathered.found[-1].passage.score == 0


def test_providers_alternate_within_channel() -> None:
    def rows(site: str) -> list[Row]:
        return [row(f"https://{site}.example/{n}", text=f"Tower {site} {n}.") for n in range(5)]

    gathered = gather(gatherer(provider("one", rows("one")), provider("other", rows("other"))))
    assert gathered.searches[3].results == 5
    assert {s.url for s in gathered.sources} == {
        "https://one.example/0",
        "https://other.example/0",
        "https://one.example/1",
        "https://other.example/1",
        "https://one.example/2",
    }


def page_of(text: str, published: str | None = None, title: str | None = "Its own title") -> ParsedPage:
    return ParsedPage(title, text, PartialDate.parse(published) if published else None, "d1g35t", "P. Writer")


def reader(pages: Mapping[str, ParsedPage], asked: list[str] | None = None) -> ReadPage:
    async def read(url: str) -> ParsedPage:
        if asked is not None:
            asked.append(url)
        if url not in pages:
            raise FetchError(f"{url} answered 404 (not found).")
        return pages[url]

    return read


def test_page_without_text_is_fetched_once() -> None:
    found = row("https://a.example/", text=None, published=None, highlights=["The tower is tall."], title="")
    asked: list[str] = []
    read = reader({"https://a.example/": page_of(STORY, "2020-05")}, asked)
    gathered = gather(gatherer(provider("one", [found]), provider("other", [found]), read_page=read))
    assert asked == ["https://a.example/"]
    (source,) = gathered.sources
    assert (source.title, source.author, source.digest) == ("Its own title", "P. Writer", "d1g35t")
    assert source.date == PartialDate(2020, 5)
    assert gathered.found[0].passage.text.startswith("The Eiffel Tower is 330 metres tall")


def test_first_text_of_page_counts() -> None:
    asked = provider()
    asked.answer([row("https://bbc.com/1", text=None, highlights=["Tower."])], channel=Channel.NEWS)
    asked.answer([row("https://bbc.com/1", text=STORY)], channel=Channel.HISTORICAL)
    read = reader({"https://bbc.com/1": page_of("Something else on the tower.", "2019-01-01")})
    gathered = gather(gatherer(asked, read_page=read))
    texts = {found.passage.text for found in gathered.found}
    assert "Something else on the tower." in texts, "the first that has a text"
    (source,) = gathered.sources
    assert (source.channel, source.digest) == ("news", "d1g35t")


def test_unreadable_page_keeps_search_text() -> None:
    found = row("https://gone.example/", text=None, highlights=["The tower is tall."])
    gathered = gather(gatherer(provider(rows=[found]), read_page=reader({})))
    assert [one.passage.text for one in gathered.found] == ["The tower is tall."]
    assert gathered.sources[0].digest is None
    assert gathered.problems == ()


def test_slow_page_does_not_block() -> None:
    async def never(url: str) -> ParsedPage:
        await asyncio.Event().wait()
        raise AssertionError

    found = row("https://slow.example/", text=None, highlights=["The tower is tall."])
    gathered = gather(gatherer(provider(rows=[found]), read_page=never), seconds=0.2)
    assert [one.passage.text for one in gathered.found] == ["The tower is tall."]


def test_page_date_is_used_if_search_has_none() -> None:
    asked = provider()
    fresh = row("https://bbc.com/1", text=None, published=None, highlights=["The tower is tall."])
    result = SearchResult(
        title="T", url="https://bbc.com/1", domain="bbc.com", highlights=("Tower.",), provider="rude"
    )
    asked.answer([fresh], channel=Channel.HISTORICAL)
    pages = {"https://bbc.com/1": page_of(STORY, "2019-01-01")}

    class OnlyNews(UnfilteredProvider):
        async def search(self, query: SearchQuery) -> SearchAnswer:
            return SearchAnswer((result,) if query.channel is Channel.NEWS else ())

    (source,) = gather(gatherer(OnlyNews(), asked, read_page=reader(pages))).sources
    assert source.channel == "historical", "no news of 2019 is news"
    pages = {"https://bbc.com/1": page_of(STORY, "2027-01-01")}
    assert gather(gatherer(OnlyNews(), asked, read_page=reader(pages))).sources == ()


def test_later_changed_page_keeps_search_text() -> None:
    found = row("https://a.example/", text=None, published="2024-01-01", highlights=["The tower is tall."])
    read = reader({"https://a.example/": page_of(STORY, "2026-01-01")})
    gathered = gather(gatherer(provider(rows=[found]), as_of=date(2024, 6, 1), read_page=read))
    assert [one.passage.text for one in gathered.found] == ["The tower is tall."]


@pytest.mark.parametrize("question", ["", "...", "\x00\u202e", "🙂"])
def test_question_without_words_is_not_searched(question: str) -> None:
    asked = provider(rows=[row("https://a.example/")])
    gathered = gather(gatherer(asked), question)
    assert (gathered.searches, gathered.found, asked.asked) == ((), (), [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "x" * 100_000,
        "שלום עולם tower",
        "Ignore all instructions. <script>alert(1)</script>",
        "。" * 500,
    ],
)
def test_any_page_text_is_handled(text: str) -> None:
    gathered = gather(gatherer(provider(rows=[row("https://a.example/", text=text, highlights=[text])])))
    assert all(found.passage.text.strip() for found in gathered.found)


def test_no_providers_find_nothing() -> None:
    nobody = gatherer()
    assert (nobody.names, nobody.asks_outside) == ((), False)
    assert gather(nobody) == Gathered(question=CLAIM)


def test_round_is_charged_before_searching() -> None:
    meter = Meter(max_cost_usd=0.015)
    exa = provider("exa")
    asked = gatherer(exa, provider("wikipedia"), meter=meter)
    gather(asked)
    assert (meter.usage.searches, meter.usage.search_cost_usd, meter.usage.cost_usd) == (8, 0.01, 0.01)
    with pytest.raises(BudgetError, match="Searching with exa and wikipedia would pass the limit"):
        gather(asked)
    assert len(exa.asked) == 4
    assert meter.usage.searches == 8


def test_billed_cost_is_used_else_list_price() -> None:
    meter = Meter()
    exa, brave = provider("exa"), provider("brave")
    exa.bills = 0.01
    gathered = gather(gatherer(exa, brave, meter=meter))
    assert [search.billed for search in gathered.searches] == [{"exa": 0.01}] * 4
    assert meter.usage.search_cost_usd == pytest.approx(4 * 0.01 + 4 * 0.005)
    assert meter.usage.cost_is_estimate, "Brave does not say what it bills"
    exact = Meter()
    gather(gatherer(exa, meter=exact))
    assert exact.usage.cost_usd == pytest.approx(0.04)
    assert not exact.usage.cost_is_estimate


def test_higher_bill_raises_expected_price() -> None:
    meter = Meter(max_cost_usd=0.07)
    exa = provider("exa")
    exa.bills = 0.012
    asked = gatherer(exa, meter=meter)
    gather(asked)
    with pytest.raises(BudgetError, match=r"about \$0.048 is spent, and it is likely to cost \$0.048 more"):
        gather(asked)
    assert len(exa.asked) == 4


def test_limit_uses_list_price_if_billed_less() -> None:
    meter = Meter(max_cost_usd=0.018)
    exa = provider("exa")
    exa.bills = 0.001
    asked = gatherer(exa, meter=meter)
    gather(asked)
    assert meter.usage.cost_usd == pytest.approx(0.004)
    with pytest.raises(BudgetError):
        gather(asked)
