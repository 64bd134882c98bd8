"""A claim's evidence summarised: every sentence cites its sources, and says nothing they don't."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_decision, make_evidence, make_source
from tests.unit.decision.weighed import contextual, contradicting, supporting

from veridic.decision.account import account_of
from veridic.domain.evidence import TIER_SCORES, Evidence, Stance, Tier
from veridic.domain.validation import Account, CitedSentence
from veridic.domain.verdicts import Verdict


def account(verdict: Verdict, *key: Evidence, considered: Sequence[Evidence] = ()) -> Account:
    return account_of(make_decision(verdict=verdict, evidence=key), [*key, *considered])


def titles(sentence: CitedSentence) -> list[str]:
    return [source.title for source in sentence.sources]


def texts(sentences: Sequence[CitedSentence]) -> list[str]:
    return [sentence.text for sentence in sentences]


def test_summary_quotes_best_source_and_cites_all_supporting() -> None:
    made = account(Verdict.SUPPORTED, supporting(name="a", when="2024-12-15"), supporting(name="b"))
    (sentence,) = made.summary
    assert sentence.text == "The sources support the claim: “a says so” (a, 2024-12-15)."
    assert titles(sentence) == ["a", "b"]


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (Verdict.SUPPORTED, ["The sources support the claim: “a says so” (a, 2025).", "Evidence against it: “b says so” (b, 2025)."]),
        (Verdict.REFUTED, ["The sources contradict the claim: “b says so” (b, 2025).", "Evidence for it: “a says so” (a, 2025)."]),
        (Verdict.OUTDATED, ["The claim is out of date: “b says so” (b, 2025).", "Earlier evidence supports it: “a says so” (a, 2025)."]),
        (Verdict.MISLEADING, ["The claim is misleading: “b says so” (b, 2025).", "Evidence for it: “a says so” (a, 2025)."]),
        (Verdict.CONTESTED, ["The evidence is divided: “a says so” (a, 2025) supports the claim, “b says so” (b, 2025) contradicts it."]),
    ],
)  # fmt: skip
def test_summary_has_both_sides_for_any_verdict(verdict: Verdict, said: list[str]) -> None:
    made = account(verdict, supporting(name="a"), contradicting(name="b"))
    assert texts(made.summary) == said
    (conflict,) = made.contradictions
    assert conflict.text == "“a says so” (a, 2025) supports the claim, “b says so” (b, 2025) contradicts it."
    assert titles(conflict) == ["a", "b"]


def test_unverifiable_claim_cites_closest_passage_if_any() -> None:
    (nearest,) = account(Verdict.UNVERIFIABLE, contextual(name="c", when=None, relevance=0.7)).summary
    assert nearest.text == "The claim is unverifiable; the closest passage is “c says so” (c)."
    far = contextual(name="c", relevance=0.1)
    assert account(Verdict.UNVERIFIABLE, considered=[far]) == Account()
    assert account(Verdict.UNVERIFIABLE) == Account()


def test_up_to_five_findings_from_different_sources_first() -> None:
    key = [supporting(name="a"), contradicting(name="b")]
    others = [supporting(0.9, name="c"), contextual(0.9, name="d")]
    made = account(Verdict.SUPPORTED, *key, considered=others)
    assert [titles(finding) for finding in made.key_findings] == [["a"], ["b"], ["c"]]
    assert made.key_findings[0].text == "“a says so” (a, 2025), which supports the claim."
    assert made.key_findings[1].text == "“b says so” (b, 2025), which contradicts the claim."
    (context,) = account(Verdict.UNVERIFIABLE, considered=others[1:]).key_findings
    assert context.text == "“d says so” (d, 2025), for context."
    many = [supporting(0.5, name=f"s{n}") for n in range(20)]
    assert len(account(Verdict.SUPPORTED, *many[:3], considered=many).key_findings) == 5


def test_second_passage_of_a_source_comes_last() -> None:
    source = make_source("a", url="https://a.example/")
    first, second = (make_evidence(quote, source=source) for quote in ("One.", "Two."))
    made = account(Verdict.SUPPORTED, first, second, supporting(name="b"))
    assert [titles(f)[0] for f in made.key_findings] == ["a", "b", "a"]


def test_citations_are_most_credible_sources_with_a_side() -> None:
    tiers = [Tier.BLOGS_OPINION, Tier.FEDERAL_GOVERNMENT, Tier.NATIONAL_NEWS]
    evidence = [
        make_evidence(
            "It is so.", source=make_source(f"{tier}{n}", url=f"https://{tier}{n}.example", tier=tier)
        )
        for n in range(4)
        for tier in tiers
    ]
    made = account(Verdict.SUPPORTED, *evidence[:3], considered=[*evidence, contextual(name="c")])
    scores = [citation.source.credibility for citation in made.citations]
    assert len(scores) == 10
    assert scores == sorted(scores, reverse=True)
    assert scores.count(TIER_SCORES[Tier.BLOGS_OPINION]) == 2
    assert all(citation.source.title != "c" for citation in made.citations)
    assert made.citations[0].relevance == "Supports the claim as of 2025-03-01: “It is so”."


def test_most_relevant_context_fills_citations_up_to_eight() -> None:
    context = [contextual(name=f"c{n}", relevance=0.45 + n / 20) for n in range(12)]
    made = account(Verdict.REFUTED, contradicting(name="x", when=None), considered=context)
    cited = [citation.source.title for citation in made.citations]
    assert len(cited) == 8
    assert {"x", "c11", "c5"} < set(cited)
    assert "c4" not in cited
    relevance = {citation.source.title: citation.relevance for citation in made.citations}
    assert relevance["x"] == "Contradicts the claim: “x says so”."
    assert relevance["c11"] == "Gives context without deciding the claim as of 2025: “c11 says so”."


def test_relevance_of_a_source_on_both_sides() -> None:
    source = make_source("a", published="2025")
    sides = (Stance.SUPPORTING, Stance.CONTRADICTING)
    made = account(Verdict.PARTIAL, *(make_evidence(f"It is {s}.", stance=s, source=source) for s in sides))
    assert made.citations[0].relevance.startswith("Has passages for and against the claim as of 2025")


def test_evidence_without_address_or_quote_is_not_cited() -> None:
    nowhere = make_evidence(source=make_source("rumour", url=None))
    silent = make_evidence(" ")
    assert account(Verdict.SUPPORTED, nowhere, silent) == Account()


def test_quotations_are_short_and_without_marks() -> None:
    quote = "The rate [2] is 5.5%[3] in [2024].\n" + "x " * 1000
    (sentence,) = account(Verdict.SUPPORTED, make_evidence(quote)).summary
    assert "“The rate is 5.5% in [2024]. x" in sentence.text
    assert "\n" not in sentence.text
    assert len(sentence.text) < 600


EVIDENCE = st.lists(
    st.builds(
        lambda make, quality, relevance, name, when: make(quality, relevance=relevance, name=name, when=when),
        st.sampled_from([supporting, contradicting, contextual]),
        st.floats(0, 1),
        st.floats(0, 1),
        st.text(st.characters(codec="utf-8"), max_size=8).map(lambda text: f"n{text}"),
        st.sampled_from([None, "2019", "2024-12-15"]),
    ),
    max_size=14,
)
MARK = re.compile(r"\[\d{1,3}\]")


@given(st.sampled_from(Verdict), EVIDENCE)
def test_every_sentence_cites_evidence_that_was_read(verdict: Verdict, evidence: list[Evidence]) -> None:
    made = account(verdict, *evidence[:4], considered=evidence[4:])
    read = {e.source.location for e in evidence}
    for sentence in (*made.summary, *made.key_findings, *made.contradictions):
        assert sentence.sources
        assert {source.location for source in sentence.sources} <= read
        assert len({source.location for source in sentence.sources}) == len(sentence.sources)
        assert sentence.text.endswith(".")
        assert "\n" not in sentence.text
        assert not MARK.search(sentence.text)
    assert len(made.summary) <= 2
    assert len(made.key_findings) <= 5
    assert len(made.citations) <= 10
    stances = {e.stance for e in evidence}
    assert bool(made.contradictions) == ({Stance.SUPPORTING, Stance.CONTRADICTING} <= stances)
