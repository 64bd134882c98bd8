"""Databases of publications, facts and fact-checks: the exact requests, and what is read from their answers."""

import asyncio
import json
from collections.abc import Callable
from datetime import date
from typing import Any

import httpx2
import pytest
from inline_snapshot import snapshot
from pydantic import SecretStr
from tests.search_server import SearchServer

from veridic.domain.dates import PartialDate
from veridic.domain.errors import SearchAccessError, SearchError
from veridic.domain.evidence import Channel
from veridic.providers.search.asking import SearchDeadline
from veridic.providers.search.base import SearchQuery, SearchResult
from veridic.providers.search.channels import queries_for
from veridic.providers.search.crossref import Crossref
from veridic.providers.search.factcheck import FactCheckTools
from veridic.providers.search.http import Engine, HttpSearch
from veridic.providers.search.publications import abstract_text
from veridic.providers.search.pubmed import PubMed
from veridic.providers.search.semantic_scholar import SemanticScholar
from veridic.providers.search.wikidata import Wikidata

TODAY = date(2026, 11, 16)
CLAIM = 'The anti-inflammatory "aspirin" lowers the risk of colon cancer'
KEY = SecretStr("key-1")
Answers = Callable[[httpx2.Request], Any]


def query(channel: Channel, **changes: Any) -> SearchQuery:
    found = next(made for made in queries_for(CLAIM, TODAY) if made.channel is channel)
    return found.model_copy(update=changes)


