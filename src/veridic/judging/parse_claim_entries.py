"""Parses an answer on several claims at once: a verdict for each, by its id or wording.

The requested format is a list of objects under "claims". Models also write objects or verdicts by id, texts such as "claim_1: TRUE",
other names for the list, and one object after the other. Entries without id or wording are assigned by their order only if nothing
that they say belongs to another claim.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from veridic.domain.verdicts import Scale, words
from veridic.judging.parse_validator import (
    ValidationAnswer,
    completed,
    gives_a_verdict,
    must_agree,
    read_answer,
    verdict_objects,
)
from veridic.judging.wordings import Wordings
from veridic.text.answer_fields import AnswerError, Fields, as_text
from veridic.text.loose_json import plain_name, read_json

CLAIM_LISTS = frozenset(
    (
        "claims",
        "claimbreakdown",
        "claimverdicts",
        "claimresults",
        "claimsanalyzed",
        "statements",
        "results",
        "parts",
        "verdicts",
    )
)
"""Names of the field with the claims' verdicts."""
_CLAIM_ID = ("id", "claimid", "part", "number", "claimnumber", "claim")
_WORDING = ("claim", "claimtext", "statement", "text")
_ABOUT = (
    *_WORDING,
    "summary",
    "explanation",
    "rationale",
    "reasoning",
    "justification",
    "keyfindings",
    "findings",
)
_ID = re.compile(
    r"(?P<named>claim|statement|part)?[\s_#:\[(-]{0,4}(?P<number>[0-9]{1,6})[\])]?", re.IGNORECASE
)
_LINE = re.compile(
    r"[\s*_\"-]{0,6}(?P<id>[^:：=]{1,30}?)[\s*_\"]{0,4}[:：=–—-][\s*_]{0,4}(?P<verdict>.+)", re.DOTALL
)


def parse_summary_validation(text: str, claims: Mapping[str, str]) -> dict[str, ValidationAnswer]:
    """Return the answer on each of `claims` (wordings by id). Raises `AnswerError` if one has no verdict that can be read, or several,
    or if a verdict can't be assigned to a claim.

    A single claim needs no entry of its own: if the answer has no entries at all, the verdict on the article applies to it.
    """
    values = read_json(text)
    found = answers_by_claim(values, claims)
    if len(claims) == 1 and not has_entries(values, text, claims):
        overall = [
            answer for fields in verdict_objects(values) if (answer := read_answer(fields)) is not None
        ]
        must_agree(overall)
        found = dict.fromkeys(claims, overall[0]) if overall else {}
    missing = [claim_id for claim_id in claims if claim_id not in found]
    if missing:
        raise AnswerError(no_verdict_on(missing) if values else "no JSON object with verdicts")
    return found


def parse_hearsay(text: str, questions: Mapping[str, str]) -> dict[str, ValidationAnswer]:
    """Return the answers to both questions about a claim that reports what somebody said: whether it was said, and whether it is so. Only
    the first if the second is mentioned nowhere, because what was said states no fact."""
    first, second = questions
    try:
        return parse_summary_validation(text, questions)
    except AnswerError:
        if re.search(second.replace("_", r"[\s_-]?"), text, re.IGNORECASE):
            raise
        return parse_summary_validation(text, {first: questions[first]})


def no_verdict_on(claims: Sequence[str]) -> str:
    """Say what an answer lacks."""
    return f"no verdict on {' and '.join(claims)} that is one of {', '.join(words(Scale.VALIDATION))} and nothing else"


def answers_by_claim(values: list[object], claims: Mapping[str, str]) -> dict[str, ValidationAnswer]:
    """Return the answers on those of `claims` with an entry that can be read. Raises `AnswerError` if entries can't be assigned, or differ."""
    found: dict[str, list[ValidationAnswer | None]] = {}
    for fields in verdict_objects(values, *CLAIM_LISTS, *map(plain_name, claims)):
        for claim_id, answer in _by_claim(fields, claims):
            found.setdefault(claim_id, []).append(answer)
    readable: dict[str, ValidationAnswer] = {}
    for claim_id in claims:
        answers = found.get(claim_id, [])
        said = [answer for answer in answers if answer is not None]
        must_agree(said)
        if said and len(said) == len(answers):
            readable[claim_id] = said[0]
    return readable


def has_entries(values: list[object], text: str, claims: Mapping[str, str]) -> bool:
    """Whether the answer says anything about single claims, readable or not."""
    if any(re.search(rf"(?<!\w){re.escape(claim_id)}(?!\w)", text) for claim_id in claims):
        return True
    return any(
        bool(fields.raw(*CLAIM_LISTS)) or _names_a_claim(fields, claims)
        for fields in verdict_objects(values, *CLAIM_LISTS)
    )


