"""Parses a validator's answer on one claim: verdict, confidence, findings, dates and citations.

Qualified verdicts stay qualified: "mostly true" is MOSTLY_SUPPORTED and still TRUE on the scale, "half true" is PARTIAL and
MISLEADING on it. Several verdicts side by side ("TRUE or FALSE", the format's own list) count as none.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from veridic.domain.decision import TemporalAnalysis
from veridic.domain.verdicts import Scale, Verdict, read, say, words
from veridic.judging.wordings import Wordings
from veridic.text.answer_fields import AnswerError, Fields, as_text
from veridic.text.loose_json import objects_with, read_json

_LIMIT = (
    r"(?:(?P<mostly>mostly|largely|mainly|substantially|broadly|generally|essentially|nearly|almost|overwhelmingly)|"
    r"(?P<partly>part|partly|partial|partially|half|somewhat|not (?:entirely|fully|completely|quite|wholly)))[\s-]+"
)
_NOT = r"(?P<not>not |un(?=true|supported|proven|verified|verifiable)|non-|(?:can ?not|can['’]t|could not)(?: be)? )"
_WORDS = (
    r"(?P<true>true|accurate|correct|confirmed|verified|verifiable|supported|proven|valid|factual|right)|"
    r"(?P<false>false|inaccurate|incorrect|refuted|debunked|contradicted|fabricated|wrong|fake|pants on fire)|"
    r"(?P<misleading>misleading|exaggerated|distorted|deceptive|out of context|missing context|lacks context|cherry-?picked|outdated)|"
    r"(?P<mixed>mixed|mixture|disputed|contested|conflicting)|"
    r"(?P<open>inconclusive|unknown|uncertain|undetermined|unclear|indeterminate|unsubstantiated|determined|"
    r"(?:insufficient|not enough|no)[\s_](?:evidence|information|info|data))"
)
_SAID = re.compile(rf"[\W_]{{0,12}}(?:{_LIMIT})?{_NOT}?(?:{_WORDS})(?![a-z])", re.IGNORECASE)
_JOINED = re.compile(
    r"[\W_]{0,4}(?:/|\||,|;|\b(?:or|but|and|yet|though)\b)(?:\s{0,2}\b(?:or|but|and|yet|though)\b)?",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"[\s*]{0,3}(?:[(\[](?P<inside>[^)\]]{1,120})|[–—:-]\s{0,2}(?P<behind>[\w-]{1,20})(?![\w-]))"
)
"""A qualification of a verdict: in brackets, or one word after a dash."""
_CLAUSE_END = re.compile(r"[*_\"'”’)\]]{0,3}(?:[.,;:!?…]|\Z|\s{0,2}(?:because|since|as)\b)")
_LONGEST = 240
"""Characters in which to look for a verdict."""
_LONGEST_PROSE = 4_000
"""Characters of prose in which to look for a retraction."""


def read_validation_verdict(value: object) -> Verdict | None:
    """Return the verdict that a value, or the one item of a list, begins with; None if there is none, or several."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return read("TRUE" if value else "FALSE", Scale.VALIDATION)
    if not isinstance(value, str):
        return None
    head = " ".join(value[:_LONGEST].replace("_", " ").split())
    said = _SAID.match(head)
    verdict = _verdict(said) if said else None
    joined = _JOINED.match(head, said.end()) if said else None
    another = _SAID.match(head, joined.end()) if joined else _in_aside(head, said.end()) if said else None
    return verdict if another is None or _verdict(another) is verdict else None


def is_taken_back(verdict: Verdict, text: str) -> bool:
    """Whether prose after a verdict gives a different one: "on reflection this is wrong". Words for both sides retract nothing:
    "the claim is false, the correct figure is 38" says what is right."""
    flat = " ".join(text[:_LONGEST_PROSE].replace("_", " ").split())
    named = {
        say(one, Scale.VALIDATION) for said in _SAID.finditer(flat) if (one := _final_verdict(said, flat))
    }
    return bool(named) and say(verdict, Scale.VALIDATION) not in named


def _final_verdict(said: re.Match[str], text: str) -> Verdict | None:
    """Return the verdict of a word at the end of a sentence or clause."""
    is_last = _CLAUSE_END.match(text, said.end()) is not None
    is_whole = said.start() == 0 or not text[said.start() - 1].isalnum() or not text[said.start()].isalnum()
    return _verdict(said) if is_last and is_whole else None


