"""What the desk gives and takes: checks, claims, verifications, comments, reviews and publications as values."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, ConfigDict, Field, StringConstraints

from veridic.desk.lifecycle import SETTLED, CheckStatus, ClaimStatus
from veridic.domain.base import Frozen
from veridic.domain.claim import Priority
from veridic.domain.dates import DateField, PartialDate
from veridic.domain.document import Span
from veridic.domain.evidence import Tier
from veridic.store import rows
from veridic.store.listing import RunState

MANUAL = rows.MANUAL
"""The `verification_method` of a person's verification."""
ACCEPTED = rows.ACCEPTED
"""The `verification_method` of a person who has accepted the machine's verdict."""
IMPORTED = "imported"
"""The `verification_method` of a verdict that another desk published."""
_EARLIEST_YEAR, _LATEST_YEAR = 1000, 9000

QueueView = Literal["all", "mine", "unassigned", "to_review"]
ReviewDecision = Literal["approved", "changes_requested"]
ClaimRelation = Literal["same", "opposite", "close"]
"""`same` in meaning, `opposite` if both can't be true, `close` in words only."""
PublicationKind = Literal["published", "corrected", "retracted"]


class Rating(StrEnum):
    """How true a claim is."""

    TRUE = "true"
    MOSTLY_TRUE = "mostly_true"
    MIXED = "mixed"
    MOSTLY_FALSE = "mostly_false"
    FALSE = "false"
    UNVERIFIABLE = "unverifiable"


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
Notes = Annotated[str, StringConstraints(strip_whitespace=True, max_length=20_000)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]
Url = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


def _in_range(moment: datetime) -> datetime:
    # At the ends of the calendar a change of time zone leaves it.
    if not _EARLIEST_YEAR <= moment.year <= _LATEST_YEAR:
        raise ValueError(f"the year should be {_EARLIEST_YEAR} to {_LATEST_YEAR}")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_in_range)]
"""A date and time with its time zone."""


def _in_years(date: PartialDate) -> PartialDate:
    if not _EARLIEST_YEAR <= date.year <= _LATEST_YEAR:
        raise ValueError(f"the year should be {_EARLIEST_YEAR} to {_LATEST_YEAR}")
    return date


def _written_whole(value: object) -> object:
    # What follows a date would be ignored: 2026-1-21 would be the year 2026.
    if isinstance(value, str) and str(PartialDate.parse(value)) != value.strip():
        raise ValueError("it should be a date such as 2026-01-21, 2026-01 or 2026")
    return value


KnownDate = Annotated[DateField, BeforeValidator(_written_whole), AfterValidator(_in_years)]
"""A year, a month or a day."""


class Person(Frozen):
    """A person at the desk, as others see them."""

    id: int
    username: str
    display_name: str | None = None

    @property
    def name(self) -> str:
        return self.display_name or self.username


class QueueItem(Frozen):
    """A check in the queue."""

    id: str
    title: str | None
    status: CheckStatus
    priority: Priority
    due_at: datetime | None
    created_at: datetime | None
    completed_at: datetime | None
    assigned_to: Person | None
    created_by: Person | None
    completed_by: Person | None
    overall_rating: str | None
    version: int
    claims: int
    settled: int
    """Claims with a verdict that a person stands for."""
    excerpt: str
    """The beginning of the text, for a check without a title."""


class SourceRecord(Frozen):
    """A source of a verification."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    id: int
    url: str
    domain: str | None
    title: str | None
    credibility_tier: str | None
    credibility_score: float | None
    supports_claim: bool | None
    relevance_score: float | None
    excerpt: str | None
    date_published: datetime | None
    """If only the month or the year is known, the beginning of its first day."""
    published: DateField | None
    """As exact as it is known: `2026`, `2026-01` or `2026-01-21`."""
    date_accessed: datetime | None
    notes: str | None


class Verification(Frozen):
    """One attempt to verify a claim, by a person or by the machine."""

    id: int
    status: str
    rating: str | None
    method: str | None
    """`manual` for a person, `accepted` for a person who accepted the machine's verdict, `automated` for the machine,
    `imported` for another desk."""
    notes: str | None
    verified_by: Person | None
    verified_at: datetime | None
    time_spent_seconds: int | None
    credibility_score: float | None
    confidence: int | None
    """The machine's confidence in percent; None for people, and in consensus mode."""
    sources: tuple[SourceRecord, ...]

    @property
    def is_by_person(self) -> bool:
        return self.method in rows.BY_PEOPLE

    @property
    def is_accepted(self) -> bool:
        return self.method == ACCEPTED