def without_entries(value: object, claims: Mapping[str, str]) -> object:
    """Return what the answer says of the article as a whole."""
    if isinstance(value, dict):
        return {
            name: without_entries(item, claims)
            for name, item in value.items()
            if plain_name(name) not in CLAIM_LISTS or _wraps_an_answer(item)
        }
    if isinstance(value, list):
        kept = [
            item for item in value if not (isinstance(item, dict) and _names_a_claim(Fields(item), claims))
        ]
        return [without_entries(item, claims) for item in kept]
    return value


def _wraps_an_answer(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return any(isinstance(item, dict) and Fields(item).raw(*CLAIM_LISTS) is not None for item in items)


def _by_claim(fields: Fields, claims: Mapping[str, str]) -> Iterator[tuple[str, ValidationAnswer | None]]:
    entries = _entries(fields, claims)
    inner = [entry for entry in entries if entry.raw(*CLAIM_LISTS) is not None]
    for entry in inner:
        yield from _by_claim(entry, claims)
    own = [entry for entry in entries if entry not in inner]
    overall = None if own == [fields] else read_answer(fields)
    for claim_id, entry in zip(_claims_of(own, claims), own, strict=True):
        if claim_id is not None:
            said = read_answer(entry)
            yield claim_id, completed(said, overall) if said and overall else said


def _entries(fields: Fields, claims: Mapping[str, str]) -> list[Fields]:
    """Return the entries: in a list, by id, in fields called after the claims; or the object itself."""
    if _names_a_claim(fields, claims) and gives_a_verdict(fields):
        return [fields]
    given = fields.raw(*CLAIM_LISTS)
    items = list(_items(given))
    by_id = {claim_id: fields.raw(plain_name(claim_id)) for claim_id in claims}
    items += [_entry(claim_id, value) for claim_id, value in by_id.items() if value is not None]
    return [item for item in items if gives_a_verdict(item) or item.raw(*CLAIM_LISTS) is not None]


def _items(given: object) -> Iterator[Fields]:
    if isinstance(given, dict):
        if gives_a_verdict(Fields(given)):
            yield Fields(given)
        else:
            yield from (_entry(key, value) for key, value in given.items())
    elif isinstance(given, list):
        for item in given:
            if isinstance(item, dict):
                yield Fields(item)
            elif isinstance(item, str):
                line = _LINE.fullmatch(item)
                yield _entry(line["id"], line["verdict"]) if line else Fields({"verdict": item})


def _entry(claim_id: str, value: object) -> Fields:
    return Fields(
        {"id": claim_id, **value} if isinstance(value, dict) else {"id": claim_id, "verdict": value}
    )


def _names_a_claim(fields: Fields, claims: Mapping[str, str]) -> bool:
    found = _ID.fullmatch(fields.text(*_CLAIM_ID))
    return found is not None and found["named"] is not None and int(found["number"]) in map(_number, claims)


def _claims_of(entries: Sequence[Fields], claims: Mapping[str, str]) -> list[str | None]:
    """Return the claim of each entry: by its id or its wording, which must not differ; by its place if no entry has either,
    there is one for each claim, and none speaks of another claim."""
    numbers = [_number(entry.text(*_CLAIM_ID)) for entry in entries]
    wordings = Wordings(claims)
    worded = [wordings.find(entry.text(*_WORDING)) for entry in entries]
    if not any(worded) and all(number is None for number in numbers):
        if len(entries) != len(claims):
            return [None] * len(entries)
        for entry, claim_id in zip(entries, claims, strict=True):
            about = " ".join(as_text(entry.raw(name)) for name in _ABOUT)
            if wordings.closer_than(claim_id, about) is not None:
                raise AnswerError("entries without the claims' ids, and in another order than theirs")
        return list(claims)
    shift = 0
    if 0 in numbers:
        if sorted(number for number in numbers if number is not None) != list(range(len(claims))):
            raise AnswerError("ids from 0, where those of the claims were asked for")
        shift = 1
    ids = {_number(claim_id): claim_id for claim_id in claims}
    named = [None if number is None else ids.get(number + shift) for number in numbers]
    for by_id, by_wording in zip(named, worded, strict=True):
        if by_id is not None and by_wording not in (None, by_id):
            raise AnswerError(f"{by_id} with the wording of {by_wording}")
    return [by_id or by_wording for by_id, by_wording in zip(named, worded, strict=True)]


def _number(claim_id: str) -> int | None:
    """Return the number if the id is nothing else: a number in a claim's wording is not an id."""
    found = _ID.fullmatch(claim_id)
    return int(found["number"]) if found else None
