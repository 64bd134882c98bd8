"""A scripted server on a real loopback socket that speaks every search provider's wire format, troubles included.

    with SearchServer() as server:
        server.find([Row("Title", "https://example.org/1", "2026-11-01", "Text.", ["a piece"], 0.9)])
        server.answer(status=429, retry_after="7", times=1)
        provider = HttpSearch(Exa(SecretStr("key"), server.url("exa")), SearchDeadline(20))

A provider's part of the server is the first part of the path; below `page`, hits are served as web pages. The newest rule that fits a request answers it; where
none fits, nothing is found. `python -m tests.search_server --latency 0.4` serves two pages to everybody.
"""

import argparse
import asyncio
import html
import json
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

from veridic.domain.urls import canonical_url
from veridic.providers.search.sifting import Row


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    method: str
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]

    @property
    def provider(self) -> str:
        return self.path.split("/")[1]

    @property
    def query(self) -> str:
        """What is searched for, under whatever name."""
        everything = {**self.parameters, **self.body}
        return str(
            next(
                (
                    everything[name]
                    for name in ("query", "q", "srsearch", "query.bibliographic", "term")
                    if name in everything
                ),
                "",
            )
        )


@dataclass(frozen=True)
class Reply:
    hits: Sequence[Row] | Callable[[Request], Sequence[Row]] = ()
    status: int = 200
    error: str | None = None
    """What the error says, in the provider's own form; any status."""
    retry_after: str | None = None
    garbage: bytes | None = None
    """The body as it is."""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_body: bool = False
    """The connection ends in the middle of the body."""
    hang_up: bool = False
    """The connection ends with no answer."""
    delay: float = 0.0
    """Seconds; for a benchmark. Tests hold a request instead."""

    def body(self, request: Request) -> bytes:
        if self.garbage is not None:
            return self.garbage
        if self.error is not None or self.status != 200:
            return _ERRORS[request.provider](self.error or f"scripted failure {self.status}", self.status)
        hits = self.hits(request) if callable(self.hits) else self.hits
        return _FORMATS[request.provider](hits, request)


@dataclass
class _Rule:
    reply: Reply
    when: Callable[[Request], bool] | None
    times: int | None

    def fits(self, request: Request) -> bool:
        return self.times != 0 and (self.when is None or self.when(request))


@dataclass
class Gate:
    """All requests are held until `release`."""

    loop: asyncio.AbstractEventLoop
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self.loop.call_soon_threadsafe(self._open.set)

    async def pass_through(self) -> None:
        await self._open.wait()


