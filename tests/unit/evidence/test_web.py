"""Pages that a search found, as passages for a claim."""

from datetime import date

import pytest

from veridic.domain.dates import PartialDate
from veridic.domain.errors import SearchError
from veridic.domain.evidence import Channel, SourceType
from veridic.evidence.credibility import load_credibility
from veridic.evidence.web import WebSearch, passages_of
from veridic.providers.search.base import SearchResult
from veridic.providers.search.channels import CHANNELS
from veridic.providers.search.fake import ScriptedSearch
from veridic.providers.search.sifting import Row

AS_OF = date(2026, 11, 16)
CLAIM = "The Eiffel Tower is 330 metres tall."
TOWER = Row(
    title="The tower",
    url="https://tower.example/height",
    published="2026-11-01",
    text="The Eiffel Tower is in Paris.\n\nThe Eiffel Tower is 330 metres tall.\n\nTickets cost 30 euros.",
)


def search_with(*providers: ScriptedSearch) -> WebSearch:
    return WebSearch(providers, CHANNELS, credibility=load_credibility(None), as_of=AS_OF)


def provider(name: str = "scripted") -> ScriptedSearch:
    return ScriptedSearch(name, today=lambda: AS_OF)


def test_the_passage_that_speaks_of_the_claim_comes_first() -> None:
    asked = provider()
    asked.answer([TOWER])
    best = search_with(asked).find(CLAIM, 5)[0].passage
    assert best.text == CLAIM
    assert (best.source.url, best.source.domain, best.source.type) == (
        TOWER.url,
        "tower.example",
        SourceType.WEB,
    )
    assert best.source.date == PartialDate(2026, 11, 1)


def test_every_channel_is_asked_up_to_the_day_of_the_check() -> None:
    asked = provider()
    search_with(asked).find(CLAIM, 5)
    assert [query.channel for query in asked.asked] == list(Channel)
    assert {query.published_to for query in asked.asked} == {AS_OF}


def test_a_page_that_several_searches_find_is_read_once() -> None:
    one, other = provider("one"), provider("other")
    one.answer([TOWER])
    other.answer([TOWER._replace(url="https://www.tower.example/height/")])
    found = search_with(one, other).find(CLAIM, 10)
    assert len({f.passage.source.location for f in found}) == 1
    assert [f.passage.text for f in found].count(CLAIM) == 1


def test_what_fails_is_named_and_the_others_count() -> None:
    asked = provider()
    asked.answer([TOWER])
    asked.answer(SearchError("Scripted gave no answer."), channel=Channel.NEWS)
    web = search_with(asked)
    assert web.find(CLAIM, 5)
    assert web.problems == ["Scripted gave no answer."]


def test_where_nobody_answers_the_search_has_failed() -> None:
    asked = provider()
    asked.answer(SearchError("Scripted gave no answer."))
    with pytest.raises(SearchError, match="Scripted gave no answer"):
        search_with(asked).find(CLAIM, 5)


def test_nothing_found_is_no_failure() -> None:
    assert search_with(provider()).find(CLAIM, 5) == []


def test_a_page_with_highlights_alone() -> None:
    page = SearchResult(
        title="T",
        url="https://a.example/",
        domain="a.example",
        highlights=("One thing.", "Another."),
        provider="p",
    )
    assert [passage.text for passage in passages_of(page)] == ["One thing.", "Another."]
    assert list(passages_of(page.model_copy(update={"highlights": ()}))) == []
