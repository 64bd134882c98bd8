"""A copy of the checked text with corrections applied: only the words that a correction changes are replaced."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from veridic.domain.decision import Correction, Decision
from veridic.domain.document import Span
from veridic.domain.report import Report
from veridic.reporting.comparing import differences, places
from veridic.reporting.numbering import Numbering
from veridic.reporting.wording import checked_as

_SENTENCE_END = ".!?"


@dataclass(frozen=True, slots=True)
class Replacement:
    """Words of the text, and those that take their place."""

    span: Span
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim's correction, as replacements in the text."""

    number: int
    """The claim's number in the report."""
    correction: Correction
    replacements: tuple[Replacement, ...]
    """Empty if the correction can't be applied by itself, because the claim was judged in other words than the text's."""


@dataclass(frozen=True, slots=True)
class CorrectedText:
    text: str
    applied: tuple[Proposal, ...]
    left_out: tuple[Proposal, ...]
    """Proposals that can't be applied, by themselves or because they change the words of one that was."""


def proposals(report: Report) -> tuple[Proposal, ...]:
    """Return the corrections of a report in the order of its claims."""
    numbers = Numbering(report).claims
    return tuple(
        Proposal(number, decision.correction, tuple(_replacements(report.document.text, decision)))
        for number, decision in zip(numbers, report.decisions, strict=True)
        if decision.correction is not None
    )


def corrected_text(report: Report, numbers: Collection[int]) -> CorrectedText:
    """Return the text with the corrections of the claims in `numbers`; everything else stays as it is."""
    applied: list[Proposal] = []
    left_out: list[Proposal] = []
    taken: list[Span] = []
    for proposal in proposals(report):
        if proposal.number not in numbers:
            continue
        spans = [replacement.span for replacement in proposal.replacements]
        if not spans or any(_overlap(one, other) for one in spans for other in taken):
            left_out.append(proposal)
        else:
            applied.append(proposal)
            taken += spans
    text = report.document.text
    changes = (replacement for proposal in applied for replacement in proposal.replacements)
    for change in sorted(changes, key=lambda change: change.span, reverse=True):
        text = text[: change.span[0]] + change.new + text[change.span[1] :]
    return CorrectedText(text, tuple(applied), tuple(left_out))


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _replacements(text: str, decision: Decision) -> Iterator[Replacement]:
    start, end = decision.claim.span
    correction = decision.correction
    quote = text[start:end]
    if correction is None or not quote:
        return
    compared = differences(
        correction.original.rstrip(_SENTENCE_END), _as_in(correction.original, correction.corrected)
    )
    changed = [(old, new, list(places(quote, old))) for _, old, new in compared if old or new]
    if changed and all(len(found) == 1 for _, _, found in changed):
        for old, new, [(first, last)] in changed:
            yield Replacement((start + first, start + last), old, new)
    elif not checked_as(decision.claim):
        ending = quote[len(quote.rstrip(_SENTENCE_END)) :]
        yield Replacement((start, end), quote, _as_in(quote, correction.corrected) + ending)


def _as_in(original: str, corrected: str) -> str:
    """Return the corrected sentence without its end, and with the capital or small letter that the original begins with."""
    words = corrected.strip().rstrip(_SENTENCE_END)
    same_letter = original[:1].casefold() == words[:1].casefold()
    return original[:1] + words[1:] if same_letter else words
