"""A claim in its text, and what two people wrote about it at once. Does no I/O."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.desk.published import RATINGS
from veridic.desk.records import CheckRecord, ClaimRecord, Rating, Verification
from veridic.web.desk_verdict_form import SourceRow, VerdictForm, source_row
from veridic.web.desk_words import state_words

_CONTEXT_LENGTH = 280


@dataclass(frozen=True, slots=True)
class ClaimInText:
    """The claim with the text around it."""

    before: str
    claim: str
    after: str


def in_text(check: CheckRecord, claim: ClaimRecord) -> ClaimInText | None:
    """Return the claim with its paragraph; None for a claim that has no place in the text."""
    if claim.span is None:
        return None
    start, end = claim.span
    # No further than the paragraph.
    before = check.content[:start].rpartition("\n\n")[2].lstrip("\n")
    after = check.content[end:].partition("\n\n")[0].rstrip("\n")
    return ClaimInText(
        before=before if len(before) <= _CONTEXT_LENGTH else f"… {before[-_CONTEXT_LENGTH:]}",
        claim=check.content[start:end],
        after=after if len(after) <= _CONTEXT_LENGTH else f"{after[:_CONTEXT_LENGTH]} …",
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that somebody else has saved otherwise."""

    name: str
    theirs: str
    mine: str


def differences_of(claim: ClaimRecord, theirs: Verification, form: VerdictForm) -> tuple[Difference, ...]:
    """Return the fields that somebody else has saved otherwise than this person typed them."""
    rows = [source_row(source) for source in theirs.sources]
    pairs = (
        Difference("Rating", _rating_words(theirs.rating or ""), _rating_words(form.rating)),
        Difference("State", state_words(claim.status.value), state_words(form.status)),
        Difference("Notes", theirs.notes or "", form.notes),
        Difference("Sources", _source_lines(rows), _source_lines(form.sources)),
    )
    return tuple(pair for pair in pairs if pair.theirs != pair.mine)


def _rating_words(rating: str) -> str:
    return RATINGS[Rating(rating)] if rating in list(Rating) else rating


def _source_lines(rows: Sequence[SourceRow]) -> str:
    return "\n".join(f"{row.stance}: {row.url}" for row in rows if not row.is_blank)
