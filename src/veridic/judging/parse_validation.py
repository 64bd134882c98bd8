"""A validator's answer → its verdict and what it says of the evidence.

The formats asked for stand in `prompts/validation_wording.py`. Every field but the verdict may be missing or bent, and
comes out in one type all the same. What can't be read at all raises `AnswerError`, which says what to ask for again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from veridic.domain.decision import TemporalAnalysis
from veridic.domain.verdicts import Scale, Verdict, words
from veridic.judging.validation_words import is_taken_back, read_validation_verdict
from veridic.judging.wordings import Wordings
from veridic.text.answer_fields import AnswerError, Fields, as_text
from veridic.text.loose_json import objects_with, read_json

NO_TEMPORAL_ANALYSIS = TemporalAnalysis(
    claim_timeframe="", evidence_currency="", historical_context="", temporal_verdict=""
)
_VERDICT = ("verdict", "finalverdict", "overallverdict", "rating", "classification")
_CONFIDENCE = ("confidence", "confidencescore", "credibilityscore", "score")
_SUMMARY = ("summary", "explanation", "rationale", "reasoning", "justification")
_TEMPORAL = ("temporalanalysis", "temporal", "temporalcontext")
_CLAIMS = ("claims", "claimbreakdown", "claimverdicts", "claimsanalyzed")
_CLAIM_ID = ("id", "claimid", "number", "claimnumber", "claim")
_WORDING = ("claim", "claimtext", "statement", "text")
_SOURCES = ("sources", "citations", "references")
_SUPPORTING = ("supportingsources", "supporting")
_CONTRADICTING = ("contradictingsources", "contradicting", "refutingsources")
_UNSAID = 50.0
"""The confidence of a model that gives none: the lower end of moderate evidence."""
_ID = re.compile(r"(?:claim|statement|part)?[\s_#:\[(-]{0,4}([0-9]{1,6})[\])]?", re.IGNORECASE)


@dataclass(frozen=True)
class ValidationAnswer:
    """What a validator says of one claim. Texts are on one line each, with the marks `[n]` it wrote."""

    verdict: Verdict
    confidence: float = _UNSAID / 100
    """From 0 to 1."""
    summary: str = ""
    key_findings: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    temporal: TemporalAnalysis = NO_TEMPORAL_ANALYSIS
    """A part that it does not give is empty."""
    supporting: tuple[int, ...] = ()
    contradicting: tuple[int, ...] = ()
    relevance: Mapping[int, str] = field(default_factory=dict)
    """By number of source, in its order: why it matters, which may be empty."""


def parse_validation(text: str, *, as_it_stands: bool = False) -> ValidationAnswer:
    """What the answer says of the claim; `AnswerError` where it gives no verdict, or several, or takes its verdict back in prose: in
    the verdict's own field, or behind the object. An answer that was asked for again is read `as_it_stands`."""
    objects = [Fields(content) for content in objects_with(read_json(text), *_VERDICT)]
    answers = [(len(fields), answer) for fields in objects if (answer := _read(fields)) is not None]
    if not answers:
        lacking = f"no verdict that is one of {', '.join(words(Scale.VALIDATION))}"
        raise AnswerError(lacking if objects else "no JSON object with a verdict")
    _must_agree(answer for _, answer in answers)
    answer = max(answers, key=lambda pair: pair[0])[1]
    prose = [as_text(fields.raw(*_VERDICT)).partition(" ")[2] for fields in objects]
    if not as_it_stands and any(is_taken_back(answer.verdict, one) for one in (*prose, _behind(text))):
        raise AnswerError("a verdict that is taken back in prose")
    return answer


def _behind(text: str) -> str:
    """What stands behind the last object."""
    return text[text.rfind("}") + 1 :]


def parse_summary_validation(text: str, claims: Mapping[str, str]) -> dict[str, ValidationAnswer]:
    """What the answer says of each of `claims` (wordings by id); `AnswerError` where one has no verdict, or several, or
    nobody can say whose a verdict is.

    A single claim may go without an entry of its own: what is said of the article is said of it.
    """
    objects = [Fields(content) for content in objects_with(read_json(text), *_VERDICT, *_CLAIMS)]
    found: dict[str, list[ValidationAnswer]] = {claim_id: [] for claim_id in claims}
    for fields in objects:
        for claim_id, answer in _by_claim(fields, claims):
            found[claim_id].append(answer)
    missing = [claim_id for claim_id, answers in found.items() if not answers]
    if missing:
        raise AnswerError(
            f"no verdict on {' and '.join(missing)}" if objects else "no JSON object with verdicts"
        )
    for answers in found.values():
        _must_agree(answers)
    return {claim_id: answers[0] for claim_id, answers in found.items()}