def search(engine: Engine, channel: Channel, answers: Answers, **changes: Any) -> tuple[SearchResult, ...]:
    """Search with the answers in place of the network: JSON, or text as it is."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = answers(request)
        text = body if isinstance(body, str) else json.dumps(body)
        return httpx2.Response(200, stream=httpx2.ByteStream(text.encode()))

    provider = HttpSearch(
        engine, SearchDeadline(60), transport=httpx2.MockTransport(answer), today=lambda: TODAY
    )
    return asyncio.run(provider.search(query(channel, **changes))).results


def sent(engine: Callable[[str], Engine], name: str, channel: Channel) -> list[tuple[str, dict[str, str]]]:
    with SearchServer() as server:
        provider = HttpSearch(engine(server.url(name)), SearchDeadline(60), today=lambda: TODAY)
        asyncio.run(provider.search(query(channel)))
        return [(request.path, dict(request.parameters)) for request in server.requests]


def test_crossref_request() -> None:
    (request,) = sent(lambda url: Crossref(url, "desk@example.org"), "crossref", Channel.RESEARCH)
    assert request == snapshot(
        (
            "/crossref/works",
            {
                "query.bibliographic": "The anti-inflammatory aspirin lowers the risk of colon cancer",
                "filter": "type:journal-article,type:proceedings-article,type:posted-content,type:report,from-pub-date:2024-11-16,until-pub-date:2026-11-16",
                "rows": "10",
                "select": "DOI,URL,title,abstract,author,score,published-online,posted,published-print,published,issued",
                "mailto": "desk@example.org",
            },
        )
    )


def test_semantic_scholar_request() -> None:
    (request,) = sent(lambda url: SemanticScholar(None, url), "semanticscholar", Channel.RESEARCH)
    assert request == snapshot(
        (
            "/semanticscholar/graph/v1/paper/search",
            {
                "query": "anti inflammatory aspirin lowers risk colon cancer",
                "limit": "10",
                "fields": "title,url,abstract,year,publicationDate,authors",
                "publicationDateOrYear": "2024-11-16:2026-11-16",
            },
        )
    )


def test_pubmed_request() -> None:
    (request,) = sent(lambda url: PubMed(url, "desk@example.org"), "pubmed", Channel.RESEARCH)
    assert request == snapshot(
        (
            "/pubmed/entrez/eutils/esearch.fcgi",
            {
                "term": "(anti-inflammatory OR aspirin OR lowers OR risk OR colon OR cancer) NOT retracted publication[pt]",
                "sort": "relevance",
                "retmax": "10",
                "retmode": "json",
                "datetype": "pdat",
                "mindate": "2024/11/16",
                "maxdate": "2026/11/16",
                "db": "pubmed",
                "tool": "veridic",
                "email": "desk@example.org",
            },
        )
    )


def test_factcheck_request() -> None:
    (request,) = sent(lambda url: FactCheckTools(KEY, url), "factcheck", Channel.GENERAL)
    assert request == snapshot(
        (
            "/factcheck/v1alpha1/claims:search",
            {
                "query": "The anti-inflammatory aspirin lowers the risk of colon cancer",
                "languageCode": "en",
                "pageSize": "100",
                "maxAgeDays": "731",
            },
        )
    )
    ((_, historical),) = sent(lambda url: FactCheckTools(KEY, url), "factcheck", Channel.HISTORICAL)
    assert "maxAgeDays" not in historical


def test_wikidata_request() -> None:
    (request,) = sent(Wikidata, "wikidata", Channel.GENERAL)
    assert request == snapshot(
        (
            "/wikidata/w/api.php",
            {
                "format": "json",
                "formatversion": "2",
                "action": "query",
                "list": "search",
                "srsearch": "anti-inflammatory OR aspirin OR lowers OR risk OR colon OR cancer",
                "srlimit": "5",
            },
        )
    )


@pytest.mark.parametrize(
    ("name", "engine", "channels"),
    [
        ("crossref", Crossref, {Channel.RESEARCH}),
        ("semanticscholar", lambda url: SemanticScholar(None, url), {Channel.RESEARCH}),
        ("pubmed", PubMed, {Channel.RESEARCH}),
        ("wikidata", Wikidata, {Channel.GENERAL}),
        ("factcheck", lambda url: FactCheckTools(KEY, url), {Channel.GENERAL, Channel.HISTORICAL}),
    ],
)
def test_other_channels_are_not_asked(
    name: str, engine: Callable[[str], Engine], channels: set[Channel]
) -> None:
    assert {channel for channel in Channel if sent(engine, name, channel)} == channels


def work(**fields: Any) -> dict[str, Any]:
    item = {"DOI": "10.5555/1", "URL": "https://doi.org/10.5555/1", "title": ["Aspirin"], "score": 12.5}
    item |= {"published": {"date-parts": [[2026, 3]]}} | fields
    return {"status": "ok", "message-type": "work-list", "message": {"items": [item]}}


def test_crossref_record_is_read_though_the_channel_has_other_domains() -> None:
    (found,) = search(
        Crossref(),
        Channel.RESEARCH,
        lambda _: work(
            title=["Aspirin and <i>colon</i> cancer: p &lt; 0.05"],
            abstract="<jats:title>Abstract</jats:title><jats:sec><jats:title>Results</jats:title><jats:p>The risk was "
            "<jats:italic>lower</jats:italic>\n (p &lt; 0.05).</jats:p></jats:sec>",
            author=[{"given": "Ada", "family": "Lovelace"}, {"name": "The Trial Group"}],
        ),
    )
    assert found.title == "Aspirin and colon cancer: p < 0.05"
    assert found.text == "Results\nThe risk was lower (p < 0.05)."
    assert (found.published, found.author) == (PartialDate(2026, 3), "Ada Lovelace, The Trial Group")
    assert not search(Crossref(), Channel.RESEARCH, lambda _: work(), exclude_domains=("doi.org",))


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ({"published": [2026], "published-print": [2026, 5, 3]}, PartialDate(2026, 5, 3)),
        ({"published-online": [2026, 3, 2], "published-print": [2026, 12]}, PartialDate(2026, 3, 2)),
        ({"published-online": [2026, 3], "published-print": [2026, 12, 1]}, PartialDate(2026, 3)),
        ({"posted": [2026, 1, 9]}, PartialDate(2026, 1, 9)),
        ({"published": [2026, 13, 1]}, None),
        ({"published": [None]}, None),
    ],
)
def test_crossref_date_is_earliest_and_as_precise_as_given(
    dates: dict[str, Any], expected: PartialDate | None
) -> None:
    fields = {"published": None} | {kind: {"date-parts": [parts]} for kind, parts in dates.items()}
    (found,) = search(Crossref(), Channel.RESEARCH, lambda _: work(**fields), published_from=None)
    assert found.published == expected


def test_publication_of_a_year_is_not_taken_for_one_before_a_day_in_it() -> None:
    answer = work(published={"date-parts": [[2026]]})
    assert search(Crossref(), Channel.RESEARCH, lambda _: answer)
    assert not search(Crossref(), Channel.RESEARCH, lambda _: answer, published_to=date(2026, 6, 1))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("plain, where a<b and c>d", "plain, where a<b and c>d"),
        ("<p>One</p><p>Two<br/>Three</p>", "One\nTwo\nThree"),
        ("&lt;jats:p&gt;Escaped &amp;amp; more&lt;/jats:p&gt;", "Escaped & more"),
        (
            '<jats:p>so <jats:inline-formula content-type="math"><jats:tex-math>$$x$$</jats:tex-math>x</jats:inline-formula></jats:p>',
            "so x",
        ),
        ("a <!-- hidden <b>comment</b> --> b", "a b"),
        ("before<script>alert(1)</script>after", "beforeafter"),
        ("kept <jats:tex-math>never closed", "kept"),
        (None, ""),
        (["a list"], ""),
    ],
)
def test_abstract_is_read_without_markup(markup: object, text: str) -> None:
    assert abstract_text(markup) == text


@pytest.mark.parametrize(
    "part", ["<", "<a", "<a ", "<a b='", "<!--", "<jats:tex-math>", "&lt;jats:p&gt;", "<a b=c "]
)
def test_hostile_abstract_is_read_in_linear_time(part: str) -> None:
    # In quadratic time this would take minutes.
    for hostile in (part * 50_000, "<" + part[1:] + "a" * 50_000):
        assert len(abstract_text(hostile)) <= len(hostile)


def test_semantic_scholar_paper_without_a_day_has_its_year() -> None:
    paper: dict[str, Any] = {
        "paperId": "1",
        "url": "https://www.semanticscholar.org/paper/1",
        "title": "T",
        "abstract": None,
    }
    paper |= {"publicationDate": None, "year": 2025, "authors": [{"authorId": None, "name": "Ada Lovelace"}]}
    (found,) = search(
        SemanticScholar(), Channel.RESEARCH, lambda _: {"total": 1, "offset": 0, "data": [paper]}
    )
    assert (found.published, found.text, found.author) == (PartialDate(2025), "", "Ada Lovelace")


def pubmed(records: str, numbers: tuple[str, ...] = ("11", "12")) -> Answers:
    def answer(request: httpx2.Request) -> Any:
        if request.url.path.endswith("esearch.fcgi"):
            return {"esearchresult": {"count": "2", "idlist": list(numbers)}}
        assert request.url.params["id"] == ",".join(numbers)
        return records

    return answer


ARTICLE = """
<PubmedArticle><MedlineCitation><PMID Version="1">11</PMID><Article PubModel="Print-Electronic">
<Journal><JournalIssue CitedMedium="Internet"><PubDate><Year>2026</Year><Month>Nov</Month></PubDate></JournalIssue></Journal>
<ArticleTitle>Aspirin in <i>colon</i> cancer.</ArticleTitle>
<Abstract><AbstractText Label="BACKGROUND">Aspirin is old.</AbstractText>
<AbstractText Label="RESULTS">Risk fell by 20&#x2009;% in CO<sub>2</sub>.</AbstractText></Abstract>
<AuthorList><Author><LastName>Lovelace</LastName><ForeName>Ada</ForeName></Author>
<Author><CollectiveName>Trial Group</CollectiveName></Author></AuthorList>
<ArticleDate DateType="Electronic"><Year>2026</Year><Month>02</Month><Day>03</Day></ArticleDate>
</Article></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>12</PMID><Article><Journal><JournalIssue><PubDate><MedlineDate>2025 Nov-Dec</MedlineDate>
</PubDate></JournalIssue></Journal><ArticleTitle>No abstract</ArticleTitle></Article></MedlineCitation></PubmedArticle>
"""


def test_pubmed_article_is_read() -> None:
    records = (
        f'<?xml version="1.0" ?><!DOCTYPE PubmedArticleSet><PubmedArticleSet>{ARTICLE}</PubmedArticleSet>'
    )
    first, second = search(PubMed(), Channel.RESEARCH, pubmed(records))
    assert first.url == "https://pubmed.ncbi.nlm.nih.gov/11/"
    assert (first.title, first.author) == ("Aspirin in colon cancer.", "Ada Lovelace, Trial Group")
    assert first.text == "BACKGROUND: Aspirin is old.\nRESULTS: Risk fell by 20 % in CO2."
    assert first.published == PartialDate(2026, 2, 3)
    assert (second.published, second.text) == (PartialDate(2025), "")


def test_pubmed_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    records = f"{bomb}<PubmedArticleSet>{ARTICLE.replace('Aspirin is old', '&b;&f;')}</PubmedArticleSet>"
    first, _ = search(PubMed(), Channel.RESEARCH, pubmed(records))
    assert "aaaa" not in first.text
    assert "root:" not in first.text


@pytest.mark.parametrize(
    "records",
    [
        "",
        "<html>Down</html>",
        "<PubmedArticleSet>",
        '{"error": "API rate limit"}',
        "<eFetchResult><ERROR>x</ERROR></eFetchResult>",
    ],
)
def test_pubmed_failure_of_second_request_is_reported(records: str) -> None:
    with pytest.raises(SearchError, match="PubMed answered, but not with search results"):
        search(PubMed(), Channel.RESEARCH, pubmed(records))


def test_pubmed_failure_in_an_answer_is_reported() -> None:
    with pytest.raises(SearchError, match=r"\(Search Backend failed\)"):
        search(PubMed(), Channel.RESEARCH, lambda _: {"esearchresult": {"ERROR": "Search Backend failed"}})


def test_fact_check_says_who_rated_the_claim_how() -> None:
    review = {"publisher": {"name": "PolitiFact", "site": "politifact.com"}, "textualRating": "False"}
    review |= {
        "url": "https://www.politifact.com/1",
        "title": "No, it isn’t",
        "reviewDate": "2026-10-02T00:00:00Z",
    }
    later = review | {"url": "https://www.politifact.com/2", "reviewDate": "2026-11-20T00:00:00Z"}
    elsewhere = review | {"url": "https://checker.example/3"}
    claim = {
        "text": "The moon is cheese",
        "claimant": "A post",
        "claimReview": [review, later, elsewhere, None],
    }
    (found,) = search(FactCheckTools(KEY), Channel.GENERAL, lambda _: {"claims": [claim]})
    assert (found.url, found.title, found.author) == (
        "https://www.politifact.com/1",
        "No, it isn’t",
        "PolitiFact",
    )
    assert found.published == PartialDate(2026, 10, 2)
    assert found.highlights == ("Rated “False” by PolitiFact: the claim by A post that “The moon is cheese”",)


@pytest.mark.parametrize("name", ["factcheck", "pubmed"])
def test_400_for_a_key_means_no_access(name: str) -> None:
    engines: dict[str, Callable[[str], Engine]] = {
        "factcheck": lambda url: FactCheckTools(KEY, url),
        "pubmed": PubMed,
    }
    channel = {"factcheck": Channel.GENERAL, "pubmed": Channel.RESEARCH}[name]
    with SearchServer() as server:
        server.answer(status=400, error="API key not valid. Please pass a valid API key.")
        provider = HttpSearch(engines[name](server.url(name)), SearchDeadline(60), today=lambda: TODAY)
        with pytest.raises(SearchAccessError, match="400: API key not valid"):
            asyncio.run(provider.search(query(channel)))


def claim(value: Any, kind: str, **others: Any) -> dict[str, Any]:
    snak = {"snaktype": "value", "datavalue": {"value": value, "type": kind}}
    return {"mainsnak": snak, "type": "statement", "rank": "normal"} | others


def item(number: str) -> dict[str, Any]:
    return {"entity-type": "item", "id": number}


def day(time_: str, precision: int) -> dict[str, Any]:
    return {"time": time_, "precision": precision}


def since(time_: str) -> dict[str, Any]:
    return {"P580": [{"snaktype": "value", "datavalue": {"value": day(time_, 11), "type": "time"}}]}


BERLIN = {
    "P31": [
        claim(item("Q515"), "wikibase-entityid"),
        claim(item("Q1"), "wikibase-entityid", rank="deprecated"),
    ],
    "P1082": [
        claim({"amount": "+3000000", "unit": "1"}, "quantity"),
        claim({"amount": "+3755251", "unit": "1"}, "quantity", rank="preferred"),
    ],
    "P2046": [claim({"amount": "+891.3", "unit": "http://www.wikidata.org/entity/Q712226"}, "quantity")],
    "P6": [claim(item("Q7"), "wikibase-entityid", qualifiers=since("+2023-04-27T00:00:00Z"))],
    "P571": [claim(day("+1237-00-00T00:00:00Z", 9), "time"), claim(day("-0100-00-00T00:00:00Z", 9), "time")],
    "P227": [claim("4005728-8", "string")],
    "P9": [{"mainsnak": {"snaktype": "somevalue"}, "rank": "normal"}],
    "P10": "broken",
}
NAMES = {"P31": "instance of", "P1082": "population", "P2046": "area", "P6": "head of government"}
NAMES |= {"P571": "inception", "Q515": "city", "Q712226": "square kilometre", "Q7": "Kai Wegner"}


def test_wikidata_statements_are_put_in_words() -> None:
    def answer(request: httpx2.Request) -> Any:
        asked = request.url.params
        if asked["action"] == "query":
            return {"query": {"search": [{"title": "Q64"}, {"title": "Q65"}, {"title": "Help:Page"}]}}
        if "claims" not in asked["props"]:
            assert set(asked["ids"].split("|")) == set(NAMES)
            return {"entities": {number: named(name) for number, name in NAMES.items()}}
        assert asked["ids"] == "Q64|Q65"
        berlin = named("Berlin") | {"id": "Q64", "modified": "2026-11-01T08:00:00Z", "claims": BERLIN}
        berlin["descriptions"] = {"en": {"language": "en", "value": "capital of Germany"}}
        return {"entities": {"Q65": {"id": "Q65", "missing": ""}, "Q64": berlin}}

    def named(name: str) -> dict[str, Any]:
        return {"labels": {"en": {"language": "mul", "value": name, "for-language": "en"}}}

    (found,) = search(Wikidata(), Channel.GENERAL, answer)
    assert (found.title, found.url) == ("Berlin", "https://www.wikidata.org/wiki/Q64")
    assert found.published == PartialDate(2026, 11, 1)
    assert found.text.splitlines() == [
        "Berlin: capital of Germany",
        "Berlin: instance of: city",
        "Berlin: population: 3,755,251",
        "Berlin: area: 891.3 square kilometre",
        "Berlin: head of government: Kai Wegner (from 2023-04-27)",
        "Berlin: inception: 1237",
    ]


@pytest.mark.parametrize("broken", [2, 3])
def test_wikidata_failure_of_a_later_request_is_reported(broken: int) -> None:
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> Any:
        asked.append(request)
        if len(asked) == broken:
            return {"error": {"code": "maxlag", "info": "Waiting for a server"}}
        if len(asked) == 1:
            return {"query": {"search": [{"title": "Q64"}]}}
        return {"entities": {"Q64": {"id": "Q64", "claims": BERLIN}}}

    with pytest.raises(SearchError, match=r"Wikidata answered.*\(Waiting for a server\)"):
        search(Wikidata(), Channel.GENERAL, answer)
    assert len(asked) == broken


def test_wikidata_values_of_any_type_are_survived() -> None:
    odd: list[Any] = [
        None,
        [],
        {},
        "x",
        7,
        {"mainsnak": []},
        {"mainsnak": {"datavalue": {"value": {}}}, "rank": "normal"},
    ]
    times: list[Any] = [{"time": 1, "precision": []}, {"time": "+1", "precision": 99}]
    amounts: list[Any] = [{"amount": []}, {"amount": "+" + "9" * 5000}, {"amount": "+٣"}]
    odd += [claim(value, "time") for value in times] + [claim(value, "quantity") for value in amounts]
    odd += [claim(item("P6x"), "wikibase-entityid", qualifiers=[1]), claim({"id": []}, "wikibase-entityid")]

    def answer(request: httpx2.Request) -> Any:
        if request.url.params["action"] == "query":
            return {"query": {"search": [{"title": "Q64"}, {"title": []}, 5]}}
        broken = {"id": "Q64", "labels": {"en": {"value": "Berlin"}}, "descriptions": []}
        return {"entities": {"Q64": broken | {"claims": {"P1": odd, "P2": odd[-1]}}, "Q65": 3}}

    (found,) = search(Wikidata(), Channel.GENERAL, answer, published_from=None)
    assert (found.title, found.text) == ("Berlin", "")
