from datetime import date
from pathlib import Path

import pytest

from veridic.domain.document import Document
from veridic.domain.evidence import Found, Passage, Source, Tier
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.evidence.credibility import load_credibility
from veridic.evidence.retrieval import Retriever, merge_found

CREDIBILITY = load_credibility()
FACTS = {
    "Australia": "The capital of Australia is Canberra.",
    "Austria": "The capital of Austria is Vienna.",
    "Cities": "Sydney and Melbourne are the largest cities of Australia.",
    "Ports": "Sydney has a large natural harbour where many ships lie.",
    "Kenya": "Kenya had 53 million people in 2019.",
}


@pytest.fixture
def retriever(tmp_path: Path) -> Retriever:
    return open_retriever(tmp_path, FACTS)


def open_retriever(folder: Path, facts: dict[str, str], name: str = "desk") -> Retriever:
    def item(title: str, text: str) -> CorpusItem:
        document = Document(text=text, source=f"/{title}", title=title, domain="www.cia.gov")
        return CorpusItem(f"/{title}", text, lambda: [document])

    corpora = Corpora(folder)
    corpora.add(name, [item(title, text) for title, text in facts.items()])
    return Retriever(corpora.open(name), credibility=CREDIBILITY, as_of=date(2026, 11, 15))


def test_a_claim_that_is_wrong_in_one_detail_finds_what_corrects_it(retriever: Retriever) -> None:
    found = [one.passage.text for one in retriever.find("The capital of Australia is Sydney.", 3)]
    assert found[0] == FACTS["Australia"]


def test_sources_are_rated_by_their_domain(retriever: Retriever) -> None:
    (found,) = retriever.find("Kenya has 50 million people.", 1)
    assert (found.passage.source.tier, found.passage.source.credibility) == (Tier.FEDERAL_GOVERNMENT, 1.0)


def test_the_retriever_is_named_after_its_corpus(retriever: Retriever) -> None:
    assert retriever.name == "desk"


@pytest.mark.parametrize(
    "text", ["", "the of and", "🙂", "x" * 50_000, '") OR (title:*', "\u202eabc", "\ud800"]
)
def test_any_claim_can_be_asked(retriever: Retriever, text: str) -> None:
    assert len(retriever.find(text, 3)) <= 3


def test_copies_count_once_and_are_listed(tmp_path: Path) -> None:
    story = "The central bank of Kenya raised its main rate to 5% on Thursday, its third rise in a row."
    found = open_retriever(tmp_path, {"First": story, "Reprint": "NAIROBI - " + story}).find(story, 5)
    assert len(found) == 1
    assert len(found[0].copies) == 1


def found_in(corpus: str, text: str, score: float, copies: tuple[Source, ...] = ()) -> Found:
    source = Source(title=corpus, channel=corpus, path=f"{corpus}/{text}")
    return Found(Passage(id=f"{corpus}{text}", source=source, text=text, start=0, end=1, score=score), copies)


def test_several_corpora_become_one_ranking_with_copies_across_them() -> None:
    third = Source(title="third", channel="b", path="third")
    one = [found_in("a", "Kenya is large.", 0.09), found_in("a", "Chad is dry.", 0.02)]
    other = [found_in("b", "Kenya is large.", 0.05, (third,)), found_in("b", "Peru is high.", 0.04)]
    merged = merge_found([one, other], 5)
    assert [item.passage.text for item in merged] == ["Kenya is large.", "Peru is high.", "Chad is dry."]
    assert merged[0].passage.source.channel == "a"
    assert {source.path for source in merged[0].copies} == {"b/Kenya is large.", "third"}
    assert merge_found([other, one], 5) == merged, "the order in which corpora answer does not matter"
    assert len(merge_found([one, other], 2)) == 2
    assert merge_found([], 5) == []


def test_a_corpus_that_knows_nothing_of_the_matter_does_not_crowd_out_one_that_does(tmp_path: Path) -> None:
    knows = open_retriever(tmp_path, FACTS, "knows")
    noise = {f"N{n}": f"Number {n}: a capital idea for the garden and its {n} gnomes." for n in range(20)}
    ignorant = open_retriever(tmp_path, noise, "ignorant")
    claim = "The capital of Australia is Sydney."
    merged = merge_found([ignorant.find(claim, 5), knows.find(claim, 5)], 4)
    assert merged[0].passage.text == FACTS["Australia"]
