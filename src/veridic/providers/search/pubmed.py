"""PubMed: publications in medicine and biology, with their abstracts, through NCBI's E-utilities. Needs no key."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from veridic.domain.dates import MONTHS, PartialDate
from veridic.domain.evidence import Channel
from veridic.providers.search.asking import error_message
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest
from veridic.providers.search.publications import author_line, date_of_parts, first_published
from veridic.providers.search.sifting import Row, UnreadableResultsError
from veridic.providers.search.words import any_keyword

_MAX_CHARACTERS = 300
Element = Any
"""Of lxml, which takes long to load and has no types."""
_EARLIEST_DATE = date(1700, 1, 1)
_MONTHS = tuple(month[:3].lower() for month in MONTHS)


@dataclass(frozen=True)
class PubMed(Engine):
    """Serves the research channel, in two requests: one finds, the next gets the abstracts. Its filter by dates takes
    the day of print too, so the dates are checked in the results.
    """

    base_url: str = "https://eutils.ncbi.nlm.nih.gov"
    contact: str = ""
    """An e-mail address, which NCBI asks for so that it can write before it blocks."""
    name = "pubmed"
    label = "PubMed"
    api_key = None
    own_domains = ("pubmed.ncbi.nlm.nih.gov",)

    def request(self, query: SearchQuery, today: date) -> SearchRequest | None:
        if query.channel is not Channel.RESEARCH:
            return None
        words = any_keyword(query.claim or query.query, _MAX_CHARACTERS)
        first, last = query.published_from or _EARLIEST_DATE, query.published_to or today
        parameters = {
            "term": f"({words}) NOT retracted publication[pt]",
            "sort": "relevance",
            "retmax": str(query.count),
            "retmode": "json",
            "datetype": "pdat",
            "mindate": first.isoformat().replace("-", "/"),
            "maxdate": last.isoformat().replace("-", "/"),
        }
        return SearchRequest("/entrez/eutils/esearch.fcgi", parameters | self._caller())

    def follow_up(self, answers: Sequence[Any]) -> SearchRequest | None:
        if len(answers) > 1:
            return None
        found = _found(answers[0])
        if not found:
            return None
        parameters = {"id": ",".join(found), "retmode": "xml"}
        return SearchRequest("/entrez/eutils/efetch.fcgi", parameters | self._caller(), reads_xml=True)

    def rows(self, answer: Any) -> Sequence[Row]:
        if not isinstance(answer, str):
            if _found(answer):
                raise UnreadableResultsError
            return []  # The first answer, which was all because nothing was found.
        return [_row(article) for article in _articles(answer)]

    def _caller(self) -> dict[str, str]:
        who = {"db": "pubmed", "tool": "veridic"}
        return who | ({"email": self.contact} if self.contact else {})


def _found(answer: Any) -> list[str]:
    """Return the numbers of the articles that were found, best first."""
    found = answer.get("esearchresult") if isinstance(answer, dict) else None
    if not isinstance(found, dict):
        raise UnreadableResultsError(error_message(answer))
    numbers = found.get("idlist")
    if not isinstance(numbers, list):
        raise UnreadableResultsError(error_message(found.get("ERROR")))
    return [
        number for number in numbers if isinstance(number, str) and number.isascii() and number.isdecimal()
    ]


def _articles(text: str) -> Iterator[Element]:
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text.encode(), parser)
    except (etree.XMLSyntaxError, ValueError):
        raise UnreadableResultsError(error_message(text)) from None
    if root.tag != "PubmedArticleSet":
        raise UnreadableResultsError(_text(root.find(".//ERROR")))
    yield from root.iterfind("PubmedArticle")


def _row(article: Element) -> Row:
    number = _text(article.find("MedlineCitation/PMID"))
    return Row(
        title=_text(article.find(".//ArticleTitle")),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{number}/" if number.isdecimal() else None,
        published=first_published(
            _date(article.find(path))
            for path in (".//Article/ArticleDate", ".//Article/Journal/JournalIssue/PubDate")
        ),
        text="\n".join(_section(part) for part in article.iterfind(".//Article/Abstract/AbstractText")),
        author=author_line(_name(author) for author in article.iterfind(".//Article/AuthorList/Author")),
    )


def _section(part: Element) -> str:
    """Return a section of an abstract; a structured abstract labels them: `RESULTS`."""
    label, text = part.get("Label"), _text(part)
    return f"{label}: {text}" if label else text


def _date(found: Element | None) -> PartialDate | None:
    """Return the date of `<Year>2026</Year><Month>Nov</Month><Day>1</Day>`, or the year of `2026 Nov-Dec`."""
    if found is None:
        return None
    if medline := _text(found.find("MedlineDate")):
        return date_of_parts([medline[:4]])
    month = _text(found.find("Month"))
    name = month[:3].lower()
    number = str(_MONTHS.index(name) + 1) if name in _MONTHS else month
    return date_of_parts([_text(found.find("Year")), number, _text(found.find("Day"))])


def _name(author: Element) -> str:
    """Return a person's name, or that of a group."""
    names = (_text(author.find(tag)) for tag in ("ForeName", "LastName", "CollectiveName"))
    return " ".join(name for name in names if name)


def _text(element: Element | None) -> str:
    """Return an element's text, that of the markup in it included, on one line."""
    return "" if element is None else " ".join("".join(map(str, element.itertext())).split())
