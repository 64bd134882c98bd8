"""Parses a category agent's answer: its verdict on each claim, with the lines of code that it cites.

The expected format is in `prompts.py`. Every field but the verdict may be missing or malformed, and is normalised to one
type. The citations have not been checked yet. An answer without any verdict raises `AnswerError`, which says what to ask
for again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veridic.domain.code import CodeVerdict, EditorialFlag
from veridic.domain.evidence import Stance
from veridic.text.answer_fields import AnswerError, Fields, as_text
from veridic.text.loose_json import objects_with, plain_name, read_json

_VERDICT = ("verdict", "finalverdict", "rating", "classification")
_CLAIMS = ("claims", "verdicts", "results")
_CONFIDENCE = ("confidence", "confidencescore", "score")
_REASON = ("reason", "summary", "explanation", "rationale", "reasoning")
_EVIDENCE = ("evidence", "citations", "quotes", "lines")
_SETTLES = ("wouldsettle", "whatwouldsettle", "needed", "missing")
_FLAGS = ("flags", "editorialflags", "editorial", "notes")
_ID = ("id", "claimid", "claim", "number")
_DEFAULT_CONFIDENCE = 50.0
"""The confidence of a model that gives none."""
_MOST_CITED = 8
_LONGEST_VERDICT = 120
_LONGEST_QUOTE = 4_000
_LABEL = re.compile(r"(?:claim)?[\s_#-]{0,3}([0-9]{1,6})", re.IGNORECASE)
_LINE_NUMBER = re.compile(r"^[^\S\n]*[0-9]{1,7} ?\|[^\S\n]?", re.MULTILINE)
_PATH_AND_LINE = re.compile(r"(?P<path>.*?)(?:[:#]L?(?P<line>[0-9]{1,7})(?:-L?[0-9]{1,7})?)?\Z", re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,7}")
_END_OF_VERDICT = re.compile(r"[:.;(\n–—]| - ")
_DENIED = frozenset(("not", "cannot", "never", "t"))
_WORDS: Mapping[str, CodeVerdict] = {
    **{verdict.lower(): verdict for verdict in CodeVerdict},
    # Two sides that nothing can decide between are shown to the reader; one agent alone has not settled the claim.
    CodeVerdict.CONTESTED.lower(): CodeVerdict.INCONCLUSIVE,
    **dict.fromkeys(("true", "supported", "confirmed", "accurate", "correct"), CodeVerdict.VERIFIED),
    **dict.fromkeys(("false", "contradicted", "incorrect", "inaccurate", "wrong"), CodeVerdict.REFUTED),
    **dict.fromkeys(("partial", "partially", "partly"), CodeVerdict.INCOMPLETE),
    **dict.fromkeys(("unverifiable", "unverified", "unknown", "undetermined"), CodeVerdict.INCONCLUSIVE),
    **dict.fromkeys(("outdated", "obsolete"), CodeVerdict.STALE),
}
_FLAG_WORDS = {
    "jargon": EditorialFlag.JARGON_HEAVY,
    "extraneous": EditorialFlag.EXTRANEOUS,
    "redundant": EditorialFlag.EXTRANEOUS,
}
_STANCES = {
    "support": Stance.SUPPORTING,
    "confirm": Stance.SUPPORTING,
    "contradict": Stance.CONTRADICTING,
    "refut": Stance.CONTRADICTING,
    "context": Stance.CONTEXTUAL,
    "neutral": Stance.CONTEXTUAL,
}


class CitedLine(NamedTuple):
    """What a model says a line of a file contains."""

    path: str
    line: int
    quote: str
    """With its line ends, without line numbers."""
    stance: Stance | None
    """None if the model doesn't say."""


@dataclass(frozen=True)
class CodeAnswer:
    """An agent's answer on one claim. Each text is on one line."""

    verdict: CodeVerdict
    confidence: float = _DEFAULT_CONFIDENCE / 100
    """From 0 to 1."""
    reason: str = ""
    evidence: tuple[CitedLine, ...] = ()
    would_settle: str = ""
    notes: Mapping[EditorialFlag, str] = field(default_factory=dict)
    """Why each editorial flag applies; the reason may be empty."""


def parse_answer(text: str, labels: Sequence[str]) -> dict[str, CodeAnswer]:
    """The answers on each claim, in the order of the labels; `AnswerError` if there is no verdict on any.

    A claim with different verdicts is left out: one of them may be quoted text.
    """
    objects = [Fields(content) for content in objects_with(read_json(text), *_VERDICT, *_CLAIMS)]
    # An object with a verdict on all claims together is not a verdict on each.
    entries = [entry for one in objects for entry in one.objects(*_CLAIMS) or (one,)]
    found: dict[str, list[CodeAnswer]] = {label: [] for label in labels}
    for label, entry in _labelled(entries, labels):
        answer = _code_answer(entry)
        if answer is not None:
            found[label].append(answer)
    agreed = {
        label: answers[0]
        for label, answers in found.items()
        if len({answer.verdict for answer in answers}) == 1
    }
    if not agreed:
        raise AnswerError(_lacking(entries))
    return agreed


