"""The document's verdict, score and summary from all decisions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim, make_decision
from tests.unit.decision.weighed import contextual, contradicting, supporting

from veridic.decision.aggregation import (
    article_summary,
    credibility_score,
    document_verdict,
    overall_verdict,
    summarise,
)
from veridic.domain.claim import Risk
from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence
from veridic.domain.verdicts import WORTH, Scale, Verdict, overall_rating, read, say

UNDECIDED = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)


def decided(verdict: Verdict, confidence: float = 0.95, risk: Risk = Risk.MEDIUM) -> Decision:
    return make_decision(make_claim(risk=risk), verdict, confidence=confidence, evidence=[])


def decisions_of(*verdicts: Verdict) -> st.SearchStrategy[list[Decision]]:
    return st.lists(
        st.builds(decided, st.sampled_from(verdicts), st.floats(0, 1), st.sampled_from(Risk)),
        min_size=1,
        max_size=12,
    )


ANY = decisions_of(*Verdict)


@given(decisions_of(Verdict.SUPPORTED))
def test_all_supported_scores_90_to_100(decisions: list[Decision]) -> None:
    score = credibility_score(decisions)
    assert score is not None
    assert 90 <= score <= 100
    assert document_verdict(decisions) is Verdict.SUPPORTED


@given(decisions_of(Verdict.REFUTED))
def test_all_refuted_scores_0_to_20(decisions: list[Decision]) -> None:
    score = credibility_score(decisions)
    assert score is not None
    assert 0 <= score <= 20
    assert document_verdict(decisions) is Verdict.REFUTED


def test_one_supported_claim_among_many_undecided_is_not_enough() -> None:
    decisions = [decided(Verdict.SUPPORTED), *(decided(Verdict.UNVERIFIABLE) for _ in range(19))]
    assert document_verdict(decisions) is Verdict.UNVERIFIABLE
    assert credibility_score(decisions) is None


def test_a_third_of_claims_decided_gives_a_score() -> None:
    decisions = [decided(Verdict.SUPPORTED), *(decided(Verdict.UNVERIFIABLE) for _ in range(2))]
    score = credibility_score(decisions)
    assert score is not None
    assert 50 < score < 90
    assert credibility_score([*decisions, decided(Verdict.AMBIGUOUS)]) is None


@pytest.mark.parametrize("decisions", [[], [decided(Verdict.UNVERIFIABLE)], [decided(v) for v in UNDECIDED]])
def test_no_score_without_decided_claims(decisions: list[Decision]) -> None:
    assert credibility_score(decisions) is None
    assert document_verdict(decisions) is Verdict.UNVERIFIABLE


@given(ANY)
def test_score_is_within_bounds_or_none(decisions: list[Decision]) -> None:
    score = credibility_score(decisions)
    if 3 * sum(d.verdict not in UNDECIDED for d in decisions) < len(decisions):
        assert score is None
    else:
        assert score is not None
        assert 0 <= score <= 100


@given(ANY)
def test_undecided_claims_move_the_score_toward_the_middle(decisions: list[Decision]) -> None:
    alone, among = (
        credibility_score(decisions),
        credibility_score([*decisions, decided(Verdict.UNVERIFIABLE)]),
    )
    if alone is None:
        assert among is None
    elif among is not None:
        assert abs(among - 50) <= abs(alone - 50) + 1


@given(ANY)
def test_order_does_not_matter(decisions: list[Decision]) -> None:
    assert credibility_score(decisions[::-1]) == credibility_score(decisions)
    assert document_verdict(decisions[::-1]) is document_verdict(decisions)


@given(decisions_of(*WORTH), st.data())
def test_a_refuted_claim_never_raises_the_score(decisions: list[Decision], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(decisions) - 1))
    worse = list(decisions)
    worse[place] = worse[place].model_copy(update={"verdict": Verdict.REFUTED})
    before, after = credibility_score(decisions), credibility_score(worse)
    if WORTH[decisions[place].verdict] >= 0.5:
        assert before is not None
        assert after is not None
        assert after <= before


@given(decisions_of(*WORTH))
def test_score_and_verdict_are_consistent(decisions: list[Decision]) -> None:
    score, verdict = credibility_score(decisions), document_verdict(decisions)
    assert score is not None
    if say(verdict, Scale.VALIDATION) == "TRUE":
        assert score > 50
    assert say(verdict, Scale.VALIDATION) in ("TRUE", "FALSE", "MISLEADING")


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED], Verdict.MOSTLY_SUPPORTED),
        ([Verdict.SUPPORTED] * 9 + [Verdict.PARTIAL], Verdict.MOSTLY_SUPPORTED),
        ([Verdict.SUPPORTED] * 9 + [Verdict.REFUTED], Verdict.MISLEADING),
        ([Verdict.SUPPORTED, Verdict.REFUTED], Verdict.MISLEADING),
        ([Verdict.SUPPORTED, Verdict.REFUTED, Verdict.REFUTED], Verdict.REFUTED),
        ([Verdict.OUTDATED], Verdict.MISLEADING),
        ([Verdict.PARTIAL], Verdict.MISLEADING),
        ([Verdict.REFUTED, Verdict.UNVERIFIABLE], Verdict.REFUTED),
    ],
)
def test_document_verdict_from_claim_verdicts(verdicts: list[Verdict], verdict: Verdict) -> None:
    assert document_verdict([decided(v) for v in verdicts]) is verdict


@pytest.mark.parametrize(
    ("ratings", "overall"),
    [
        (["mixed"], "mixed"),
        (["true", "mixed"], "mixed"),
        (["true", "false"], "mixed"),
        (["true", "mostly_true"], "mostly_true"),
        (["mostly_false"], "mostly_false"),
        (["mixed", "mostly_false"], "mostly_false"),
        (["false", "false", "true"], "false"),
        (["unverifiable"], "unverifiable"),
    ],
)
def test_the_overall_rating_from_the_ratings_of_claims(ratings: list[str], overall: str) -> None:
    verdicts = [read(rating, Scale.RATING) for rating in ratings]
    assert overall_rating(verdicts, overall_verdict(verdicts)) == overall


def test_high_risk_claims_weigh_more() -> None:
    def score(risk: Risk) -> int:
        found = credibility_score([decided(Verdict.REFUTED, risk=risk), decided(Verdict.SUPPORTED)])
        assert found is not None
        return found

    assert score(Risk.HIGH) < score(Risk.MEDIUM) < score(Risk.LOW)


def test_low_confidence_moves_the_score_to_the_middle() -> None:
    def score(confidence: float) -> int:
        found = credibility_score([decided(Verdict.SUPPORTED, confidence), decided(Verdict.PARTIAL)])
        assert found is not None
        return found

    assert score(1.0) > score(0.5) > score(0.0) > 50


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        ([], "No verifiable claims identified."),
        ([Verdict.SUPPORTED], "Of 1 claim checked: 1 supported."),
        ([Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED, Verdict.REFUTED], "Of 3 claims checked: 2 supported and 1 refuted."),
        (list(Verdict), "Of 9 claims checked: 2 supported, 1 refuted, 1 out of date, 3 mixed and 2 unverifiable."),
    ],
)  # fmt: skip
def test_summary_counts_claims_by_outcome(verdicts: list[Verdict], sentence: str) -> None:
    assert summarise([decided(verdict) for verdict in verdicts]) == sentence


def summary_of(*decisions: Decision) -> list[tuple[str, list[str]]]:
    return [(s.text, [source.title for source in s.sources]) for s in article_summary(decisions)]


def rests_on(verdict: Verdict, *evidence: Evidence, risk: Risk = Risk.MEDIUM) -> Decision:
    return make_decision(make_claim(risk=risk), verdict, evidence=evidence)


CLAIM = "“The capital of Australia is Canberra”"


@pytest.mark.parametrize(
    ("decision", "text", "cited"),
    [
        (
            rests_on(Verdict.SUPPORTED, supporting(name="a"), supporting(name="b"), contradicting(name="c")),
            f"The sources support {CLAIM}: “a says so” (a, 2025).",
            ["a", "b"],
        ),
        (
            rests_on(Verdict.REFUTED, supporting(name="a"), contradicting(name="c")),
            f"The sources refute {CLAIM}: “c says so” (c, 2025).",
            ["c"],
        ),
        (
            rests_on(Verdict.OUTDATED, supporting(name="a"), contradicting(name="c")),
            f"The sources show that {CLAIM} is out of date: “c says so” (c, 2025).",
            ["c"],
        ),
        (
            rests_on(Verdict.MISLEADING, supporting(name="a")),
            f"The sources show that {CLAIM} is misleading: “a says so” (a, 2025).",
            ["a"],
        ),
        (
            rests_on(Verdict.CONTESTED, supporting(name="a"), contradicting(name="c")),
            f"The sources disagree on {CLAIM}: “a says so” (a, 2025) while “c says so” (c, 2025).",
            ["a", "c"],
        ),
        (
            rests_on(Verdict.UNVERIFIABLE, contextual(name="n")),
            f"{CLAIM} is unverifiable; the closest passage: “n says so” (n, 2025).",
            ["n"],
        ),
    ],
)
def test_summary_of_one_claim_gives_the_reason(decision: Decision, text: str, cited: list[str]) -> None:
    assert summary_of(decision) == [(text, cited)]


def test_claim_without_sources_is_counted_in_the_summary() -> None:
    held = rests_on(Verdict.SUPPORTED, supporting(name="a"))
    (sentence, _), *others = summary_of(held, rests_on(Verdict.UNVERIFIABLE))
    assert sentence.endswith("(a, 2025); 1 claim is unverifiable.")
    assert others == []
    assert len(summary_of(held, held)) == 2


def test_summary_of_many_claims_groups_by_outcome() -> None:
    decisions = [
        *(rests_on(Verdict.SUPPORTED, supporting(name=f"s{n}")) for n in range(3)),
        rests_on(Verdict.PARTIAL, supporting(name="p")),
        rests_on(Verdict.REFUTED, contradicting(name="low"), risk=Risk.LOW),
        rests_on(Verdict.REFUTED, contradicting(name="high"), contradicting(name="second"), risk=Risk.HIGH),
        rests_on(Verdict.UNVERIFIABLE, contextual(name="near")),
        rests_on(Verdict.UNVERIFIABLE),
    ]
    assert summary_of(*decisions) == [
        (f"3 of 8 claims are supported, such as {CLAIM} and {CLAIM}.", ["s0", "s1", "s2"]),
        (
            f"3 of 8 claims are not supported as stated (2 refuted and 1 true in part), above all {CLAIM}: “high says so” (high, 2025).",
            ["high", "low", "p", "second"],
        ),
        (
            f"2 of 8 claims are unverifiable; the closest passage, for {CLAIM}, is “near says so” (near, 2025).",
            ["near"],
        ),
    ]


def test_summary_counts_are_right() -> None:
    held, wrong = (
        rests_on(Verdict.SUPPORTED, supporting(name="a")),
        rests_on(Verdict.REFUTED, contradicting(name="c")),
    )
    assert summary_of(held, held, held)[0][0].startswith("All 3 claims are supported, such as")
    assert summary_of(held, wrong, held) == [
        (f"2 of 3 claims are supported: {CLAIM} and {CLAIM}.", ["a"]),
        (f"1 of 3 claims is refuted, {CLAIM}: “c says so” (c, 2025).", ["c"]),
    ]
    assert summary_of(held, wrong, rests_on(Verdict.UNVERIFIABLE))[-1][0].endswith(
        "; 1 claim is unverifiable."
    )


def test_summary_without_citations_is_one_sentence() -> None:
    assert summary_of() == [("No verifiable claims identified.", [])]
    assert summary_of(rests_on(Verdict.UNVERIFIABLE)) == [("Of 1 claim checked: 1 unverifiable.", [])]


@given(ANY)
def test_article_summary_has_one_to_three_sentences(decisions: list[Decision]) -> None:
    with_evidence = [
        d.model_copy(update={"evidence": (supporting(name=f"s{n}"), contradicting(name=f"c{n}"))})
        for n, d in enumerate(decisions)
    ]
    sentences = article_summary(with_evidence)
    assert 1 <= len(sentences) <= 3
    assert all(1 <= len(sentence.sources) <= 10 for sentence in sentences)
