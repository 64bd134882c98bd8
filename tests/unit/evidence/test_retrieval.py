from datetime import date
from pathlib import Path

import pytest

from veridic.domain.document import Document
from veridic.domain.evidence import Found, Passage, Source, Tier
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.evidence.credibility import load_credibility
from veridic.evidence.retrieval import Retriever, merge_found, rank_passages

CREDIBILITY = load_credibility()
FACTS = {
    "Australia": "The capital of Australia is Canberra.",
    "Austria": "The capital of Austria is Vienna.",
    "Cities": "Sydney and Melbourne are the largest cities of Australia.",
    "Ports": "Sydney has a large natural harbour where many ships lie.",
    "Kenya": "Kenya had 53 million people in 2019.",
}


@pytest.fixture
def retriever(place: Path | str) -> Retriever:
    return open_retriever(place, FACTS)


def open_retriever(place: Path | str, facts: dict[str, str], name: str = "desk") -> Retriever:
    def item(title: str, text: str) -> CorpusItem:
        document = Document(text=text, source=f"/{title}", title=title, domain="www.cia.gov")
        return CorpusItem(f"/{title}", text, lambda: [document])

    corpora = Corpora(place)
    corpora.add(name, [item(title, text) for title, text in facts.items()])
    return Retriever(corpora.open(name), credibility=CREDIBILITY, as_of=date(2026, 11, 15))


def test_wrong_detail_still_finds_correction(retriever: Retriever) -> None:
    best = retriever.rank("The capital of Australia is Sydney.", 3)[0]
    assert best.text == FACTS["Australia"]


def test_sources_are_rated_by_domain(retriever: Retriever) -> None:
    (found, *_) = retriever.rank("Kenya has 50 million people.", 1)
    assert (found.source.tier, found.source.credibility) == (Tier.FEDERAL_GOVERNMENT, 1.0)


def test_retriever_and_sources_have_corpus_name(
    retriever: Retriever,
) -> None:
    assert retriever.name == "desk"
    assert retriever.rank("Kenya", 1)[0].source.found_in == "desk"


def test_old_index_format_still_works(place: Path | str) -> None:
    old = Source(title="Kenya", channel="reference", url="https://example.org/kenya")
    passage = Passage(id="1", source=old, text=FACTS["Kenya"], start=0, end=9)
    Corpora(place).add_passages("desk", "1", lambda: [passage])
    retriever = Retriever(Corpora(place).open("desk"), credibility=CREDIBILITY)
    source = retriever.rank("Kenya", 1)[0].source
    assert (source.channel, source.found_in) == ("", "desk")


@pytest.mark.parametrize(
    "text", ["", "the of and", "🙂", "x" * 50_000, '") OR (title:*', "\u202eabc", "\ud800"]
)
def test_any_claim_can_be_searched(retriever: Retriever, text: str) -> None:
    assert len(retriever.rank(text, 3)) <= len(FACTS)


PASSAGES = [
    Passage(
        id=f"{n}", source=Source(title="t", url=f"https://{n}.example"), text=text, start=0, end=len(text)
    )
    for n, text in enumerate(
        [
            "Tickets cost 30 euros.",
            "Sydney is not a capital.",
            "The capital of Australia is Canberra, a city that was planned from the start for this purpose alone.",
            "The capital of Australia is Canberra.",
        ]
    )
]


def test_unindexed_passages_are_ranked_by_match() -> None:
    ranked = rank_passages("The capital of Australia is Sydney.", PASSAGES)
    assert ranked[0].text == "The capital of Australia is Canberra."
    assert "0" not in {passage.id for passage in ranked}, "no word of the question stands in it"
    scores = [passage.score for passage in ranked]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


@pytest.mark.parametrize("question", ["", "the of and", "🙂", "x" * 50_000, "\ud800"])
def test_any_question_can_rank_passages(question: str) -> None:
    assert rank_passages(question, PASSAGES) == []
    assert rank_passages("Australia", []) == []


def found_in(corpus: str, text: str, score: float, copies: tuple[Source, ...] = ()) -> Found:
    source = Source(title=corpus, channel=corpus, path=f"{corpus}/{text}")
    return Found(Passage(id=f"{corpus}{text}", source=source, text=text, start=0, end=1, score=score), copies)


def test_corpora_are_merged_with_copies() -> None:
    third = Source(title="third", channel="b", path="third")
    one = [found_in("a", "Kenya is large.", 0.09), found_in("a", "Chad is dry.", 0.02)]
    other = [found_in("b", "Kenya is large.", 0.05, (third,)), found_in("b", "Peru is high.", 0.04)]
    merged = merge_found([one, other])
    assert [item.passage.text for item in merged] == ["Kenya is large.", "Peru is high.", "Chad is dry."]
    assert merged[0].passage.source.channel == "a"
    assert {source.path for source in merged[0].copies} == {"b/Kenya is large.", "third"}
    assert merge_found([other, one]) == merged, "the order in which corpora answer does not matter"
    assert len(merge_found([one, other], similarity=None)) == 4
    assert merge_found([]) == []


def test_irrelevant_corpus_does_not_crowd_out_relevant(place: Path | str) -> None:
    knows = open_retriever(place, FACTS, "knows")
    noise = {f"N{n}": f"Number {n}: a capital idea for the garden and its {n} gnomes." for n in range(20)}
    ignorant = open_retriever(place, noise, "ignorant")
    claim = "The capital of Australia is Sydney."
    merged = merge_found([[Found(p) for p in corpus.rank(claim, 20)] for corpus in (ignorant, knows)])
    assert merged[0].passage.text == FACTS["Australia"]


def test_all_sources_of_same_words_are_found(place: Path | str) -> None:
    facts = {f"paper-{n}.txt": "The Brindle tunnel cost 40 million dollars to build." for n in range(5)}
    ranked = open_retriever(place, facts).rank("The Brindle tunnel cost 40 million dollars.", 20)
    assert len({passage.source.location for passage in ranked}) == 5


def test_similar_passages_are_limited(place: Path | str) -> None:
    facts = {
        f"fact-{n}.txt": f"The Brindle tunnel number {n} cost {40 + n} million dollars." for n in range(9)
    }
    ranked = open_retriever(place, facts).rank("The Brindle tunnel cost 40 million dollars.", 20)
    assert len(ranked) == 3