def _lacking(entries: Sequence[Fields]) -> str:
    if not entries:
        return "no JSON object with verdicts"
    return "no single verdict on any claim that is one of " + ", ".join(
        verdict for verdict in CodeVerdict if verdict is not CodeVerdict.CONTESTED
    )


def _labelled(entries: Sequence[Fields], labels: Sequence[str]) -> Iterator[tuple[str, Fields]]:
    """Match entries to claims by the number in their id; without ids in order, if there is one for each claim."""
    by_number = {_number(label): label for label in labels}
    numbers = [_number(entry.text(*_ID)) for entry in entries]
    if not any(numbers) and len(entries) == len(labels):
        yield from zip(labels, entries, strict=True)
        return
    for number, entry in zip(numbers, entries, strict=True):
        if number is not None and number in by_number:
            yield by_number[number], entry


def _number(label: str) -> int | None:
    found = _LABEL.fullmatch(label)
    return int(found[1]) if found else None


def _code_answer(entry: Fields) -> CodeAnswer | None:
    said = entry.text(*_VERDICT)[:_LONGEST_VERDICT]
    notes = dict(_notes(entry.raw(*_FLAGS)))
    reason = entry.text(*_REASON)
    verdict = read_code_verdict(said)
    if verdict is None:
        flag = _flag(said)
        if flag is None:
            return None
        # Editorial words don't say whether a claim is true: an answer that gives one as its verdict has none.
        verdict = CodeVerdict.INCONCLUSIVE
        notes.setdefault(flag, reason)
    confidence = entry.percentage(*_CONFIDENCE)
    return CodeAnswer(
        verdict=verdict,
        confidence=(_DEFAULT_CONFIDENCE if confidence is None else confidence) / 100,
        reason=reason,
        evidence=tuple(_cited(entry))[:_MOST_CITED],
        would_settle=entry.text(*_SETTLES),
        notes=notes,
    )


def read_code_verdict(said: str) -> CodeVerdict | None:
    """The verdict at the beginning of a text; None if it names none, or several."""
    words = re.findall(r"[a-z]+", _END_OF_VERDICT.split(said.strip().lower(), maxsplit=1)[0])
    named = {_WORDS[word] for word in words if word in _WORDS}
    if _DENIED.intersection(words):
        return CodeVerdict.INCONCLUSIVE if named == {CodeVerdict.VERIFIED} else None
    if named == {CodeVerdict.VERIFIED, CodeVerdict.INCOMPLETE}:
        return CodeVerdict.INCOMPLETE
    return named.pop() if len(named) == 1 else None


def _cited(entry: Fields) -> Iterator[CitedLine]:
    for item in entry.objects(*_EVIDENCE):
        place = _PATH_AND_LINE.match(item.text("path", "file", "location"))
        given = _NUMBER.search(item.text("line", "linenumber", "lines", "startline"))
        number = given[0] if given else place["line"] if place else None
        quote = item.raw("quote", "code", "text", "content")
        lines = quote if isinstance(quote, str) else as_text(quote)
        if place and place["path"] and number:
            path = place["path"].strip("`").removeprefix("./")
            bare = without_line_numbers(lines[:_LONGEST_QUOTE])
            yield CitedLine(path, int(number), bare, _stance(item))


def without_line_numbers(quote: str) -> str:
    """The quote without the `12 | ` that was shown before each line."""
    return _LINE_NUMBER.sub("", quote).strip("\r\n")


def _stance(item: Fields) -> Stance | None:
    said = item.text("stance", "type", "side").lower()
    return next((stance for word, stance in _STANCES.items() if said.startswith(word)), None)


def _notes(value: object) -> Iterator[tuple[EditorialFlag, str]]:
    """The flags from a list of objects or texts, or from an object with a reason for each flag."""
    if isinstance(value, dict) and "flag" not in map(plain_name, value):
        said = [(name, as_text(reason)) for name, reason in value.items()]
    else:
        items = value if isinstance(value, list) else [value]
        said = [_flag_and_reason(item) for item in items]
    for name, reason in said:
        if (flag := _flag(name)) is not None:
            yield flag, reason


def _flag_and_reason(item: object) -> tuple[str, str]:
    if isinstance(item, dict):
        fields = Fields(item)
        return fields.text("flag", "name", "type"), fields.text("why", "reason", "explanation", "note")
    name, _, reason = as_text(item).partition(":")
    return name, reason.strip()


def _flag(name: str) -> EditorialFlag | None:
    plain = plain_name(name)
    return next((flag for word, flag in _FLAG_WORDS.items() if plain.startswith(word)), None)
