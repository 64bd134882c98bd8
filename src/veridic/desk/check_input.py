"""Reads checks that a desk exported as JSON. Does no I/O."""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from veridic.desk.claim_review_input import Skipped
from veridic.desk.lifecycle import ClaimStatus
from veridic.desk.records import Line, Moment, Notes, Rating, Text, Url
from veridic.domain.claim import Priority
from veridic.domain.document import Span
from veridic.domain.errors import UsageError
from veridic.domain.evidence import Tier
from veridic.store.columns import storable

MAX_CHECKS = 10_000
_MAX_CHARACTERS = 20_000_000
_MAX_CLAIMS = 20_000
_MAX_VERDICTS = 1_000


def _known_tier(value: object) -> object:
    return value if value in list(Tier) else None


class _Read(BaseModel):
    """What another version has besides is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ReadPerson(_Read):
    username: Line
    display_name: Line | None = None

    @property
    def name(self) -> str:
        return self.display_name or self.username


class ReadSource(_Read):
    url: Url
    domain: Line | None = None
    title: Line | None = None
    credibility_tier: Annotated[Tier | None, BeforeValidator(_known_tier)] = None
    supports_claim: bool | None = None
    relevance_score: float | None = Field(default=None, ge=0, le=1)
    excerpt: Notes | None = None
    date_published: Moment | None = None
    notes: Notes | None = None


class ReadVerdict(_Read):
    rating: Rating | None = None
    method: Line | None = None
    notes: Notes | None = None
    verified_by: ReadPerson | None = None
    verified_at: Moment | None = None
    sources: tuple[ReadSource, ...] = Field(default=(), max_length=_MAX_VERDICTS)

    @property
    def by(self) -> str:
        """Who stood for it at the other desk."""
        if self.verified_by is not None:
            return self.verified_by.name
        return "the machine" if self.method == "automated" else "one person"


class ReadClaim(_Read):
    id: int | None = None
    text: Text
    claim_type: Line | None = None
    verification_type: Line | None = None
    verifiable: bool = True
    status: ClaimStatus = ClaimStatus.PENDING
    priority: Priority = Priority.MEDIUM
    sentence_index: int | None = Field(default=None, ge=0)
    span: Span | None = None
    verifications: tuple[ReadVerdict, ...] = Field(default=(), max_length=_MAX_VERDICTS)
    """Newest first."""


class ReadComment(_Read):
    claim_id: int | None = None
    by: ReadPerson | None = None
    text: Text
    created_at: Moment | None = None


class ReadCheck(_Read):
    """A check as it was exported."""

    id: Line
    title: Line | None = None
    content: str = Field(min_length=1, max_length=_MAX_CHARACTERS)
    status: Line = "pending"
    priority: Priority = Priority.MEDIUM
    due_at: Moment | None = None
    created_at: datetime | None = None
    completed_at: Moment | None = None
    notes: Notes | None = None
    overall_rating: Rating | None = None
    claims: tuple[ReadClaim, ...] = Field(default=(), max_length=_MAX_CLAIMS)
    comments: tuple[ReadComment, ...] = Field(default=(), max_length=_MAX_CLAIMS)

    @property
    def origin(self) -> str:
        """What tells this check from others: its number at the desk that exported it, its day and its text."""
        marks = [self.id, self.created_at.isoformat() if self.created_at else "", storable(self.content)]
        return sha256(json.dumps(marks).encode()).hexdigest()


def is_export(data: object) -> bool:
    """Return whether data is a JSON export of a desk, and not ClaimReviews."""
    return isinstance(data, dict) and isinstance(data.get("checks"), list)


def read_checks(data: Mapping[str, Any]) -> tuple[list[ReadCheck], list[Skipped]]:
    """Return the checks of an export; those that can't be read are left out, each with the reason."""
    given = data["checks"]
    if len(given) > MAX_CHECKS:
        raise UsageError(f"More than {MAX_CHECKS:,} checks can't be imported at once; send them in parts.")
    checks: list[ReadCheck] = []
    skipped: list[Skipped] = []
    for one in given:
        try:
            checks.append(ReadCheck.model_validate(one))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "The check"
            name = str(one.get("id", ""))[:200] if isinstance(one, dict) else None
            skipped.append(Skipped(claim=name or None, reason=f"{place}: {first['msg']}."))
    return checks, skipped
