"""A validator's answer in summary mode: a verdict on the article, and one on each of the statements it stands for.

Models give the first alone, too: then what is said of the article is said of each statement.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from veridic.domain.verdicts import Scale, Verdict, say
from veridic.judging.parse_validation import ValidationAnswer, parse_summary_validation, parse_validation
from veridic.text.answer_fields import AnswerError, Fields
from veridic.text.loose_json import objects_with, plain_name, read_json

_CLAIMS = frozenset(("claims", "claimbreakdown", "claimverdicts", "claimsanalyzed"))
_SCORE = ("credibilityscore", "credibility", "overallscore", "reliabilityscore", "score")
_CONFIDENCE = ("confidence", "confidencescore")
_MIDDLE = 50.0


@dataclass(frozen=True)
class SummaryAnswer:
    article: ValidationAnswer | None
    """None where the answer gives no verdict on the whole."""
    credibility_score: int | None
    """Of the article, from 0 to 100; None where the answer gives none, or one that contradicts its verdict."""
    claims: Mapping[str, ValidationAnswer]
    attributions: Mapping[str, ValidationAnswer]
    """Whether it was said; none where the answer does not tell all entries apart."""


def parse_summary_answer(
    text: str,
    claims: Mapping[str, str],
    attributions: Mapping[str, str] | None = None,
    *,
    partly: bool = False,
) -> SummaryAnswer:
    """What the answer says of the article and of `claims` (wordings by id); `AnswerError` where a claim has no verdict.

    With `partly`, claims without one are left out, as long as any has one. `attributions` are asked beside them: they have an
    entry of their own or none, since what is said of the article is not said of who said it.
    """
    whole = _without_claims(read_json(text))
    article = _article(whole)
    score = _score(whole, article)
    apart = article and replace(article, confidence=_confidence(whole, article, score))
    everything = _told_apart(text, {**claims, **(attributions or {})}) if attributions else {}
    said = {claim_id: everything[claim_id] for claim_id in attributions or () if everything}
    try:
        found = {claim_id: everything[claim_id] for claim_id in claims if everything}
        found = found or parse_summary_validation(text, claims)
    except AnswerError:
        found = _own(text, claims, article)
        if not found and apart is not None:
            found = dict.fromkeys(claims, apart)
        elif not (partly and found):
            raise
    else:
        # A single claim takes the article's answer, whose score is no confidence in the verdict.
        found = {claim_id: apart if apart and one == article else one for claim_id, one in found.items()}
    return SummaryAnswer(apart, score, found, said)


def _told_apart(text: str, questions: Mapping[str, str]) -> dict[str, ValidationAnswer]:
    """The answer to each of several questions; nothing where one of them has none of its own."""
    try:
        return parse_summary_validation(text, questions)
    except AnswerError:
        return {}


def _own(
    text: str, claims: Mapping[str, str], article: ValidationAnswer | None
) -> dict[str, ValidationAnswer]:
    """What is said of each claim by itself."""
    found: dict[str, ValidationAnswer] = {}
    for claim_id, wording in claims.items():
        try:
            said = parse_summary_validation(text, {claim_id: wording})[claim_id]
        except AnswerError:
            continue
        if said != article:
            found[claim_id] = said
    return found


def _article(whole: list[object]) -> ValidationAnswer | None:
    try:
        return parse_validation(json.dumps(whole), as_it_stands=True)
    except AnswerError:
        return None


def _score(whole: list[object], article: ValidationAnswer | None) -> int | None:
    """A model that takes the score for its confidence calls an article false and gives it 95: such a score says nothing."""
    found = objects_with(whole, *_SCORE)
    score = Fields(found[0]).percentage(*_SCORE) if found else None
    if score is None or article is None:
        return None
    verdict = say(article.verdict, Scale.VALIDATION)
    if (verdict == "TRUE" and score < _MIDDLE) or (verdict == "FALSE" and score > _MIDDLE):
        return None
    return round(score)


def _confidence(whole: list[object], article: ValidationAnswer, score: int | None) -> float:
    """How sure the verdict on the article is: as it says, or as far as its score is from the middle of the scale."""
    found = objects_with(whole, *_CONFIDENCE)
    said = Fields(found[0]).percentage(*_CONFIDENCE) if found else None
    if said is not None:
        return said / 100
    if score is None or article.verdict is Verdict.UNVERIFIABLE:
        return _MIDDLE / 100
    return max(score, 100 - score) / 100


def _without_claims(value: list[object]) -> list[object]:
    return [_stripped(item) for item in value]


def _stripped(value: object) -> object:
    if isinstance(value, dict):
        return {name: _stripped(item) for name, item in value.items() if plain_name(name) not in _CLAIMS}
    return [_stripped(item) for item in value] if isinstance(value, list) else value
