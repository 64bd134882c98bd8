from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Passage, Source
from veridic.evidence.corpus import Corpora, Corpus
from veridic.evidence.index import IndexWriter, PassageIndex, QueryTerm, Within, analyse


def passage(
    text: str, *, title: str = "A title", when: str | None = None, published: str | None = None
) -> Passage:
    source = Source(title=title, channel="test", date=PartialDate.parse(published) if published else None)
    about = PartialDate.parse(when) if when else None
    return Passage(id=text[:20], source=source, text=text, start=0, end=len(text), date=about)


def kept(place: Path | str, passages: Sequence[Passage]) -> Corpus:
    """A corpus of the passages, in a folder or a database."""
    corpora = Corpora(place)
    corpora.add_passages("desk", "1", lambda: passages)
    return corpora.open("desk")


def write(folder: Path, passages: Iterable[Passage], base: Path | None = None) -> PassageIndex:
    writer = IndexWriter(folder, base)
    for number, one in enumerate(passages):
        writer.add(f"item{number}", one)
    writer.finish()
    return PassageIndex(folder)


def texts(found: Iterable[Passage]) -> list[str]:
    return [one.text for one in found]


@pytest.fixture(scope="module")
def index(module_place: Path | str) -> Corpus:
    return kept(
        module_place,
        [
            passage("Zürich has naïve cafés.", published="2020-05"),
            passage("Countries were bordering the sea.", title="Kenya"),
            passage("The population is 3,972,004 people.", when="2031"),
            passage("A report on Papua New Guinea.", published="2030-01-01", when="1999"),
            passage("New Papua has a Guinea pig.", published="1999"),
        ],
    )


def test_words_match_in_any_form_case_and_accent(index: Corpus) -> None:
    assert texts(index.search([QueryTerm("ZURICH")], 5)) == ["Zürich has naïve cafés."]
    assert texts(index.search([QueryTerm("cafe\u0301")], 5)) == ["Zürich has naïve cafés."]
    assert texts(index.search([QueryTerm("country"), QueryTerm("borders")], 5)) == [
        "Countries were bordering the sea."
    ]


def test_titles_are_searched_and_numbers_stay_whole(index: Corpus) -> None:
    assert texts(index.search([QueryTerm("kenya")], 5)) == ["Countries were bordering the sea."]
    assert texts(index.search([QueryTerm("3,972,004")], 5)) == ["The population is 3,972,004 people."]
    assert index.search([QueryTerm("972")], 5) == []


def test_phrase_must_be_contiguous(index: Corpus) -> None:
    assert texts(index.search([QueryTerm("Papua New Guinea")], 5)) == ["A report on Papua New Guinea."]


def test_any_spelling_matches(index: Corpus) -> None:
    assert texts(index.search([QueryTerm("Nairobi", others=("Kenya",))], 5)) == [
        "Countries were bordering the sea."
    ]


def test_later_passages_are_not_found(index: Corpus) -> None:
    terms = [QueryTerm(word) for word in ("zurich", "population", "report", "pig", "sea")]
    assert len(index.search(terms, 9)) == 5
    found = texts(index.search(terms, 9, Within(until=date(2026, 11, 15))))
    assert sorted(text.split()[0] for text in found) == ["Countries", "New", "Zürich"]


