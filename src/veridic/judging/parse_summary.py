"""Parses a validator's answer in summary mode: a verdict on the article, and one on each of its main statements.

Some models give only the first; it then applies to each statement.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from veridic.domain.verdicts import Scale, Verdict, say
from veridic.judging.parse_validator import ValidationAnswer, parse_summary_validation, parse_validation
from veridic.text.answer_fields import AnswerError, Fields
from veridic.text.loose_json import objects_with, plain_name, read_json

_CLAIMS = frozenset(("claims", "claimbreakdown", "claimverdicts", "claimsanalyzed"))
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
    """Whether it was said; empty if the answer's entries can't be told apart."""


def parse_summary_answer(
    text: str,
    claims: Mapping[str, str],
    attributions: Mapping[str, str] | None = None,
    *,
    partly: bool = False,
) -> SummaryAnswer:
    """Parse the answer for the article and for `claims` (wordings by id). Raises `AnswerError` if a claim has no verdict.

    With `partly`, claims without a verdict are left out, as long as one has a verdict. `attributions` are asked in addition and need
    an entry of their own: the verdict on the article doesn't apply to them.
    """
    article_json = _without_claims(read_json(text))
    article = _article(article_json)
    score = _score(article_json, article)
    rescored = article and replace(article, confidence=_confidence(article_json, article, score))
    everything = _parse_all(text, {**claims, **(attributions or {})}) if attributions else {}
    said = {claim_id: everything[claim_id] for claim_id in attributions or () if everything}
    try:
        found = {claim_id: everything[claim_id] for claim_id in claims if everything}
        found = found or parse_summary_validation(text, claims)
    except AnswerError:
        found = _claim_specific(text, claims, article)
        if not found and rescored is not None:
            found = dict.fromkeys(claims, rescored)
        elif not (partly and found):
            raise
    else:
        # A single claim takes the article's answer, whose credibility score is not a confidence.
        found = {
            claim_id: rescored if rescored and one == article else one for claim_id, one in found.items()
        }
    return SummaryAnswer(rescored, score, found, said)


def _parse_all(text: str, questions: Mapping[str, str]) -> dict[str, ValidationAnswer]:
    """Return the answer to each question; empty if one of them has none of its own."""
    try:
        return parse_summary_validation(text, questions)
    except AnswerError:
        return {}


def _claim_specific(
    text: str, claims: Mapping[str, str], article: ValidationAnswer | None
) -> dict[str, ValidationAnswer]:
    """Return the answers that are specific to a claim."""
    found: dict[str, ValidationAnswer] = {}
    for claim_id, wording in claims.items():
        try:
            said = parse_summary_validation(text, {claim_id: wording})[claim_id]
        except AnswerError:
            continue
        if said != article:
            found[claim_id] = said
    return found


def _article(article_json: list[object]) -> ValidationAnswer | None:
    try:
        return parse_validation(json.dumps(article_json), as_it_stands=True)
    except AnswerError:
        return None


def _score(article_json: list[object], article: ValidationAnswer | None) -> int | None:
    """Return the credibility score; None if it contradicts the verdict, as from a model that calls an article false with a "score" of 95."""
    found = objects_with(article_json, *_SCORE)
    score = Fields(found[0]).percentage(*_SCORE) if found else None
    if score is None or article is None:
        return None
    verdict = say(article.verdict, Scale.VALIDATION)
    if (verdict == "TRUE" and score < _MIDDLE) or (verdict == "FALSE" and score > _MIDDLE):
        return None
    return round(score)


def _confidence(article_json: list[object], article: ValidationAnswer, score: int | None) -> float:
    """Return the confidence in the article's verdict: as stated, or from the distance of its score from the middle of the scale."""
    found = objects_with(article_json, *_CONFIDENCE)
    said = Fields(found[0]).percentage(*_CONFIDENCE) if found else None
    if said is not None:
        return said / 100
    if score is None or article.verdict is Verdict.UNVERIFIABLE:
        return _MIDDLE / 100
    return max(score, 100 - score) / 100


def _without_claims(value: list[object]) -> list[object]:
    return [_strip_claims(item) for item in value]


def _strip_claims(value: object) -> object:
    if isinstance(value, dict):
        return {name: _strip_claims(item) for name, item in value.items() if plain_name(name) not in _CLAIMS}
    return [_strip_claims(item) for item in value] if isinstance(value, list) else value