class ClaimRecord(Frozen):
    """A claim with everything that people and the machine found about it."""

    id: int
    check_id: str
    text: str
    claim_type: str | None
    verification_type: str | None
    verifiable: bool
    status: ClaimStatus
    priority: Priority
    sentence_index: int | None
    span: Span | None
    version: int
    updated_at: datetime | None
    status_by: Person | None
    """Who put it into its state, such as in progress; None for the machine, and on a server without accounts."""
    status_at: datetime | None
    """When a person did; None for the machine."""
    verifications: tuple[Verification, ...]
    """Newest first."""
    requires_sources: bool
    """Whether its type needs a source for every rating but `unverifiable`."""
    leading: Verification | None
    """The one that counts: the latest that a person stands for, otherwise the machine's or another desk's latest."""
    machine: Verification | None
    """The machine's latest."""
    differs: bool
    """Whether a person rated it differently from the machine."""

    @property
    def is_settled(self) -> bool:
        """Whether a person stands for a verdict on it, and nobody has taken it up again."""
        leading = self.leading
        rated = leading is not None and leading.is_by_person and leading.rating is not None
        return rated and self.status in SETTLED

    @property
    def lacks_source(self) -> bool:
        """Whether a person's verdict on it names no source where its type needs one."""
        leading = self.leading
        return leading is not None and leading.is_by_person and not is_founded(leading, self.requires_sources)

    @property
    def needs_person(self) -> bool:
        """Whether it keeps its check from being completed."""
        return self.lacks_source or (self.verifiable and not self.is_settled)


def is_founded(verification: Verification, requires_sources: bool) -> bool:
    """Return whether a verdict has the source that it may need."""
    is_decided = verification.rating not in (None, Rating.UNVERIFIABLE)
    return not (requires_sources and is_decided) or bool(verification.sources)


class Comment(Frozen):
    """A comment on a claim, or on the whole check if `claim_id` is None."""

    id: int
    check_id: str
    claim_id: int | None
    by: Person | None
    text: str
    created_at: datetime


class Review(Frozen):
    """A second reader's decision on the version that was read."""

    id: int
    check_id: str
    by: Person | None
    decision: ReviewDecision
    note: str | None
    version: int
    created_at: datetime


class Notice(Frozen):
    """A publication, correction or retraction in the history of a public page."""

    number: int
    kind: PublicationKind
    reason: str | None
    published_at: datetime


class PublicationRecord(Frozen):
    """A publication of a check, with the history that its public page shows."""

    check_id: str
    number: int
    kind: PublicationKind
    reason: str | None
    title: str | None
    published_at: datetime
    published_by: str | None
    """The person's name; None on a server without accounts."""
    content: dict[str, Any]
    """The check as it was published: `title`, `text`, `overall_rating`, `notes`, and `claims` with verdicts and sources."""
    notices: tuple[Notice, ...]
    """All publications of the check, oldest first."""


class SecondReader(Frozen):
    """Whether the rule of the second reader lets a check be published by the person who asks."""

    applies: bool
    satisfied: bool
    sentence: str
    """What the rule says about this check, for people."""


class CheckRecord(Frozen):
    """A check with all that the desk knows of it."""

    id: str
    title: str | None
    content: str
    machine_run: RunState | None
    """The state of the machine's run, at `/api/checks/{id}`; None if the machine was not asked."""
    status: CheckStatus
    version: int
    priority: Priority
    due_at: datetime | None
    created_at: datetime | None
    completed_at: datetime | None
    created_by: Person | None
    assigned_to: Person | None
    completed_by: Person | None
    notes: str | None
    overall_rating: str | None
    claims: tuple[ClaimRecord, ...]
    """In the order of the text."""
    comments: tuple[Comment, ...]
    reviews: tuple[Review, ...]
    """Newest first."""
    publications: tuple[Notice, ...]
    """Oldest first."""
    second_reader: SecondReader


class SourceInput(Frozen):
    """A source that a person used. The domain and the tier are read from the address unless given."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    url: Url
    title: Line | None = None
    domain: Line | None = None
    credibility_tier: Tier | None = None
    supports_claim: bool | None = None
    """True if it supports the claim, False if it disputes it, None for context."""
    relevance_score: float | None = Field(default=None, ge=0, le=1)
    excerpt: Notes | None = None
    date_published: Moment | None = None
    published: KnownDate | None = None
    """Instead of `date_published`, where the day may not be known: `2026`, `2026-01` or `2026-01-21`."""
    notes: Notes | None = None


class VerificationInput(Frozen):
    """A person's verdict on a claim."""

    rating: Rating
    status: Literal["verified", "disputed", "flagged"] = "verified"
    """The claim's new status: `disputed` for conflicting evidence, `flagged` for special attention."""
    notes: Notes = ""
    time_spent_seconds: int | None = Field(default=None, ge=0, le=7 * 86_400)
    """The time that the claim was open and active."""
    sources: tuple[SourceInput, ...] = Field(default=(), max_length=100)
    """At least one, unless it is rated `unverifiable`, which needs notes instead, or its type needs none."""


class PendingClaim(Frozen):
    """A verifiable claim that nobody has verified yet."""

    claim_id: int
    check_id: str
    text: str
    claim_type: str | None
    priority: Priority
    created_at: datetime | None
    source_content: str
    """The beginning of the text that it stands in."""
    fact_check_creator: int | None


class ClaimTypeRecord(Frozen):
    """How claims of one type are verified."""

    type_name: str
    verification_approach: str
    description: str | None
    requires_sources: bool
    typical_verification_time: int | None
    """Seconds."""


class SimilarClaim(Frozen):
    """An earlier verdict on a claim like the one asked for."""

    claim_id: int
    check_id: str
    check_title: str | None
    text: str
    similarity: int
    """0 to 100: how alike the words are, or how sure the relation is, whichever is more."""
    relation: ClaimRelation = "close"
    rating: str
    method: str | None
    verified_by: Person | None
    verified_at: datetime | None
    is_published: bool
