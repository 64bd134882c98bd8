"""Parsing a validator's verdict on an article, in the formats that models use."""

import json
from typing import Any

import pytest

from veridic.domain.verdicts import Verdict
from veridic.judging.parse_summary import parse_summary_answer
from veridic.text.answer_fields import AnswerError

CLAIMS = {"claim_1": "The bridge opened in 1990", "claim_2": "It cost 3 million"}
SEED: dict[str, Any] = {
    "verdict": "MISLEADING",
    "credibility_score": 30,
    "summary": "It leaves out the second vote [1].",
    "sources": [{"id": 1, "title": "A paper", "credibility": "HIGH"}],
}
"""One verdict for the article, and no list of claims."""


def entry(number: int, verdict: str = "TRUE", confidence: int = 90) -> dict[str, Any]:
    return {"id": f"claim_{number}", "verdict": verdict, "confidence": confidence}


def test_article_and_statements_have_their_own_verdicts() -> None:
    said = parse_summary_answer(json.dumps(SEED | {"claims": [entry(1), entry(2, "FALSE")]}), CLAIMS)
    assert said.article is not None
    assert (said.article.verdict, said.credibility_score) == (Verdict.MISLEADING, 30)
    assert [said.claims[one].verdict for one in CLAIMS] == [Verdict.SUPPORTED, Verdict.REFUTED]


@pytest.mark.parametrize(
    "text", [json.dumps(SEED), json.dumps({"result": SEED}), f"Here:\n{json.dumps(SEED)}"]
)
def test_the_article_verdict_applies_to_both_statements(text: str) -> None:
    said = parse_summary_answer(text, CLAIMS)
    assert [said.claims[one].verdict for one in CLAIMS] == [Verdict.MISLEADING] * 2
    assert said.credibility_score == 30


def test_statements_without_an_article_verdict() -> None:
    said = parse_summary_answer(json.dumps({"claims": [entry(1), entry(2)]}), CLAIMS)
    assert (said.article, said.credibility_score) == (None, None)
    assert list(said.claims) == list(CLAIMS)


def test_a_missing_statement_is_an_error_unless_partly() -> None:
    text = json.dumps(SEED | {"claims": [entry(1)]})
    with pytest.raises(AnswerError, match="no verdict on claim_2"):
        parse_summary_answer(text, CLAIMS)
    assert list(parse_summary_answer(text, CLAIMS, partly=True).claims) == ["claim_1"]


def test_an_answer_without_any_verdict() -> None:
    for partly in (False, True):
        with pytest.raises(AnswerError):
            parse_summary_answer("I can't tell.", CLAIMS, partly=partly)


@pytest.mark.parametrize(
    ("verdict", "score", "shown", "confidence"),
    [
        ("TRUE", 90, 90, 0.9),
        ("FALSE", 5, 5, 0.95),
        ("FALSE", 95, None, 0.5),
        ("TRUE", 10, None, 0.5),
        ("MISLEADING", 30, 30, 0.7),
        ("UNVERIFIABLE", 40, 40, 0.5),
    ],
)
def test_an_article_score_is_not_a_confidence(
    verdict: str, score: int, shown: int | None, confidence: float
) -> None:
    said = parse_summary_answer(json.dumps({"verdict": verdict, "credibility_score": score}), CLAIMS)
    assert said.credibility_score == shown
    assert said.claims["claim_1"].confidence == pytest.approx(confidence)
    alone = parse_summary_answer(
        json.dumps({"verdict": verdict, "credibility_score": score}), {"claim_1": CLAIMS["claim_1"]}
    )
    assert alone.claims["claim_1"].confidence == pytest.approx(confidence)