class SearchServer:
    """Runs in a thread of its own while its context is entered."""

    def __init__(self, port: int = 0) -> None:
        self.requests: list[Request] = []
        """Everything that was asked, in the order it came."""
        self._port = port
        self._rules: list[_Rule] = []
        self._gates: list[Gate] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._connections: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def url(self, provider: str) -> str:
        """The provider's base address."""
        return f"http://127.0.0.1:{self._port}/{provider}"

    def find(
        self,
        hits: Sequence[Row] | Callable[[Request], Sequence[Row]],
        *,
        when: Callable[[Request], bool] | None = None,
        times: int | None = None,
        delay: float = 0.0,
    ) -> None:
        """Answer requests that fit with these hits, in the form of the provider that is asked."""
        self.answer(hits=hits, when=when, times=times, delay=delay)

    def answer(
        self, *, when: Callable[[Request], bool] | None = None, times: int | None = None, **reply: Any
    ) -> None:
        """Answer requests that fit with a `Reply` of these fields, `times` times, before older rules are asked."""
        self._rules.insert(0, _Rule(Reply(**reply), when, times))

    def hold(self) -> Gate:
        """Keep all requests waiting until the gate is released."""
        gate = Gate(self._loop)
        self._gates.append(gate)
        return gate

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._listen())
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port, backlog=1024)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._server.close()
        # Those being accepted too: a client may have given up before its connection was looked at.
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        for writer in self._connections:
            writer.transport.abort()
        await asyncio.sleep(0)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        task = self._loop.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._serve_one(reader, writer):
                pass
        self._connections.discard(writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection can serve another one."""
        request = await _read(reader)
        self.requests.append(request)
        for gate in self._gates:
            await gate.pass_through()
        reply = self._reply_to(request)
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if reply.hang_up:
            return False
        body = reply.body(request)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **reply.headers}
        if reply.retry_after is not None:
            headers["Retry-After"] = reply.retry_after
        lines = [
            f"HTTP/1.1 {reply.status} Scripted",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        head = "\r\n".join([*lines, "", ""]).encode()
        writer.write(head + (body[: len(body) // 2] if reply.cut_body else body))
        await writer.drain()
        return not reply.cut_body

    def _reply_to(self, request: Request) -> Reply:
        for rule in self._rules:
            if rule.fits(request):
                if rule.times is not None:
                    rule.times -= 1
                return rule.reply
        return Reply()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    raw = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
    method, target, _ = head[0].split(" ")
    is_form = "form" in headers.get("content-type", "")
    body = dict(parse_qsl(raw, keep_blank_values=True)) if is_form else json.loads(raw or "{}")
    parts = urlsplit(target)
    return Request(method, parts.path, dict(parse_qsl(parts.query)), headers, body)


def _exa(hits: Sequence[Row], _: Request) -> bytes:
    results = [
        {"id": hit.url, "title": hit.title, "url": hit.url, "publishedDate": hit.published, "author": None}
        | {"text": hit.text, "highlights": list(hit.highlights), "score": hit.score}
        for hit in hits
    ]
    return json.dumps({"requestId": "1", "resolvedSearchType": "neural", "results": results}).encode()


def _tavily(hits: Sequence[Row], request: Request) -> bytes:
    results = [
        {"title": hit.title, "url": hit.url, "raw_content": hit.text, "score": hit.score}
        | {"content": " [...] ".join(hit.highlights), "published_date": hit.published}
        for hit in hits
    ]
    return json.dumps({"query": request.query, "answer": None, "images": [], "results": results}).encode()


def _brave(hits: Sequence[Row], request: Request) -> bytes:
    results = []
    for hit in hits:
        result: dict[str, Any] = {"title": hit.title, "url": hit.url, "age": "3 days ago"}
        if hit.published is not None:
            result["page_age"] = hit.published
        if hit.highlights:
            marked = [
                f"<strong>{html.escape(hit.highlights[0])}</strong>",
                *map(html.escape, hit.highlights[1:]),
            ]
            result |= {"description": marked[0], "extra_snippets": marked[1:]}
        results.append(result)
    if request.path.endswith("/news/search"):
        return json.dumps({"type": "news", "query": {}, "results": results}).encode()
    web = {"web": {"type": "search", "results": results}} if results else {}
    return json.dumps({"type": "search", "query": {}, **web}).encode()


def _searxng(hits: Sequence[Row], request: Request) -> bytes:
    results = [
        {
            "title": hit.title,
            "url": hit.url,
            "content": " ".join(hit.highlights),
            "engine": "a",
            "category": "b",
        }
        | {"publishedDate": hit.published, "score": hit.score}
        for hit in hits
    ]
    return json.dumps({"query": request.query, "number_of_results": 0, "results": results}).encode()


def _wikipedia(hits: Sequence[Row], _: Request) -> bytes:
    if not hits:
        return b'{"batchcomplete": true, "query": {"searchinfo": {"totalhits": 0}, "search": []}}'
    found, pages = [], []
    for number, hit in enumerate(hits, start=1):
        marked = "".join(f'<span class="searchmatch">{html.escape(text)}</span>' for text in hit.highlights)
        found.append(
            {"ns": 0, "title": hit.title, "pageid": number, "snippet": marked, "timestamp": hit.published}
        )
        pages.append({"pageid": number, "ns": 0, "title": hit.title, "extract": hit.text, "fullurl": hit.url})
    # The pages come in any order.
    return json.dumps({"batchcomplete": True, "query": {"search": found, "pages": pages[::-1]}}).encode()


def _crossref(hits: Sequence[Row], _: Request) -> bytes:
    items = []
    for hit in hits:
        item: dict[str, Any] = {"DOI": "10.5555/1", "URL": hit.url, "title": [hit.title], "score": hit.score}
        if hit.text:
            lines = (f"<jats:p>{html.escape(line)}</jats:p>" for line in str(hit.text).split("\n"))
            item["abstract"] = f"<jats:title>Abstract</jats:title>{''.join(lines)}"
        if (parts := _date_parts(hit.published)) is not None:
            item["published"] = item["issued"] = {"date-parts": [parts]}
        else:
            item["issued"] = {"date-parts": [[None]]}
        items.append({name: value for name, value in item.items() if value is not None})
    message = {"facets": {}, "total-results": len(items), "items": items, "items-per-page": 20}
    answer = {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}
    return json.dumps(answer).encode()


def _date_parts(published: Any) -> list[int] | None:
    """A day as the databases of publications give it; None for what is none."""
    parts = str(published or "")[:10].split("-")
    return [int(part) for part in parts] if all(map(str.isdecimal, parts)) else None


def _semantic_scholar(hits: Sequence[Row], _: Request) -> bytes:
    papers = [
        {"paperId": f"{number:040x}", "url": hit.url, "title": hit.title, "abstract": hit.text or None}
        | {
            "year": None,
            "publicationDate": hit.published,
            "authors": [{"authorId": "1", "name": "A. Author"}],
        }
        for number, hit in enumerate(hits)
    ]
    # Without results there is no list.
    return json.dumps({"total": len(papers), "offset": 0} | ({"data": papers} if papers else {})).encode()


def pubmed_address(url: Any) -> str:
    """The address of a hit as an article of PubMed, which has no others than its own."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{_pubmed_number(url)}/"


def _pubmed_number(url: Any) -> str:
    is_web = str(url).startswith("https://")
    return str(zlib.crc32(canonical_url(url).encode())) if is_web else ""


def _pubmed(hits: Sequence[Row], request: Request) -> bytes:
    if request.path.endswith("/esearch.fcgi"):
        found = [_pubmed_number(hit.url) or "0" for hit in hits]
        result = {"count": str(len(found)), "retmax": str(len(found)), "retstart": "0", "idlist": found}
        header = {"type": "esearch", "version": "0.3"}
        return json.dumps({"header": header, "esearchresult": result | {"querytranslation": ""}}).encode()
    articles = "".join(map(_pubmed_article, hits))
    doctype = (
        '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/p.dtd">'
    )
    return f'<?xml version="1.0" ?>\n{doctype}\n<PubmedArticleSet>{articles}</PubmedArticleSet>'.encode()


def _pubmed_article(hit: Row) -> str:
    parts = _date_parts(hit.published)
    if hit.published is None:
        published = ""
    elif parts is None:
        published = f"<PubDate><MedlineDate>{hit.published}</MedlineDate></PubDate>"
    else:
        month = _MONTHS[parts[1] - 1]
        published = (
            f"<PubDate><Year>{parts[0]}</Year><Month>{month}</Month><Day>{parts[2]:02d}</Day></PubDate>"
        )
    abstract = "".join(
        f"<AbstractText>{_xml_text(line)}</AbstractText>" for line in str(hit.text or "").split("\n")
    )
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{_pubmed_number(hit.url)}</PMID><Article>'
        f"<Journal><JournalIssue>{published}</JournalIssue></Journal><ArticleTitle>{_xml_text(hit.title)}</ArticleTitle>"
        f"<Abstract>{abstract}</Abstract></Article></MedlineCitation></PubmedArticle>"
    )


