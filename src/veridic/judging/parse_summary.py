"""Parses a validator's answer in summary mode: a verdict on the article, and one on each of its main statements.

Some models give only the first, and say nothing about single statements; it then applies to each of them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from veridic.domain.verdicts import Scale, Verdict, say
from veridic.judging.parse_claim_entries import (
    answers_by_claim,
    has_entries,
    no_verdict_on,
    without_entries,
)
from veridic.judging.parse_validator import ValidationAnswer, parse_validation
from veridic.text.answer_fields import AnswerError, Fields
from veridic.text.loose_json import objects_with, read_json

_SCORE = ("credibilityscore", "credibility", "overallscore", "reliabilityscore", "score")
_CONFIDENCE = ("confidence", "confidencescore")
_MIDDLE = 50.0


@dataclass(frozen=True)
class SummaryAnswer:
    article: ValidationAnswer | None
    """None if the answer gives no verdict on the article."""
    credibility_score: int | None
    """From 0 to 100; None if the answer gives none, or one that contradicts its verdict."""
    claims: Mapping[str, ValidationAnswer]
    attributions: Mapping[str, ValidationAnswer]
    """Whether it was said, where the answer has an entry for that."""


def parse_summary_answer(
    text: str,
    claims: Mapping[str, str],
    attributions: Mapping[str, str] | None = None,
    *,
    partly: bool = False,
) -> SummaryAnswer:
    """Parse the answer for the article and for `claims` (wordings by id). Raises `AnswerError` if a claim has no verdict that can be read.

    With `partly`, claims without a verdict are left out, as long as one has a verdict. `attributions` are asked in addition and need
    an entry of their own: the verdict on the article doesn't apply to them.
    """
    values = read_json(text)
    questions = {**claims, **(attributions or {})}
    article_json = without_entries(values, questions)
    article = _article(article_json)
    score = _score(article_json, article)
    rescored = article and replace(article, confidence=_confidence(article_json, article, score))
    everything = answers_by_claim(values, questions)
    found = {claim_id: everything[claim_id] for claim_id in claims if claim_id in everything}
    if attributions and len(found) < len(claims):
        found = answers_by_claim(values, claims)
    if not found and rescored is not None and not has_entries(values, text, questions):
        found = dict.fromkeys(claims, rescored)
    missing = [claim_id for claim_id in claims if claim_id not in found]
    if missing and not (partly and found):
        raise AnswerError(no_verdict_on(missing) if values else "no JSON object with verdicts")
    said = {one: everything[one] for one in attributions or () if one in everything}
    return SummaryAnswer(rescored, score, found, said)


def _article(article_json: object) -> ValidationAnswer | None:
    try:
        return parse_validation(json.dumps(article_json))
    except AnswerError:
        return None


def _score(article_json: object, article: ValidationAnswer | None) -> int | None:
    """Return the credibility score; None if it contradicts the verdict, as from a model that calls an article false with a "score" of 95."""
    found = objects_with([article_json], *_SCORE)
    score = Fields(found[0]).percentage(*_SCORE, of_hundred=True) if found else None
    if score is None or article is None:
        return None
    verdict = say(article.verdict, Scale.VALIDATION)
    if (verdict == "TRUE" and score < _MIDDLE) or (verdict == "FALSE" and score > _MIDDLE):
        return None
    return round(score)


def _confidence(article_json: object, article: ValidationAnswer, score: int | None) -> float:
    """Return the confidence in the article's verdict: as stated, or from the distance of its score from the middle of the scale."""
    found = objects_with([article_json], *_CONFIDENCE)
    said = Fields(found[0]).percentage(*_CONFIDENCE) if found else None
    if said is not None:
        return said / 100
    if score is None or article.verdict is Verdict.UNVERIFIABLE:
        return _MIDDLE / 100
    return max(score, 100 - score) / 100