def test_date_range_and_domains_filter_results(place: Path | str) -> None:
    def on(domain: str | None, url: str | None = None) -> Passage:
        source = Source(title="T", domain=domain, url=url, date=PartialDate(2024, 5))
        name = url or domain or "none"
        return Passage(id=name, source=source, text=f"A fact of {name}.", start=0, end=1)

    index = kept(
        place,
        [
            on("bbc.co.uk", "https://www.bbc.co.uk/1"),
            on("bbc.co.uk", "http://news.bbc.co.uk:80/2"),
            on("BBC.co.uk"),
            on(None, "https://a-b.example/3"),
            on("notbbc.co.uk"),
            on("bbc.co.uk.example"),
            on(None),
        ],
    )

    def found(within: Within) -> set[str]:
        return {one.id for one in index.search([QueryTerm("fact")], 9, within)}

    bbc = {"https://www.bbc.co.uk/1", "http://news.bbc.co.uk:80/2", "BBC.co.uk"}
    assert found(Within(domains=("bbc.co.uk",))) == bbc
    assert found(Within(domains=("news.bbc.co.uk",))) == {"http://news.bbc.co.uk:80/2"}
    assert found(Within(domains=("a-b.example", ""))) == {"https://a-b.example/3", "none"}
    assert not found(Within(not_domains=("co.uk",))) & bbc
    assert found(Within(domains=(".*", "(bbc|x)"))) == set(), "a domain is no pattern"
    assert len(found(Within(since=date(2024, 5, 1)))) == 7
    assert found(Within(since=date(2024, 5, 2))) == set()


def test_filters_do_not_change_scores(index: Corpus) -> None:
    terms = [QueryTerm("zurich"), QueryTerm("report")]
    plain = {one.text: one.score for one in index.search(terms, 9)}
    kept = {one.text: one.score for one in index.search(terms, 9, Within(date(1900, 1, 1), date(2050, 1, 1)))}
    assert kept == plain
    assert index.search([QueryTerm("nowhere")], 9, Within(since=date(1900, 1, 1))) == []


def test_stored_passage_returns_with_score(index: Corpus) -> None:
    (found,) = index.search([QueryTerm("population")], 1)
    assert found.score > 0
    assert found.model_copy(update={"score": 0.0}) == passage(
        "The population is 3,972,004 people.", when="2031"
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(), st.floats(0, 1e6), st.lists(st.text(), max_size=2)), max_size=5))
def test_any_query_text_is_accepted(index: Corpus, raw: list[tuple[str, float, list[str]]]) -> None:
    terms = [QueryTerm(text, weight, tuple(others)) for text, weight, others in raw]
    assert len(index.search(terms, 3)) <= 3


@pytest.mark.parametrize(
    "text",
    [
        '" OR *:* AND (',
        "title:[* TO *]",
        "\x00",
        "x" * 100_000,
        "\ud800",
        "+-&&||!(){}[]^~*?:\\/",
        "a " * 5000,
    ],
)
def test_query_syntax_has_no_effect(index: Corpus, text: str) -> None:
    assert len(index.search([QueryTerm(text), QueryTerm("zurich")], 5)) >= 1


def test_no_terms_or_no_limit_finds_nothing(index: Corpus) -> None:
    assert index.search([], 5) == []
    assert index.search([QueryTerm("zurich")], 0) == []
    assert index.search([QueryTerm("zurich", 0.0)], 5) == []


def test_new_index_builds_on_unchanged_old_one(tmp_path: Path) -> None:
    old = write(tmp_path / "old", [passage("Alpha fact."), passage("Beta fact.")])
    before = {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()}
    writer = IndexWriter(tmp_path / "new", tmp_path / "old")
    writer.drop("item0")
    writer.add("item9", passage("Gamma fact."))
    writer.finish()
    assert {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()} == before
    fact = [QueryTerm("fact")]
    assert sorted(texts(PassageIndex(tmp_path / "new").search(fact, 9))) == ["Beta fact.", "Gamma fact."]
    assert sorted(texts(old.search(fact, 9))) == ["Alpha fact.", "Beta fact."]


def test_read_only_folder_can_be_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "index", [passage("Alpha fact.")])
    for lock in (tmp_path / "index").glob("*.lock"):
        lock.unlink()
    monkeypatch.setattr(
        "os.access", lambda path, mode: False
    )  # root can write even to a folder without write permission
    assert texts(PassageIndex(tmp_path / "index").search([QueryTerm("fact")], 9)) == ["Alpha fact."]
    assert not list((tmp_path / "index").glob("*.lock")), "nothing was written there"


@given(st.text())
def test_any_text_gives_tokens(text: str) -> None:
    assert all(token for token in analyse(text))