def _in_aside(head: str, position: int) -> re.Match[str] | None:
    """Return the verdict in `TRUE (misleading)` that retracts the first, unless it is part of a sentence."""
    aside = _ASIDE.match(head, position)
    if aside is None:
        return None
    return _SAID.fullmatch((aside["inside"] or aside["behind"]).strip())


def _verdict(said: re.Match[str]) -> Verdict | None:
    if said["open"]:
        return Verdict.UNVERIFIABLE
    if said["misleading"]:
        return None if said["not"] else read("MISLEADING", Scale.VALIDATION)
    if said["mixed"]:
        return None if said["not"] else Verdict.PARTIAL
    if said["partly"]:
        return Verdict.PARTIAL
    if said["false"]:
        if said["not"]:
            return None
        return Verdict.MISLEADING if said["mostly"] else read("FALSE", Scale.VALIDATION)
    return _supported(said)


def _supported(said: re.Match[str]) -> Verdict | None:
    word = said["true"].lower()
    if said["not"]:
        is_open = word in ("verified", "verifiable", "supported", "proven", "confirmed")
        return Verdict.UNVERIFIABLE if is_open else read("FALSE", Scale.VALIDATION)
    if word == "verifiable":
        return None
    return Verdict.MOSTLY_SUPPORTED if said["mostly"] else read("TRUE", Scale.VALIDATION)


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
_DEFAULT_CONFIDENCE = 50.0
"""The confidence of a model that gives none: the lower end of moderate evidence."""
_ID = re.compile(r"(?:claim|statement|part)?[\s_#:\[(-]{0,4}([0-9]{1,6})[\])]?", re.IGNORECASE)


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


def parse_validation(text: str, *, as_it_stands: bool = False) -> ValidationAnswer:
    """Return the answer on the claim. Raises `AnswerError` if it has no verdict, or several, or retracts its verdict in prose: in
    the verdict's own field, or after the object. With `as_it_stands`, for a second answer, retractions are ignored."""
    objects = [Fields(content) for content in objects_with(read_json(text), *_VERDICT)]
    answers = [(len(fields), answer) for fields in objects if (answer := _read(fields)) is not None]
    if not answers:
        lacking = f"no verdict that is one of {', '.join(words(Scale.VALIDATION))}"
        raise AnswerError(lacking if objects else "no JSON object with a verdict")
    _must_agree(answer for _, answer in answers)
    answer = max(answers, key=lambda pair: pair[0])[1]
    prose = [as_text(fields.raw(*_VERDICT)).partition(" ")[2] for fields in objects]
    if not as_it_stands and any(is_taken_back(answer.verdict, one) for one in (*prose, _after_json(text))):
        raise AnswerError("a verdict that is taken back in prose")
    return answer


def _after_json(text: str) -> str:
    """Return the text after the last object."""
    return text[text.rfind("}") + 1 :]


def parse_summary_validation(text: str, claims: Mapping[str, str]) -> dict[str, ValidationAnswer]:
    """Return the answer on each of `claims` (wordings by id). Raises `AnswerError` if one has no verdict, or several, or a verdict
    can't be assigned to a claim.

    A single claim needs no entry of its own: the verdict on the article applies to it.
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
    """Raise `AnswerError` if the verdicts differ: one of them may be part of a quotation."""
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
    """Return the entries, in a list or each under its id."""
    given = fields.raw(*_CLAIMS)
    if isinstance(given, dict) and given and all(isinstance(value, dict) for value in given.values()):
        return tuple(Fields({"id": key, **value}) for key, value in given.items())
    return fields.objects(*_CLAIMS)


def _claims_of(entries: Sequence[Fields], claims: Mapping[str, str]) -> list[str | None]:
    """Return the claim of each entry: by its id or its wording, which must not differ; by its place if no entry has either
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


def _completed(said: ValidationAnswer, overall: ValidationAnswer) -> ValidationAnswer:
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


def _number(claim_id: str) -> int | None:
    """Return the number if the id is nothing else: a number in a claim's wording is not an id."""
    found = _ID.fullmatch(claim_id)
    return int(found[1]) if found else None
