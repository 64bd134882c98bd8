"""Parses a validator's answer on one claim: verdict, confidence, findings, dates and citations.

Qualified verdicts stay qualified: "mostly true" is MOSTLY_SUPPORTED and still TRUE on the scale, "half true" is PARTIAL and
MISLEADING on it. Several verdicts side by side ("TRUE or FALSE", the format's own list) count as none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from veridic.domain.decision import TemporalAnalysis
from veridic.domain.verdicts import Scale, Verdict, read, words
from veridic.judging.strict_verdict import begins_with_verdict, is_taken_back, read_verdict_words
from veridic.text.answer_fields import AnswerError, Fields, as_text
from veridic.text.loose_json import objects_with, read_json


def read_validation_verdict(value: object) -> Verdict | None:
    """Return the verdict that a value, or the one item of a list, consists of; None if there is none, or several, or if it is qualified."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return read("TRUE" if value else "FALSE", Scale.VALIDATION)
    found = read_verdict_words(value, Scale.VALIDATION, is_field=True) if isinstance(value, str) else None
    return found.verdict if found else None


NO_TEMPORAL_ANALYSIS = TemporalAnalysis(
    claim_timeframe="", evidence_currency="", historical_context="", temporal_verdict=""
)
_VERDICT = ("verdict", "finalverdict", "overallverdict", "rating", "classification")
_CONFIDENCE = ("confidence", "confidencescore")
_SCORE = ("credibilityscore", "score")
_SUMMARY = ("summary", "explanation", "rationale", "reasoning", "justification")
_SOURCES = ("sources", "citations", "references")
_TEMPORAL = ("temporalanalysis", "temporal", "temporalcontext")
_NOT_THE_ANSWER = frozenset((*_SOURCES, "evidence", "keyfindings", "findings", "contradictions", *_TEMPORAL))
"""Fields in which a verdict or rating is on something else: a source, a finding."""
_SUPPORTING = ("supportingsources", "supporting")
_CONTRADICTING = ("contradictingsources", "contradicting", "refutingsources")
_DEFAULT_CONFIDENCE = 50.0
"""The confidence of a model that gives none: the lower end of moderate evidence."""


@dataclass(frozen=True)
class ValidationAnswer:
    """A validator's answer on one claim. Texts are on one line each, with their marks `[n]`."""

    verdict: Verdict
    confidence: float = _DEFAULT_CONFIDENCE / 100
    """From 0 to 1."""
    summary: str = ""
    key_findings: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    temporal: TemporalAnalysis = NO_TEMPORAL_ANALYSIS
    """Missing parts are empty."""
    supporting: tuple[int, ...] = ()
    contradicting: tuple[int, ...] = ()
    relevance: Mapping[int, str] = field(default_factory=dict)
    """Why each source matters, by number and in the answer's order; may be empty."""


def parse_validation(text: str) -> ValidationAnswer:
    """Return the answer on the claim. Raises `AnswerError` if it has no verdict, or several, or a qualified one, or if it takes its verdict
    back in prose after the object."""
    objects = verdict_objects(read_json(text))
    answers = [(len(fields), answer) for fields in objects if (answer := read_answer(fields)) is not None]
    if not answers or any(is_qualified(fields) for fields in objects):
        raise AnswerError(_lacking(objects) if objects else "no JSON object with a verdict")
    must_agree(answer for _, answer in answers)
    answer = max(answers, key=lambda pair: pair[0])[1]
    if is_taken_back(answer.verdict, _after_json(text)):
        raise AnswerError(_TAKEN_BACK)
    return answer


_TAKEN_BACK = "a verdict that is taken back in prose"


def verdict_objects(values: list[object], *names: str) -> list[Fields]:
    """Return the objects that give a verdict or have one of these fields."""
    return [Fields(content) for content in objects_with(values, *_VERDICT, *names, skipping=_NOT_THE_ANSWER)]


def is_qualified(fields: Fields) -> bool:
    """Whether the field of the verdict begins with one and can't be read."""
    given = fields.raw(*_VERDICT)
    return isinstance(given, str) and begins_with_verdict(given) and read_validation_verdict(given) is None


def _lacking(objects: Sequence[Fields]) -> str:
    missing = f"no verdict that is one of {', '.join(words(Scale.VALIDATION))}"
    return f"{_TAKEN_BACK} or qualified, and {missing} alone" if any(map(is_qualified, objects)) else missing


def _after_json(text: str) -> str:
    """Return the text after the last object."""
    return text[text.rfind("}") + 1 :]


def must_agree(answers: Iterable[ValidationAnswer]) -> None:
    """Raise `AnswerError` if the verdicts differ: one of them may be part of a quotation."""
    if len({answer.verdict for answer in answers}) > 1:
        raise AnswerError("several verdicts that differ, where one was asked for")


def gives_a_verdict(fields: Fields) -> bool:
    """Whether it has a field for the verdict, whatever is in it."""
    return fields.raw(*_VERDICT) is not None


def read_answer(fields: Fields) -> ValidationAnswer | None:
    """Return the answer that an object gives; None if its verdict can't be read."""
    verdict = read_validation_verdict(fields.raw(*_VERDICT))
    if verdict is None:
        return None
    confidence = fields.percentage(*_CONFIDENCE)
    if fields.raw(*_CONFIDENCE) is None:
        confidence = fields.percentage(*_SCORE, of_hundred=True)
    return ValidationAnswer(
        verdict=verdict,
        confidence=(_DEFAULT_CONFIDENCE if confidence is None else confidence) / 100,
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


def completed(said: ValidationAnswer, overall: ValidationAnswer) -> ValidationAnswer:
    """Fill in what the answer gives once for all claims."""
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
