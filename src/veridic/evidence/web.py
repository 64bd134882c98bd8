"""Evidence from the web: what search providers find for a claim, cut into passages and ranked like a corpus's."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from veridic.domain.document import Document
from veridic.domain.errors import SearchError
from veridic.domain.evidence import Found, Passage, Source, SourceType
from veridic.domain.urls import canonical_url
from veridic.evidence.credibility import Credibility
from veridic.evidence.passages import split_passages
from veridic.evidence.query import Expand
from veridic.evidence.retrieval import choose_passages
from veridic.providers.search.base import SearchProvider, SearchQuery, SearchResult
from veridic.providers.search.channels import ChannelPlan, queries_for

_READ_OF_A_PAGE = 20_000
"""Characters: what matters of a page stands in its first part, and highlights are read besides."""


class _Answers(NamedTuple):
    results: list[SearchResult]
    problems: list[str]


class WebSearch:
    """The web as a place to find passages in: every provider is asked in every channel, all at once.

    What failed while others answered is in `problems`; where nobody answers, `find` raises `SearchError`.
    """

    name = "the web"

    def __init__(
        self,
        providers: Sequence[SearchProvider],
        channels: Sequence[ChannelPlan],
        *,
        credibility: Credibility,
        as_of: date,
        expand: Expand | None = None,
    ) -> None:
        self._providers = providers
        self._channels = channels
        self._credibility = credibility
        self._as_of = as_of
        self._expand = expand
        self.problems: list[str] = []
        """One sentence each, in the order they came."""

    def find(self, claim_text: str, limit: int) -> list[Found]:
        """The passages to read for a claim, most promising first, copies put together."""
        queries = queries_for(claim_text, self._as_of, self._channels)
        answers = asyncio.run(self._ask_everybody(queries))
        if answers.problems and not answers.results:
            raise SearchError(answers.problems[0])
        self.problems += answers.problems
        passages = [self._rate(passage) for result in answers.results for passage in passages_of(result)]
        return choose_passages(claim_text, passages, limit, self._expand)

    async def _ask_everybody(self, queries: Sequence[SearchQuery]) -> _Answers:
        asked = [provider.search(query) for provider in self._providers for query in queries]
        results: dict[str, SearchResult] = {}
        problems: list[str] = []
        for answer in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(answer, SearchError):
                problems.append(str(answer))
            elif isinstance(answer, BaseException):
                raise answer
            else:
                for result in answer:
                    results.setdefault(canonical_url(result.url), result)
        return _Answers(list(results.values()), list(dict.fromkeys(problems)))

    def _rate(self, passage: Passage) -> Passage:
        return passage.model_copy(update={"source": self._credibility.rate(passage.source)})


def passages_of(result: SearchResult) -> Iterator[Passage]:
    """The passages of a page that was found: of its text, else of its highlights."""
    text = result.text[:_READ_OF_A_PAGE] or "\n\n".join(result.highlights)
    source = Source(
        title=result.title,
        type=SourceType.WEB,
        url=result.url,
        domain=result.domain,
        date=result.published,
        found_in=result.provider,
    )
    page = Document(text=text, source=result.url)
    for number, draft in enumerate(split_passages(page)):
        yield Passage(
            id=f"{result.url}#{number}", source=source, text=draft.text, start=draft.start, end=draft.end
        )