def _xml_text(text: Any) -> str:
    """XML can't have control characters, so the real service has none either."""
    return html.escape("".join(character for character in str(text) if character >= " "))


def _factcheck(hits: Sequence[Row], _: Request) -> bytes:
    claims = []
    for hit in hits:
        review: dict[str, Any] = {
            "publisher": {"name": "A. Checker", "site": "checker.example"},
            "url": hit.url,
        }
        review |= {"title": hit.title, "textualRating": "Mostly true", "languageCode": "en"}
        if hit.published is not None:
            review["reviewDate"] = hit.published
        said = " ".join(hit.highlights)
        claims.append({"text": said, "claimant": "A. Claimant", "claimReview": [review]})
    # Without results there is no list.
    return json.dumps({"claims": claims, "nextPageToken": "CAo"} if claims else {}).encode()


def _google_error(said: str, status: int) -> bytes:
    details = [
        {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R", "domain": "googleapis.com"}
    ]
    error = {"code": status, "message": said, "status": "INVALID_ARGUMENT", "details": details}
    return json.dumps({"error": error}).encode()


def wikidata_address(url: Any) -> str:
    """The address of a hit as an item of Wikidata, which has no others than its own."""
    return f"https://www.wikidata.org/wiki/{_wikidata_number(url)}"


def _wikidata_number(url: Any) -> str:
    number = _pubmed_number(url)
    return f"Q{number}" if number else ""


def _wikidata(hits: Sequence[Row], request: Request) -> bytes:
    if request.parameters["action"] == "query":
        found = [{"ns": 0, "title": _wikidata_number(hit.url) or "Main Page", "pageid": 1} for hit in hits]
        return json.dumps({"batchcomplete": True, "query": {"search": found}}).encode()
    entities: dict[str, Any] = {}
    for hit in hits:
        number = _wikidata_number(hit.url)
        entity: dict[str, Any] = {"type": "item", "id": number, "pageid": 1, "ns": 0, "title": number}
        entity |= {"labels": {"en": {"language": "en", "value": hit.title}}, "claims": {}}
        entity["descriptions"] = {"en": {"language": "en", "value": hit.text}}
        entities.setdefault(number, entity | ({"modified": hit.published} if hit.published else {}))
    return json.dumps({"entities": entities, "success": 1}).encode()


def _duckduckgo(hits: Sequence[Row], _: Request) -> bytes:
    if not hits:
        return b'<html><div class="no-results">No results.</div></html>'
    results = "".join(
        f'<div class="result results_links"><div class="links_main result__body"><h2><a href="{html.escape(str(hit.url))}">'
        f'{html.escape(str(hit.title))}</a></h2><a class="result__snippet" href="{html.escape(str(hit.url))}">'
        f"{html.escape(' '.join(hit.highlights))}</a></div></div>"
        for hit in hits
    )
    return f"<html><head><meta charset='utf-8'></head><main>{results}</main></html>".encode()


def _page(hits: Sequence[Row], _: Request) -> bytes:
    """The first hit as a page that one could have found."""
    hit = hits[0]
    paragraphs = "".join(f"<p>{html.escape(text)}</p>" for text in str(hit.text).split("\n\n"))
    dated = f'<meta property="article:published_time" content="{hit.published}">' if hit.published else ""
    head = f"<head><title>{html.escape(str(hit.title))}</title>{dated}</head>"
    return f"<!doctype html><html>{head}<body><article>{paragraphs}</article></body></html>".encode()


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_FORMATS = {
    "page": _page,
    "exa": _exa,
    "tavily": _tavily,
    "brave": _brave,
    "searxng": _searxng,
    "wikipedia": _wikipedia,
    "factcheck": _factcheck,
    "wikidata": _wikidata,
    "crossref": _crossref,
    "pubmed": _pubmed,
    "semanticscholar": _semantic_scholar,
    "duckduckgo": _duckduckgo,
}
_ERRORS: dict[str, Callable[[str, int], bytes]] = {
    "page": lambda said, _: said.encode(),
    "exa": lambda said, _: json.dumps({"requestId": "1", "error": said, "tag": "T"}).encode(),
    "tavily": lambda said, _: json.dumps({"detail": {"error": said}}).encode(),
    "brave": lambda said, status: json.dumps(
        {"type": "ErrorResponse", "error": {"id": "1", "status": status, "code": "C", "detail": said}}
    ).encode(),
    "searxng": lambda said, _: json.dumps({"error": said}).encode(),
    "wikipedia": lambda said, _: json.dumps(
        {"error": {"code": "c", "info": said}, "servedby": "mw"}
    ).encode(),
    "duckduckgo": lambda said, _: said.encode(),
    "factcheck": _google_error,
    "wikidata": lambda said, _: json.dumps({"error": {"code": "c", "info": said}, "servedby": "mw"}).encode(),
    "pubmed": lambda said, _: json.dumps({"error": said, "api-key": "127.0.0.1", "count": "4"}).encode(),
    "crossref": lambda said, _: json.dumps(
        {
            "status": "failed",
            "message-type": "validation-failure",
            "message": [{"type": "integer-not-valid", "value": "x", "message": said}],
        }
    ).encode(),
    "semanticscholar": lambda said, status: json.dumps(
        {"message": said, "code": str(status)} if status in (403, 429) else {"error": said}
    ).encode(),
}


def _main() -> None:
    options = argparse.ArgumentParser(description="Serve two pages to every search, in each provider's form.")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--latency", type=float, default=0.0, help="seconds for each answer")
    chosen = options.parse_args()
    page = Row("A page", "https://en.wikipedia.org/wiki/A", "2026-11-01", "It says so.", ["says so"], 0.9)
    with SearchServer(chosen.port) as server, suppress(KeyboardInterrupt):
        server.find([page, page._replace(url="https://en.wikipedia.org/wiki/B")], delay=chosen.latency)
        print(server.url("PROVIDER"), flush=True)  # noqa: T201
        threading.Event().wait()


if __name__ == "__main__":
    _main()