def _must_agree(answers: Iterable[ValidationAnswer]) -> None:
    """Where an answer gives different verdicts none counts: one of them may be something that it quotes."""
    if len({answer.verdict for answer in answers}) > 1:
        raise AnswerError("several verdicts that differ, where one was asked for")


def _by_claim(fields: Fields, claims: Mapping[str, str]) -> Iterator[tuple[str, ValidationAnswer]]:
    overall = _read(fields)
    judged = [(entry, answer) for entry in _entries(fields) if (answer := _read(entry)) is not None]
    has_own = False
    for claim_id, (_, said) in zip(_claims_of([entry for entry, _ in judged], claims), judged, strict=True):
        if claim_id is not None:
            has_own = True
            yield claim_id, _completed(said, overall) if overall else said
    if len(claims) == 1 and overall is not None and not has_own:
        yield next(iter(claims)), overall


def _entries(fields: Fields) -> tuple[Fields, ...]:
    """In a list, or each under its id."""
    given = fields.raw(*_CLAIMS)
    if isinstance(given, dict) and given and all(isinstance(value, dict) for value in given.values()):
        return tuple(Fields({"id": key, **value}) for key, value in given.items())
    return fields.objects(*_CLAIMS)


def _claims_of(entries: Sequence[Fields], claims: Mapping[str, str]) -> list[str | None]:
    """The claim that each entry is about: by its id or its wording, which must not differ; by its place where no entry has either
    and there is one for each claim."""
    numbers = [_number(entry.text(*_CLAIM_ID)) for entry in entries]
    wordings = [Wordings(claims).find(entry.text(*_WORDING)) for entry in entries]
    if not any(wordings) and all(number is None for number in numbers):
        return list(claims) if len(entries) == len(claims) else [None] * len(entries)
    shift = 0
    if 0 in numbers:
        if sorted(number for number in numbers if number is not None) != list(range(len(claims))):
            raise AnswerError("ids from 0, where those of the claims were asked for")
        shift = 1
    ids = {_number(claim_id): claim_id for claim_id in claims}
    named = [None if number is None else ids.get(number + shift) for number in numbers]
    for by_id, by_wording in zip(named, wordings, strict=True):
        if by_id is not None and by_wording not in (None, by_id):
            raise AnswerError(f"{by_id} with the wording of {by_wording}")
    return [by_id or by_wording for by_id, by_wording in zip(named, wordings, strict=True)]


def _read(fields: Fields) -> ValidationAnswer | None:
    verdict = read_validation_verdict(fields.raw(*_VERDICT))
    if verdict is None:
        return None
    confidence = fields.percentage(*_CONFIDENCE)
    return ValidationAnswer(
        verdict=verdict,
        confidence=(_UNSAID if confidence is None else confidence) / 100,
        summary=fields.text(*_SUMMARY),
        key_findings=fields.texts("keyfindings", "findings"),
        contradictions=fields.texts("contradictions", "conflicts", "conflictingevidence"),
        temporal=_temporal(fields),
        supporting=fields.numbers(*_SUPPORTING),
        contradicting=fields.numbers(*_CONTRADICTING),
        relevance=_relevance(fields),
    )


def _temporal(fields: Fields) -> TemporalAnalysis:
    given = next(iter(fields.objects(*_TEMPORAL)), Fields({}))
    return TemporalAnalysis(
        claim_timeframe=given.text("claimtimeframe", "timeframe"),
        evidence_currency=given.text("evidencecurrency", "currency"),
        historical_context=given.text("historicalcontext", "history"),
        temporal_verdict=given.text("temporalverdict", "verdict"),
    )


def _relevance(fields: Fields) -> dict[int, str]:
    reasons: dict[int, str] = {}
    for source in fields.objects(*_SOURCES):
        for number in source.numbers("id", "number", "source")[:1]:
            reasons.setdefault(number, source.text("relevance", "reason", "why"))
    return reasons or dict.fromkeys(fields.numbers(*_SOURCES), "")


def _completed(said: ValidationAnswer, overall: ValidationAnswer) -> ValidationAnswer:
    """What is told once for all claims belongs to each."""
    return ValidationAnswer(
        verdict=said.verdict,
        confidence=said.confidence,
        summary=said.summary or overall.summary,
        key_findings=said.key_findings or overall.key_findings,
        contradictions=said.contradictions or overall.contradictions,
        temporal=said.temporal if said.temporal != NO_TEMPORAL_ANALYSIS else overall.temporal,
        supporting=said.supporting,
        contradicting=said.contradicting,
        relevance=said.relevance or overall.relevance,
    )


def _number(claim_id: str) -> int | None:
    """A number that is all of an id: one in a claim's wording is none."""
    found = _ID.fullmatch(claim_id)
    return int(found[1]) if found else None
